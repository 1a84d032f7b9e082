import { expect } from 'vitest';
import { readPublished } from './published-tape.ts';
import type { TapeCluster } from './tape-cluster.ts';
import type { Loan, LoanCounts } from './tape-file.ts';

/** Sheet rows of a tape's loans: the header is in the first row. */
function sheetRows(loans: Iterable<Loan | null>): number[] {
  const rows: number[] = [];
  let row = 1;
  for (const loan of loans) {
    row += 1;
    if (loan) rows.push(row);
  }
  return rows;
}

/** Expects every row of the sheet in exactly one place, and none of the tape's working objects left. */
export async function expectWhole(
  cluster: TapeCluster,
  tapeId: string,
  expected: { loans: Iterable<Loan | null>; counts: LoanCounts },
): Promise<void> {
  const tape = await cluster.tape(tapeId);
  const { counts } = expected;
  expect(tape).toMatchObject({ schedulerStatus: 'Completed', processStatus: 'Completed', failure: null, counts });
  expect(tape.progress).toMatchObject({ stage: 'done', percent: 100, rowsRead: counts.dataRows });
  const { assets, errored, manifest } = await readPublished(cluster, tapeId);
  const rows = [...assets, ...errored].map(({ row }) => Number(row)).sort((a, b) => a - b);
  expect(rows).toEqual(sheetRows(expected.loans));
  expect(assets.map(({ sequenceIndex }) => sequenceIndex)).toEqual(assets.map((_, index) => index));
  const stored = await cluster.keys(`lake/${tapeId}/`);
  expect(stored.filter((key) => !/\/(sheet|offered)\.json$/.test(key))).toEqual(
    [...manifest.assets, ...manifest.errored].sort(),
  );
}
