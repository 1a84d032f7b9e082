import { isZero } from '@tapeline/domain/money/decimal.ts';
import { Money } from '../../components/figures/figures.tsx';
import { formatFigure } from '../../components/figures/format.ts';
import { Facts, PanelSection } from '../../components/page/section.tsx';
import { OwedTable } from './owed-table.tsx';
import type { Paid } from './paid.server.ts';

/** What was received or paid, what is short of it and what is overdue, on the page of what or whom it is about. */
export function PaidSection({ paid, title, isPayable = false }: { paid: Paid; title: string; isPayable?: boolean }) {
  const { currencies, mayOpen } = paid;
  const word = isPayable ? 'Paid' : 'Received';
  return currencies.map(({ rows, totals, credit }) => {
    const { currency } = totals;
    const money = (sum: string) => <Money value={{ sum, currency }} withCurrency zero="figure" />;
    return (
      <PanelSection
        key={currency}
        title={currencies.length > 1 ? `${title} in ${currency}` : title}
        note={
          rows.length > 0 && rows.length < totals.count
            ? `the first ${rows.length} of ${formatFigure(totals.count)}; the totals are of all`
            : undefined
        }
      >
        <div className="p-3.5">
          <Facts
            items={[
              { label: word, value: money(totals.allocated) },
              { label: 'Short', value: money(totals.open) },
              { label: 'Overdue', value: money(totals.overdue) },
              ...(isZero(totals.untracked) ? [] : [{ label: 'Not tracked', value: money(totals.untracked) }]),
              ...(credit === null ? [] : [{ label: 'Credit', value: money(credit) }]),
            ]}
          />
        </div>
        {rows.length === 0 ? null : (
          <div className="border-t border-line">
            <OwedTable rows={rows} totals={totals} caption={`${title}, ${currency}`} paid={word} mayOpen={mayOpen} />
          </div>
        )}
      </PanelSection>
    );
  });
}
