import type { ColumnArray, ColumnBlock } from '@tapeline/parquet';
import { type AmountColumn, makeSharedAmounts } from './amount-columns.ts';
import type { AnswerPlan } from './answers.ts';
import { BlockTester } from './block-tester.ts';
import { type MeasuredPlan, readMeasured } from './measured-columns.ts';
import { type PoolCounts, type PoolPlan, PoolSorter, type PoolTargets } from './pools.ts';
import { type Input, readFromFiles } from './tape-inputs.ts';

/** What to read from a tape, as plain data that can be sent to another thread. */
export interface ReadingPlan {
  readonly files: readonly string[];
  readonly inputs: readonly Input[];
  /** Index of the input with the position in the tape. */
  readonly sequence: number;
  readonly answers: AnswerPlan;
  readonly measured: readonly MeasuredPlan[];
  /** Index of each group column's input; null if the tape lacks the column. */
  readonly groups: readonly (number | null)[];
  readonly pools: PoolPlan;
}

/** The columns that a plan fills, in its order. Threads share their memory: each row is written by one of them. */
export interface ReadingTargets extends PoolTargets {
  readonly words: readonly Int32Array[];
  readonly measured: readonly AmountColumn[];
  readonly codes: readonly Int32Array[];
}

export function makeTargets({ measured, groups }: ReadingPlan, words: number, length: number): ReadingTargets {
  const integers = () => new Int32Array(new SharedArrayBuffer(length * 4));
  return {
    words: Array.from({ length: words }, integers),
    measured: measured.map(() => makeSharedAmounts(length)),
    codes: groups.map(integers),
    status: new Uint8Array(new SharedArrayBuffer(length)),
    scope: new Int16Array(new SharedArrayBuffer(length * 2)),
    rateCase: new Int16Array(new SharedArrayBuffer(length * 2)),
  };
}

/** The rows that one thread has read. */
export interface ReadRows {
  readonly rows: number;
  readonly counts: PoolCounts;
}

/**
 * Reads assets from blocks of rows: tests them, measures them and sorts them into pools. Each asset is written at its
 * position in the tape, because DuckDB does not guarantee an order.
 */
export class AssetReader {
  private rows = 0;
  private readonly plan: ReadingPlan;
  private readonly targets: ReadingTargets;
  private readonly tester: BlockTester;
  private readonly sorter: PoolSorter;

  constructor(plan: ReadingPlan, targets: ReadingTargets) {
    this.plan = plan;
    this.targets = targets;
    this.tester = new BlockTester(plan.answers, plan.inputs, targets.words.length);
    this.sorter = new PoolSorter(plan.pools, targets.words, targets.measured, targets);
  }

  readonly take = (rows: number, block: ColumnBlock): void => {
    const { plan, targets } = this;
    const sequence = block.values[plan.sequence] as Int32Array;
    this.tester.test(rows, block, sequence, targets.words);
    for (const [at, one] of plan.measured.entries()) readMeasured(one, targets.measured[at]!, block, rows, sequence);
    for (const [at, input] of plan.groups.entries()) {
      if (input !== null) readCodes(targets.codes[at]!, block.values[input]!, block.present[input]!, rows, sequence);
    }
    this.sorter.take(rows, sequence);
    this.rows += rows;
  };

  get read(): ReadRows {
    return { rows: this.rows, counts: this.sorter.counts };
  }
}

/** Codes from 1; a missing code becomes 0. */
function readCodes(
  codes: Int32Array,
  values: ColumnArray,
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
  const reader = new AssetReader(plan, targets);
  return (await readFromFiles(plan.files, plan.inputs, reader.take, claim)) ? reader.read : null;
}
