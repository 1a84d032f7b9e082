import type { Amount } from './amount.schema.ts';
import { add, type DecimalText } from './decimal.ts';

/** Adds amounts by currency, in order of first appearance; amounts in different currencies are never added. */
export function totalByCurrency(amounts: Iterable<Amount>): Amount[] {
  const totals = new Map<string, DecimalText>();
  for (const { sum, currency } of amounts) totals.set(currency, add(totals.get(currency) ?? '0', sum));
  return [...totals].map(([currency, sum]) => ({ sum, currency }));
}

/** A figure in one currency: a sum, an average, or an average weighted by amounts. */
export interface CurrencyFigure {
  /** Null for amounts without a currency, which count as a separate currency. */
  readonly currency: string | null;
  readonly value: DecimalText;
  /** Documents that the figure is computed from. */
  readonly count: number;
}

/** The figure of the only currency; null if there are several currencies, or none. */
export function soleFigure(figures: readonly CurrencyFigure[]): DecimalText | null {
  const [only] = figures;
  return figures.length === 1 && only ? only.value : null;
}
