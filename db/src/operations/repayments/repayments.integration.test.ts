import { drawCreateSchema } from '@tapeline/domain/draws/draw.schema.ts';
import { transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import type { Actor, UserActor } from '@tapeline/domain/people/actor.ts';
import { repaymentCreateSchema } from '@tapeline/domain/repayments/repayment.schema.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { Draw } from '../../entities/draws.ts';
import { Company, Manager } from '../../entities/people.ts';
import { CurrencyRate } from '../../entities/records.ts';
import { newId } from '../../ids.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { addEntity } from '../../testing/entities.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { updateDraw } from '../draws/change-draws.ts';
import { createDraw } from '../draws/request-draws.ts';
import { noteLedger } from '../ledger/note-ledger.ts';
import { groupDocuments } from '../listing/list-figures.ts';
import { createTransaction } from '../transactions/transactions.ts';
import {
  changeRepayments,
  createRepayment,
  getRepayment,
  listRepayments,
  REPAYMENTS,
  removeRepayments,
} from './repayments.ts';

let database: TestDatabase;
let managerId: string;
let companyId: string;
let otherCompany: string;
let transaction: { id: string; notes: { id: string }[] };
const manager = (fields: Partial<UserActor> = {}) => testActor({ type: 'manager', managerId, ...fields });
// Tests repeat repayments on purpose.
const as = <Result>(actor: Actor, work: (session: Session) => Promise<Result>) =>
  database.store.as(actor, work, { isKeyed: true });
const part = (kind: string, sum: number | string, currency = 'USD') => ({ kind, amount: { sum, currency } });
const record = (parts: object[], more: object = {}, actor: Actor = manager()) =>
  as(actor, (session) =>
    createRepayment(
      session,
      repaymentCreateSchema.parse({
        transaction: transaction.id,
        noteTitle: 'Senior',
        cutOffDate: '2026-03-01',
        repayments: parts,
        ...more,
      }),
    ),
  );
const list = (query: object = {}, actor: Actor = manager()) => as(actor, (session) => listRepayments(session, query));

const terms = {
  commitments: [{ amount: { sum: 1_000_000, currency: 'USD' }, additionalCurrencies: ['EUR'] }],
  timeline: { contractSigning: '2026-01-01', maturity: '2029-01-01' },
};
const tranches = [{ sequence: 1, sequenceActivated: true, title: 'A', type: 'ROFR', terms }];

async function addTransaction(status?: 'Draft') {
  return as(manager(), async (session) => {
    const created = await createTransaction(
      session,
      transactionSchema.parse({
        title: 'Facility',
        type: 'Direct',
        industries: ['Consumer'],
        company: companyId,
        notes: [
          { title: 'Senior', mainCurrency: 'EUR', tranches },
          { title: 'Junior', mainCurrency: 'USD', tranches },
        ],
      }),
    );
    if (status) await session.query(`update transactions set status = $2 where id = $1`, [created.id, status]);
    return created;
  });
}

async function addDraw(dueDate: string, sum: string, currency = 'USD', note = 0) {
  await as(SYSTEM, async ({ em }) => {
    em.create(Draw, {
      id: newId(),
      managerId,
      companyId,
      transactionId: transaction.id,
      noteId: transaction.notes[note]!.id,
      status: 'Approved',
      cutOffDate: dueDate,
      dueDate,
      draws: [{ type: 'Regular', amounts: [{ sum, currency }], valueInUSD: null, amountInMainCurrency: null }],
    });
  });
}

beforeAll(async () => {
  database = await createTestDatabase();
  managerId = newId();
  [companyId, otherCompany] = [newId(), newId()];
  await as(SYSTEM, async ({ em }) => {
    em.create(Manager, { id: managerId, entityId: addEntity(em, managerId, 'Harbour') });
    for (const id of [companyId, otherCompany])
      em.create(Company, { id, managerId, entityId: addEntity(em, managerId, id) });
    em.create(CurrencyRate, { id: newId(), rates: { EUR: '0.8' }, lastUpdate: '2026-01-01' });
  });
});
beforeEach(async () => {
  transaction = await addTransaction();
  await addDraw('2026-01-10', '600000');
  await addDraw('2026-01-20', '100000', 'EUR');
});
afterAll(() => database.close());

describe('a repayment', () => {
  test('belongs to its note, and is valued at the rates of its date', async () => {
    await as(SYSTEM, async ({ em }) => {
      em.create(CurrencyRate, { id: newId(), rates: { EUR: '0.5' }, lastUpdate: '2026-03-02' });
    });
    const created = await record([part('principal', '100000.10'), part('interest', 400, 'EUR'), part('fees', 50)]);
    expect(created).toMatchObject({
      noteId: transaction.notes[0]!.id,
      transactionTitle: 'Facility',
      noteTitle: 'Senior',
      status: 'Active',
      companyId,
      // 100,050.10 + 400 / 0.8; in euros 80,040.08 + 400.
      valueInUsd: '100550.10',
      amountInMainCurrency: { sum: '80440.08', currency: 'EUR' },
    });
    expect((await list({ filter: { id: created.id } })).documents).toMatchObject([
      { transactionTitle: 'Facility', noteTitle: 'Senior', repayments: [{ amount: { sum: '100000.1' } }, {}, {}] },
    ]);
  });

  test('of the next day is valued at the rates of that day', async () => {
    expect(await record([part('interest', 400, 'EUR')], { cutOffDate: '2026-03-02' })).toMatchObject({
      valueInUsd: '800.00',
    });
  });

  test('has no value where a rate is missing', async () => {
    const created = await record([part('interest', 400, 'NOK')]);
    expect(created).toMatchObject({ valueInUsd: null, amountInMainCurrency: null });
  });

  test('repays at most the balance of its currency on its day', async () => {
    await record([part('principal', 600_000)], { cutOffDate: '2026-03-01' });
    await expect(record([part('principal', '0.01')])).rejects.toMatchObject({
      message: expect.stringContaining('0.01 USD is more than the 0.00 USD that can be repaid on 1 Mar 2026'),
      flags: { 'repayments.0.amount.sum': 'must be at most 0.00 USD in total' },
    });
    await record([part('principal', 100_000, 'EUR'), part('interest', 999_999)]);
    const parts = [part('fees', 1), part('principal', 60_000, 'EUR'), part('principal', 50_000, 'EUR')];
    transaction = await addTransaction();
    await addDraw('2026-01-20', '100000', 'EUR');
    await expect(record(parts)).rejects.toMatchObject({
      flags: { 'repayments.1.amount.sum': 'must be at most 100,000.00 EUR in total' },
    });
    await expect(record(parts, { cutOffDate: '2026-01-19' })).rejects.toMatchObject({
      flags: { 'repayments.1.amount.sum': 'must be at most 0.00 EUR in total' },
    });
  });

  test('repays at most what is owed, also where its author cannot see what was drawn or repaid', async () => {
    const earlier = await record([part('principal', 400_000)]);
    const blocked = (...blockedDocuments: string[]) => manager({ blockedDocuments });
    const withoutRepayment = blocked(`repayments/${earlier.id}`);
    await expect(record([part('principal', 200_001)], {}, withoutRepayment)).rejects.toThrow('200,000.00 USD');
    const [draw] = await database.query<{ id: string }>('select id from draws where transaction_id = $1 limit 1', [
      transaction.id,
    ]);
    await expect(record([part('principal', 200_000)], {}, blocked(`draws/${draw!.id}`))).resolves.toMatchObject({
      status: 'Active',
    });
  });

  test('entered late cannot repay what was repaid since', async () => {
    await record([part('principal', 500_000)], { cutOffDate: '2026-03-01' });
    await expect(record([part('principal', 100_001)], { cutOffDate: '2026-02-01' })).rejects.toThrow('100,000.00 USD');
    await expect(record([part('principal', 100_000)], { cutOffDate: '2026-02-01' })).resolves.toMatchObject({
      status: 'Active',
    });
  });

  test('and another one at once never repay the same principal', async () => {
    const both = await Promise.allSettled([record([part('principal', 400_000)]), record([part('principal', 400_000)])]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('is refused for an unknown note, a Draft transaction, a day in the future, and without permission', async () => {
    await expect(record([part('fees', 1)], { noteTitle: 'Mezzanine' })).rejects.toMatchObject({
      flags: { noteTitle: 'is not a note of this facility' },
    });
    const inTwoDays = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
    await expect(record([part('fees', 1)], { cutOffDate: inTwoDays })).rejects.toMatchObject({
      flags: { cutOffDate: 'must not be in the future' },
    });
    const today = new Date().toISOString().slice(0, 10);
    await expect(record([part('fees', 1)], { cutOffDate: today })).resolves.toMatchObject({ status: 'Active' });
    await expect(record([part('fees', 1)], {}, manager({ permissions: ['repayments/read'] }))).rejects.toMatchObject({
      code: 'forbidden',
    });
    const borrower = testActor({ type: 'company', managerId, companyId });
    await expect(record([part('fees', 1)], {}, borrower)).rejects.toMatchObject({ code: 'forbidden' });
    const stranger = testActor({ type: 'manager', managerId: newId() });
    await expect(record([part('fees', 1)], {}, stranger)).rejects.toMatchObject({ code: 'notFound' });
    transaction = await addTransaction('Draft');
    await expect(record([part('fees', 1)])).rejects.toMatchObject({ flags: { transaction: 'is a Draft' } });
  });
});

describe('removing repayments', () => {
  test('gives the principal back to the balance, and keeps the reason', async () => {
    const { id, version } = await record([part('principal', 600_000)]);
    const [removed] = await as(manager(), (session) =>
      changeRepayments(session, [{ id, version, status: 'Removed', removalReason: 'Wrong note' }]),
    );
    expect(removed).toMatchObject({ status: 'Removed', removalReason: 'Wrong note', noteTitle: 'Senior' });
    expect((await as(manager(), (session) => noteLedger(session, transaction.notes[0]!.id))).repayments).toEqual([]);
    await expect(record([part('principal', 600_000)])).resolves.toMatchObject({ status: 'Active' });
    expect((await list({ filter: { id } })).total).toBe(0);
    expect(await as(manager(), (session) => getRepayment(session, id))).toMatchObject({ removalReason: 'Wrong note' });
  });

  test('and approving a draw wait for each other, so that no draw is approved on a balance that grows', async () => {
    const repayment = await record([part('principal', 600_000)]);
    const noteId = transaction.notes[0]!.id;
    const isWaiting = async () =>
      (
        await database.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`,
        )
      ).length;
    const borrower = testActor({ type: 'company', managerId, companyId });
    // Within the commitment of 1,000,000 only while the 600,000 that were drawn are repaid.
    const draw = await as(borrower, (session) =>
      createDraw(
        session,
        drawCreateSchema.parse({
          transaction: transaction.id,
          noteTitle: 'Senior',
          cutOffDate: '2026-03-02',
          dueDate: '2026-03-05',
          draws: [{ type: 'Regular', amounts: [{ sum: 700_000, currency: 'USD' }] }],
        }),
      ),
    );
    expect(draw.exceptions.map(({ exception }) => exception.message)).toEqual(['Missing data']);
    let approval: Promise<unknown> | undefined;
    await as(manager(), async (session) => {
      await removeRepayments(session, [repayment.id]);
      const exceptions = [{ status: 'Skipped' as const, reason: 'A direct loan has no borrowing base' }];
      approval = as(manager(), (other) =>
        updateDraw(other, { id: draw.id, body: { version: draw.version, exceptions, status: 'Approved' } }),
      ).catch((error: unknown) => error);
      await vi.waitFor(async () => expect(await isWaiting()).toBe(1), { timeout: 30_000, interval: 50 });
    });
    expect(await approval).toMatchObject({ message: expect.stringContaining('commitment exceeded') });
    const ledger = await as(manager(), (session) => noteLedger(session, noteId));
    expect(ledger.draws).toHaveLength(2);
    expect(ledger.repayments).toEqual([]);
  });

  test('is done for all of them or for none', async () => {
    const [one, two] = [await record([part('fees', 1)]), await record([part('fees', 2)])];
    const change = (changes: Parameters<typeof changeRepayments>[1]) =>
      as(manager(), (session) => changeRepayments(session, changes));
    const removal = { status: 'Removed' as const };
    await expect(
      change([
        { id: one.id, version: one.version, ...removal },
        { id: two.id, version: two.version + 1, ...removal },
      ]),
    ).rejects.toMatchObject({ flags: { version: expect.any(String) } });
    await expect(
      change([
        { id: one.id, version: one.version, ...removal },
        { id: newId(), version: 1, ...removal },
      ]),
    ).rejects.toMatchObject({ code: 'notFound' });
    expect((await list({ filter: { id: { in: [one.id, two.id] } } })).total).toBe(2);

    await as(manager(), (session) => removeRepayments(session, [one.id, two.id]));
    expect((await list({ filter: { id: { in: [one.id, two.id] } } })).total).toBe(0);
    const again = await as(manager(), (session) => getRepayment(session, one.id));
    await expect(change([{ id: one.id, version: again.version, status: 'Active' }])).rejects.toThrow(
      'A repayment cannot go from Removed to Active',
    );
    await expect(
      as(manager({ permissions: ['repayments/read'] }), (session) => removeRepayments(session, [two.id])),
    ).rejects.toMatchObject({
      code: 'forbidden',
    });
  });
});

describe('a list of repayments', () => {
  test('can be filtered, sorted and grouped by every field', async () => {
    const created = await record([part('principal', 250_000), part('interest', 1000)], { cutOffDate: '2026-02-28' });
    await record([part('fees', 10)], { noteTitle: 'Junior' });
    const mine = { transaction: transaction.id };
    for (const filter of [
      { cutOffDate: '2026-02-28' },
      { noteTitle: 'Senior' },
      { noteId: created.noteId, 'transaction.title': 'Facility' },
      { 'repayments.kind': { like: '%principal%' } },
      { 'repayments.kind': 'principal' },
      { 'repayments.kind': 'interest' },
      { 'repayments.kind': { in: ['interest', 'default'] } },
      { 'repayments.kind': { neq: 'fees' } },
      { 'repayments.kind': { nin: ['fees'] }, $not: { 'repayments.kind': { like: 'fee' } } },
      { 'repayments.kind': { gt: 'o' } },
      { 'repayments.kind': { exists: true, neq: 'fees' }, 'repayments.amount.currency': { neq: 'XXX' } },
      { valueInUsd: { gt: 100_000 } },
      { 'amountInMainCurrency.currency': 'EUR' },
      { 'amountInMainCurrency.sum': 200_800 },
      { code: created.code },
    ]) {
      const found = await list({ filter: { $and: [mine, filter] } });
      expect(
        found.documents.map(({ id }) => id),
        JSON.stringify(filter),
      ).toEqual([created.id]);
    }
    expect((await list({ filter: { ...mine, 'repayments.kind': { exists: false } } })).total).toBe(0);
    expect((await list({ filter: { ...mine, 'repayments.kind': 'interest, principal' } })).total).toBe(0);
    const byKind = await list({ filter: mine, sort: { 'repayments.kind': -1 } });
    expect(byKind.documents.map(({ noteTitle }) => noteTitle)).toEqual(['Senior', 'Junior']);
    const kinds = await as(manager(), (session) =>
      groupDocuments(session, REPAYMENTS, { filter: mine, groupBy: { accumulator: '$sum', by: 'repayments.kind' } }),
    );
    expect(kinds.groups.map(({ key }) => key).sort()).toEqual(['fees', 'interest, principal']);
    const sorted = await list({ filter: mine, sort: { valueInUsd: 1 } });
    expect(sorted.documents.map(({ noteTitle }) => noteTitle)).toEqual(['Junior', 'Senior']);
    const groups = await as(manager(), (session) =>
      groupDocuments(session, REPAYMENTS, {
        filter: mine,
        groupBy: { accumulator: '$sum', field: 'valueInUsd', by: 'noteTitle' },
      }),
    );
    expect(groups.groups.map(({ key, value }) => [key, Number(value)])).toEqual([
      ['Senior', 251_000],
      ['Junior', 10],
    ]);
  });

  test('is the borrower’s own for a borrower', async () => {
    const { id } = await record([part('fees', 1)]);
    const seen = async (company: string) =>
      (await list({ filter: { id } }, testActor({ type: 'company', managerId, companyId: company }))).documents;
    expect(await seen(companyId)).toMatchObject([{ id, noteTitle: 'Senior', transactionTitle: 'Facility' }]);
    expect(await seen(otherCompany)).toEqual([]);
  });
});
