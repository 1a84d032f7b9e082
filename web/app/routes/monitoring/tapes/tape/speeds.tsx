import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { multiply, subtract } from '@tapeline/domain/money/decimal.ts';
import { LineChart } from '../../../../components/charts/line-chart.tsx';
import { Percent } from '../../../../components/figures/figures.tsx';
import { formatCount, formatPercent } from '../../../../components/figures/format.ts';
import { type Column, TableSection } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import type { RollsView, TapeHead } from '../tape-head.ts';

/** Converts a rate (1 = 100%) to percentage points. */
const points = (rate: string | null) => (rate === null ? null : multiply(rate, '100'));
const monthOf = (date: string) => formatCalendarDate(date).split(' ').slice(1).join(' ');

const APART = 'The tapes are too close together or too far apart, or lack ids or balances';
const NOTHING = 'No balance left to prepay or default';

/**
 * Prepayment and default from tape to tape: CPR and CDR as lines, and all the figures that they are calculated from.
 */
export function Speeds({ head, speeds }: { head: TapeHead; speeds: NonNullable<RollsView['speeds']> }) {
  if (speeds.length === 0) return null;
  const currency = speeds.find((one) => one.speeds)?.speeds?.currency ?? head.mainCurrency;
  const last = speeds[speeds.length - 1];
  const known = last?.speeds ?? null;
  type Row = (typeof speeds)[number];
  type Of<Value> = (speeds: NonNullable<Row['speeds']>) => Value;
  const amount = (head: string, read: Of<string>, quiet = false): Column<Row> => ({
    head,
    short: (row) => row.speeds && read(row.speeds),
    quiet,
    unknown: APART,
  });
  const rate = (head: string, read: Of<string | null>): Column<Row> => ({
    head,
    percent: (row) => row.speeds && points(read(row.speeds)),
    bare: true,
    unknown: (row) => (row.speeds ? NOTHING : APART),
  });
  const drawn = (read: Of<string | null>) =>
    speeds.map(({ speeds: one }) => {
      const value = one && points(read(one));
      return value === null ? null : Number(value);
    });
  return (
    <>
      <TableSection
        title="Prepayment and default"
        note={`principal, ${currency}, by tape`}
        more={
          <a href={paths.analyticsFile('prepayment', { loanTapeId: head.id })} className="hover:underline">
            CSV
          </a>
        }
        narrow="list"
        caption="Prepayment and default by tape"
        rows={[...speeds].reverse()}
        rowKey={(row) => row.to.id}
        columns={[
          { head: 'To', cell: (row) => formatCalendarDate(row.to.cutOffDate) },
          { head: 'Loans', figure: (row) => row.speeds?.loans, quiet: true, unknown: APART },
          amount('Opening', ({ opening }) => opening),
          amount('Scheduled', ({ scheduled }) => scheduled),
          amount('Prepaid', ({ prepaid }) => prepaid),
          amount('Defaulted', ({ defaulted }) => defaulted),
          amount('CPR base', ({ opening, scheduled }) => subtract(opening, scheduled), true),
          rate('SMM (%)', ({ smm }) => smm),
          rate('CPR (% of base)', ({ cpr }) => cpr),
          rate('CDR (% of opening)', ({ cdr }) => cdr),
        ]}
      >
        <p className="mt-2 text-xs text-ink-3">
          CPR is the year’s rate of prepayments on its base, the opening balance less scheduled principal. CDR is the
          year’s rate of defaults on the opening balance.
        </p>
        {last && known && known.vanished.loans > 0 ? (
          <p className="mt-2 text-xs text-ink-3">
            {formatCount(known.vanished.loans, 'loan')} of {formatCalendarDate(last.from.cutOffDate)}{' '}
            {known.vanished.loans === 1 ? 'is' : 'are'} no longer reported for an unknown reason and excluded from these
            figures. If they were prepayments, CPR would be <Percent value={points(known.cprWithVanished)} />.
          </p>
        ) : null}
        {known && known.withoutSchedule > 0 ? (
          <p className="mt-2 text-xs text-ink-3">
            {formatCount(known.withoutSchedule, 'loan')} without a known schedule (no rate, or neither payment nor
            remaining term): only their full prepayments are counted.
          </p>
        ) : null}
      </TableSection>
      <LineChart
        title="Prepayment and default rates"
        note="% per year: CPR of opening less scheduled, CDR of opening"
        points={speeds.map(({ to }) => monthOf(to.cutOffDate))}
        series={[
          { label: 'CPR', values: drawn(({ cpr }) => cpr) },
          { label: 'CDR', values: drawn(({ cdr }) => cdr), colour: 2 },
        ]}
        format={(value) => formatPercent(value, 2)}
      />
    </>
  );
}
