import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import { Money, Percent } from '../figures/figures.tsx';
import { formatFigure } from '../figures/format.ts';
import type { GridColumn } from './grid-columns.ts';

/** The totals of all filtered rows, a line for each column and an amount for each currency. */
export function ListTotals({
  totals,
  columns,
  noun,
  covers,
}: {
  totals: readonly GridTotal[];
  columns: readonly GridColumn[];
  noun: string;
  /** How many rows they are the totals of: "4,118 of 14,612 assets". */
  covers?: string | undefined;
}) {
  const shown = columns.flatMap(({ path, label }) => {
    const figures = totals.filter((total) => total.path === path);
    const name = figures[0]?.label ?? (/^total\b/i.test(label) ? label : `Total ${label.toLowerCase()}`);
    return figures.length > 0 ? [{ path, name, figures }] : [];
  });
  if (shown.length === 0 && covers === undefined) return null;
  return (
    <div className="figures flex flex-wrap items-baseline gap-x-8 gap-y-1.5 last:rounded-b-lg border-t border-line bg-canvas px-3 py-2 text-xs">
      {covers === undefined ? null : <p className="font-semibold">{covers}</p>}
      <dl aria-label={`Totals of all ${noun} found`} className="contents">
        {shown.map(({ path, name, figures }) => (
          <div key={path} className="flex flex-wrap items-baseline gap-x-2">
            <dt className="text-ink-3">{name}</dt>
            {figures.map(({ currency, sum, isRate, without = 0 }) => (
              <dd key={currency}>
                <span className="font-semibold">
                  {isRate ? (
                    <Percent value={sum} zero="figure" />
                  ) : (
                    <Money value={{ sum, currency }} digits={minorUnitDigits(currency)} withCurrency zero="figure" />
                  )}
                </span>
                {isRate && figures.length > 1 ? <small className="ml-1 text-ink-3">{currency}</small> : null}
                {without > 0 ? <span className="ml-1 text-ink-3">{formatFigure(without)} without a value</span> : null}
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </div>
  );
}

/** A figure of a column over all rows that the filter finds, in one currency. */
export interface GridTotal {
  readonly path: string;
  readonly currency: string;
  /** The sum, or an average in per cent if `isRate`: then the currency is that of the amounts that weigh it. */
  readonly sum: string;
  readonly isRate?: boolean;
  /** Says what the figure is; by default "Total" and the column's label. */
  readonly label?: string;
  /** Rows that have no value, and so are not in it. */
  readonly without?: number;
}
