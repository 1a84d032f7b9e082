import { type Fraction, fraction } from '@tapeline/domain/borrowing-base/exact.ts';
import type { Accumulator } from '@tapeline/domain/facilities/contract.schema.ts';
import { type AmountColumn, MAX_UNITS, PARTS, Sums, toBigInt } from './amount-columns.ts';

const PARTS_BIG = 10n ** 12n;
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
