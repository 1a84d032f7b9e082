import { Money } from '../../components/figures/figures.tsx';
import { formatCount } from '../../components/figures/format.ts';
import { Facts, PanelSection } from '../../components/page/section.tsx';
import { OwedTable } from './owed-table.tsx';
import type { Paid } from './paid.server.ts';

/** What was received or paid, what is short of it and what is overdue, on the page of what or whom it is about. */
export function PaidSection({ paid, title, isPayable = false }: { paid: Paid; title: string; isPayable?: boolean }) {
  const { currencies, rows, total } = paid;
  if (currencies.length === 0) return null;
  const word = isPayable ? 'Paid' : 'Received';
  const hidden = total - rows.length;
  return (
    <PanelSection title={title} note={hidden > 0 ? `${formatCount(hidden, 'further amount')} under Cash` : undefined}>
      {currencies.map(({ currency, paid: received, short, overdue, credit }) => {
        const money = (sum: string) => <Money value={{ sum, currency }} withCurrency zero="figure" />;
        return (
          <div key={currency} className="border-b border-line p-3.5 last:border-b-0">
            <Facts
              items={[
                { label: word, value: money(received) },
                { label: 'Short', value: money(short) },
                { label: 'Overdue', value: money(overdue) },
                ...(credit === null ? [] : [{ label: 'Credit', value: money(credit) }]),
              ]}
            />
          </div>
        );
      })}
      {rows.length === 0 ? null : <OwedTable rows={rows} caption={title} paid={word} />}
    </PanelSection>
  );
}
