import { join } from 'node:path';
import { Readable } from 'node:stream';
import { LoanTape } from '@tapeline/db/entities/tapes.ts';
import { fileStored, registerFile } from '@tapeline/db/operations/files/files.ts';
import { discardErrored } from '@tapeline/db/operations/tapes/discard-errored.ts';
import {
  beginRerun,
  endRerun,
  publishRerun,
  type RerunAttempt,
  rerunRequestKey,
} from '@tapeline/db/operations/tapes/rerun-errored.ts';
import { previousPublishedTape, removeTape, tapesWithUnstableIds } from '@tapeline/db/operations/tapes/tapes.ts';
import { countStatements } from '@tapeline/db/testing/count-statements.ts';
import type { OriginCell, RowCorrection } from '@tapeline/domain/tapes/corrections.schema.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { findErroredRows } from '@tapeline/lake/errored-assets.ts';
import { openLake } from '@tapeline/lake/lake.ts';
import { objectKey } from '@tapeline/lake/storage/object-store.ts';
import type { endStranded, rerunErrored, rerunPreview, sweepOrphans } from '@tapeline/workflows/all-workflows.ts';
import type { StoredCorrections } from '@tapeline/workflows/corrections/activities.ts';
import type { PreviewedRerun } from '@tapeline/workflows/corrections/preview.ts';
import { cancelTapeSignal } from '@tapeline/workflows/loan-tape/messages.ts';
import { workflowIdOf } from '@tapeline/workflows/queues.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { recordWorkflow, replayWorkflows } from '../testing/histories.ts';
import { readPublished } from '../testing/published-tape.ts';
import {
  ALL_QUEUES,
  openTapeCluster,
  type TapeCluster,
  TEST_INSTANCE,
  TEST_QUEUES,
  until,
  type WorkerProcess,
} from '../testing/tape-cluster.ts';
import { LOAN_MAPPING, type Loan, manyLoans, writeLoans, writeTapeFile } from '../testing/tape-file.ts';

// It takes ten seconds to detect a killed worker.
vi.setConfig({ testTimeout: 240_000 });

let cluster: TapeCluster;
let workers: WorkerProcess[] = [];
let mappingId = '';
let companyId = '';
let files = 0;
const ran: string[] = [];

beforeAll(async () => {
  cluster = await openTapeCluster({ batchRows: 5000 });
  companyId = await cluster.companyId('Alder Auto');
  mappingId = await cluster.createMapping(companyId, LOAN_MAPPING);
  workers = await cluster.startWorkers(1, ALL_QUEUES);
});
afterAll(() => cluster?.close());

const BY = 'Mara Ellis';
const loan = (id: string, balance: Loan['balance'] = 1000.25, more: Partial<Loan> = {}): Loan => ({
  id,
  balance,
  ...more,
});

async function publish(
  loans: readonly (Loan | null)[],
  cutOffDate: string,
  mapping: string = mappingId,
): Promise<string> {
  files += 1;
  const path = join(cluster.folder, `loans-${files}.xlsx`);
  await writeLoans(path, loans);
  const tape = await cluster.createTape({ companyId, mappingId: mapping, cutOffDate, path });
  await cluster.startTape(tape.id);
  expect(await cluster.finish(tape.id)).toMatchObject({ stage: 'done' });
  return tape.id;
}

const findErrored = async (parts: readonly string[], rows: readonly number[] | null) => {
  const lake = await openLake({ threads: 1 });
  try {
    return await findErroredRows(lake, await Promise.all(parts.map((key) => cluster.objects.localPath(key))), rows);
  } finally {
    lake.close();
  }
};

const begin = (tapeId: string, rows: readonly number[] | null, on: string | null = null): Promise<RerunAttempt> =>
  cluster.asSystem((session) => beginRerun(session, { tapeId, rows, on, by: BY, findErrored }));

/** Starts the workflow of a registered re-run, as the web application does. */
async function start(
  attempt: RerunAttempt,
  corrections: readonly RowCorrection[] | { fileId: string },
): Promise<string> {
  let stored: StoredCorrections = corrections as { fileId: string };
  if ('length' in corrections) {
    stored = { key: rerunRequestKey(attempt) };
    await cluster.objects.putStream(stored.key, Readable.from([JSON.stringify(corrections)]));
  }
  const workflowId = workflowIdOf(TEST_INSTANCE, WORKFLOW_IDS.rerun(attempt.tapeId, attempt.generationId));
  ran.push(workflowId);
  await cluster.client.workflow.start<typeof rerunErrored>('rerunErrored', {
    taskQueue: TEST_QUEUES.workflows,
    workflowId,
    args: [{ attempt, corrections: stored, by: BY, at: '2026-11-21T12:00:00.000Z' }],
  });
  return workflowId;
}

const ended = (workflowId: string) => cluster.client.workflow.getHandle<typeof rerunErrored>(workflowId).result();

async function rerun(tapeId: string, corrections: readonly RowCorrection[]) {
  const attempt = await begin(
    tapeId,
    corrections.map(({ row }) => row),
  );
  return ended(await start(attempt, corrections));
}

const correction = (row: number, cells: Record<string, OriginCell>): RowCorrection => ({ row, cells });

const stateOf = async (tapeId: string) => {
  const { schedulerStatus, processStatus, failure, counts, progress } = await cluster.tape(tapeId);
  return { schedulerStatus, processStatus, failure, counts, rerun: progress?.rerun ?? null };
};

/** Expects the tape to have only the objects that its published generation names. */
async function expectTidy(tapeId: string): Promise<void> {
  const { manifest } = await readPublished(cluster, tapeId);
  const named = [...manifest.assets, ...manifest.errored, ...(manifest.corrections ? [manifest.corrections] : [])];
  const published = manifest.assets[0]?.replace(/[^/]+$/, '') ?? '';
  const held = (await cluster.keys(published)).filter((key) => !/\/(sheet|offered)\.json$/.test(key));
  expect(held).toEqual([...named].sort());
}

describe('corrected rows', () => {
  test('become assets at the place of their rows, as if they had been read right at first', async () => {
    const wrong = [
      loan('A1'),
      loan('A2', 'see notes', { state: 'NY' }),
      null,
      loan('A3', 12.5, { state: 'TX' }),
      loan('A4', '#N/A'),
      loan('A5', 'n/a', { state: null }),
      loan('A6', 77),
    ];
    const right = wrong.map(
      (each) => each && { ...each, balance: typeof each.balance === 'number' ? each.balance : 4321.1 },
    );
    const tapeId = await publish(wrong, '2030-01-31');
    const rightId = await publish(right, '2030-01-31');
    const expected = await readPublished(cluster, rightId);
    expect((await cluster.tape(tapeId)).counts).toEqual({
      dataRows: 6,
      assets: 3,
      errored: 3,
      discarded: 0,
      blankRows: 1,
    });

    const first = await rerun(tapeId, [correction(3, { Balance: 4321.1 }), correction(7, { Balance: 'still not' })]);
    expect(first).toEqual({ result: { rows: 2, assets: 1, errored: 1 }, failure: null });
    expect(await stateOf(tapeId)).toEqual({
      schedulerStatus: 'Completed',
      processStatus: 'Completed',
      failure: null,
      counts: { dataRows: 6, assets: 4, errored: 2, discarded: 0, blankRows: 1 },
      rerun: null,
    });
    const between = await readPublished(cluster, tapeId);
    expect(between.manifest.rerun).toEqual({
      by: BY,
      at: '2026-11-21T12:00:00.000Z',
      rows: 2,
      assets: 1,
      stayed: [7],
    });
    expect(between.errored.map(({ row, origin }) => [row, origin.Balance])).toEqual([
      [6, '#N/A'],
      [7, 'still not'],
    ]);
    // Cells that were not corrected keep their type, so the row's date is still correct next to its new amount.
    expect(between.assets.find(({ row }) => row === 3)).toMatchObject({ dateFinanced: '2024-05-17', assetId: 'A2' });

    await rerun(tapeId, [correction(6, { Balance: '4,321.10' }), correction(7, { Balance: 4321.1 })]);
    const after = await readPublished(cluster, tapeId);
    expect(after.assets).toEqual(expected.assets);
    expect(after.errored).toEqual([]);
    const [made, asRead] = await Promise.all([cluster.tape(tapeId), cluster.tape(rightId)]);
    expect(made.statistics).toEqual(asRead.statistics);
    expect(made.statistics?.assetsStatuses).toEqual([{ name: 'current', value: 6 }]);
    const kept = JSON.parse(
      (await (await cluster.objects.getStream(after.manifest.corrections ?? '')).toArray()).join(''),
    );
    expect(kept).toEqual(
      [
        [3, 'see notes', 4321.1],
        [7, 'n/a', 'still not'],
        [6, '#N/A', '4,321.10'],
        [7, 'still not', 4321.1],
      ].map(([row, before, value]) => ({
        row,
        cells: { Balance: { before, after: value } },
        by: BY,
        at: '2026-11-21T12:00:00.000Z',
      })),
    );
    await expectTidy(tapeId);
  });

  test('are found by the id they were corrected to, and not by the one in the sheet', async () => {
    const tapeId = await publish([loan('S1'), loan('S-wrong', 'see notes')], '2030-02-28');
    expect((await rerun(tapeId, [correction(3, { Loan: 'S2', Balance: 5 })])).result).toMatchObject({ assets: 1 });
    const found = await cluster.database.query<{ id: string }>(
      `select asset_id as id from asset_ids where company_id = $1 and key like 's%' order by key`,
      [companyId],
    );
    expect(found.map(({ id }) => id)).toEqual(['S1', 'S2']);
  });

  test('stay errored with the reason where they collide; published assets stay as they are', async () => {
    const earlier = [loan('B1', 1, { original: 500 }), loan('B9', 1, { original: 700 })];
    await publish(earlier, '2030-03-31');
    const tapeId = await publish(
      [loan('', 10), loan('B1', 20, { original: 500 }), loan('', 30), loan('', 40), loan('', 50, { original: 701 })],
      '2030-04-30',
    );
    const before = await readPublished(cluster, tapeId);
    expect(before.assets.map(({ row }) => row)).toEqual([3]);
    const outcome = await rerun(tapeId, [
      correction(2, { Loan: 'B1', Original: 500 }),
      correction(4, { Loan: 'B4' }),
      correction(5, { Loan: 'B4' }),
      correction(6, { Loan: 'B9' }),
    ]);
    expect(outcome.result).toEqual({ rows: 4, assets: 1, errored: 3 });
    const after = await readPublished(cluster, tapeId);
    expect(after.assets.map(({ row, assetId, sequenceIndex }) => [row, assetId, sequenceIndex])).toEqual([
      [3, 'B1', 0],
      [4, 'B4', 1],
    ]);
    expect(after.errored.map(({ row, errors }) => [row, errors.map(({ reason }) => reason)])).toEqual([
      // A published row keeps its value even if the corrected row is above it in the sheet.
      [2, ['Asset id B1 is already used by row 3']],
      [5, ['Asset id B4 is already used by row 4']],
      [6, [expect.stringMatching(/was 700 USD on the tape of .* and is now 701 USD/)]],
    ]);
  });

  const withId = (change: object) => ({
    ...LOAN_MAPPING,
    rules: LOAN_MAPPING.rules.map((rule) => (rule.targetCol === 'assetId' ? { ...rule, ...change } : rule)),
  });

  test('get the number of an occurrence that is free where their ids are numbered', async () => {
    const numbered = await cluster.createMapping(companyId, withId({ onDuplicate: 'numbered' }));
    const tapeId = await publish(
      [loan('G1', 10), loan('G1', 'x'), loan('G1', 30), loan('', 40), loan('G1', 'y')],
      '2030-10-31',
      numbered,
    );
    const ids = async () => (await readPublished(cluster, tapeId)).assets.map(({ row, assetId }) => [row, assetId]);
    expect(await ids()).toEqual([
      [2, 'G1'],
      [4, 'G1 (3)'],
    ]);
    await rerun(tapeId, [
      correction(3, { Balance: 20 }),
      correction(5, { Loan: 'G1' }),
      correction(6, { Balance: 50 }),
    ]);
    expect(await ids()).toEqual([
      [2, 'G1'],
      [3, 'G1 (2)'],
      [4, 'G1 (3)'],
      [5, 'G1 (4)'],
      [6, 'G1 (5)'],
    ]);
  });

  test('keep row numbers as ids, which no later tape is compared with', async () => {
    const other = await cluster.companyId('Northwind Consumer Loans');
    const rules = withId({ originCol: null, serializations: [{ type: 'rowNumber' }] }).rules.map((rule) =>
      rule.targetCol === 'sums.sum' ? { ...rule, checks: ['Mandatory' as const] } : rule,
    );
    const byRow = await cluster.createMapping(other, { ...LOAN_MAPPING, rules });
    const byId = await cluster.createMapping(other, LOAN_MAPPING);
    files += 1;
    const path = join(cluster.folder, `loans-${files}.xlsx`);
    await writeLoans(path, [loan('H1', 1), loan('H2', 'x'), loan('H3', 3)]);
    const process = async (mapping: string, cutOffDate: string) => {
      const { id } = await cluster.createTape({ companyId: other, mappingId: mapping, cutOffDate, path });
      await cluster.startTape(id);
      expect(await cluster.finish(id)).toMatchObject({ stage: 'done' });
      return id;
    };
    const tapeId = await process(byRow, '2030-11-30');
    await rerun(tapeId, [correction(3, { Balance: 2 })]);
    const { assets, manifest } = await readPublished(cluster, tapeId);
    expect(assets.map(({ assetId }) => assetId)).toEqual(['row 2', 'row 3', 'row 4']);
    expect(manifest.unstableIds).toBe(true);
    const laterId = await process(byId, '2030-12-31');
    expect((await readPublished(cluster, laterId)).manifest.unstableIds).toBeUndefined();
    const previousOf = (beforeCutOffDate: string, hasStableIds = true) =>
      cluster.asSystem((session) =>
        previousPublishedTape(session, { companyId: other, beforeCutOffDate, hasStableIds }),
      );
    expect(await previousOf('2030-12-31')).toBeNull();
    expect(await previousOf('2030-12-31', false)).toMatchObject({ id: tapeId });
    expect(await previousOf('2031-01-31')).toMatchObject({ id: laterId });
    const tapes = await cluster.asSystem((session) => session.em.find(LoanTape, { id: { $in: [tapeId, laterId] } }));
    // The tapes of a list are asked about at once.
    let unstable: ReadonlySet<string> = new Set();
    const statements = await countStatements(async () => {
      unstable = await cluster.asSystem((session) => tapesWithUnstableIds(session, tapes));
    });
    expect([...unstable]).toEqual([tapeId]);
    expect(await countStatements(() => cluster.asSystem((session) => tapesWithUnstableIds(session, [tapes[0]!])))).toBe(
      statements,
    );
    const unpublished = { generationId: null };
    expect([...(await cluster.asSystem((session) => tapesWithUnstableIds(session, [unpublished])))]).toEqual([]);
  });

  test('keep every digit of a number that no double holds, and the kinds of cells', async () => {
    const tapeId = await publish([loan('C1', 'x'), loan('C2')], '2030-05-31');
    await rerun(tapeId, [correction(2, { Balance: '123456789012.34', State: true, Financed: '2023-02-03' })]);
    const { assets } = await readPublished(cluster, tapeId);
    expect(assets[0]).toMatchObject({ row: 2, 'sums.outstandingSum': '123456789012.34', dateFinanced: '2023-02-03' });
  });

  test('are told beforehand what they come to, and nothing is stored of that', async () => {
    const tapeId = await publish([loan('D1', 'x'), loan('D2'), loan('D2', 3)], '2030-06-30');
    const keys = await cluster.keys(`lake/${tapeId}/`);
    const answer = await cluster.client.workflow.execute<typeof rerunPreview>('rerunPreview', {
      taskQueue: TEST_QUEUES.workflows,
      workflowId: `preview/${tapeId}`,
      args: [
        {
          tapeId,
          corrections: { rows: [correction(2, { Balance: 7 }), correction(4, { Balance: 9 })] },
          shownRows: 10,
        },
      ],
    });
    const preview = answer as PreviewedRerun;
    expect(preview).toMatchObject({ rows: 2, changedCells: 2, assets: 1, errored: 1 });
    expect(preview.shown.map(({ row, errors }) => [row, errors.map(({ reason }) => reason)])).toEqual([
      [2, []],
      [4, ['Asset id D2 is already used by row 3']],
    ]);
    const balance = preview.shown[0]?.cells.find(({ target }) => target === 'sums.outstandingSum');
    expect(balance?.value).toMatch(/^7(\.0+)? USD$/);
    expect(await cluster.keys(`lake/${tapeId}/`)).toEqual(keys);
    expect(await stateOf(tapeId)).toMatchObject({ schedulerStatus: 'Completed', counts: { assets: 1, errored: 2 } });
  });
});

describe('only one may publish', () => {
  test('a second re-run, a discard and corrections of an older state are refused meanwhile', async () => {
    const tapeId = await publish([loan('E1', 'x'), loan('E2', 'y'), loan('E3')], '2030-07-31');
    const generationId = (await cluster.tape(tapeId)).generationId;
    const attempt = await begin(tapeId, [2], generationId);
    expect(await stateOf(tapeId)).toMatchObject({
      schedulerStatus: 'Processing',
      processStatus: 'Completed',
      rerun: { rows: 1, by: BY },
    });
    await expect(begin(tapeId, [3])).rejects.toThrow('Rows of this tape are being reprocessed');
    await expect(
      cluster.asSystem((session) => discardErrored(session, { tapeId, rows: [3], findErrored })),
    ).rejects.toThrow('are being reprocessed');
    expect(await ended(await start(attempt, [correction(2, { Balance: 1 })]))).toMatchObject({ failure: null });
    await expect(begin(tapeId, [3], generationId)).rejects.toThrow('have been reprocessed');
    await expect(begin(tapeId, [2])).rejects.toThrow('Not errored rows of this tape: 2');
    const discarded = await cluster.asSystem((session) => discardErrored(session, { tapeId, rows: [3], findErrored }));
    expect(discarded.rows).toEqual([3]);
    expect(discarded.tape.counts).toEqual({ dataRows: 3, assets: 2, errored: 0, discarded: 1, blankRows: 0 });
    await expect(begin(tapeId, [3])).rejects.toThrow('no errored rows');
  });

  test('a row that is still wrong shows what it collides with as well', async () => {
    const tapeId = await publish([loan('C1'), loan('C2', 'x')], '2030-09-30');
    expect((await rerun(tapeId, [correction(3, { Loan: 'C1' })])).result).toEqual({ rows: 1, assets: 0, errored: 1 });
    const { errored } = await readPublished(cluster, tapeId);
    expect(errored.map(({ row, errors }) => [row, errors.map(({ reason }) => reason)])).toEqual([
      [3, ['"x" is not a number', 'Asset id C1 is already used by row 2']],
    ]);
  });

  test('discarded rows stay discarded, and a writer that was given up publishes nothing', async () => {
    const tapeId = await publish([loan('F1', 'x'), loan('F2', 'y'), loan('F3', 'z'), loan('F4')], '2030-08-31');
    await cluster.asSystem((session) => discardErrored(session, { tapeId, rows: [2], findErrored }));
    await expect(begin(tapeId, [2, 3])).rejects.toThrow('Not errored rows of this tape: 2');
    const zombie = await begin(tapeId, [3]);
    expect(await cluster.asSystem((session) => endRerun(session, { attempt: zombie, failure: null }))).toBe(false);
    expect((await rerun(tapeId, [correction(4, { Balance: 5 })])).result).toEqual({ rows: 1, assets: 1, errored: 0 });
    const { manifest, errored } = await readPublished(cluster, tapeId);
    await expect(
      cluster.asSystem((session) =>
        publishRerun(session, {
          attempt: zombie,
          manifest,
          rows: [3],
          made: 1,
          statistics: { assetsStatuses: [], sum: [], outstandingSum: [] },
        }),
      ),
    ).rejects.toThrow('has been republished');
    expect([manifest.discarded, errored.map(({ row }) => row)]).toEqual([[2], [2, 3]]);
    expect((await cluster.tape(tapeId)).counts).toEqual({
      dataRows: 4,
      assets: 2,
      errored: 1,
      discarded: 1,
      blankRows: 0,
    });
  });

  test('a tape that is removed meanwhile is gone with all that the re-run wrote', async () => {
    const tapeId = await publish([loan('G1', 'x'), loan('G2')], '2030-09-30');
    const attempt = await begin(tapeId, [2]);
    await cluster.asSystem((session) => removeTape(session, { id: tapeId }));
    const workflowId = await start(attempt, [correction(2, { Balance: 1 })]);
    expect(await ended(workflowId)).toMatchObject({ result: null });
    expect(await cluster.keys(attempt.objectPrefix)).toEqual([]);
  });
});

test('a re-run whose workflow is gone is ended by the sweeper, and nothing of it stays', async () => {
  const tapeId = await publish([loan('J1', 'x'), loan('J2')], '2030-12-31');
  const { generationId, counts } = await cluster.tape(tapeId);
  const attempt = await begin(tapeId, [2]);
  await cluster.objects.putStream(rerunRequestKey(attempt), Readable.from(['[]']));
  const sweep = (workflowId: string) =>
    cluster.client.workflow.execute<typeof sweepOrphans>('sweepOrphans', {
      taskQueue: TEST_QUEUES.workflows,
      workflowId,
    });
  expect(
    await cluster.client.workflow.execute<typeof endStranded>('endStranded', {
      taskQueue: TEST_QUEUES.workflows,
      workflowId: 'end-stranded/1',
      args: [{ graceMs: 0 }],
    }),
  ).toEqual({ tapeIds: [tapeId] });
  expect(await stateOf(tapeId)).toEqual({
    schedulerStatus: 'Completed',
    processStatus: 'Completed',
    failure: expect.stringContaining('ended before it was complete'),
    counts,
    rerun: null,
  });
  await sweep('sweep/1');
  await cluster.passDays(8);
  // Each run moves only part of the due objects, which here include those of other tests.
  while ((await sweep('sweep/2')).trashed > 0);
  expect(await cluster.keys(attempt.objectPrefix)).toEqual([]);
  expect((await cluster.tape(tapeId)).generationId).toBe(generationId);
  expect((await rerun(tapeId, [correction(2, { Balance: 1 })])).result).toMatchObject({ assets: 1 });
  expect((await stateOf(tapeId)).failure).toBeNull();
});

describe('a file of corrected rows', () => {
  /** Registers the rows as an uploaded workbook, and runs the corrections in it. */
  async function send(tapeId: string, rows: Parameters<typeof writeTapeFile>[2]) {
    files += 1;
    const name = `corrected-${files}.xlsx`;
    const path = join(cluster.folder, name);
    await writeTapeFile(path, 'Errored', rows);
    const file = await cluster.asSystem((session) =>
      registerFile(session, { bucket: 'loanTapes', name, size: 1, type: 'text/plain', companyId }),
    );
    const { size, checksum } = await cluster.objects.putFile(objectKey(file.bucket, file.key), path);
    await cluster.asSystem((session) => fileStored(session, { ...file, size, checksum }));
    const attempt = await begin(tapeId, null);
    const end = await ended(await start(attempt, { fileId: file.id }));
    return { attempt, end, key: objectKey(file.bucket, file.key) };
  }

  test('corrects the rows it names; a row whose cells all read as before is passed over', async () => {
    const tapeId = await publish([loan('H1', 'x'), loan('H2', 'y'), loan('H3', 'z')], '2030-10-31');
    expect((await cluster.tape(tapeId)).counts?.errored).toBe(3);
    const { end, key } = await send(tapeId, [
      ['Loan tape', 'Sheet row', 'Reasons', 'Loan', 'Balance', 'State', 'Financed'],
      ['x', 4, 'is not a number', 'H3', 9.75, 'NY', { date: '2022-02-02' }],
      ['x', '2', 'is not a number', 'H1', 'x', 'CA', '2024-05-17'],
      ['x', 3, 'is not a number', 'H2', 'y', null, { date: '2024-05-17' }],
    ]);
    expect(end.failure).toBeNull();
    // Its bytes are recorded as dropped, and the sweep deletes them later.
    const dropped = await cluster.asSystem(({ query }) => query('select 1 from dropped_objects where key = $1', [key]));
    expect(dropped).toHaveLength(1);
    const { assets, errored, manifest } = await readPublished(cluster, tapeId);
    expect(assets).toMatchObject([{ row: 4, assetId: 'H3', 'address.state': 'NY', dateFinanced: '2022-02-02' }]);
    expect(errored.map(({ row, origin }) => [row, origin.State])).toEqual([
      [2, 'CA'],
      [3, null],
    ]);
    expect(manifest.rerun).toMatchObject({ rows: 2, assets: 1, stayed: [3] });
  });

  let refusing: string;
  beforeAll(async () => {
    refusing = await publish([loan('I1', 'x'), loan('I2')], '2030-11-30');
  });
  test.each([
    [
      "without the rows' numbers",
      [
        ['Loan', 'Balance'],
        ['I1', 5],
      ],
      'The column "Sheet row" must contain',
    ],
    [
      'with a row that is not errored',
      [
        ['Sheet row', 'Balance'],
        [3, 5],
      ],
      'not errored rows of the tape: 3',
    ],
    [
      'with a column of its own',
      [
        ['Sheet row', 'Balence'],
        [2, 5],
      ],
      'does not have the columns "Balence"',
    ],
    [
      'with a row twice',
      [
        ['Sheet row', 'Balance'],
        [2, 5],
        [2, 6],
      ],
      'Row 2 appears in the file twice',
    ],
    [
      'that changes nothing',
      [
        ['Sheet row', 'Balance'],
        [2, 'x'],
      ],
      'does not change any cell',
    ],
  ])('%s is refused, and the tape is as it was', async (_, rows, message) => {
    const { attempt, end } = await send(refusing, rows);
    const { failure, result } = end;
    expect([result, failure]).toEqual([null, expect.stringContaining(message)]);
    expect(await stateOf(refusing)).toMatchObject({
      schedulerStatus: 'Completed',
      processStatus: 'Completed',
      failure,
      counts: { assets: 1, errored: 1 },
    });
    expect(await cluster.keys(attempt.objectPrefix)).toEqual([]);
  });
});

describe('in mid-work', () => {
  const wrong = () => [loan('K1', 'x'), loan('K2'), null, loan('K3', 'y'), loan('K4')];
  const corrections = [correction(2, { Balance: 1 }), correction(5, { Balance: 3 })];
  const rows = corrections.map(({ row }) => row);

  /** Temporal's description of the re-run's activity while a worker runs it. */
  const activityOf = async (workflowId: string) => {
    const { raw } = await cluster.client.workflow.getHandle(workflowId).describe();
    const [found] = (raw.pendingActivities ?? []).filter(({ activityType }) => activityType?.name === 'rerunRows');
    // State 2 is started, and 3 is cancel requested. The identity is "<pid>@<host>".
    return found && { ...found, pid: Number.parseInt(found.lastWorkerIdentity ?? '', 10) };
  };
  const started = (workflowId: string) =>
    until(async () => {
      const activity = await activityOf(workflowId);
      return activity?.state === 2 ? workers.find(({ pid }) => pid === activity.pid) : undefined;
    });

  /** Blocks every worker on what the statement locks until the returned function is called. */
  async function hold(statement: string, values: readonly unknown[] = []): Promise<() => Promise<void>> {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let held = () => {};
    const isHeld = new Promise<void>((resolve) => {
      held = resolve;
    });
    const transaction = cluster.asSystem(async ({ query }) => {
      await query(statement, values);
      held();
      await released;
    });
    await Promise.race([isHeld, transaction]);
    return async () => {
      release();
      await transaction;
    };
  }

  test('a worker killed at the last moment costs only time: every row is there once', async () => {
    const tapeId = await publish(wrong(), '2031-01-31');
    const attempt = await begin(tapeId, rows);
    const release = await hold('select 1 from loan_tapes where id = $1 for update', [tapeId]);
    const workflowId = await start(attempt, corrections);
    const worker = await started(workflowId);
    await until(async () => (await cluster.keys(attempt.objectPrefix)).some((key) => key.endsWith('errored.parquet')));
    await worker.end('SIGKILL');
    await release();
    workers = await cluster.startWorkers(1, ALL_QUEUES);
    expect(await ended(workflowId)).toEqual({ failure: null, result: { rows: 2, assets: 2, errored: 0 } });
    await recordWorkflow(cluster, workflowId, 'killed');
    const { assets, errored } = await readPublished(cluster, tapeId);
    expect(assets.map(({ row, sequenceIndex }) => [row, sequenceIndex])).toEqual([
      [2, 0],
      [3, 1],
      [5, 2],
      [6, 3],
    ]);
    expect(errored).toEqual([]);
    expect((await cluster.tape(tapeId)).counts).toMatchObject({ assets: 4, errored: 0 });
    await expectTidy(tapeId);
  });

  test('who cancels has the tape as it was, and nothing is left of the re-run', async () => {
    const tapeId = await publish(wrong(), '2031-02-28');
    const before = await cluster.tape(tapeId);
    const attempt = await begin(tapeId, rows);
    const release = await hold('lock table mappings in access exclusive mode');
    const workflowId = await start(attempt, corrections);
    await started(workflowId);
    await cluster.client.workflow.getHandle(workflowId).signal(cancelTapeSignal);
    const beats = new Set<string>();
    await until(async () => {
      const activity = await activityOf(workflowId);
      if (activity?.state === 3) beats.add(JSON.stringify(activity.lastHeartbeatTime));
      return beats.size > 2;
    });
    await release();
    expect(await ended(workflowId)).toEqual({ result: null, failure: null });
    await recordWorkflow(cluster, workflowId, 'cancelled');
    expect(await stateOf(tapeId)).toMatchObject({ schedulerStatus: 'Completed', failure: null, counts: before.counts });
    expect((await cluster.tape(tapeId)).generationId).toBe(before.generationId);
    expect(await cluster.keys(attempt.objectPrefix)).toEqual([]);
  });

  test('a worker that was thought dead and comes back changes nothing of what another has published', async () => {
    const tapeId = await publish(wrong(), '2031-03-31');
    const attempt = await begin(tapeId, rows);
    const release = await hold('lock table mappings in access exclusive mode');
    const workflowId = await start(attempt, corrections);
    const zombie = await started(workflowId);
    zombie.signal('SIGSTOP');
    workers.push(...(await cluster.startWorkers(1, ALL_QUEUES)));
    await release();
    expect(await ended(workflowId)).toEqual({ failure: null, result: { rows: 2, assets: 2, errored: 0 } });
    const published = await readPublished(cluster, tapeId);
    zombie.signal('SIGCONT');
    await until(async () => !(await cluster.scratch()).some((name) => name.includes('job-')));
    expect(await readPublished(cluster, tapeId)).toEqual(published);
    expect((await cluster.tape(tapeId)).counts).toMatchObject({ assets: 4, errored: 0 });
    await expectTidy(tapeId);
  });
});

test('rows of many batches find their places', async () => {
  const { loans, counts } = manyLoans(12_000);
  const rows: number[] = [];
  let row = 1;
  for (const each of loans()) {
    row += 1;
    if (each?.balance === 'see notes') rows.push(row);
  }
  const tapeId = await publish([...loans()], '2031-04-30');
  const { result } = await rerun(
    tapeId,
    rows.map((each) => correction(each, { Balance: each })),
  );
  expect(result).toEqual({ rows: rows.length, assets: rows.length, errored: 0 });
  const { assets, errored } = await readPublished(cluster, tapeId);
  expect(assets.length + errored.length).toBe(counts.dataRows);
  expect(new Set([...assets, ...errored].map((each) => each.row)).size).toBe(counts.dataRows);
  const indexes = assets.map((each) => Number(each.row));
  expect(indexes).toEqual([...indexes].sort((a, b) => a - b));
  expect(assets.map(({ sequenceIndex }) => sequenceIndex)).toEqual(assets.map((_, index) => index));
  expect((await cluster.tape(tapeId)).counts).toEqual({
    ...counts,
    assets: counts.assets + rows.length,
    errored: counts.errored - rows.length,
  });
});

test('what every one of these workflows did is what it does when it is run again from its history', async () => {
  expect(await replayWorkflows(cluster, ran)).toBe(ran.length);
});
