import { readFromFiles, type Take } from './input-rows.ts';
import type { Input, InputValues } from './inputs.ts';
import { type MeasuredPlan, readMeasured } from './measured-columns.ts';
import { makeSharedPairs, type Pairs } from './pairs.ts';
import { type StatusCounts, type StatusPlan, StatusTallies, type StatusTargets } from './status-tallies.ts';

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
  readonly statuses: StatusPlan;
}

/** The columns that a plan fills, in its order. Threads share their memory: each row is written by one of them. */
export interface ReadingTargets extends StatusTargets {
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
    status: new Uint8Array(new SharedArrayBuffer(length)),
    scope: new Int16Array(new SharedArrayBuffer(length * 2)),
    rateCase: new Int16Array(new SharedArrayBuffer(length * 2)),
  };
}

/** The rows that one thread has read. */
export interface ReadRows {
  readonly rows: number;
  readonly counts: StatusCounts;
}

/** Writes each row of a block at its position in the tape, because DuckDB does not guarantee an order. */
export class RowTaker {
  private rows = 0;
  private readonly plan: ReadingPlan;
  private readonly targets: ReadingTargets;
  private readonly judge: Judge;
  private readonly tallies: StatusTallies;

  constructor(plan: ReadingPlan, targets: ReadingTargets) {
    this.plan = plan;
    this.targets = targets;
    this.judge = new Function('rows', 'sequence', 'values', 'present', 'words', plan.judge) as Judge;
    this.tallies = new StatusTallies(plan.statuses, targets.words, targets.measured, targets);
  }

  readonly take: Take = (rows, block) => {
    const { plan, targets } = this;
    const sequence = block.values[plan.sequence] as Int32Array;
    this.judge(rows, sequence, block.values, block.present, targets.words);
    for (const [at, one] of plan.measured.entries()) readMeasured(one, targets.measured[at]!, block, rows, sequence);
    for (const [at, input] of plan.groups.entries()) {
      if (input !== null) readCodes(targets.codes[at]!, block.values[input]!, block.present[input]!, rows, sequence);
    }
    this.tallies.take(rows, sequence);
    this.rows += rows;
  };

  get read(): ReadRows {
    return { rows: this.rows, counts: this.tallies.counts };
  }
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

/** Reads the row groups that it can claim. @returns null if the files must be read by SQL */
export async function readShare(
  plan: ReadingPlan,
  targets: ReadingTargets,
  claim: () => number,
): Promise<ReadRows | null> {
  const taker = new RowTaker(plan, targets);
  return (await readFromFiles(plan.files, plan.inputs, taker.take, claim)) ? taker.read : null;
}
