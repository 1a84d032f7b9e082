import { KEYSTONE_LOAN, SEVERN_FACILITY } from '@tapeline/demonstration/names.ts';
import { type TransactionDocument, transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import { PERMISSION_KEYS, type UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../ids.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { createTransaction, listTransactions, type TransactionView, updateTransaction } from './transactions.ts';

let database: TestDatabase;
let manager: UserActor;
let severn: TransactionView;
const as = <T>(actor: UserActor | typeof SYSTEM, work: (session: Session) => Promise<T>) =>
  database.store.as(actor, work);
const documentOf = (view: TransactionView): TransactionDocument =>
  transactionSchema.parse(JSON.parse(JSON.stringify(view)));

beforeAll(async () => {
  database = await createTestDatabase({ demonstration: true });
  const found = await as(SYSTEM, (session) => listTransactions(session, { filter: { title: SEVERN_FACILITY } }));
  severn = found.documents[0]!;
  manager = testActor({ type: 'manager', managerId: severn.managerId, permissions: PERMISSION_KEYS });
});
afterAll(() => database.close());

describe('A move into a discretionary tranche', () => {
  /** A facility of its own whose second tranche is discretionary. */
  const create = () =>
    as(manager, (session) => {
      const { notes, ...document } = documentOf(severn);
      return createTransaction(session, { ...document, notes: notes.map(({ id: _, ...note }) => note) });
    });
  const activate = (document: TransactionDocument, more: object, sequence = 2): TransactionDocument => ({
    ...document,
    notes: document.notes.map((note, index) =>
      index > 0
        ? note
        : {
            ...note,
            tranches: note.tranches.map((tranche) => ({
              ...tranche,
              sequenceActivated: tranche.sequence === sequence,
              ...(tranche.sequence === sequence ? more : {}),
            })),
          },
    ),
  });
  const update = (actor: UserActor | typeof SYSTEM, view: TransactionView, document: TransactionDocument) =>
    as(actor, (session) => updateTransaction(session, { id: view.id, version: view.version, document }));
  const missing = {
    code: 'badRequest',
    flags: { 'notes.0.tranches.1.sequenceActivated': 'needs the manager’s approval' },
  };

  test('needs an explicit approval, which is recorded with who gave it, when and the condition', async () => {
    const view = await create();
    await expect(update(manager, view, activate(documentOf(view), {}))).rejects.toMatchObject(missing);
    const approved = await update(manager, view, activate(documentOf(view), { approve: true }));
    const [, tranche] = approved.notes[0]!.tranches;
    expect(tranche).toMatchObject({
      sequenceActivated: true,
      approval: {
        user: { id: manager.userId, firstName: manager.firstName, lastName: manager.lastName },
        condition: tranche!.condition,
      },
    });
    expect(Date.parse(tranche!.approval!.approvedAt)).toBeGreaterThan(Date.now() - 600_000);
    expect(tranche).not.toHaveProperty('approve');
    // A later change of the facility needs no further approval, and cannot rewrite the one that was given.
    const forged = { ...tranche!.approval!, user: { id: newId(), firstName: 'Some', lastName: 'Body' } };
    const later = await update(manager, approved, activate(documentOf(approved), { approval: forged }));
    expect(later.notes[0]!.tranches[1]!.approval).toEqual(tranche!.approval);
  });

  test('needs another approval after the tranche was left', async () => {
    const view = await create();
    const there = await update(manager, view, activate(documentOf(view), { approve: true }));
    const back = await update(manager, there, activate(documentOf(there), {}, 1));
    expect(back.notes[0]!.tranches[1]).toMatchObject({ sequenceActivated: false, approval: expect.anything() });
    await expect(update(manager, back, activate(documentOf(back), {}))).rejects.toMatchObject(missing);
  });

  test('is not opened by calling the tranche ordinary in the same change, or at its creation', async () => {
    const view = await create();
    const renamed = activate(documentOf(view), { isDiscretional: false });
    await expect(update(manager, view, renamed)).rejects.toMatchObject(missing);
    const { notes, ...document } = activate(documentOf(view), {});
    const fresh = { ...document, notes: notes.map(({ id: _, ...note }) => note) };
    await expect(as(manager, (session) => createTransaction(session, fresh))).rejects.toMatchObject(missing);
  });

  test('is not approved by the program or by users of the company or an investor', async () => {
    const view = await create();
    const document = activate(documentOf(view), { approve: true });
    await expect(update(SYSTEM, view, document)).rejects.toMatchObject(missing);
    const rights = { permissions: PERMISSION_KEYS, managerId: severn.managerId };
    const borrower = testActor({ type: 'company', companyId: view.company, ...rights });
    await expect(update(borrower, view, document)).rejects.toMatchObject(missing);
    const reader = testActor({ type: 'manager', managerId: severn.managerId, permissions: ['transactions/read'] });
    await expect(update(reader, view, document)).rejects.toMatchObject({ code: 'forbidden' });
    const admin = testActor({ type: 'admin', permissions: PERMISSION_KEYS });
    await expect(update(admin, view, document)).resolves.toMatchObject({ id: view.id });
  });

  test('is free to an ordinary tranche', async () => {
    const view = await create();
    const there = await update(manager, view, activate(documentOf(view), { approve: true }));
    const back = await update(manager, there, activate(documentOf(there), {}, 1));
    expect(back.notes[0]!.tranches.map((tranche) => tranche.sequenceActivated)).toEqual([true, false]);
  });
});

test('Counsels and payees are entities of the manager', async () => {
  const change = (of: (document: TransactionDocument) => TransactionDocument) =>
    as(manager, (session) => createTransaction(session, of({ ...documentOf(severn), title: 'Another' })));
  const foreign = (await as(SYSTEM, ({ query }) =>
    query<{ id: string }>('select id from entities where manager_id <> $1 limit 1', [severn.managerId]),
  )) as { id: string }[];
  for (const id of [newId(), foreign[0]!.id]) {
    for (const list of ['counselsCompany', 'counselsManager'] as const) {
      await expect(
        change((document) => ({
          ...document,
          notes: document.notes.map(({ id: _, ...note }) => ({ ...note, [list]: [...note[list]!, id] })),
        })),
      ).rejects.toMatchObject({ flags: { [`notes.0.${list}.1`]: 'is not an entity of this manager' } });
    }
    const fee = { rate: 1, title: 'Fee', kind: 'Agency', frequency: 'Monthly' as const, payee: { entity: id } };
    await expect(
      change((document) => ({
        ...document,
        notes: document.notes.map(({ id: _, ...note }) => ({ ...note, terms: { ...note.terms, fees: [fee] } })),
      })),
    ).rejects.toMatchObject({ flags: { 'notes.0.terms.fees.0.payee.entity': 'is not an entity of this manager' } });
  }
});

test.each<[object, string[]]>([
  [{ mainCurrency: 'GBP' }, [SEVERN_FACILITY]],
  [{ 'notes.title': { like: 'mezz' } }, [SEVERN_FACILITY]],
  [{ industries: { like: 'medical' } }, [KEYSTONE_LOAN]],
  [{ companyName: { like: 'keystone' } }, [KEYSTONE_LOAN]],
  [{ 'maxCommitments.GBP': { gte: 36_000_000 } }, [SEVERN_FACILITY]],
  [{ 'maxCommitments.GBP': { gt: 36_000_000 } }, []],
  [{ maturity: '2031-03-12' }, [KEYSTONE_LOAN]],
  [{ contractSigning: '2025-10-09' }, [SEVERN_FACILITY]],
  [{ industries: 'Medical Practice' }, [KEYSTONE_LOAN]],
  [{ industries: 'Medical' }, []],
  [{ 'notes.title': 'Mezzanine' }, [SEVERN_FACILITY]],
  [{ 'terms.interest.kind': 'fix', $and: [{ 'terms.interest.kind': 'variable' }] }, [SEVERN_FACILITY]],
  [{ 'terms.interest.kind': 'fix, variable' }, []],
  [{ 'terms.interest.kind': { neq: 'fix' }, 'notes.count': 2 }, []],
  [{ baseRate: 'SONIA' }, [SEVERN_FACILITY]],
  [{ detachmentPoint: 90, attachmentPoint: 0 }, [SEVERN_FACILITY]],
  [{ 'tranches.title': { like: 'delayed' } }, [KEYSTONE_LOAN]],
  [{ 'notes.count': 2, status: 'Active', type: 'Asset Backed Lending' }, [SEVERN_FACILITY]],
  [{ type: 'Investment', maturity: { exists: false } }, ['Alder Auto growth equity']],
])('The list finds %j', async (filter, titles) => {
  const seeded = { code: { lte: 4 } };
  const found = await as(manager, (session) => listTransactions(session, { filter: { $and: [filter, seeded] } }));
  expect(found.documents.map(({ title }) => title)).toEqual(titles);
});

test.each([
  ['maxCommitments.USD', ['Northwind warehouse facility', KEYSTONE_LOAN, 'Alder Auto growth equity', SEVERN_FACILITY]],
  ['maturity', [KEYSTONE_LOAN, 'Northwind warehouse facility', SEVERN_FACILITY, 'Alder Auto growth equity']],
])('The list sorts by %s, with what is unknown last', async (field, titles) => {
  const query = { sort: { [field]: -1 }, filter: { code: { lte: 4 } } };
  const found = await as(manager, (session) => listTransactions(session, query));
  expect(found.documents.map(({ title }) => title)).toEqual(titles);
});

test('A list of 1,000 facilities is filtered and sorted by the figures of its notes in a moment', async () => {
  await as(SYSTEM, ({ query }) =>
    query(
      `insert into transactions (id, status, metadata, manager_id, company_id, title, type, industries, notes, max_commitments)
       select lpad(to_hex(65536 + n), 24, 'f'), 'Active', metadata, manager_id, company_id, title || n, type, industries, notes, max_commitments
       from transactions, generate_series(1, 1000) as n where id = $1`,
      [severn.id],
    ),
  );
  const started = performance.now();
  const found = await as(manager, (session) =>
    listTransactions(session, {
      filter: { 'maxCommitments.GBP': { gte: 1 }, maturity: { gte: '2029-01-01' }, industries: { like: 'auto' } },
      sort: { maturity: 1, 'maxCommitments.GBP': -1 },
      limit: 50,
    }),
  );
  expect(found.total).toBeGreaterThanOrEqual(1000);
  // Far more than it takes (about 0.05 s), for a machine that is busy.
  expect(performance.now() - started).toBeLessThan(5000);
});
