import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSheetBatches } from '@tapeline/sheets/read-sheet.ts';
import { expect, test } from 'vitest';
import { writeLoans } from '../testing/tape-file.ts';

/** The number of rows of each batch, and the share of the sheet that had been read by then. */
async function sharesOf(path: string): Promise<{ shares: number[]; batches: [rows: number, share: number][] }> {
  const shares: number[] = [];
  const batches: [number, number][] = [];
  for await (const batch of readSheetBatches(path, { batchRows: 5000, onRead: (share) => shares.push(share) })) {
    batches.push([batch.rowCount, shares.at(-1) ?? 0]);
  }
  return { shares, batches };
}

test.each(['.xlsx', '.csv'])('a %s file says how much of it is read, up to all', async (kind) => {
  const folder = await mkdtemp(join(tmpdir(), 'read-share-'));
  try {
    const path = join(folder, `tape${kind}`);
    const rows = 25_000;
    if (kind === '.xlsx') {
      await writeLoans(
        path,
        Array.from({ length: rows }, (_, at) => ({ id: `L${at}`, balance: at })),
      );
    } else {
      const lines = Array.from({ length: rows }, (_, at) => `L${at},${at},${'a longer text '.repeat(8)}`);
      await writeFile(path, `Loan,Balance,Note\n${lines.join('\n')}\n`);
    }
    const { shares, batches } = await sharesOf(path);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
    expect(batches.map(([count]) => count)).toEqual([5000, 5000, 5000, 5000, 5000]);
    // Files are read in chunks of several rows, so a share can be off by up to one chunk.
    for (const [at, [, share]] of batches.entries()) {
      expect(share).toBeGreaterThanOrEqual((at + 1) * 0.2 - 0.01);
      expect(share).toBeLessThan((at + 1) * 0.2 + 0.45);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
