import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DefaultLogger } from '@temporalio/worker';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keptWorkflowBundle } from './workflow-bundle.ts';

const logger = new DefaultLogger('ERROR');
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'workflow-bundle-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the workflows are bundled once, and the next worker uses the same script', async () => {
  const forgotten = join(folder, 'forgotten.cjs');
  await writeFile(forgotten, 'of an earlier version');
  const longAgo = new Date(Date.now() - 8 * 24 * 3_600_000);
  await utimes(forgotten, longAgo, longAgo);
  const path = await keptWorkflowBundle(folder, logger);
  const code = await readFile(path, 'utf8');
  expect(code).toContain('loanTape');
  // An existing script is used as it is, without bundling again.
  await writeFile(path, 'marked');
  expect(await keptWorkflowBundle(folder, logger)).toBe(path);
  expect(await readFile(path, 'utf8')).toBe('marked');
  expect(await readdir(folder)).toHaveLength(1);
});
