import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { restartTape } from '@tapeline/db/operations/tapes/generations.ts';
import { startObjectStorage, type TestObjectStorage } from '@tapeline/lake/testing/object-storage.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { catchTape, goOn, partsOf } from '../testing/caught-tape.ts';
import { readPublished } from '../testing/published-tape.ts';
import { highestAttempts, workersOf } from '../testing/tape-activities.ts';
import {
  loanTapeWorkflowId,
  openTapeCluster,
  type TapeCluster,
  until,
  type WorkerProcess,
} from '../testing/tape-cluster.ts';
import { LOAN_MAPPING, manyLoans, writeLoans } from '../testing/tape-file.ts';

const ROWS = 10_000;
const BATCH_ROWS = 1000;
const { loans, counts } = manyLoans(ROWS);

// These tests process whole tapes with real workers, possibly on busy machines.
vi.setConfig({ testTimeout: 300_000 });

let storage: TestObjectStorage;
let remote: TapeCluster;
let machines: WorkerProcess[] = [];
let companyId = '';
let mappingId = '';
let path = '';

beforeAll(async () => {
  storage = await startObjectStorage({ pageSize: 20 });
  remote = await openTapeCluster({ batchRows: BATCH_ROWS, storage });
  companyId = await remote.companyId('Alder Auto');
  mappingId = await remote.createMapping(companyId, LOAN_MAPPING);
  path = join(remote.folder, 'loans.xlsx');
  await writeLoans(path, loans());
  machines = await Promise.all(['one', 'two'].map((name) => remote.startMachine(name)));
});
afterAll(async () => {
  await remote?.close();
  await storage?.close();
});

let day = 0;
const makeTape = () => {
  day += 1;
  return remote.createTape({ companyId, mappingId, cutOffDate: `2020-01-${String(day).padStart(2, '0')}`, path });
};
const filesUnder = (folder: string) => readdir(folder, { recursive: true }).catch(() => []);

/** The result of a tape, without anything that identifies the tape itself. */
async function outcome(cluster: TapeCluster, tapeId: string) {
  const { assets, errored } = await readPublished(cluster, tapeId);
  const { counts, statistics } = await cluster.tape(tapeId);
  return { assets, errored, counts, statistics };
}

describe('two worker machines that share only database, Temporal and object storage', () => {
  test('read and transform one tape together, to the result of one machine with files of its own', async () => {
    const tape = await makeTape();
    await remote.startTape(tape.id);
    expect(await remote.finish(tape.id)).toMatchObject({ stage: 'done', batches: 10 });
    expect((await workersOf(remote.client, tape.id, 'transformBatch')).size).toBe(2);
    const together = await outcome(remote, tape.id);
    expect(together.counts).toEqual(counts);

    const local = await openTapeCluster({ batchRows: BATCH_ROWS });
    try {
      const owner = await local.companyId('Alder Auto');
      const mapping = await local.createMapping(owner, LOAN_MAPPING);
      await local.startWorkers(1);
      const alone = await local.createTape({
        companyId: owner,
        mappingId: mapping,
        cutOffDate: tape.cutOffDate,
        path,
      });
      await local.startTape(alone.id);
      expect(await local.finish(alone.id)).toMatchObject({ stage: 'done' });
      expect(await outcome(local, alone.id)).toEqual(together);
    } finally {
      await local.close();
    }
  });

  test('each keeps its own copies and scratch, and nothing of the other', async () => {
    for (const name of ['one', 'two']) {
      expect((await readdir(join(remote.homeOf(name), 'object-cache'))).length).toBeGreaterThan(0);
      expect((await filesUnder(join(remote.homeOf(name), 'scratch'))).filter((file) => file.includes('job-'))).toEqual(
        [],
      );
      // Objects only exist in the object storage.
      expect(await filesUnder(join(remote.homeOf(name), 'objects'))).toEqual([]);
    }
    expect(storage.unfinishedUploads()).toEqual([]);
  });
});

describe('object storage that is down for a while', () => {
  test.each([
    ['read', 'staged', 2],
    ['transformed', 'candidate', 2],
  ] as const)('while the tape is %s costs only time', async (_stage, folder, parts) => {
    const { tape } = await catchTape(
      remote,
      machines,
      makeTape,
      async (tapeId) => (await partsOf(remote, tapeId, folder)) >= parts,
    );
    await storage.goDown();
    goOn(machines);
    const attempts = () => highestAttempts(remote.client, tape.id);
    try {
      // Wait until the activity in progress fails and is retried.
      await until(async () => {
        const { raw } = await remote.client.workflow.getHandle(loanTapeWorkflowId(tape.id)).describe();
        return raw.pendingActivities?.some((activity) => (activity.attempt ?? 1) > 1);
      });
    } finally {
      await storage.comeUp();
    }
    expect(await remote.finish(tape.id)).toMatchObject({ stage: 'done', batches: 10 });
    expect(Math.max(...(await attempts()).values())).toBeGreaterThan(1);
    const { assets, errored } = await readPublished(remote, tape.id);
    expect((await remote.tape(tape.id)).counts).toEqual(counts);
    expect(new Set([...assets, ...errored].map(({ row }) => Number(row))).size).toBe(counts.dataRows);
  });
});

describe('keys that the object storage refuses', () => {
  test('end a worker at its start, with the setting to look at', async () => {
    const worker = remote.startWorkers(1, {
      TAPELINE_HOME: remote.homeOf('three'),
      S3_SECRET_ACCESS_KEY: 'not the one',
    });
    await expect(worker).rejects.toThrow('S3_SECRET_ACCESS_KEY');
  });

  test('revoked in mid-tape end the tape with the reason; with keys that hold, trying again publishes it', async () => {
    const { tape } = await catchTape(
      remote,
      machines,
      makeTape,
      async (tapeId) => (await partsOf(remote, tapeId, 'staged')) >= 2,
    );
    storage.revokeKeys();
    goOn(machines);
    expect(await remote.finish(tape.id)).toMatchObject({ stage: 'failed' });
    expect(await remote.tape(tape.id)).toMatchObject({
      processStatus: 'Pending',
      schedulerStatus: 'Completed',
      generationId: null,
      failure: expect.stringContaining('S3_ACCESS_KEY_ID'),
    });
    expect([...new Set(machines.map((machine) => machine.isRunning()))]).toEqual([true]);

    storage.restoreKeys();
    await remote.asSystem((session) => restartTape(session, { tapeId: tape.id }));
    await remote.startTape(tape.id);
    expect(await remote.finish(tape.id)).toMatchObject({ stage: 'done' });
    expect((await remote.tape(tape.id)).counts).toEqual(counts);
  });
});
