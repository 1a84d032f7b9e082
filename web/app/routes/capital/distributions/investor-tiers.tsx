import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { type DecimalText, sum } from '@tapeline/domain/money/decimal.ts';
import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import { Money } from '../../../components/figures/figures.tsx';
import { formatCount, formatFigure } from '../../../components/figures/format.ts';
import { type Column, TableSection } from '../../../components/tables/data-table.tsx';
import { InvestorName } from '../shares.tsx';
import type { InvestorTiersRow, ReviewedTiers } from './tiers.ts';

/** What the preferred return of an investor is on, and for how long. */
function accrualText({ trace }: InvestorTiersRow, currency: string): string {
  const money = (value: DecimalText) => formatFigure(value, minorUnitDigits(currency));
  const { capital, preferred, since, days, accrued, hurdlePercent, ratePercent, catchUpPercent, investment } = trace;
  const terms = `hurdle ${hurdlePercent} %, carry ${ratePercent} %, catch-up ${catchUpPercent} %`;
  const of = investment === undefined ? '' : `Of ${investment} alone: `;
  if (since === null) return `${of}${of === '' ? 'Nothing' : 'nothing'} was paid in before; ${terms}`;
  return `${of}${money(capital)} not returned and ${money(preferred)} unpaid on ${formatCalendarDate(since)}, ${money(accrued)} accrued in ${formatCount(days, 'day')}; ${terms}`;
}

/** The tiers of each investor's waterfall. Rows and columns add up. */
export function InvestorTiers({ tiers: { rows }, currency }: { tiers: ReviewedTiers; currency: string }) {
  const column = (
    head: string,
    amountOf: (row: InvestorTiersRow) => DecimalText,
    isResult = false,
  ): Column<InvestorTiersRow> => ({
    head,
    numeric: true,
    cell: (row) => {
      const money = <Money value={amountOf(row)} zero={isResult ? 'figure' : 'dash'} />;
      return isResult ? <b className="font-semibold">{money}</b> : money;
    },
    total: <Money value={sum(rows.map(amountOf))} zero="figure" />,
  });
  return (
    <TableSection
      title="Tiers of the waterfall"
      note={`${currency}; by each investor’s terms, before amounts that were entered`}
      rows={rows}
      rowKey={({ commitmentId }) => commitmentId}
      columns={[
        {
          head: 'Investor',
          wraps: true,
          cell: (row) => (
            <>
              <InvestorName {...row} />
              <span className="block min-w-48 text-xs text-ink-3">{accrualText(row, currency)}</span>
            </>
          ),
          total: formatCount(rows.length, 'investor'),
        },
        column('Proceeds', (row) => row.proceeds),
        column('Return of capital', (row) => row.trace.returnOfCapital),
        column('Preferred return', (row) => row.trace.preferredReturn),
        column('Investor’s part beyond', (row) => row.beyond),
        column('To the investor', (row) => row.toInvestor, true),
        column('Catch-up', (row) => row.trace.catchUp),
        column('Carry', (row) => row.trace.splitGp),
        column('To the manager', (row) => row.toManager, true),
      ]}
    />
  );
}
