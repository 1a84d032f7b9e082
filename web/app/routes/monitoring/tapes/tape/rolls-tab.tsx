import { Link, useSearchParams } from '@remix-run/react';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { bucketFilter, type DelinquencyBucket, ROLL_LABELS } from '@tapeline/domain/pools/delinquency.ts';
import { HeatMap } from '../../../../components/charts/heat-map.tsx';
import { Figure, Money, Mono } from '../../../../components/figures/figures.tsx';
import { formatCount, formatFigure } from '../../../../components/figures/format.ts';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { Panel } from '../../../../components/page/section.tsx';
import { TableSection } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import { cellWords, rollTable } from '../movement-table.ts';
import type { RollsView, TapeHead } from '../tape-head.ts';
import { ComparedWith, MissingRates, NothingEarlier, WithoutBalance } from './compared-with.tsx';
import { Speeds } from './speeds.tsx';
import { TapesBeingRead } from './tapes-being-read.tsx';

const NO_SUM = 'No asset in this row has a current balance';

/**
 * From one tape to the next: roll rates between buckets of days past due, and the prepayment and default speeds of the
 * pool.
 */
export function RollsTab({ head, view }: { head: TapeHead; view: RollsView }) {
  const { against, matrix } = view;
  if (!against) {
    return (
      <Panel>
        <NothingEarlier head={head} purpose="Roll rates track each asset from one tape to the next." />
      </Panel>
    );
  }
  return (
    <>
      {matrix && matrix.count > 0 ? (
        <Matrix head={head} view={view} against={against} matrix={matrix} />
      ) : (
        <>
          <ComparedWith tapeId={head.id} view={view} against={against} hasBalances={false} />
          <Panel>
            <EmptyState title="The two tapes cannot be compared">
              {matrix
                ? 'No asset on the earlier tape has an id.'
                : 'Both tapes need the fields “Asset id” and “Days past due”. Add rules for the missing fields to the mapping.'}
            </EmptyState>
          </Panel>
        </>
      )}
      {view.speedsRead ? (
        <TapesBeingRead read={view.speedsRead} label="Calculating prepayment and default" part="step" />
      ) : (
        <Speeds head={head} speeds={view.speeds ?? []} />
      )}
    </>
  );
}

type Against = NonNullable<RollsView['against']>;
type Matrix = NonNullable<RollsView['matrix']>;

function Matrix({
  head,
  view,
  against,
  matrix,
}: {
  head: TapeHead;
  view: RollsView;
  against: Against;
  matrix: Matrix;
}) {
  const hasBalances = matrix.opening !== null;
  const measure = hasBalances ? view.measure : 'count';
  const table = rollTable(matrix, measure);
  const filterOf = (bucket: string, cutOffDate: string, held: readonly string[]) =>
    JSON.stringify(bucketFilter(bucket as DelinquencyBucket, cutOffDate, (path) => held.includes(path)));
  const cellTo = (from: string, to: string) =>
    paths.tapeRolls(head.id, { against: against.id, from, to, ...(measure === 'count' ? { measure } : {}) });
  const days = `${formatCalendarDate(against.cutOffDate)} to ${formatCalendarDate(head.cutOffDate)}`;
  return (
    <>
      <ComparedWith tapeId={head.id} view={view} against={against} hasBalances={hasBalances} />
      <MissingRates matrix={matrix} />
      <HeatMap
        title="Roll rates"
        note={`% of ${measure === 'count' ? 'assets' : 'opening balance'}, ${days}. Grey: unchanged, teal: improved, amber: worsened`}
        corner="From \ to"
        columns={table.columns.map(({ key, label }) => ({
          label,
          ...(key === 'vanished'
            ? {}
            : { to: paths.tape(head.id, { filter: filterOf(key, head.cutOffDate, view.held) }) }),
        }))}
        rows={table.rows.map((row) => ({
          label: row.label,
          to: paths.tape(against.id, { filter: filterOf(row.key, against.cutOffDate, against.held) }),
          cells: row.cells.map((cell) => ({
            points: cell.points,
            isEmpty: cell.count === 0,
            title: cellWords(cell, matrix.currency),
            to: cellTo(row.key, cell.to),
            isChosen: view.cell?.from === row.key && view.cell.to === cell.to,
          })),
          totals: [
            <Figure key="count" value={row.count} />,
            <Money key="opening" value={row.opening} unknown={NO_SUM} />,
          ],
        }))}
        totals={['Assets', `Opening (${matrix.currency})`]}
        meaning={table.meaning}
      />
      {measure === 'balance' ? <WithoutBalance matrix={matrix} /> : null}
      {view.cell ? <Moved head={head} cell={view.cell} against={against} currency={matrix.currency} /> : null}
    </>
  );
}

/** The assets of one cell, each with a link to the asset in the grid. */
function Moved({
  head,
  cell,
  against,
  currency,
}: {
  head: TapeHead;
  cell: NonNullable<RollsView['cell']>;
  against: Against;
  currency: string;
}) {
  const [search] = useSearchParams();
  const without = new URLSearchParams(search);
  without.delete('from');
  without.delete('to');
  const tapeId = cell.to === 'vanished' ? against.id : head.id;
  const days = (value: number | null) => <Figure value={value} zero="figure" unknown="Not on the tape" />;
  return (
    <TableSection
      title={`${ROLL_LABELS[cell.from]} to ${ROLL_LABELS[cell.to].toLowerCase()}`}
      note={
        cell.total > cell.assets.length
          ? `largest ${cell.assets.length} of ${formatFigure(cell.total)} assets`
          : formatCount(cell.total, 'asset')
      }
      more={
        <>
          {cell.ids && cell.total > 0 ? (
            <Link
              to={paths.tape(tapeId, { filter: JSON.stringify({ assetId: { in: cell.ids } }) })}
              className="mr-4 hover:underline"
            >
              Show in grid
            </Link>
          ) : null}
          <Link to={`?${without}`} preventScrollReset className="hover:underline">
            Close
          </Link>
        </>
      }
      caption={`Assets from ${ROLL_LABELS[cell.from]} to ${ROLL_LABELS[cell.to]}`}
      rows={cell.assets}
      rowTo={(row) => paths.tape(row.tapeId, { asset: row.id })}
      columns={[
        { head: 'Asset', cell: (row) => <Mono>{row.assetId}</Mono> },
        {
          head: `Current balance ${formatCalendarDate(against.cutOffDate)}`,
          money: (row) =>
            row.outstanding === null ? null : { sum: row.outstanding, currency: row.currency ?? currency },
          withCurrency: true,
          unknown: NO_SUM,
        },
        { head: 'Previous days past due', numeric: true, cell: (row) => days(row.daysBefore) },
        {
          head: 'Days past due',
          numeric: true,
          cell: (row) =>
            cell.to === 'vanished' ? <span className="text-ink-3">not reported</span> : days(row.daysAfter),
        },
      ]}
      empty={<EmptyState title="No assets">No assets moved this way between the two tapes.</EmptyState>}
    />
  );
}
