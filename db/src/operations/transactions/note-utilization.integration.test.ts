import { notePosition } from '@tapeline/domain/facilities/ledger.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Draw, Repayment } from '../../entities/draws.ts';
import { Transaction } from '../../entities/lending.ts';
import { CurrencyRate } from '../../entities/records.ts';
import { newId } from '../../ids.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { noteLedgers } from '../ledger/note-ledger.ts';
import { notePositions } from '../ledger/note-positions.ts';
import { groupNoteUtilization, listNoteUtilization } from './note-utilization.ts';

let database: TestDatabase;
let tenant: TestTenant;
let recorded: Transaction;
let silent: Transaction;
const amount = (sum: string, currency = 'USD') => ({ sum, currency });
const asManager = <Result>(work: (session: Session) => Promise<Result>) =>
  database.store.as(testActor({ type: 'manager', managerId: tenant.managerId }), work);

beforeAll(async () => {
  database = await createTestDatabase();
  tenant = await database.store.as(SYSTEM, makeTenant);
  await database.store.as(SYSTEM, async ({ em, query }) => {
    em.create(CurrencyRate, { id: newId(), rates: { EUR: '0.8' }, lastUpdate: '2026-01-01' });
    [recorded, silent] = (await em.find(Transaction, {}, { orderBy: { id: 'asc' } })) as [Transaction, Transaction];
    await query('delete from draws');
    await query('delete from repayments');
    const ofNote = {
      managerId: recorded.managerId,
      companyId: recorded.companyId,
      transactionId: recorded.id,
      noteId: recorded.notes[0]!.id,
      cutOffDate: '2026-08-01',
    };
    const draw = (
      status: 'Approved' | 'Pending' | 'Rejected',
      type: 'Regular' | 'Prefunding' | 'Recycling',
      amounts: object[],
      dueDate = '2026-08-31',
    ) =>
      em.create(Draw, {
        id: newId(),
        ...ofNote,
        dueDate,
        status,
        rejectionMessage: status === 'Rejected' ? 'Late' : null,
        draws: [{ type, amounts: amounts as never, valueInUSD: null, amountInMainCurrency: null }],
      });
    draw('Approved', 'Regular', [amount('1000000.10'), amount('800', 'EUR')]);
    draw('Approved', 'Prefunding', [amount('500')]);
    draw('Approved', 'Recycling', [amount('77')]);
    draw('Approved', 'Regular', [amount('250000')], '2029-06-30');
    draw('Pending', 'Regular', [amount('9')]);
    draw('Rejected', 'Regular', [amount('9')]);
    const repay = (status: 'Active' | 'Removed', sum: string) =>
      em.create(Repayment, {
        id: newId(),
        ...ofNote,
        status,
        repayments: [
          { kind: 'principal', amount: amount(sum) },
          { kind: 'interest', amount: amount('5') },
        ],
      });
    repay('Active', '100000.10');
    repay('Removed', '3');
  });
});
afterAll(() => database.close());

test('the balance counts approved draws due and active principal to date; approved and requested draws are separate figures', async () => {
  const { documents, total } = await asManager((session) => listNoteUtilization(session, {}, { withBases: true }));
  expect(total).toBe(2);
  const of = (transaction: Transaction) => documents.find((note) => note.transaction === transaction.id);
  expect(of(recorded)).toMatchObject({
    mainCurrency: 'USD',
    commitments: amount('45000000.00'),
    // 1,000,000.10 + 500 - 100,000.10 and 800 euros at 0.8.
    balance: amount('901500.00'),
    approved: amount('250000.00'),
    requested: amount('9.00'),
    undrawn: amount('44098500.00'),
    utilizationPercent: 2.003333,
  });
  expect(of(recorded)?.availability?.sum).toBe(`${(Number(of(recorded)?.netBB?.sum) - 901_500 - 250_000).toFixed(2)}`);
  expect(of(silent)).toMatchObject({ balance: null, undrawn: null, utilizationPercent: null, availability: null });
  expect(of(silent)?.netBB).not.toBeNull();
});

test('availability is what reserves leave of the borrowing base, and unknown if a reserve is', async () => {
  const reserve = (availableBase: string) =>
    database.query(
      `update borrowing_bases set result = jsonb_build_object('totals', jsonb_build_object('availableBase', $2::jsonb)) where note_id = $1`,
      [recorded.notes[0]!.id, availableBase],
    );
  const read = async () => {
    const { documents } = await asManager((session) => listNoteUtilization(session, {}, { withBases: true }));
    return documents.find((note) => note.transaction === recorded.id);
  };
  await reserve('{"sum": "1200000.00", "currency": "USD"}');
  expect(await read()).toMatchObject({ availableBase: { sum: '1200000.00' }, availability: amount('48500.00') });
  await reserve('null');
  const unknown = await read();
  expect(unknown).toMatchObject({ availableBase: null, availability: null });
  expect(unknown?.netBB).not.toBeNull();
  // A base of a day before all draws had no balance: its reserve on the balance is zero, the others count.
  await database.query(
    `update borrowing_bases set cut_off_date = '2000-01-01', result = '{"totals": {"availableBase": null, "reserves":
       [{"title": "Interest", "amount": null}, {"title": "Servicing", "amount": {"sum": "0.25", "currency": "USD"}}]}}'
     where note_id = $1`,
    [recorded.notes[0]!.id],
  );
  expect((await read())?.availableBase?.sum).toBe(`${Number(unknown?.netBB?.sum) - 0.25}`);
  await database.query(`update borrowing_bases set result = '{}' where note_id = $1`, [recorded.notes[0]!.id]);
  expect(await read()).toMatchObject({ availableBase: unknown?.netBB });
});

test('a position added up by the database is the ledger’s', async () => {
  const ids = [recorded, silent].map(({ notes }) => notes[0]!.id);
  const [added, ledgers] = await asManager(async (session) => [
    await notePositions(session, ids),
    await noteLedgers(session, ids),
  ]);
  const today = new Date().toISOString().slice(0, 10);
  expect(added.get(ids[0]!)).toEqual(notePosition(ledgers.get(ids[0]!)!, today));
  expect(added.get(ids[1]!)).toBeUndefined();
  expect(added.get(ids[0]!)).toEqual({
    balance: [amount('800', 'EUR'), amount('900500')],
    approved: [amount('250000')],
    requested: [amount('9')],
  });
});

test('notes are filtered, counted and grouped by their balance', async () => {
  const found = await asManager((session) =>
    listNoteUtilization(session, { filter: { 'balance.sum': { gt: 900_000 } } }, { withBases: false }),
  );
  expect(found).toMatchObject({ total: 1, documents: [{ transaction: recorded.id, netBB: null, availability: null }] });
  const groups = await asManager((session) =>
    groupNoteUtilization(session, { groupBy: { accumulator: '$sum', field: 'balance.sum' } }, { withBases: true }),
  );
  expect(groups?.groups).toMatchObject([{ count: 2, byCurrency: [{ currency: 'USD', value: '901500', count: 1 }] }]);
});
