import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DERIVED_FILE, openLake } from './lake.ts';

it('a lake removes the derived files that a killed process left in its folder, and nothing else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tapeline-lake-'));
  await writeFile(join(folder, `${DERIVED_FILE}loans.parquet`), 'left behind');
  await writeFile(join(folder, 'notes.txt'), 'of another program');
  const lake = await openLake({ threads: 1, spillFolder: folder });
  expect(await readdir(folder)).toEqual(['notes.txt']);
  lake.close();
  await rm(folder, { recursive: true, force: true });
});
