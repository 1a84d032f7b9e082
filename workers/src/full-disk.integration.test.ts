import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startObjectStorage, type TestObjectStorage } from '@tapeline/lake/testing/object-storage.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ALL_QUEUES, openTapeCluster, type TapeCluster, until, type WorkerProcess } from './testing/tape-cluster.ts';
import { LOAN_MAPPING, manyLoans, writeLoans } from './testing/tape-file.ts';

/** A disk of its own, which needs the right to mount one. */
const DISK_MB = 64;
const RESERVE_MB = 24;
let cluster: TapeCluster;
let storage: TestObjectStorage;
let healthy: WorkerProcess;
let disk = '';
let isMounted = false;

beforeAll(async () => {
  storage = await startObjectStorage();
  cluster = await openTapeCluster({ batchRows: 1000, storage });
  disk = join(cluster.folder, 'small-disk');
  await mkdir(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', disk], { stdio: 'ignore' });
    isMounted = true;
  } catch {
    // Only root can mount. The pure part is tested without a disk in polling.test.ts.
  }
});
afterAll(async () => {
  await healthy?.end('SIGKILL');
  if (isMounted) execFileSync('umount', ['-l', disk]);
  await cluster?.close();
  await storage?.close();
});

test('a worker whose disk is full leaves all work to the others, says so, and comes back when there is space', async ({
  skip,
}) => {
  skip(!isMounted, 'mounting a disk needs root');
  const variables = { ...ALL_QUEUES, TAPELINE_HOME: disk, DISK_RESERVE_MB: String(RESERVE_MB) };
  const [full] = (await cluster.startWorkers(1, variables)) as [WorkerProcess];
  const live = () =>
    cluster.database.query<{ id: string; queues: string[] }>('select id, queues from worker_heartbeats order by id');
  const queuesOf = async (pid: number) => (await live()).find(({ id }) => id.split('/')[1] === String(pid))?.queues;
  expect(await queuesOf(full.pid)).toEqual(['workflows', 'io', 'compute', 'previews']);

  const filling = join(disk, 'filling');
  await writeFile(filling, Buffer.alloc((DISK_MB - RESERVE_MB / 2) * 1e6));
  await until(async () => (await queuesOf(full.pid))?.join() === 'workflows');
  expect(full.lines.join('\n')).toContain('the disk is full: no more work is taken');

  [healthy] = (await cluster.startWorkers(1)) as [WorkerProcess];
  const companyId = await cluster.companyId('Alder Auto');
  const mappingId = await cluster.createMapping(companyId, LOAN_MAPPING);
  const path = join(cluster.folder, 'loans.xlsx');
  const { loans, counts } = manyLoans(2500);
  await writeLoans(path, loans());
  const tape = await cluster.createTape({ companyId, mappingId, cutOffDate: '2024-03-31', path });
  await cluster.startTape(tape.id);
  expect(await cluster.finish(tape.id)).toMatchObject({ stage: 'done', failure: null, notice: null });
  expect((await cluster.tape(tape.id)).counts).toEqual(counts);
  // Not one attempt failed on the machine without space.
  expect(full.lines.filter((line) => line.includes('a disk or the object storage is full'))).toEqual([]);

  await rm(filling);
  await until(async () => (await queuesOf(full.pid))?.length === 4);
  expect(full.lines.join('\n')).toContain('the disk has space again: work is taken');
  await full.end();
}, 300_000);
