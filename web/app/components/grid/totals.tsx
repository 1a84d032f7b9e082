import { Money } from '../figures/figures.tsx';
import type { GridColumn } from './grid-columns.ts';

/** The totals of all filtered rows, a line for each column and an amount for each currency. */
export function ListTotals({
  totals,
  columns,
  noun,
}: {
  totals: readonly GridTotal[];
  columns: readonly GridColumn[];
  noun: string;
}) {
  const shown = columns.flatMap(({ path, label }) => {
    const amounts = totals.filter((total) => total.path === path);
    return amounts.length > 0 ? [{ path, label, amounts }] : [];
  });
  if (shown.length === 0) return null;
  return (
    <dl
      aria-label={`Totals of all ${noun} found`}
      className="figures flex flex-wrap gap-x-8 gap-y-1.5 border-t border-line bg-canvas px-3 py-2 text-xs"
    >
      {shown.map(({ path, label, amounts }) => (
        <div key={path} className="flex flex-wrap items-baseline gap-x-2">
          <dt className="text-ink-3">{/^total\b/i.test(label) ? label : `Total ${label.toLowerCase()}`}</dt>
          {amounts.map(({ currency, sum }) => (
            <dd key={currency} className="font-semibold">
              <Money value={{ sum, currency }} withCurrency />
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}

/** The sum of a column over all rows that the filter finds, in one currency. */
export interface GridTotal {
  readonly path: string;
  readonly currency: string;
  readonly sum: string;
}
