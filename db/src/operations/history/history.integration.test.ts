import { NORTHWIND_COMPANY } from '@tapeline/demonstration/names.ts';
import { entityUpdateSchema } from '@tapeline/domain/entities/entity.schema.ts';
import { pathOf } from '@tapeline/domain/history/differences.ts';
import type { Actor, UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Fund } from '../../entities/funds.ts';
import { CurrencyRate } from '../../entities/records.ts';
import { newId } from '../../ids.ts';
import { type Session, SYSTEM, systemActor } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { saveBorrowingBase } from '../borrowing-bases/borrowing-bases.ts';
import { type CompanyView, listCompanies } from '../companies/companies.ts';
import { getEntity, updateEntity } from '../entities/entities.ts';
import { beginCalculations } from '../tapes/calculations.ts';
import { beginGeneration, failTape, publishGeneration, restartTape, updateProgress } from '../tapes/generations.ts';
import { beginRerun, publishRerun } from '../tapes/rerun-errored.ts';
import { createTape, getTape, removeTape } from '../tapes/tapes.ts';
import { listTransactions } from '../transactions/transactions.ts';
import { titlesOf } from './document-titles.ts';
import { historyOf } from './history.ts';

const WORKER = systemActor('Tape worker');
const MANIFEST = { assets: ['assets'], errored: ['errored'], columns: [], customFields: [] };
const STATISTICS = { assetsStatuses: [], sum: [], outstandingSum: [] };

let database: TestDatabase;
let company: CompanyView;
let borrower: UserActor;
let manager: UserActor;
const as = <Result>(actor: Actor, work: (session: Session) => Promise<Result>) => database.store.as(actor, work);
const changesOf = (resource: string, documentId: string) =>
  as(SYSTEM, async (session) => (await historyOf(session, [{ resource, ids: [documentId] }])).documents);
const person = ({ userId: id, firstName, lastName }: UserActor) => ({ entity: { id, firstName, lastName } });

beforeAll(async () => {
  database = await createTestDatabase({ demonstration: true });
  company = await as(SYSTEM, async (session) => {
    return (await listCompanies(session, { filter: { 'entity.name': NORTHWIND_COMPANY } })).documents[0]!;
  });
  const of = { managerId: company.managerId, companyId: company.id };
  borrower = testActor({ type: 'company', firstName: 'Bea', lastName: 'Lind', ...of });
  manager = testActor({ type: 'manager', firstName: 'Mara', lastName: 'Holt', managerId: company.managerId });
});
afterAll(() => database.close());

const addTape = (actor: Actor): Promise<string> =>
  as(actor, async (session) => {
    const tape = await createTape(session, {
      companyId: company.id,
      cutOffDate: '2026-11-30',
      mainCurrency: 'USD',
      exchangeRates: { USD: '1' },
      calculateBB: false,
      attachment: { bucket: 'loanTapes', key: newId(), name: 'n.xlsx', size: 1, type: 'text/csv', checksum: null },
    });
    return tape.id;
  });

/** Publishes a tape with one errored row. */
const publish = (tapeId: string) =>
  as(WORKER, async (session) => {
    const attempt = await beginGeneration(session, { tapeId });
    await publishGeneration(session, {
      tapeId,
      ...attempt,
      manifest: MANIFEST,
      counts: { dataRows: 2, assets: 1, errored: 1, discarded: 0, blankRows: 0 },
      statistics: STATISTICS,
    });
    await session.query(`update loan_tapes set scheduler_status = 'Completed' where id = $1`, [tapeId]);
    return attempt.generationId;
  });

describe('every change of a document is recorded', () => {
  test('of SQL that no entity knows of, with the fields as calls name them', async () => {
    const tapeId = await addTape(manager);
    await as(manager, ({ query }) =>
      query(`update loan_tapes set calculate_bb = true, failure = 'Stopped' where id = $1`, [tapeId]),
    );
    const [change] = await changesOf('loanTapes', tapeId);
    expect(change).toMatchObject({ operation: 'Update', changedBy: person(manager) });
    expect(change?.updatedFields).toHaveLength(2);
    expect(change?.updatedFields).toEqual(
      expect.arrayContaining([
        { field: 'calculateBB', old: false, new: true },
        { field: 'failure', old: null, new: 'Stopped' },
      ]),
    );
  });

  test('of the calculations of a tape, but not of its progress', async () => {
    const tapeId = await addTape(manager);
    const before = (await changesOf('loanTapes', tapeId)).length;
    const progress = { stage: 'reading', rerun: null } as never;
    expect(await as(WORKER, (session) => updateProgress(session, { tapeId, progress }))).toBe(true);
    expect(await changesOf('loanTapes', tapeId)).toHaveLength(before);
    const entry = { transactionId: newId(), noteId: newId(), noteTitle: 'Senior', contractId: null };
    await as(WORKER, (session) =>
      beginCalculations(session, {
        tapeId,
        entries: [{ ...entry, status: 'Pending', borrowingBaseId: null, failure: null }],
      }),
    );
    const [change] = await changesOf('loanTapes', tapeId);
    expect(change).toMatchObject({
      changedBy: { entity: { apiName: 'Tape worker' } },
      updatedFields: [{ field: 'borrowingBaseStatuses', old: [], new: [{ noteTitle: 'Senior' }] }],
    });
  });

  test('of rates of currencies', async () => {
    const id = newId();
    await as(SYSTEM, async ({ em }) => {
      em.create(CurrencyRate, { id, rates: { EUR: '0.86' }, lastUpdate: '2026-10-31' });
    });
    expect(await changesOf('currencies', id)).toMatchObject([{ operation: 'Insert' }]);
  });

  test('of whoever works past the program, by the name of their database user', async () => {
    await database.query('update companies set domains = $1 where id = $2', ['["example.com"]', company.id]);
    const [change] = await changesOf('companies', company.id);
    expect(change?.updatedFields).toEqual([{ field: 'domains', old: [], new: ['example.com'] }]);
    const [{ name } = { name: '' }] = await database.query<{ name: string }>('select session_user::text as name');
    expect(change?.changedBy.entity).toEqual({ apiName: name });
  });

  test('with all digits of amounts, and nothing where nothing changed', async () => {
    const id = await as(SYSTEM, async ({ em }) => {
      const fund = em.create(Fund, {
        id: newId(),
        managerId: company.managerId,
        title: 'A fund',
        type: 'SMA',
        strategy: 'ABL',
        currency: 'USD',
        targetSize: '123456789012345.67',
        hardCap: '1.10',
      });
      return fund.id;
    });
    await as(manager, ({ query }) => query('update funds set title = title where id = $1', [id]));
    const changes = await changesOf('funds', id);
    expect(changes).toHaveLength(1);
    expect(changes[0]?.updatedFields).toEqual(
      expect.arrayContaining([
        { field: 'targetSize', old: null, new: '123456789012345.67' },
        { field: 'hardCap', old: null, new: '1.10' },
      ]),
    );
  });

  test('in the order of the changes, also within one transaction', async () => {
    const tapeId = await addTape(manager);
    await as(manager, async ({ query }) => {
      for (const failure of ['one', 'two', 'three']) {
        await query('update loan_tapes set failure = $2 where id = $1', [tapeId, failure]);
      }
    });
    const told = (await changesOf('loanTapes', tapeId)).map(({ updatedFields }) => updatedFields[0]?.new);
    expect(told.slice(0, 3)).toEqual(['three', 'two', 'one']);
  });
});

test('Removing a tape records the removal of its borrowing bases', async () => {
  const tapeId = await addTape(manager);
  const generationId = await publish(tapeId);
  const baseId = await as(WORKER, async (session) => {
    const { documents } = await listTransactions(session, { filter: { company: company.id } });
    const contractId = documents[0]!.notes[0]!.contracts[0]!.id!;
    const figures = { currency: 'USD', netBB: '1.00', firstBB: '2.00', result: {} as never, resultKey: null };
    return (await saveBorrowingBase(session, { tapeId, generationId, contractId, ...figures })).id;
  });
  await as(manager, (session) => removeTape(session, { id: tapeId }));
  const [change] = await changesOf('borrowingBases', baseId);
  expect(change).toMatchObject({
    operation: 'Delete',
    updatedFields: [{ field: 'status', old: 'Active', new: 'Removed' }],
    changedBy: person(manager),
  });
});

describe('a person’s work is recorded as theirs', () => {
  test('where a borrower tries a failed tape again', async () => {
    const tapeId = await addTape(borrower);
    await as(WORKER, (session) => failTape(session, { tapeId, failure: 'The file has no header' }));
    await as(borrower, (session) => restartTape(session, { tapeId }));
    const tape = await as(borrower, (session) => getTape(session, tapeId));
    expect(tape.metadata.changedBy).toMatchObject(person(borrower));
    expect((await changesOf('loanTapes', tapeId))[0]).toMatchObject({ changedBy: person(borrower) });
  });

  test('where a worker publishes the corrected rows that they ran again', async () => {
    const tapeId = await addTape(borrower);
    await publish(tapeId);
    const findErrored = async () => [2];
    const attempt = await as(manager, (session) =>
      beginRerun(session, { tapeId, rows: [2], on: null, by: 'Mara Holt', findErrored }),
    );
    await as(WORKER, (session) =>
      publishRerun(session, { attempt, manifest: MANIFEST, rows: [2], made: 1, statistics: STATISTICS }),
    );
    const published = (await changesOf('loanTapes', tapeId)).find(({ updatedFields }) =>
      updatedFields.some(({ field }) => field === 'generationId'),
    );
    expect(published).toMatchObject({ operation: 'Update', changedBy: person(manager) });
    const tape = await as(manager, (session) => getTape(session, tapeId));
    expect(tape.metadata.changedBy).toMatchObject(person(manager));
  });
});

test('Bank details in the history are masked for whoever may not change them', async () => {
  const { entity } = company;
  const bank = { title: 'Main', accountNumber: '0012345678', address: '1 High Street', type: 'Business' };
  await as(manager, (session) =>
    updateEntity(session, {
      id: entity.id,
      body: entityUpdateSchema.parse({ ...entity, banks: [bank], version: entity.version }),
    }),
  );
  const banksFor = async (actor: UserActor) => {
    const { documents } = await as(actor, (session) =>
      historyOf(session, [{ resource: 'entities', ids: [entity.id] }], { limit: 1 }),
    );
    const [change] = documents;
    return change?.updatedFields.find(({ field }) => field === 'banks');
  };
  const reader = { ...manager, permissions: manager.permissions.filter((key) => key !== 'entities/write') };
  expect(await banksFor(manager)).toMatchObject({ old: [], new: [bank] });
  expect(await banksFor(reader)).toMatchObject({ old: [], new: [{ ...bank, accountNumber: '****5678' }] });

  // Two accounts that look the same once they are masked are still a change.
  await as(manager, async (session) => {
    const { version } = await getEntity(session, entity.id);
    const other = { ...bank, accountNumber: '9912345678' };
    await updateEntity(session, {
      id: entity.id,
      body: entityUpdateSchema.parse({ ...entity, banks: [other], version }),
    });
  });
  const differencesFor = async (actor: UserActor) => {
    const { documents } = await as(actor, (session) =>
      historyOf(session, [{ resource: 'entities', ids: [entity.id] }], { limit: 1 }),
    );
    return documents[0]?.differences.map(({ steps, old, new: now }) => [pathOf(steps), old, now]);
  };
  expect(await differencesFor(manager)).toEqual([['banks[0].accountNumber', '0012345678', '9912345678']]);
  expect(await differencesFor(reader)).toEqual([['banks[0].accountNumber', '****5678', '****5678']]);
});

test('notes and classes that a change names by their key are called as whoever may see their document sees them', async () => {
  const [transaction] = (await as(manager, (session) => listTransactions(session, {}))).documents;
  const [note] = transaction!.notes;
  const key = newId();
  const fund = await as(manager, async ({ em }) => {
    const [first] = await em.find(Fund, { managerId: company.managerId }, { orderBy: { id: 1 } });
    first!.classes = [...first!.classes, { name: 'Founders', uniqueKey: key }];
    return first!.id;
  });
  const named = (actor: Actor) =>
    as(actor, async (session) => {
      const titles = await titlesOf(session, [note!.id, key, newId()]);
      return Object.fromEntries([...titles].map(([id, { title }]) => [id, title]));
    });
  expect(await named(manager)).toEqual({ [note!.id]: note!.title, [key]: 'Founders' });
  const blocked = [`transactions/${transaction!.id}`, `funds/${fund}`];
  expect(await named({ ...manager, blockedDocuments: blocked })).toEqual({});
});
