import { randomInt } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fromEpochDay, toEpochDay } from '@tapeline/domain/dates/calendar-date.ts';
import type { sweepOrphans } from '@tapeline/workflows/all-workflows.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTapeCluster, type TapeCluster, TEST_QUEUES, type WorkerProcess } from '../testing/tape-cluster.ts';
import { LOAN_MAPPING, manyLoans, writeLoans } from '../testing/tape-file.ts';
import { expectWhole } from '../testing/whole-tape.ts';

const KILLS = 20;
const WORKERS = 3;
/** Number of tapes that are processed at the same time while workers are killed. */
const AT_ONCE = 2;
const LONGEST_PAUSE_MS = 2000;
const { loans, counts } = manyLoans(4000);
const HOUR_MS = 3_600_000;
const FIRST_DAY = toEpochDay('2020-01-01');

let cluster: TapeCluster;

beforeAll(async () => {
  cluster = await openTapeCluster({ batchRows: 1000 });
});
afterAll(() => cluster?.close());

/** Pseudorandom numbers from 0 to 1, reproducible by seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

test('workers killed 20 times at random moments over several tapes lose no row, and leave nothing behind', async () => {
  const seed = Number(process.env.KILL_SEED ?? randomInt(2 ** 31));
  console.info(`kills by seed ${seed} (KILL_SEED=${seed} picks the same moments and workers)`);
  const random = randomNumbers(seed);
  const companyId = await cluster.companyId('Alder Auto');
  const mappingId = await cluster.createMapping(companyId, LOAN_MAPPING);
  const path = join(cluster.folder, 'loans.xlsx');
  await writeLoans(path, loans());

  let killing = true;
  const tapeIds: string[] = [];
  let made = 0;
  // Processes one tape after another as long as workers are being killed.
  const processTapes = async () => {
    while (killing) {
      // Each tape has its own day, no matter how many are completed while workers are killed.
      const cutOffDate = fromEpochDay(FIRST_DAY + made);
      made += 1;
      const tape = await cluster.createTape({ companyId, mappingId, cutOffDate, path });
      tapeIds.push(tape.id);
      await cluster.startTape(tape.id);
      expect(await cluster.finish(tape.id)).toMatchObject({ stage: 'done', failure: null });
    }
  };
  const tapes = Promise.all(Array.from({ length: AT_ONCE }, processTapes));
  let workers = await cluster.startWorkers(WORKERS);
  const killWorkers = async () => {
    for (let kills = 0; kills < KILLS; kills += 1) {
      await sleep(random() * LONGEST_PAUSE_MS);
      const victim = workers[Math.floor(random() * workers.length)] as WorkerProcess;
      await victim.end('SIGKILL');
      // Restart immediately, as the supervisor does.
      workers = [...workers.filter((worker) => worker !== victim), ...(await cluster.startWorkers(1))];
    }
    killing = false;
  };
  await Promise.all([tapes, killWorkers()]);

  expect(tapeIds.length).toBeGreaterThan(AT_ONCE);
  const sweep = () =>
    cluster.client.workflow.execute<typeof sweepOrphans>('sweepOrphans', {
      taskQueue: TEST_QUEUES.workflows,
      workflowId: 'sweep after the kills',
    });
  await sweep();
  await cluster.passDays(8);
  // Each run moves only a part of the objects that are due.
  while ((await sweep()).trashed > 0);
  for (const tapeId of tapeIds) await expectWhole(cluster, tapeId, { loans: loans(), counts });
  const owners = (await cluster.keys('lake/')).map((key) => key.split('/')[1]);
  expect(new Set(owners)).toEqual(new Set(tapeIds));

  // Folders of the running workers may exist, but must be empty.
  const living = new Set(workers.map(({ pid }) => String(pid)));
  const scratch = await cluster.scratch();
  expect(scratch.filter((name) => !living.has(name.split('-').at(-2) ?? ''))).toEqual([]);
  expect(scratch.filter((name) => name.includes('job-'))).toEqual([]);

  // Files that a killed writer left unfinished are never resumed. The hourly cleanup deletes them.
  await cluster.objects.tidy(new Date(Date.now() + 7 * HOUR_MS));
  expect(await readdir(join(cluster.home, 'incoming'))).toEqual([]);
}, 1_200_000);
