import type { Amount } from '../money/amount.schema.ts';
import { type DecimalText, fromScaled } from '../money/decimal.ts';
import { minorUnitDigits } from '../money/minor-units.ts';
import { publishParts } from '../money/shares.ts';
import { divideHalfEven, type Fraction, floorDivide, fraction, fractionToDecimal } from './exact.ts';
import type { Tally } from './outcome.ts';
import { AMOUNT_SCALE, type CountAndAmount } from './result.ts';

/** Decimal places of published figures that are not money: averages and percentages. */
export const FIGURE_DIGITS = 8;

export const PERCENT = 100n;

/** Rounds exact figures of one currency to its minor unit. Parts are rounded by the largest remainder method. */
export class Publisher {
  readonly currency: string;
  readonly digits: number;
  private readonly drop: number;

  constructor(currency: string) {
    this.currency = currency;
    this.digits = minorUnitDigits(currency);
    this.drop = AMOUNT_SCALE - this.digits;
  }

  units(exact: bigint): bigint {
    return divideHalfEven(exact, 10n ** BigInt(this.drop));
  }

  unitsDown(exact: bigint): bigint {
    return floorDivide(exact, 10n ** BigInt(this.drop));
  }

  fractionUnits(exact: Fraction): bigint {
    return divideHalfEven(exact.numerator * 10n ** BigInt(this.digits), exact.denominator);
  }

  /** Rounds parts so that they add up to a total that is already published. */
  parts(exact: readonly bigint[], total: bigint): bigint[] {
    return publishParts(exact, total, this.drop);
  }

  amount(units: bigint): Amount {
    return { sum: fromScaled(units, this.digits), currency: this.currency };
  }

  tally(entry: Tally): CountAndAmount {
    return { count: entry.count, amount: this.amount(this.units(entry.amount)) };
  }
}

export const total = (values: readonly bigint[]): bigint => values.reduce((sum, value) => sum + value, 0n);

export const at = <T>(list: readonly T[], index: number): T => {
  const value = list[index];
  if (value === undefined) throw new RangeError(`there is no value at ${index}`);
  return value;
};

/** `part` as a percentage of `whole`, to 8 decimal places; null if `whole` is zero. */
export function percentOf(part: bigint, whole: bigint): DecimalText | null {
  return whole === 0n ? null : fractionToDecimal(fraction(part * PERCENT, whole), FIGURE_DIGITS);
}
