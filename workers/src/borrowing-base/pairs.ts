import type { Tally } from '@tapeline/domain/borrowing-base/outcome.ts';

/**
 * Amounts of a million assets as two doubles each, exactly: `whole` units, and `part` in units of 10^-12, 0 <= part < 10^12.
 * Doubles hold integers up to 2^53, so the pair carries what a 93-bit integer would, at the speed of a typed array.
 */
export interface Pairs {
  readonly whole: Float64Array;
  readonly part: Float64Array;
}

/** Parts in a unit: the scale that amounts are carried at. */
export const PARTS = 1e12;
const PARTS_BIG = 10n ** 12n;
/** Sums of parts are carried over into units before they could lose a digit. */
const CARRY_PARTS = 1e15;
const CARRY_UNITS = 1000;
/** Beyond this many units a sum could lose a digit. */
export const MAX_UNITS = 2 ** 52;

export const makePairs = (length: number): Pairs => ({
  whole: new Float64Array(length),
  part: new Float64Array(length),
});

/** The pair as one integer at AMOUNT_SCALE. */
export const toBigInt = (whole: number, part: number): bigint => BigInt(whole) * PARTS_BIG + BigInt(part);

export function setBigInt(pairs: Pairs, index: number, value: bigint): void {
  let [whole, part] = [value / PARTS_BIG, value % PARTS_BIG];
  if (part < 0n) [whole, part] = [whole - 1n, part + PARTS_BIG];
  pairs.whole[index] = Number(whole);
  pairs.part[index] = Number(part);
}

/**
 * Many sums of pairs, with a count each. Exact while no sum passes MAX_UNITS. Counts are 32-bit integers: read from doubles they would be
 * boxed in every object they stand in, and V8 (13.6) has been seen to let optimized code share such boxes between objects.
 */
export class Sums {
  readonly count: Int32Array;
  readonly whole: Float64Array;
  readonly part: Float64Array;

  constructor(length: number) {
    this.count = new Int32Array(length);
    this.whole = new Float64Array(length);
    this.part = new Float64Array(length);
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

  /** Adds `pairs[at]`. Hot loops use this one: doubles handed to a function that is not inlined are boxed, a million times. */
  addFrom(index: number, pairs: Pairs, at: number): void {
    this.count[index] = this.count[index]! + 1;
    this.whole[index] = this.whole[index]! + pairs.whole[at]!;
    const sum = this.part[index]! + pairs.part[at]!;
    if (sum >= CARRY_PARTS) {
      this.part[index] = sum - CARRY_PARTS;
      this.whole[index] = this.whole[index]! + CARRY_UNITS;
    } else this.part[index] = sum;
  }

  /** Brings every part below one unit, so that sums compare by whole, then part. */
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

/** Splits a double in two halves whose products are exact (Veltkamp). */
const SPLITTER = 2 ** 27 + 1;
/** How near to an integer a product may come before it is done again in integers; its error stays below 10^-3. */
const DOUBT = 0.01;

/**
 * Multiplies pairs by a fraction in [0, 1] and rounds down, exactly as integers would: in doubled floating point, whose error is far below one
 * part, and in integers wherever the product comes so near to a whole part that the error could decide.
 */
export class Multiplier {
  private readonly product: Pairs = makePairs(1);
  private readonly numerator: bigint;
  private readonly denominator: bigint;
  private readonly high: number;
  private readonly low: number;
  private readonly highTop: number;
  private readonly highRest: number;

  constructor(numerator: bigint, denominator: bigint) {
    this.numerator = numerator;
    this.denominator = denominator;
    // Two doubles that add up to the fraction within 2^-106 of one.
    const scale = 2n ** 160n;
    const scaled = (numerator * scale) / denominator;
    this.high = Number(scaled) / 2 ** 160;
    const rest = scaled - BigInt(this.high * 2 ** 160);
    this.low = Number(rest) / 2 ** 160;
    const top = this.high * SPLITTER;
    this.highTop = top - (top - this.high);
    this.highRest = this.high - this.highTop;
  }

  get whole(): number {
    return this.product.whole[0]!;
  }

  get part(): number {
    return this.product.part[0]!;
  }

  /** Leaves the product in `whole` and `part`. */
  multiply(whole: number, part: number): void {
    this.product.whole[0] = whole;
    this.product.part[0] = part;
    this.multiplyAt(this.product, 0);
  }

  /** Multiplies `pairs[at]` where it stands. */
  multiplyAt(pairs: Pairs, at: number): void {
    const whole = pairs.whole[at]!;
    const part = pairs.part[at]!;
    const product = whole * this.high;
    const top = whole * SPLITTER;
    const wholeTop = top - (top - whole);
    const wholeRest = whole - wholeTop;
    // What `product` was rounded by, exactly (Dekker).
    const error =
      wholeTop * this.highTop -
      product +
      wholeTop * this.highRest +
      wholeRest * this.highTop +
      wholeRest * this.highRest;
    let units = Math.floor(product);
    let parts = (product - units) * PARTS + (error + whole * this.low) * PARTS + part * this.high;
    if (parts < 0 || parts >= PARTS) {
      const carried = Math.floor(parts / PARTS);
      units += carried;
      parts -= carried * PARTS;
    }
    const floor = Math.floor(parts);
    const beyond = parts - floor;
    if (beyond < DOUBT || beyond > 1 - DOUBT) {
      const exact = (toBigInt(whole, part) * this.numerator) / this.denominator;
      pairs.whole[at] = Number(exact / PARTS_BIG);
      pairs.part[at] = Number(exact % PARTS_BIG);
      return;
    }
    pairs.whole[at] = units;
    pairs.part[at] = floor;
  }
}
