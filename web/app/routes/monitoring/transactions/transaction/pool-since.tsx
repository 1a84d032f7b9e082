import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { POOL_CAUSE_LABELS, type RollForward } from '@tapeline/domain/pools/roll-forward.ts';
import { Figure, Money } from '../../../../components/figures/figures.tsx';
import { TableSection } from '../../../../components/tables/data-table.tsx';

/** The causes that change how many assets there are. */
const SIGNS: Readonly<Record<string, string>> = { added: '+', left: '−' };

/** Why the pool changed between the two latest certificates: opening, each cause and closing. */
export function PoolSince({
  forward: { currency, opening, changes, closing },
  before,
  now,
}: {
  forward: RollForward;
  before: string;
  now: string;
}) {
  const dayOf = (date: string) => formatCalendarDate(date).slice(0, -5);
  const level = (label: string, size: RollForward['opening']) => ({
    label,
    sign: '',
    count: size.count,
    sum: size.balance,
    isLevel: true,
  });
  const rows = [
    level(`Opening pool, ${dayOf(before)}`, opening),
    ...changes.map(({ cause, count, change }) => ({
      label: POOL_CAUSE_LABELS[cause],
      sign: SIGNS[cause] ?? '',
      count,
      sum: change,
      isLevel: false,
    })),
    level(`Closing pool, ${dayOf(now)}`, closing),
  ];
  const weight = (isLevel: boolean) => (isLevel ? 'font-semibold' : undefined);
  return (
    <TableSection
      title={`Pool since ${dayOf(before)}`}
      note={`by cause, ${currency}`}
      caption="Pool by cause"
      rows={rows}
      rowKey={({ label }) => label}
      columns={[
        { head: 'Cause', cell: ({ label, isLevel }) => <span className={weight(isLevel)}>{label}</span> },
        {
          head: 'Assets',
          numeric: true,
          cell: ({ sign, count, isLevel }) => (
            <span className={weight(isLevel)}>
              {sign}
              <Figure value={count} zero="figure" />
            </span>
          ),
        },
        {
          head: 'Balance',
          numeric: true,
          cell: ({ sum, isLevel }) => (
            <span className={weight(isLevel)}>
              <Money value={{ sum, currency }} zero="figure" className="!text-inherit" />
            </span>
          ),
        },
      ]}
    />
  );
}
