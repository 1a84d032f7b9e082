import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { multiply } from '@tapeline/domain/money/decimal.ts';
import { vintageDates } from '@tapeline/domain/pools/vintage-period.ts';
import type { VintageCurve } from '@tapeline/domain/pools/vintages.ts';
import { LineChart, type LineSeries } from '../../../../components/charts/line-chart.tsx';
import { EN_DASH, formatCount, formatPercent } from '../../../../components/figures/format.ts';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { Columns, Panel } from '../../../../components/page/section.tsx';
import { type Column, TableSection } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import { ChoiceBar, ChoiceLinks } from '../choice-bar.tsx';
import type { TapeHead, VintagesView } from '../tape-head.ts';
import { vintageName } from '../vintage-name.ts';
import { TapesBeingRead } from './tapes-being-read.tsx';

/** Maximum number of lines that are distinguishable. The table has all vintages. */
const MAX_LINES = 7;
const PERIODS = { month: 'Month', quarter: 'Quarter', year: 'Year' } as const;
const NOT_WATCHED = 'Its loans appear on one tape only';

type Found = NonNullable<VintagesView['found']>;
type Read = (point: VintageCurve['points'][number]) => string;

/** Cumulative default and prepayment of each vintage against months on book. */
export function VintagesTab({ head, view }: { head: TapeHead; view: VintagesView }) {
  const { found, read } = view;
  if (read) return <TapesBeingRead read={read} label="Reading loan histories" part="tape" />;
  if (!found) {
    return (
      <Panel>
        <EmptyState title="No origination dates">
          Vintages group loans by origination month. Add a rule for “Origination date” to the mapping and upload the
          tape again.
        </EmptyState>
      </Panel>
    );
  }
  return (
    <>
      <Choices head={head} view={view} found={found} />
      {found.curves.all.points.length > 0 ? (
        <Curves view={view} found={found} />
      ) : (
        <Panel className="mb-[26px]">
          <EmptyState title="No curves yet">
            {found.source === 'tapes'
              ? 'Curves are built from consecutive tapes. They start with the borrower’s next tape.'
              : 'No loan on the tape has an origination date before the cut-off date.'}
          </EmptyState>
        </Panel>
      )}
      <VintageTable head={head} view={view} found={found} />
    </>
  );
}

function Choices({ head, view, found }: { head: TapeHead; view: VintagesView; found: Found }) {
  const to = (change: { period?: string; measure?: string; source?: string }) =>
    paths.tapeVintages(head.id, {
      period: view.by,
      ...(view.measure === 'count' ? { measure: 'count' } : {}),
      source: found.source,
      ...change,
    });
  return (
    <ChoiceBar>
      <ChoiceLinks
        label="Vintages by"
        choices={(['month', 'quarter', 'year'] as const).map((period) => ({
          label: PERIODS[period],
          to: to({ period }),
          isCurrent: view.by === period,
        }))}
      />
      <ChoiceLinks
        label="Shares of"
        choices={[
          { label: 'Original balance', to: to({ measure: '' }), isCurrent: view.measure === 'balance' },
          { label: 'Count', to: to({ measure: 'count' }), isCurrent: view.measure === 'count' },
        ]}
      />
      <ChoiceLinks
        label="Source"
        choices={[
          {
            label: view.seriesLength === 1 ? 'This tape only' : `${view.seriesLength} tapes`,
            to: to({ source: 'tapes' }),
            isCurrent: found.source === 'tapes',
          },
          { label: 'Dates on this tape', to: to({ source: 'dates' }), isCurrent: found.source === 'dates' },
        ]}
      />
      <div className="ml-auto sm:mt-5">
        <LinkButton
          external
          to={paths.analyticsFile('vintages', {
            loanTapeId: head.id,
            by: view.by,
            measure: view.measure,
            source: found.source,
          })}
        >
          CSV
        </LinkButton>
      </div>
    </ChoiceBar>
  );
}

/** The vintages that are drawn, the oldest first: all of them, or a sample spread evenly over them. */
function linesOf(found: Found): { curves: VintageCurve[]; total: number } {
  const drawn = found.curves.vintages.filter(({ points }) => points.length > 1);
  if (drawn.length <= MAX_LINES) return { curves: drawn, total: drawn.length };
  const step = (drawn.length - 1) / (MAX_LINES - 1);
  const curves = Array.from({ length: MAX_LINES }, (_, index) => drawn[Math.round(index * step)]!);
  return { curves, total: drawn.length };
}

function Curves({ view, found }: { view: VintagesView; found: Found }) {
  const { curves, total } = linesOf(found);
  const { all } = found.curves;
  const lines = [...curves, all];
  const first = Math.min(...lines.map(({ points }) => points[0]?.month ?? 0));
  const last = Math.max(...lines.map(({ points }) => points[points.length - 1]?.month ?? 0));
  const months = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const seriesOf = (read: Read): LineSeries[] =>
    lines.map((curve) => {
      const at = new Map(curve.points.map((point) => [point.month, Number(multiply(read(point), '100'))]));
      return {
        label: vintageName(curve.vintage),
        values: months.map((month) => at.get(month) ?? null),
        ...(curve === all ? { colour: 2 as const, strong: true } : {}),
      };
    });
  const note = `% of ${view.measure === 'count' ? 'loans' : 'original balance'} by months on book`;
  const shape = {
    note,
    points: months.map(String),
    named: true,
    axis: 'months on book',
    axisStep: months.length > 36 ? 12 : months.length > 12 ? 6 : months.length > 6 ? 3 : 1,
    format: (value: number) => formatPercent(value, 2),
  };
  return (
    <>
      <Columns>
        <LineChart title="Cumulative default" series={seriesOf(({ defaulted }) => defaulted)} {...shape} />
        <LineChart title="Cumulative prepayment" series={seriesOf(({ prepaid }) => prepaid)} {...shape} />
      </Columns>
      <p className="-mt-3 mb-[26px] max-w-[100ch] text-xs text-ink-3">
        {found.source === 'tapes'
          ? `From ${formatCount(found.tapes, 'monthly tape')}${view.firstCutOffDate ? ` since ${formatCalendarDate(view.firstCutOffDate)}` : ''}. Each line starts at the months on book of its first tape and shows the share of those loans that have since defaulted or prepaid. “All” combines all vintages.`
          : 'Based on the dates on this tape only: accurate only if the tape lists all loans, including closed ones.'}{' '}
        {total > curves.length ? `Showing ${curves.length} of ${total} vintages. ` : ''}
        {leftOutWords(found)}
      </p>
    </>
  );
}

function leftOutWords({ leftOut }: Found): string {
  const parts = [
    leftOut.closedBefore > 0 ? `${formatCount(leftOut.closedBefore, 'loan')} closed before the first tape` : null,
    leftOut.withoutDate > 0 ? `${formatCount(leftOut.withoutDate, 'loan')} without a usable origination date` : null,
    leftOut.undated > 0 ? `${formatCount(leftOut.undated, 'loan')} with an unknown closing date` : null,
    leftOut.withoutId > 0 ? `${formatCount(leftOut.withoutId, 'row')} without an asset id` : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? '' : `Excluded: ${parts.join(', ')}.`;
}

/** The months on book over which a vintage was observed: "12–24". */
function watchedWords({ points }: VintageCurve): string {
  const [first, last] = [points[0]?.month, points[points.length - 1]?.month];
  if (first === undefined) return EN_DASH;
  return first === last ? String(first) : `${first}${EN_DASH}${last}`;
}

function VintageTable({ head, view, found }: { head: TapeHead; view: VintagesView; found: Found }) {
  const { vintages, all, currency } = found.curves;
  const end = (curve: VintageCurve) => curve.points[curve.points.length - 1];
  const share = (head: string, read: Read): Column<VintageCurve> => {
    const of = (curve: VintageCurve) => {
      const point = end(curve);
      return point ? multiply(read(point), '100') : null;
    };
    return { head, percent: of, bare: true, unknown: NOT_WATCHED, total: of(all) };
  };
  const filterOf = ({ vintage }: VintageCurve) => {
    const dates = vintageDates(vintage);
    return (
      dates && paths.tape(head.id, { filter: JSON.stringify({ dateFinanced: { gte: dates.from, lt: dates.before } }) })
    );
  };
  return (
    <TableSection
      title="Vintages"
      note={`by origination ${view.by}, latest first`}
      rows={[...vintages].reverse()}
      rowKey={(row) => row.vintage}
      rowTo={filterOf}
      empty={<EmptyState title="No vintages">No loan has an origination date.</EmptyState>}
      columns={[
        { head: 'Originated', cell: (row) => vintageName(row.vintage), total: 'All' },
        { head: 'Loans', figure: (row) => row.loans, quiet: true, total: all.loans },
        {
          head: `Original (${currency})`,
          money: (row) => row.original,
          unknown: 'No loan has an original principal',
          total: all.original,
        },
        {
          head: 'Months observed',
          numeric: true,
          quiet: true,
          wideOnly: true,
          cell: (row) => watchedWords(row),
          total: null,
        },
        { head: 'Defaults', figure: (row) => row.defaults, total: all.defaults },
        share('Defaulted (%)', ({ defaulted }) => defaulted),
        { head: 'Prepayments', figure: (row) => row.prepayments, total: all.prepayments },
        share('Prepaid (%)', ({ prepaid }) => prepaid),
      ]}
    />
  );
}
