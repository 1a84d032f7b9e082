import { type Fraction, fraction } from '@tapeline/domain/borrowing-base/exact.ts';
import type { Tally } from '@tapeline/domain/borrowing-base/outcome.ts';
import type { Accumulator } from '@tapeline/domain/filters/list-query.schema.ts';

/**
 * Exact amounts, one for each of a million assets, as two doubles: `whole` units, and `part` in units of 10^-12, with
 * 0 <= part < 10^12. Doubles hold integers up to 2^53, so both together have the range of a 93-bit integer at the speed
 * of a typed array.
 */
export interface AmountColumn {
  readonly whole: Float64Array;
  readonly part: Float64Array;
}

/** Parts per unit. Matches AMOUNT_SCALE. */
export const PARTS = 1e12;
const PARTS_BIG = 10n ** 12n;
/** Sums of parts above this are carried over into units before they can lose a digit. */
const CARRY_PARTS = 1e15;
const CARRY_UNITS = 1000;
/** Beyond this many units a sum could lose a digit. */
export const MAX_UNITS = 2 ** 52;

export const makeAmounts = (length: number): AmountColumn => ({
  whole: new Float64Array(length),
  part: new Float64Array(length),
});

/** Amounts that several threads can write. */
export const makeSharedAmounts = (length: number): AmountColumn => ({
  whole: new Float64Array(new SharedArrayBuffer(length * 8)),
  part: new Float64Array(new SharedArrayBuffer(length * 8)),
});

/** An amount as one integer at AMOUNT_SCALE. */
export const toBigInt = (whole: number, part: number): bigint => BigInt(whole) * PARTS_BIG + BigInt(part);

export const amountAt = ({ whole, part }: AmountColumn, at: number): bigint => toBigInt(whole[at]!, part[at]!);

export function setBigInt(amounts: AmountColumn, index: number, value: bigint): void {
  let [whole, part] = [value / PARTS_BIG, value % PARTS_BIG];
  if (part < 0n) [whole, part] = [whole - 1n, part + PARTS_BIG];
  amounts.whole[index] = Number(whole);
  amounts.part[index] = Number(part);
}

/** Several sums as plain data, as sent between threads. */
export interface SumArrays {
  readonly count: Int32Array;
  readonly whole: Float64Array;
  readonly part: Float64Array;
}

/**
 * Many sums of amounts, each with a count. Exact while no sum exceeds MAX_UNITS. Counts are 32-bit integers: doubles
 * would be boxed in every object that contains them, and we have seen optimized code in V8 (13.6) share such boxes
 * between objects.
 */
export class Sums implements SumArrays {
  readonly count: Int32Array;
  readonly whole: Float64Array;
  readonly part: Float64Array;

  constructor(length: number) {
    this.count = new Int32Array(length);
    this.whole = new Float64Array(length);
    this.part = new Float64Array(length);
  }

  /** Adds up the sums of several threads. All have the same length. @param off sums to take off again */
  static merge(parts: readonly SumArrays[], off: readonly SumArrays[] = []): Sums {
    const merged = new Sums(parts[0]?.count.length ?? 0);
    for (const { count, whole, part } of parts) {
      for (let index = 0; index < count.length; index += 1) {
        const counted = merged.count[index]! + count[index]!;
        merged.add(index, whole[index]!, part[index]!);
        merged.count[index] = counted;
      }
    }
    for (const { count, whole, part } of off) {
      for (let index = 0; index < count.length; index += 1) {
        merged.count[index] = merged.count[index]! - count[index]!;
        merged.whole[index] = merged.whole[index]! - whole[index]!;
        // It may fall below zero, which `amount` accepts.
        merged.part[index] = merged.part[index]! - part[index]!;
      }
    }
    return merged;
  }

  get arrays(): SumArrays {
    return { count: this.count, whole: this.whole, part: this.part };
  }

  add(index: number, whole: number, part: number): void {
    this.count[index] = this.count[index]! + 1;
    this.whole[index] = this.whole[index]! + whole;
    const sum = this.part[index]! + part;
    if (sum >= CARRY_PARTS) {
      this.part[index] = sum - CARRY_PARTS;
      this.whole[index] = this.whole[index]! + CARRY_UNITS;
    } else this.part[index] = sum;
  }

  /** Adds `amounts[at]`. For hot loops: passing doubles to a function that is not inlined would box each of them. */
  addFrom(index: number, amounts: AmountColumn, at: number): void {
    this.count[index] = this.count[index]! + 1;
    this.whole[index] = this.whole[index]! + amounts.whole[at]!;
    const sum = this.part[index]! + amounts.part[at]!;
    if (sum >= CARRY_PARTS) {
      this.part[index] = sum - CARRY_PARTS;
      this.whole[index] = this.whole[index]! + CARRY_UNITS;
    } else this.part[index] = sum;
  }

  /** Reduces every part to less than one unit, so that sums compare by whole, then part. */
  normalize(): void {
    for (let index = 0; index < this.part.length; index += 1) {
      const part = this.part[index]!;
      if (part < PARTS) continue;
      const units = Math.floor(part / PARTS);
      this.whole[index] = this.whole[index]! + units;
      this.part[index] = part - units * PARTS;
    }
  }

  amount(index: number): bigint {
    return toBigInt(this.whole[index]!, this.part[index]!);
  }

  tally(index: number): Tally {
    return { count: this.count[index]!, amount: this.amount(index) };
  }
}

/** Splits a double into two halves whose products are exact (Veltkamp). */
const SPLITTER = 2 ** 27 + 1;
/**
 * A product nearer to an integer than this is computed again in integers, which takes a hundred times as long. The error
 * of a product is below 5e-4: four numbers of up to 2^41 are rounded to multiples of 2^-12 or less, and the rest is less
 * than 10^-4.
 */
const DOUBT = 0.002;

const [HIGH, LOW, HIGH_TOP, HIGH_REST] = [0, 1, 2, 3];

/**
 * Multiplies amounts by a fraction in [0, 1] and rounds down, with the same result as integer arithmetic. Uses
 * double-double arithmetic, whose error is far below one part, and falls back to integers if the product is so near to
 * a whole part that the error could change the result.
 */
export class Multiplier {
  private readonly product: AmountColumn = makeAmounts(1);
  private readonly numerator: bigint;
  private readonly denominator: bigint;
  /**
   * HIGH, LOW, HIGH_TOP and HIGH_REST. Numbers in fields would make objects of different shapes, as 0 is stored
   * differently from 0.5, and V8 would compile the loops over all assets again for each shape.
   */
  private readonly terms = new Float64Array(4);

  constructor(numerator: bigint, denominator: bigint) {
    this.numerator = numerator;
    this.denominator = denominator;
    // Two doubles whose sum is within 2^-106 of the fraction.
    const scale = 2n ** 160n;
    const scaled = (numerator * scale) / denominator;
    const high = Number(scaled) / 2 ** 160;
    const rest = scaled - BigInt(high * 2 ** 160);
    const top = high * SPLITTER;
    const highTop = top - (top - high);
    this.terms[HIGH] = high;
    this.terms[LOW] = Number(rest) / 2 ** 160;
    this.terms[HIGH_TOP] = highTop;
    this.terms[HIGH_REST] = high - highTop;
  }

  get whole(): number {
    return this.product.whole[0]!;
  }

  get part(): number {
    return this.product.part[0]!;
  }

  /** Stores the product in `whole` and `part`. */
  multiply(whole: number, part: number): void {
    this.product.whole[0] = whole;
    this.product.part[0] = part;
    this.multiplyAt(this.product, 0);
  }

  /** Multiplies `amounts[at]` in place. */
  multiplyAt(amounts: AmountColumn, at: number): void {
    const { terms } = this;
    const high = terms[HIGH]!;
    // Nothing is kept. In doubles, zero would always be in doubt.
    if (high === 0) {
      amounts.whole[at] = 0;
      amounts.part[at] = 0;
      return;
    }
    const highTop = terms[HIGH_TOP]!;
    const highRest = terms[HIGH_REST]!;
    const whole = amounts.whole[at]!;
    const part = amounts.part[at]!;
    const product = whole * high;
    const top = whole * SPLITTER;
    const wholeTop = top - (top - whole);
    const wholeRest = whole - wholeTop;
    // The exact rounding error of `product` (Dekker).
    const error = wholeTop * highTop - product + wholeTop * highRest + wholeRest * highTop + wholeRest * highRest;
    let units = Math.floor(product);
    let parts = (product - units) * PARTS + (error + whole * terms[LOW]!) * PARTS + part * high;
    if (parts < 0 || parts >= PARTS) {
      const carried = Math.floor(parts / PARTS);
      units += carried;
      parts -= carried * PARTS;
    }
    const floor = Math.floor(parts);
    const beyond = parts - floor;
    if (beyond < DOUBT || beyond > 1 - DOUBT) {
      const exact = (toBigInt(whole, part) * this.numerator) / this.denominator;
      amounts.whole[at] = Number(exact / PARTS_BIG);
      amounts.part[at] = Number(exact % PARTS_BIG);
      return;
    }
    amounts.whole[at] = units;
    amounts.part[at] = floor;
  }
}

const HALF_PART = 1e6;
/** Products of half a part with factors up to this, and sums of such products, are exact. */
const MAX_FACTOR = 2 ** 31;

/** A column as small integers at its own scale. */
interface SmallIntegers {
  readonly values: Float64Array;
  readonly largest: number;
  /** Parts (10^-12) per integer step. */
  readonly step: bigint;
}

/** Finds the coarsest scale at which every member's value is an integer. Scores have no decimals, rates have two. */
function toSmallIntegers({ whole, part }: AmountColumn, members: Int32Array): SmallIntegers {
  const values = new Float64Array(whole.length);
  for (const digits of [0, 2, 4, 8, 12]) {
    const [scale, step] = [10 ** digits, PARTS / 10 ** digits];
    let [at, largest] = [0, 0];
    for (; at < members.length; at += 1) {
      const index = members[at]!;
      const steps = part[index]! / step;
      if (steps !== Math.floor(steps)) break;
      const value = whole[index]! * scale + steps;
      values[index] = value;
      if (value > largest) largest = value;
      else if (-value > largest) largest = -value;
    }
    if (at === members.length) return { values, largest, step: BigInt(step) };
  }
  throw new Error('parts are integers');
}

function largestUnits({ whole }: AmountColumn, members: Int32Array): number {
  let largest = 0;
  for (let at = 0; at < members.length; at += 1) largest = Math.max(largest, Math.abs(whole[members[at]!]!));
  return largest;
}

/** Several exact sums of products of amounts and integers. */
class ProductSums {
  private readonly whole: Float64Array;
  private readonly high: Float64Array;
  private readonly low: Float64Array;
  private readonly carried = new Map<number, bigint>();

  constructor(length: number) {
    this.whole = new Float64Array(length);
    this.high = new Float64Array(length);
    this.low = new Float64Array(length);
  }

  /** Adds `amounts[at]` times `factors[at]`. */
  addFrom(index: number, amounts: AmountColumn, factors: Float64Array, at: number): void {
    const factor = factors[at]!;
    const whole = amounts.whole[at]!;
    const part = amounts.part[at]!;
    const top = Math.floor(part / HALF_PART);
    this.whole[index] = this.whole[index]! + whole * factor;
    this.high[index] = this.high[index]! + top * factor;
    this.low[index] = this.low[index]! + (part - top * HALF_PART) * factor;
    if (
      Math.abs(this.whole[index]!) >= MAX_UNITS ||
      Math.abs(this.high[index]!) >= MAX_UNITS ||
      Math.abs(this.low[index]!) >= MAX_UNITS
    ) {
      this.carried.set(index, this.total(index));
      this.whole[index] = 0;
      this.high[index] = 0;
      this.low[index] = 0;
    }
  }

  total(index: number): bigint {
    const carried = this.carried.get(index) ?? 0n;
    const high = BigInt(this.high[index]!) * BigInt(HALF_PART);
    return carried + BigInt(this.whole[index]!) * PARTS_BIG + high + BigInt(this.low[index]!);
  }
}

/** The inputs of an accumulator: values, weights, and whether a row lacks either. */
export interface MeasureSource {
  readonly accumulator: Accumulator;
  readonly value: AmountColumn;
  readonly weight: AmountColumn;
}

/** Exact measures of many groups at once: sums, averages or weighted averages. */
export class GroupMeasures {
  readonly sums: Sums;
  private readonly source: MeasureSource;
  private readonly weights: Sums | null = null;
  private readonly products: ProductSums | null = null;
  private readonly exactProducts: bigint[] | null = null;
  private readonly integers: SmallIntegers | null = null;

  /** @param members the tape positions that may be added */
  constructor(source: MeasureSource, groups: number, members: Int32Array) {
    this.source = source;
    this.sums = new Sums(groups);
    if (source.accumulator !== '$wAvg') return;
    this.weights = new Sums(groups);
    const integers = toSmallIntegers(source.value, members);
    const heaviest = largestUnits(source.weight, members);
    this.integers = integers;
    if (integers.largest < MAX_FACTOR && (heaviest + 1) * integers.largest < MAX_UNITS) {
      this.products = new ProductSums(groups);
    } else this.exactProducts = new Array<bigint>(groups).fill(0n);
  }

  add(group: number, index: number): void {
    const { value, weight } = this.source;
    this.sums.addFrom(group, value, index);
    if (this.weights === null) return;
    this.weights.addFrom(group, weight, index);
    if (this.products !== null) this.products.addFrom(group, weight, this.integers!.values, index);
    else {
      // Compute from the amounts: an integer at its own scale can exceed the exact range of a double.
      const product =
        toBigInt(weight.whole[index]!, weight.part[index]!) * toBigInt(value.whole[index]!, value.part[index]!);
      this.exactProducts![group] = this.exactProducts![group]! + product;
    }
  }

  /** The combined measure of several groups; null if there is nothing to average. */
  measure(groups: readonly number[]): Fraction | null {
    const total = (of: (group: number) => bigint): bigint => groups.reduce((sum, group) => sum + of(group), 0n);
    const sum = total((group) => this.sums.amount(group));
    if (this.source.accumulator === '$sum') return fraction(sum, PARTS_BIG);
    const count = groups.reduce((all, group) => all + this.sums.count[group]!, 0);
    if (this.weights === null) return count === 0 ? null : fraction(sum, PARTS_BIG * BigInt(count));
    const weight = total((group) => this.weights!.amount(group));
    if (weight === 0n) return null;
    if (this.products === null)
      return fraction(
        total((group) => this.exactProducts![group]!),
        PARTS_BIG * weight,
      );
    const products = total((group) => this.products!.total(group));
    return fraction(products * this.integers!.step, PARTS_BIG * weight);
  }
}
