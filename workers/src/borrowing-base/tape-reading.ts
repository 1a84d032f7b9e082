import { readFromFiles, type Take } from './input-rows.ts';
import type { Input, InputRows, InputValues } from './inputs.ts';
import { type MeasuredPlan, readMeasured } from './measured-columns.ts';
import { makeSharedPairs, type Pairs } from './pairs.ts';

/** Evaluates the rows of a block and sets the mask words of each row at its position in the tape. */
type Judge = (
  rows: number,
  sequence: Int32Array,
  values: readonly InputValues[],
  present: readonly Uint8Array[],
  words: readonly Int32Array[],
) => void;

/** What to read from a tape, as plain data that can be sent to another thread. */
export interface ReadingPlan {
  readonly files: readonly string[];
  readonly inputs: readonly Input[];
  /** Index of the input with the position in the tape. */
  readonly sequence: number;
  /** The body of the `Judge`. */
  readonly judge: string;
  readonly measured: readonly MeasuredPlan[];
  /** Index of each group column's input; null if the tape lacks the column. */
  readonly groups: readonly (number | null)[];
}

/** The columns that a plan fills, in its order. Threads share their memory: each row is written by one of them. */
export interface ReadingTargets {
  readonly words: readonly Int32Array[];
  readonly measured: readonly Pairs[];
  readonly codes: readonly Int32Array[];
}

export function makeTargets({ measured, groups }: ReadingPlan, words: number, length: number): ReadingTargets {
  const integers = () => new Int32Array(new SharedArrayBuffer(length * 4));
  return {
    words: Array.from({ length: words }, integers),
    measured: measured.map(() => makeSharedPairs(length)),
    codes: groups.map(integers),
  };
}

/** Writes each row of a block at its position in the tape, because DuckDB does not guarantee an order. */
export function takerOf(plan: ReadingPlan, { words, measured, codes }: ReadingTargets): Take {
  const judge = new Function('rows', 'sequence', 'values', 'present', 'words', plan.judge) as Judge;
  return (rows: number, block: InputRows): void => {
    const sequence = block.values[plan.sequence] as Int32Array;
    judge(rows, sequence, block.values, block.present, words);
    for (const [at, one] of plan.measured.entries()) readMeasured(one, measured[at]!, block, rows, sequence);
    for (const [at, input] of plan.groups.entries()) {
      if (input !== null) readCodes(codes[at]!, block.values[input]!, block.present[input]!, rows, sequence);
    }
  };
}

/** Codes from 1; a missing code becomes 0. */
function readCodes(
  codes: Int32Array,
  values: InputValues,
  present: Uint8Array,
  rows: number,
  sequence: Int32Array,
): void {
  for (let row = 0; row < rows; row += 1) codes[sequence[row]!] = present[row] === 0 ? 0 : values[row]! + 1;
}

/** Reads the row groups that it can claim. @returns the number of rows; null if the files must be read by SQL */
export async function readShare(
  plan: ReadingPlan,
  targets: ReadingTargets,
  claim: () => number,
): Promise<number | null> {
  let read = 0;
  const take = takerOf(plan, targets);
  const counted: Take = (rows, block) => {
    read += rows;
    take(rows, block);
  };
  return (await readFromFiles(plan.files, plan.inputs, counted, claim)) ? read : null;
}
