import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { warmUp } from './warm-up.ts';

let scratchFolder = '';
beforeAll(async () => {
  scratchFolder = await mkdtemp(join(tmpdir(), 'warm-up-'));
});
afterAll(() => rm(scratchFolder, { recursive: true, force: true }));

test('the warm-up calculates every kind of rule and leaves nothing behind', async () => {
  const { totals, rulesTracking, excessBreachDistribution } = await warmUp({ scratchFolder });
  expect(totals.pools.eligibleOrPerforming.count).toBeGreaterThan(1000);
  for (const rule of [...rulesTracking.eligible, ...rulesTracking.performing]) {
    expect(rule.failed.count, rule.title).toBeGreaterThan(0);
  }
  // The limits cut what exceeds them; the last rule only tests the pool.
  expect(excessBreachDistribution.map(({ breached, removes }) => breached || !removes)).toEqual(Array(5).fill(true));
  expect(await readdir(scratchFolder)).toEqual([]);
});
