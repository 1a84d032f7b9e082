import { type DecimalText, divide, multiply } from './decimal.ts';

/** Units of each currency that one US dollar buys. */
export interface CurrencyRates {
  readonly base: 'USD';
  readonly rates: Readonly<Record<string, DecimalText>>;
  readonly lastUpdate: string;
}

/** Decimal places kept when two rates cross through the dollar. */
export const CROSS_RATE_DIGITS = 12;

/** The table rate of a currency; a missing rate counts as 1 (the specification's rule) and is reported. */
export function tableRate(
  rates: Readonly<Record<string, DecimalText>>,
  currency: string,
): { rate: DecimalText; missing: boolean } {
  if (currency === 'USD') return { rate: '1', missing: false };
  const rate = rates[currency];
  return rate === undefined ? { rate: '1', missing: true } : { rate, missing: false };
}

/**
 * Converts through the dollar: sum x rate(to) / rate(from). Up to 12 decimal places: the caller rounds for publishing.
 * @returns the converted sum, and the currencies that are missing in the table
 */
export function convert(
  sum: DecimalText,
  from: string,
  to: string,
  rates: Readonly<Record<string, DecimalText>>,
): { sum: DecimalText; missing: string[] } {
  if (from === to) return { sum, missing: [] };
  const source = tableRate(rates, from);
  const target = tableRate(rates, to);
  const missing = [...(source.missing ? [from] : []), ...(target.missing ? [to] : [])];
  return { sum: divide(multiply(sum, target.rate), source.rate, CROSS_RATE_DIGITS), missing };
}
