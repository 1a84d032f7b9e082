import { expect } from 'vitest';
import { readPublished } from './published-tape.ts';
import type { TapeCluster } from './tape-cluster.ts';
import type { Loan, LoanCounts } from './tape-file.ts';

/** Sheet rows of the loans that a tape holds: the header stands in the first. */
function sheetRows(loans: Iterable<Loan | null>): number[] {
  const rows: number[] = [];
  let row = 1;
  for (const loan of loans) {
    row += 1;
    if (loan) rows.push(row);
  }
  return rows;
}

/** Every row of the sheet is in one place, once, and nothing that only processing needed is left of the tape. */
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
  expect(stored.filter((key) => !key.endsWith('/sheet.json'))).toEqual(
    [...manifest.assets, ...manifest.errored].sort(),
  );
}
