import {
  decimalToFraction,
  type Fraction,
  fraction,
  fractionToDecimal,
  multiplyFractions,
} from '../borrowing-base/exact.ts';
import { valuesOf } from '../documents/labels.ts';
import type { Amount } from './amount.schema.ts';
import { type DecimalText, decimalOf } from './decimal.ts';
import { minorUnitDigits } from './minor-units.ts';

/** Units of each currency for one US dollar. */
export type ExchangeRates = Readonly<Record<string, DecimalText>>;

/** Where a rate comes from. For the same day, an earlier one takes precedence over those after it. */
export const RATE_SOURCE_LABELS = { manual: 'Entered by hand', service: 'Service', bundled: 'Bundled' } as const;
export const RATE_SOURCES = valuesOf(RATE_SOURCE_LABELS);
export type RateSource = (typeof RATE_SOURCES)[number];

/** The day and the source of a rate. */
export interface RateOrigin {
  readonly date: string;
  readonly source: RateSource;
}

/** The rates in force on a day. */
export interface CurrencyRates {
  readonly base: 'USD';
  readonly rates: ExchangeRates;
  /** The day of the latest of these rates. */
  readonly lastUpdate: string;
}

/** The rates in force on a day, with the origin of each. */
export interface DatedRates extends CurrencyRates {
  readonly origins: Readonly<Record<string, RateOrigin>>;
}

/** Decimal places kept of a cross rate, and of a converted sum that is added up before it is rounded. */
export const CROSS_RATE_DIGITS = 12;

/** The table rate of a currency; a missing rate counts as 1 (the specification's rule) and is reported. */
function tableRate(rates: ExchangeRates, currency: string): { rate: DecimalText; missing: boolean } {
  if (currency === 'USD') return { rate: '1', missing: false };
  const rate = rates[currency];
  return rate === undefined ? { rate: '1', missing: true } : { rate, missing: false };
}

/**
 * The exact factor that converts an amount from `from` to `to`: rate(to) / rate(from). Every conversion uses it.
 * @returns the factor, and the currencies that are missing from the table, for which a rate of 1 was used
 */
export function exchangeFactor(
  from: string,
  to: string,
  rates: ExchangeRates,
): { factor: Fraction; missing: string[] } {
  if (from === to) return { factor: fraction(1n), missing: [] };
  const source = tableRate(rates, from);
  const target = tableRate(rates, to);
  const [multiplier, divisor] = [decimalToFraction(target.rate), decimalToFraction(source.rate)];
  if (divisor.numerator <= 0n) throw new RangeError(`The exchange rate of ${from} is not above zero`);
  return {
    factor: fraction(multiplier.numerator * divisor.denominator, multiplier.denominator * divisor.numerator),
    missing: [...(source.missing ? [from] : []), ...(target.missing ? [to] : [])],
  };
}

/**
 * Converts a sum that is added up with others before it is rounded: to 12 decimal places.
 * @returns the converted sum, and the currencies that are missing from the table
 */
export function convert(
  sum: DecimalText,
  from: string,
  to: string,
  rates: ExchangeRates,
): { sum: DecimalText; missing: string[] } {
  if (from === to) return { sum, missing: [] };
  const { factor, missing } = exchangeFactor(from, to, rates);
  return {
    sum: decimalOf(fractionToDecimal(multiplyFractions(decimalToFraction(sum), factor), CROSS_RATE_DIGITS)),
    missing,
  };
}

export interface UsedRate extends RateOrigin {
  readonly currency: string;
  /** Units for one US dollar. */
  readonly rate: DecimalText;
}

/** A converted amount with all that explains it. */
export interface Conversion {
  readonly from: Amount;
  /** Rounded once, half-even, to the minor unit of its currency. */
  readonly to: Amount;
  /** Units of the target currency for one of the source, to 12 decimal places. For display: `to` is computed exactly. */
  readonly rate: DecimalText;
  /** The rates that were used; none for US dollars, or if both currencies are the same. */
  readonly used: readonly UsedRate[];
  /** The earliest date of the rates used; null if none was used. */
  readonly date: string | null;
  /** Currencies without a rate, for which a rate of 1 was used. */
  readonly missing: readonly string[];
}

/** Converts an amount at the rates of a day, and states the rate, its date and its source. */
export function convertAmount(
  from: Amount,
  currency: string,
  { rates, origins }: Pick<DatedRates, 'rates' | 'origins'>,
): Conversion {
  const { factor, missing } = exchangeFactor(from.currency, currency, rates);
  const crossed = from.currency === currency ? [] : [from.currency, currency];
  const used = crossed.flatMap((code): UsedRate[] => {
    const [rate, origin] = [rates[code], origins[code]];
    return code === 'USD' || rate === undefined || !origin ? [] : [{ currency: code, rate, ...origin }];
  });
  const exact = multiplyFractions(decimalToFraction(from.sum), factor);
  return {
    from,
    to: { sum: fractionToDecimal(exact, minorUnitDigits(currency)), currency },
    rate: decimalOf(fractionToDecimal(factor, CROSS_RATE_DIGITS)),
    used,
    date: used.map(({ date }) => date).sort()[0] ?? null,
    missing,
  };
}
