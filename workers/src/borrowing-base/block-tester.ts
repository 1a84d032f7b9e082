import { BLOCK_ROWS, type ColumnArray, type ColumnBlock } from '@tapeline/parquet';
import type { AnswerBit, AnswerPlan } from './answers.ts';
import { FALSE, type NumberOperator, type TestStep, TRUE } from './asset-tests.ts';
import type { Input } from './tape-inputs.ts';

/** A byte for each row of a block, and the same four at a time. */
class Column {
  readonly bytes = new Uint8Array(BLOCK_ROWS);
  readonly fours = new Int32Array(this.bytes.buffer);
}

const ALL_TRUE = TRUE * 0x01010101;
const ALL_FALSE = FALSE * 0x01010101;
/** The answers of eight questions fit into a byte. */
const PER_BYTE = 8;

/**
 * One loop over the rows of a block. V8 does not know beforehand which ones `BlockTester.test` calls: where it compiled
 * several loops into one function, they took twice as long.
 */
type Run = (rows: number, block: ColumnBlock) => void;

/** Runs the tests of a plan, each over a whole block of rows, whose columns stay in the processor's cache. */
export class BlockTester {
  private readonly runs: readonly Run[];
  /** By word: the answers, eight to a byte. */
  private readonly answers: readonly (readonly Column[])[];

  constructor({ steps, bits }: AnswerPlan, inputs: readonly Input[], words: number) {
    const results = steps.map(() => new Column());
    const numbers = inputs.map(({ kind }) => (kind === 'double' ? null : new Float64Array(BLOCK_ROWS)));
    const compared = new Set(steps.flatMap((step) => (step.kind === 'compare' ? [step.input] : [])));
    this.answers = Array.from({ length: words }, (_, word) => {
      const used = bits.reduce((most, bit) => (bit.word === word ? Math.max(most, bit.shift + 1) : most), 0);
      return Array.from({ length: Math.ceil(used / PER_BYTE) }, () => new Column());
    });
    this.runs = [
      ...[...compared].flatMap((input) => readNumbers(inputs[input]!, numbers[input]!)),
      ...steps.flatMap((step, index) => runOf(step, results[index]!, results, inputs, numbers)),
      ...this.answers.flat().map(({ fours }): Run => {
        return (rows) => {
          fours.fill(0, 0, foursOf(rows));
        };
      }),
      ...bits.map((bit) => answerRun(bit, results[bit.test]!, this.answers[bit.word]!)),
    ];
  }

  /**
   * Tests the rows of a block.
   * @param sequence each row's position in the tape
   * @param words where the answers are set, by position in the tape
   */
  test(rows: number, block: ColumnBlock, sequence: Int32Array, words: readonly Int32Array[]): void {
    for (const run of this.runs) run(rows, block);
    for (const [word, columns] of this.answers.entries()) writeWord(columns, rows, sequence, words[word]!);
  }
}

/** Converts what is compared to numbers, once for all comparisons. Doubles are numbers already. */
function readNumbers({ index, kind }: Input, target: Float64Array | null): Run[] {
  if (target === null) return [];
  if (kind === 'decimal') return [(rows, { values }) => readHalves(values[index] as Int32Array, rows, target)];
  return [(rows, { values }) => readIntegers(values[index]!, rows, target)];
}

/** A constant needs no run: its result stays. */
function runOf(
  step: TestStep,
  { bytes, fours }: Column,
  results: readonly Column[],
  inputs: readonly Input[],
  numbers: readonly (Float64Array | null)[],
): Run[] {
  switch (step.kind) {
    case 'constant':
      bytes.fill(step.result);
      return [];
    case 'compare': {
      const { input, operator, bound } = step;
      const [compare, known] = [COMPARE[operator], numbers[input] ?? null];
      return [(rows, { values }) => compare(known ?? (values[input] as Float64Array), bound, foursOf(rows), fours)];
    }
    case 'pair': {
      const { input, other } = step;
      const [truths, compare] = [
        PAIR_TRUTHS[step.operator],
        inputs[input]!.kind === 'decimal' ? compareHalves : comparePairs,
      ];
      return [(rows, { values }) => compare(values[input]!, values[other]!, truths, rows, bytes)];
    }
    case 'listed': {
      const { input } = step;
      const table = tableOf(step.indexes, inputs[input]!);
      return [(rows, { values }) => lookUp(values[input] as Int32Array, table, foursOf(rows), fours)];
    }
    case 'present': {
      const { input } = step;
      return [(rows, { present }) => presence(asFours(present[input]!), foursOf(rows), fours)];
    }
    case 'where': {
      const [of, there] = [results[step.of]!.fours, results[step.presence]!.fours];
      return [(rows) => where(of, there, foursOf(rows), fours)];
    }
    case 'and':
    case 'or': {
      const [combine, left, right] = [COMBINE[step.kind], results[step.left]!.fours, results[step.right]!.fours];
      return [(rows) => combine(left, right, foursOf(rows), fours)];
    }
    case 'not': {
      const of = results[step.of]!.fours;
      return [(rows) => not(of, foursOf(rows), fours)];
    }
  }
}

function answerRun({ of, shift }: AnswerBit, { fours: results }: Column, columns: readonly Column[]): Run {
  const { fours: answers } = columns[Math.floor(shift / PER_BYTE)]!;
  const [add, bit] = [ADD[of], shift % PER_BYTE];
  return (rows) => add(results, answers, bit, foursOf(rows));
}

/** The result for each index of a text in the input's list; a text that is not in the list has index 0. */
function tableOf(indexes: readonly number[], { source }: Input): Uint8Array {
  const table = new Uint8Array((source?.literals?.length ?? 0) + 1).fill(FALSE);
  for (const index of indexes) table[index] = TRUE;
  return table;
}

/** How many fours have so many rows. */
const foursOf = (rows: number): number => (rows + 3) >> 2;

const asFours = ({ buffer, byteOffset, length }: Uint8Array): Int32Array =>
  new Int32Array(buffer, byteOffset, length >> 2);

// Loops over the rows of a block, as far as possible four rows at a time: a result takes the two lower bits of a byte.

/** Decimals as numbers. Beyond 2^53 this rounds, which does not change a comparison with any smaller bound. */
function readHalves(halves: Int32Array, rows: number, target: Float64Array): void {
  for (let row = 0; row < rows; row += 1) target[row] = halves[2 * row + 1]! * 4294967296 + (halves[2 * row]! >>> 0);
}

function readIntegers(values: ColumnArray, rows: number, target: Float64Array): void {
  for (let row = 0; row < rows; row += 1) target[row] = values[row]!;
}

/** The result of a comparison of two values, of which the first is less than, equal to or greater than the second. */
const PAIR_TRUTHS: Readonly<Record<NumberOperator, Uint8Array>> = {
  eq: Uint8Array.of(FALSE, TRUE, FALSE),
  lt: Uint8Array.of(TRUE, FALSE, FALSE),
  lte: Uint8Array.of(TRUE, TRUE, FALSE),
  gt: Uint8Array.of(FALSE, FALSE, TRUE),
  gte: Uint8Array.of(FALSE, TRUE, TRUE),
};

type ComparePairs = (
  values: ColumnArray,
  others: ColumnArray,
  truths: Uint8Array,
  rows: number,
  target: Uint8Array,
) => void;

const comparePairs: ComparePairs = (values, others, truths, rows, target) => {
  for (let row = 0; row < rows; row += 1) {
    const [value, other] = [values[row]!, others[row]!];
    target[row] = truths[1 + Number(value > other) - Number(value < other)]!;
  }
};

/** Decimals by their upper halves, and by their lower halves where those are equal: exact beyond 2^53. */
const compareHalves: ComparePairs = (values, others, truths, rows, target) => {
  for (let row = 0; row < rows; row += 1) {
    const upper = values[2 * row + 1]! - others[2 * row + 1]!;
    const order = upper !== 0 ? upper : (values[2 * row]! >>> 0) - (others[2 * row]! >>> 0);
    target[row] = truths[1 + Number(order > 0) - Number(order < 0)]!;
  }
};

type Compare = (values: Float64Array, bound: number, fours: number, target: Int32Array) => void;

/** FALSE less one is TRUE. A branch for each row would be slow, because it cannot be predicted. */
const COMPARE: Readonly<Record<NumberOperator, Compare>> = {
  eq(values, bound, fours, target) {
    for (let at = 0, row = 0; at < fours; at += 1, row += 4) {
      const first = Number(values[row]! === bound);
      const second = Number(values[row + 1]! === bound);
      const third = Number(values[row + 2]! === bound);
      const fourth = Number(values[row + 3]! === bound);
      target[at] = ALL_FALSE - (first | (second << 8) | (third << 16) | (fourth << 24));
    }
  },
  lt: (values, bound, fours, target) => below(values, 1, bound, fours, target),
  lte: (values, bound, fours, target) => atMost(values, 1, bound, fours, target),
  gt: (values, bound, fours, target) => below(values, -1, -bound, fours, target),
  gte: (values, bound, fours, target) => atMost(values, -1, -bound, fours, target),
};

/** @param sign of the values: what is above a bound is below its negative */
function below(values: Float64Array, sign: 1 | -1, bound: number, fours: number, target: Int32Array): void {
  for (let at = 0, row = 0; at < fours; at += 1, row += 4) {
    const first = Number(values[row]! * sign < bound);
    const second = Number(values[row + 1]! * sign < bound);
    const third = Number(values[row + 2]! * sign < bound);
    const fourth = Number(values[row + 3]! * sign < bound);
    target[at] = ALL_FALSE - (first | (second << 8) | (third << 16) | (fourth << 24));
  }
}

function atMost(values: Float64Array, sign: 1 | -1, bound: number, fours: number, target: Int32Array): void {
  for (let at = 0, row = 0; at < fours; at += 1, row += 4) {
    const first = Number(values[row]! * sign <= bound);
    const second = Number(values[row + 1]! * sign <= bound);
    const third = Number(values[row + 2]! * sign <= bound);
    const fourth = Number(values[row + 3]! * sign <= bound);
    target[at] = ALL_FALSE - (first | (second << 8) | (third << 16) | (fourth << 24));
  }
}

function lookUp(indexes: Int32Array, table: Uint8Array, fours: number, target: Int32Array): void {
  for (let at = 0, row = 0; at < fours; at += 1, row += 4) {
    const first = table[indexes[row]!]!;
    const second = table[indexes[row + 1]!]!;
    const third = table[indexes[row + 2]!]!;
    const fourth = table[indexes[row + 3]!]!;
    target[at] = first | (second << 8) | (third << 16) | (fourth << 24);
  }
}

function presence(present: Int32Array, fours: number, target: Int32Array): void {
  for (let at = 0; at < fours; at += 1) target[at] = ALL_FALSE - present[at]!;
}

function where(of: Int32Array, there: Int32Array, fours: number, target: Int32Array): void {
  for (let at = 0; at < fours; at += 1) target[at] = of[at]! & ((there[at]! & ALL_TRUE) * (TRUE | FALSE));
}

type Combine = (left: Int32Array, right: Int32Array, fours: number, target: Int32Array) => void;

const COMBINE: Readonly<Record<'and' | 'or', Combine>> = {
  and(left, right, fours, target) {
    for (let at = 0; at < fours; at += 1) {
      target[at] = (left[at]! & right[at]! & ALL_TRUE) | ((left[at]! | right[at]!) & ALL_FALSE);
    }
  },
  or(left, right, fours, target) {
    for (let at = 0; at < fours; at += 1) {
      target[at] = ((left[at]! | right[at]!) & ALL_TRUE) | (left[at]! & right[at]! & ALL_FALSE);
    }
  },
};

function not(of: Int32Array, fours: number, target: Int32Array): void {
  for (let at = 0; at < fours; at += 1) target[at] = ((of[at]! & ALL_TRUE) << 1) | ((of[at]! & ALL_FALSE) >>> 1);
}

type Add = (results: Int32Array, answers: Int32Array, bit: number, fours: number) => void;

const ADD: Readonly<Record<AnswerBit['of'], Add>> = {
  true(results, answers, bit, fours) {
    for (let at = 0; at < fours; at += 1) answers[at] = answers[at]! | ((results[at]! & ALL_TRUE) << bit);
  },
  notTrue(results, answers, bit, fours) {
    for (let at = 0; at < fours; at += 1) answers[at] = answers[at]! | ((~results[at]! & ALL_TRUE) << bit);
  },
  unknown(results, answers, bit, fours) {
    for (let at = 0; at < fours; at += 1) {
      const known = results[at]! | (results[at]! >>> 1);
      answers[at] = answers[at]! | ((~known & ALL_TRUE) << bit);
    }
  },
};

/** Sets the answers of a word, of up to four bytes for each row, at the rows' positions in the tape. */
function writeWord(columns: readonly Column[], rows: number, sequence: Int32Array, word: Int32Array): void {
  const [first = NOTHING, second = NOTHING, third = NOTHING, fourth = NOTHING] = columns.map(({ bytes }) => bytes);
  for (let row = 0; row < rows; row += 1) {
    word[sequence[row]!] = first[row]! | (second[row]! << 8) | (third[row]! << 16) | (fourth[row]! << 24);
  }
}

const NOTHING = new Uint8Array(BLOCK_ROWS);
