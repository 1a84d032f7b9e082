import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { type CountedBalance, ROLL_LINE_LABELS, type RollLine } from '@tapeline/domain/pools/roll-forward.ts';
import { Money } from '../../../../components/figures/figures.tsx';
import { formatFigure } from '../../../../components/figures/format.ts';
import { MoreLink } from '../../../../components/page/section.tsx';
import { TableSection } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import { changedCount } from '../../tapes/changed-count.ts';
import type { ExplainedPool } from '../roll-forward.server.ts';

interface Row {
  readonly label: string;
  readonly count: string;
  readonly sum: string;
  readonly line: RollLine | null;
}

/** Why the pool changed between the two latest certificates: opening, each cause and closing. */
export function PoolSince({
  forward: { roll, tapes },
  before,
  now,
}: {
  forward: ExplainedPool;
  before: string;
  now: string;
}) {
  const { currency, opening, changes, closing } = roll;
  const dayOf = (date: string) => formatCalendarDate(date).slice(0, -5);
  const level = (label: string, size: CountedBalance): Row => ({
    label,
    count: formatFigure(size.count),
    sum: size.balance,
    line: null,
  });
  const rows: Row[] = [
    level(`Opening pool, ${dayOf(before)}`, opening),
    ...changes
      .filter(({ line }) => line !== 'unchanged')
      .map((change) => ({
        label: ROLL_LINE_LABELS[change.line],
        count: changedCount(change),
        sum: change.change,
        line: change.line,
      })),
    level(`Closing pool, ${dayOf(now)}`, closing),
  ];
  const weight = ({ line }: Row) => (line === null ? 'font-semibold' : undefined);
  return (
    <TableSection
      title={`Pool since ${dayOf(before)}`}
      note={`by cause, ${currency}`}
      more={
        tapes ? <MoreLink to={paths.tapeForward(tapes.after, { against: tapes.before })}>Roll-forward</MoreLink> : null
      }
      caption="Pool by cause"
      rows={rows}
      rowKey={({ label }) => label}
      rowTo={({ line }) =>
        tapes && line ? paths.tapeForward(tapes.after, { against: tapes.before, line, currency }) : null
      }
      columns={[
        { head: 'Cause', wraps: true, cell: (row) => <span className={weight(row)}>{row.label}</span> },
        { head: 'Assets', numeric: true, cell: (row) => <span className={weight(row)}>{row.count}</span> },
        {
          head: 'Balance',
          numeric: true,
          cell: (row) => (
            <span className={weight(row)}>
              <Money value={{ sum: row.sum, currency }} zero="figure" className="!text-inherit" />
            </span>
          ),
        },
      ]}
    />
  );
}
