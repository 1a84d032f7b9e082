import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { listBorrowingBases, saveBorrowingBase } from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import { COMPANIES, listCompanies } from '@tapeline/db/operations/companies/companies.ts';
import { registerFile, removeFile } from '@tapeline/db/operations/files/files.ts';
import { listFunds } from '@tapeline/db/operations/funds/funds.ts';
import { historyOf } from '@tapeline/db/operations/history/history.ts';
import { groupDocuments } from '@tapeline/db/operations/listing/list-figures.ts';
import { latestMappingOf, saveMappingVersion } from '@tapeline/db/operations/mappings/mappings.ts';
import {
  beginFirstGeneration,
  beginGeneration,
  completeTape,
  failTape,
  listOrphanGenerations,
  publishGeneration,
  restartTape,
  updateProgress,
} from '@tapeline/db/operations/tapes/generations.ts';
import { beginRerun, endRerun } from '@tapeline/db/operations/tapes/rerun-errored.ts';
import {
  createTape,
  earlierTapesInProgress,
  getTape,
  listTapes,
  previousPublishedTape,
  removeTape,
} from '@tapeline/db/operations/tapes/tapes.ts';
import {
  activateContract,
  copyContract,
  editContract,
  findApplyingContract,
  getContract,
} from '@tapeline/db/operations/transactions/contracts.ts';
import {
  getTransaction,
  listTransactions,
  removeTransaction,
  updateTransaction,
} from '@tapeline/db/operations/transactions/transactions.ts';
import { type Session, type Store, SYSTEM } from '@tapeline/db/store.ts';
import { createTestDatabase, type TestDatabase } from '@tapeline/db/testing/test-store.ts';
import { NORTHWIND_MAPPING } from '@tapeline/demonstration/facilities.ts';
import type { BorrowingBaseResult } from '@tapeline/domain/borrowing-base/result.ts';
import { transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import { parseMapping } from '@tapeline/domain/tapes/mapping.schema.ts';
import type { TapeProgress } from '@tapeline/domain/tapes/progress.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openFileStore, SIGNED_PATH } from './storage/file-store.ts';
import { objectKey } from './storage/object-store.ts';
import { confirmUpload, receiveUpload } from './storage/receive-upload.ts';

let database: TestDatabase;
let store: Store;
let companyId: string;
const asSystem = <T>(work: (session: Session) => Promise<T>) => store.as(SYSTEM, work);
const refused = (code: string, message?: string) => ({
  code,
  ...(message ? { message: expect.stringContaining(message) } : {}),
});

beforeAll(async () => {
  database = await createTestDatabase({ demonstration: true });
  store = database.store;
  companyId = await asSystem(async (session) => {
    const page = await listCompanies(session, { filter: { 'entity.name': 'Northwind Consumer Loans' } });
    return page.documents[0]!.id;
  });
});
afterAll(() => database.close());

const attachment = { bucket: 'loanTapes', key: 'k', name: 'tape.xlsx', size: 1, type: 'text/csv', checksum: null };
const makeTape = (cutOffDate: string) =>
  asSystem((session) =>
    createTape(session, {
      companyId,
      cutOffDate,
      mainCurrency: 'USD',
      exchangeRates: { USD: '1', EUR: '0.86' },
      calculateBB: false,
      attachment,
    }),
  );
const content = {
  manifest: { assets: ['a'], errored: [], columns: ['row'], customFields: [] },
  counts: { dataRows: 3, assets: 2, errored: 1, discarded: 0, blankRows: 4 },
  statistics: { assetsStatuses: [], sum: [], outstandingSum: [] },
};
const NO_PROGRESS: TapeProgress = {
  stage: 'read',
  rowsRead: 100,
  rowsTransformed: 0,
  rowsErrored: 0,
  batches: 2,
  batchesTransformed: 1,
  percent: 0,
  startedAt: 1_000,
  reachedAt: {},
  failure: null,
  notice: null,
};
const publish = (tapeId: string, attempt: { generationId: string; fencingToken: number }) =>
  asSystem((session) => publishGeneration(session, { tapeId, ...attempt, ...content }));

describe('a tape', () => {
  test('becomes visible by a publication, which may be repeated, and never by a superseded attempt', async () => {
    const tape = await makeTape('2025-01-31');
    const zombie = await asSystem((session) => beginGeneration(session, { tapeId: tape.id }));
    const latest = await asSystem((session) => beginGeneration(session, { tapeId: tape.id }));
    expect(latest.objectPrefix).not.toBe(zombie.objectPrefix);
    await expect(publish(tape.id, zombie)).rejects.toMatchObject(refused('badRequest', 'later attempt'));
    expect(await publish(tape.id, latest)).toMatchObject({
      generationId: latest.generationId,
      processStatus: 'Completed',
    });
    expect(await publish(tape.id, latest)).toMatchObject({ generationId: latest.generationId });
    const old = { olderThan: new Date(Date.now() + 1000) };
    const orphans = await asSystem((session) => listOrphanGenerations(session, old));
    expect(orphans.filter((orphan) => orphan.tapeId === tape.id).map((orphan) => orphan.generationId)).toEqual([
      zombie.generationId,
    ]);
  });

  test('rejects counts that do not add up, in the program and in the database', async () => {
    const tape = await makeTape('2025-02-28');
    const attempt = await asSystem((session) => beginGeneration(session, { tapeId: tape.id }));
    const counts = { ...content.counts, assets: 3 };
    const wrong = asSystem((session) =>
      publishGeneration(session, { tapeId: tape.id, ...attempt, ...content, counts }),
    );
    await expect(wrong).rejects.toMatchObject(refused('badRequest', 'do not add up'));
    const behind = asSystem(({ query }) =>
      query('update loan_tapes set counts = $2::jsonb where id = $1', [tape.id, JSON.stringify(counts)]),
    );
    await expect(behind).rejects.toThrow('check constraint');
    await asSystem((session) => failTape(session, { tapeId: tape.id, failure: 'The counts do not add up' }));
  });

  test('that fails stays Pending with the reason, and can be retried; a published one cannot', async () => {
    const tape = await makeTape('2025-03-31');
    const attempt = await asSystem((session) => beginGeneration(session, { tapeId: tape.id }));
    await asSystem((session) => failTape(session, { tapeId: tape.id, failure: 'No sheet is called Loans' }));
    await expect(publish(tape.id, attempt)).rejects.toMatchObject(refused('badRequest'));
    expect(await asSystem((session) => getTape(session, tape.id))).toMatchObject({
      processStatus: 'Pending',
      schedulerStatus: 'Completed',
      failure: 'No sheet is called Loans',
      generationId: null,
    });
    await asSystem((session) => restartTape(session, { tapeId: tape.id }));
    await publish(tape.id, await asSystem((session) => beginGeneration(session, { tapeId: tape.id })));
    await asSystem((session) => completeTape(session, { tapeId: tape.id }));
    await expect(asSystem((session) => restartTape(session, { tapeId: tape.id }))).rejects.toMatchObject(
      refused('badRequest', 'already published'),
    );
    // A worker that comes back too late takes nothing from what is published.
    const published = await asSystem((session) => getTape(session, tape.id));
    expect(await asSystem((session) => beginFirstGeneration(session, { tapeId: tape.id }))).toBeNull();
    expect(await asSystem((session) => getTape(session, tape.id))).toEqual(published);
  });

  test('is finalized after the earlier tapes of its company, and compared with the latest published one', async () => {
    const early = await makeTape('2025-05-31');
    const late = await makeTape('2025-06-30');
    expect(await asSystem((session) => earlierTapesInProgress(session, late.id))).toEqual([early.id]);
    await publish(early.id, await asSystem((session) => beginGeneration(session, { tapeId: early.id })));
    expect(await asSystem((session) => earlierTapesInProgress(session, late.id))).toEqual([]);
    const before = { companyId, beforeCutOffDate: '2025-06-30' };
    expect((await asSystem((session) => previousPublishedTape(session, before)))?.id).toBe(early.id);
  });

  test('shows progress that never runs backwards, whatever order its records arrive in', async () => {
    const tape = await makeTape('2025-08-31');
    const at = (startedAt: number, stage: TapeProgress['stage'], rowsTransformed: number, percent: number) =>
      asSystem((session) =>
        updateProgress(session, {
          tapeId: tape.id,
          progress: { ...NO_PROGRESS, stage, rowsTransformed, percent, startedAt },
        }),
      );
    const shown = async () => (await asSystem((session) => getTape(session, tape.id))).progress;
    expect(await at(1_000, 'transform', 50, 70)).toBe(true);
    expect(await at(1_000, 'transform', 49, 70)).toBe(false);
    expect(await at(1_000, 'transform', 50, 69)).toBe(false);
    expect(await at(1_000, 'read', 50, 70)).toBe(false);
    expect(await at(999, 'finalize', 100, 90)).toBe(false);
    expect(await shown()).toMatchObject({ stage: 'transform', rowsTransformed: 50, percent: 70 });
    expect(await at(1_000, 'transform', 50, 70)).toBe(true);
    expect(await at(1_000, 'failed', 50, 70)).toBe(true);
    expect(await at(1_000, 'publish', 100, 96)).toBe(false);
    expect(await shown()).toMatchObject({ stage: 'failed' });
    // A later job begins at zero.
    expect(await at(2_000, 'read', 0, 0)).toBe(true);
    expect(await shown()).toMatchObject({ stage: 'read', percent: 0 });
  });

  test('keeps the progress of its re-run, whatever a worker of its first job still records', async () => {
    const tape = await makeTape('2025-10-31');
    await publish(tape.id, await asSystem((session) => beginGeneration(session, { tapeId: tape.id })));
    const progress = { ...NO_PROGRESS, stage: 'done' as const, percent: 100 };
    // What the last activity of a job does; a worker repeats it after another one was killed at its end.
    const complete = () =>
      asSystem(async (session) => {
        await updateProgress(session, { tapeId: tape.id, progress });
        await completeTape(session, { tapeId: tape.id });
        return getTape(session, tape.id);
      });
    expect(await complete()).toMatchObject({ schedulerStatus: 'Completed', progress });
    const attempt = await asSystem((session) =>
      beginRerun(session, { tapeId: tape.id, rows: [2], on: null, by: 'Mara Holt', findErrored: async () => [2] }),
    );
    expect(await complete()).toMatchObject({ schedulerStatus: 'Processing', progress: { rerun: { rows: 1 } } });
    await asSystem((session) => endRerun(session, { attempt, failure: null }));
    const ended = await complete();
    expect(ended).toMatchObject({ schedulerStatus: 'Completed', progress });
    expect(ended.progress).not.toHaveProperty('rerun');
  });

  test('that is removed disappears, can no longer publish, and loses its progress', async () => {
    const tape = await makeTape('2025-07-31');
    const attempt = await asSystem((session) => beginGeneration(session, { tapeId: tape.id }));
    expect(await asSystem((session) => removeTape(session, { id: tape.id }))).toEqual({ id: tape.id });
    await expect(publish(tape.id, attempt)).rejects.toMatchObject(refused('notFound'));
    await expect(asSystem((session) => getTape(session, tape.id))).rejects.toMatchObject(refused('notFound'));
    const progress = { stage: 'read' } as never;
    expect(await asSystem((session) => updateProgress(session, { tapeId: tape.id, progress }))).toBe(false);
    const page = await asSystem((session) => listTapes(session, { filter: { cutOffDate: '2025-07-31' } }));
    expect(page.total).toBe(0);
    const history = await asSystem((session) => historyOf(session, [{ resource: 'loanTapes', ids: [tape.id] }]));
    expect(history.documents[0]).toMatchObject({ operation: 'Delete', changedBy: { entity: { apiName: 'Tapeline' } } });
  });
});

describe('a mapping', () => {
  test('becomes a new version when saved, for the first of two people who changed it', async () => {
    const latest = (await asSystem((session) => latestMappingOf(session, companyId)))!;
    const mapping = parseMapping(NORTHWIND_MAPPING);
    const changed = { ...mapping, rules: mapping.rules.map((rule) => ({ ...rule, remainOriginCol: true })) };
    const save = () =>
      asSystem((session) =>
        saveMappingVersion(session, { id: latest.id, mappingVersion: latest.mappingVersion, body: changed }),
      );
    const outcomes = await Promise.allSettled([save(), save()]);
    expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await asSystem((session) => latestMappingOf(session, companyId))).toMatchObject({
      familyId: latest.familyId,
      mappingVersion: latest.mappingVersion + 1,
    });
  });
});

describe('a contract', () => {
  const facility = () =>
    asSystem(async (session) => (await listTransactions(session, { sort: '{"code":1}' })).documents[0]!);
  const documentOf = (view: Awaited<ReturnType<typeof facility>>) =>
    transactionSchema.parse(JSON.parse(JSON.stringify(view)));

  test('in force must be submitted as it is stored, within its transaction', async () => {
    const view = await facility();
    const same = await asSystem((session) =>
      updateTransaction(session, {
        id: view.id,
        version: view.version,
        document: { ...documentOf(view), title: 'Renamed' },
      }),
    );
    expect(same).toMatchObject({ title: 'Renamed', version: view.version + 1 });
    const changed = documentOf(same);
    const index = changed.notes[0]!.contracts.findIndex(({ status }) => status === 'Active');
    changed.notes[0]!.contracts[index]!.advanceRate.defaultRate = 99;
    await expect(
      asSystem((session) => updateTransaction(session, { id: same.id, version: same.version, document: changed })),
    ).rejects.toMatchObject({
      code: 'badRequest',
      flags: { [`notes.0.contracts.${index}`]: expect.stringContaining('Active') },
    });
  });

  test('of a stale transaction is not saved', async () => {
    const view = await facility();
    await expect(
      asSystem((session) =>
        updateTransaction(session, { id: view.id, version: view.version - 1, document: documentOf(view) }),
      ),
    ).rejects.toMatchObject({ code: 'badRequest', flags: { version: 'is not the latest' } });
  });

  test('is amended by a new version, which closes the previous one in the same step', async () => {
    const view = await facility();
    const before = view.notes[0]!.contracts[0]! as { id: string; cutOffDate: string };
    const draft = await asSystem((session) => copyContract(session, { id: before.id }));
    expect(draft).toMatchObject({ status: 'Draft', cutOffDate: before.cutOffDate });
    const terms = (await asSystem((session) => getTransaction(session, view.id))).notes[0]!.contracts.find(
      (contract) => contract.id === draft.id,
    )!;
    const edited = await asSystem((session) =>
      editContract(session, {
        id: draft.id,
        version: draft.version,
        contract: { ...terms, advanceRate: { ...terms.advanceRate, defaultRate: 75 } },
      }),
    );
    await Promise.all([1, 2].map(() => asSystem((session) => activateContract(session, { id: draft.id }))));
    expect(await asSystem((session) => getContract(session, before.id))).toMatchObject({ status: 'Closed' });
    const applying = await asSystem((session) =>
      findApplyingContract(session, { noteId: draft.noteId, cutOffDate: '2026-10-31' }),
    );
    expect(applying).toMatchObject({ id: draft.id, status: 'Active', body: { advanceRate: { defaultRate: 75 } } });
    await expect(
      asSystem((session) => editContract(session, { id: draft.id, version: edited.version + 1, contract: terms })),
    ).rejects.toMatchObject(refused('badRequest', 'cannot be edited'));
    await expect(asSystem((session) => activateContract(session, { id: before.id }))).rejects.toMatchObject(
      refused('badRequest', 'from Closed to Active'),
    );
    const remove = () => asSystem((session) => removeTransaction(session, { id: view.id }));
    await expect(remove()).rejects.toMatchObject(refused('badRequest', 'has draw requests, so it cannot be removed'));
    await asSystem(({ query }) => query('delete from draws where transaction_id = $1', [view.id]));
    await expect(remove()).rejects.toMatchObject(refused('badRequest', 'has repayments, so it cannot be removed'));
    await asSystem(({ query }) => query('delete from repayments where transaction_id = $1', [view.id]));
    await expect(remove()).rejects.toMatchObject(refused('badRequest', 'Active: close it first'));
  });

  test('applies from its cut-off date on', async () => {
    const view = await facility();
    const noteId = view.notes[0]!.id;
    const none = { noteId, cutOffDate: '2020-01-31' };
    expect(await asSystem((session) => findApplyingContract(session, none))).toBeNull();
  });
});

test('There is one borrowing base per tape and contract, however often it is saved', async () => {
  const tape = await makeTape('2026-08-31');
  const attempt = await asSystem((session) => beginGeneration(session, { tapeId: tape.id }));
  await publish(tape.id, attempt);
  const note = await asSystem(
    async (session) => (await listTransactions(session, { sort: '{"code":1}' })).documents[0]!.notes[0]!,
  );
  const contract = note.contracts.find(({ status }) => status === 'Active')!;
  const save = (netBB: string, generationId = attempt.generationId) =>
    asSystem((session) =>
      saveBorrowingBase(session, {
        tapeId: tape.id,
        generationId,
        contractId: contract.id!,
        currency: 'USD',
        netBB,
        firstBB: '144589166.10',
        result: { totals: {} } as BorrowingBaseResult,
        resultKey: null,
      }),
    );
  await save('1.10');
  await save('144589166.05');
  const filter = { loanTape: tape.id, netBB: { gt: '144589166.04' } };
  const page = await asSystem((session) => listBorrowingBases(session, { filter }));
  expect(page).toMatchObject({ total: 1, documents: [{ netBB: '144589166.05', firstBB: '144589166.10' }] });
  await expect(save('1', tape.id)).rejects.toMatchObject(refused('badRequest', 'republished'));
});

test('Lists page, sort, group and explain an invalid query', async () => {
  await asSystem(async (session) => {
    const names = ['Northwind Consumer Loans', 'Alder Auto', 'Fernhill Equipment Finance'];
    const filter = { 'entity.name': { in: names } };
    const page = await listCompanies(session, { filter, sort: '{"name":-1}', skip: '1', limit: '1' });
    expect(page.total).toBe(3);
    expect(page.documents.map((company) => company.name)).toEqual(['Fernhill Equipment Finance']);
    const { groups, total } = await groupDocuments(session, COMPANIES, {
      filter,
      groupBy: '{"accumulator":"$sum","by":"assoc.manager.id"}',
      preseveDocsIds: 'true',
    });
    expect(groups.map(({ value, ids }) => [value, ids?.length])).toEqual([
      ['2', 2],
      ['1', 1],
    ]);
    expect(total).toBe(2);
    await expect(listCompanies(session, { filter: '{"nothing":1}' })).rejects.toMatchObject(refused('badRequest'));
    const funds = await listFunds(session, { filter: { title: 'Harbour Private Credit I' } });
    expect(funds.documents[0]?.commitments).toEqual({
      investors: 3,
      totals: [{ currency: 'USD', maxCommitment: '125000000', activeCommitment: '125000000' }],
    });
  });
});

test('A dry run takes the real path and changes nothing', async () => {
  const made = await store.as(SYSTEM, (session) => listTapes(session), {});
  await store.as(
    SYSTEM,
    (session) =>
      createTape(session, {
        companyId,
        cutOffDate: '2024-01-31',
        mainCurrency: 'USD',
        exchangeRates: {},
        calculateBB: false,
        attachment,
      }),
    { rollback: true },
  );
  expect((await asSystem((session) => listTapes(session))).total).toBe(made.total);
});

test('An upload is kept only if it is what was declared, and is then registered', async () => {
  const home = await mkdtemp(join(tmpdir(), 'objects-'));
  try {
    const objects = await openFileStore({ home, appSecret: 'a secret of sixteen', publicUrl: 'http://localhost' });
    const now = new Date();
    const file = await asSystem((session) =>
      registerFile(session, { bucket: 'loanTapes', name: '../../Tape of Ö.csv', size: 6, type: 'text/csv', companyId }),
    );
    expect(file.key).toMatch(/^[0-9a-f]{24}\/[A-Za-z0-9._-]+$/);
    const key = objectKey(file.bucket, file.key);
    await expect(asSystem((session) => confirmUpload(session, objects, file))).rejects.toMatchObject(
      refused('badRequest', 'was not uploaded'),
    );
    const address = await objects.signUpload({ key, size: 6, type: 'text/csv', now });
    const grant = objects.verifySigned(address.split(SIGNED_PATH)[1]!, { method: 'PUT', now });
    const send = (bytes: string, contentType = 'text/csv') =>
      receiveUpload(store, objects, { grant, contentType, body: Readable.from([Buffer.from(bytes)]), now });
    await expect(send('id,sum\n1')).rejects.toMatchObject(refused('badRequest', 'exactly 6 bytes'));
    await expect(send('id')).rejects.toMatchObject(refused('badRequest', 'exactly 6 bytes'));
    await expect(send('PK\u0003\u000412')).rejects.toMatchObject(
      refused('badRequest', 'its content is not of that type'),
    );
    await expect(send('id,sum', 'text/html')).rejects.toMatchObject(refused('badRequest', 'Send the file as text/csv'));
    expect(await objects.head(key)).toBeNull();
    expect(await send('id,sum')).toMatchObject({
      status: 'Active',
      size: 6,
      checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    await expect(send('no,sum')).rejects.toMatchObject(refused('forbidden', 'already been used'));
    const left: string[] = [];
    for await (const { key: other } of objects.list('')) left.push(other);
    expect(left).toEqual([key]);
    expect(await text(await objects.getStream(key))).toBe('id,sum');
    await asSystem((session) => removeFile(session, file));
    await objects.delete(key);
    await expect(send('id,sum')).rejects.toMatchObject(refused('notFound'));
    expect(await objects.head(key)).toBeNull();
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
