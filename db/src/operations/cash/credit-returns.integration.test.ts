import { bankAccountCreateSchema, creditReturnSchema, paymentCreateSchema } from '@tapeline/domain/cash/cash.schema.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../ids.ts';
import { testActor } from '../../testing/actors.ts';
import { type CashLedger, openCashLedger } from '../../testing/cash-ledger.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { createBankAccount } from './bank-accounts.ts';
import { returnableCredits, returnCredits } from './credit-returns.ts';
import { createPayment, getPayment, listCredits, removePayments, reverseAllocation } from './payments.ts';

const NOW = new Date('2026-06-10T12:00:00Z');

let database: TestDatabase;
let ledger: CashLedger;
let lp: string;
/** 130.00 that an investor paid, of which it owed 100.00; 30.00 that we paid out. */
let received: string;
let paid: string;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  ledger = await openCashLedger(database, { now: NOW });
  lp = ledger.tenant.lpIds[0]!;
  received = (await ledger.record(130, '2026-04-20')).id;
  await ledger.allocate(received, '100', ledger.calls[0]!);
  paid = (await ledger.record(30, '2026-05-04', { direction: 'out' })).id;
});

const get = (id: string) => ledger.as((session) => getPayment(session, id));
const giveBack = async (amount: number | string, more: { of?: string; by?: string; actor?: UserActor } = {}) => {
  const { version } = await get(more.by ?? paid);
  const body = creditReturnSchema.parse({ version, returns: [{ payment: more.of ?? received, amount }] });
  return ledger.as((session) => returnCredits(session, more.by ?? paid, body), more.actor ?? ledger.manager());
};
const credits = async () =>
  (await ledger.as((session) => listCredits(session, { party: lp }))).map(({ direction, amount }) => [
    direction,
    Number(amount),
  ]);
/** Bank = book + open items, on the last day of each month. */
async function balances(month: string): Promise<{ book: number; open: number }> {
  const { days } = await ledger.look(month);
  const { bank, book, open } = days.at(-1)!;
  if (bank !== null) expect(Number(bank)).toBe(Number(book) + Number(open));
  return { book: Number(book), open: Number(open) };
}

test('a credit falls by what is paid back, and the book has both payments', async () => {
  expect(await credits()).toEqual([['in', 30]]);
  const before = await balances('2026-05');
  const returned = await giveBack(20);
  expect(returned).toMatchObject({
    party: { id: lp },
    allocated: '20',
    credit: '10',
    allocations: [{ kind: 'credit', documentId: received, amount: '20' }],
  });
  expect(await get(received)).toMatchObject({ allocated: '120', credit: '10' });
  expect(await credits()).toEqual([
    ['in', 10],
    ['out', 10],
  ]);
  // 20.00 more came in, and 20.00 more went out.
  expect(await balances('2026-05')).toEqual(before);
  await giveBack(10);
  expect(await credits()).toEqual([]);
  expect([(await get(received)).credit, (await get(paid)).credit]).toEqual(['0', '0']);
});

test('a return is reversed from either payment, with a reason, and both have their credit again', async () => {
  for (const from of [() => paid, () => received]) {
    await giveBack(30);
    const own = (await get(from())).allocations.find((one) => one.kind === 'credit' && one.reversedAt === null)!;
    const { version } = await get(received);
    const reversal = { allocation: own.id, reason: 'Another investor' };
    await ledger.as((session) => reverseAllocation(session, from(), reversal));
    for (const id of [paid, received]) {
      const { allocations, credit } = await get(id);
      expect(credit).toBe('30');
      expect(allocations.filter(({ kind }) => kind === 'credit').at(-1)).toMatchObject({
        reversalReason: 'Another investor',
      });
    }
    expect((await get(received)).version).toBeGreaterThan(version);
    await expect(ledger.as((session) => reverseAllocation(session, from(), reversal))).rejects.toMatchObject({
      code: 'badRequest',
    });
  }
  // What pays a call is reversed by itself.
  const call = (await get(received)).allocations.find(({ kind }) => kind === 'contribution')!;
  await ledger.as((session) => reverseAllocation(session, received, { allocation: call.id, reason: 'Wrong' }));
  expect((await get(received)).credit).toBe('130');
});

test('never more than is left of either payment, as a person, a second one at once and the database see it', async () => {
  await expect(giveBack('30.01')).rejects.toMatchObject({
    flags: { 'returns.0.amount': 'must be at most the 30.00 USD of the credit' },
  });
  const more = (await ledger.record(500, '2026-05-05', { direction: 'out' })).id;
  await expect(giveBack('30.01', { by: more })).rejects.toMatchObject({ code: 'badRequest' });
  const less = (await ledger.record(5, '2026-05-06', { direction: 'out' })).id;
  await expect(giveBack('5.01', { by: less })).rejects.toMatchObject({
    flags: { 'returns.0.amount': 'must be at most the 5.00 USD that is left of the payment' },
  });
  await giveBack('5', { by: less });
  const both = await Promise.allSettled([giveBack(25), giveBack(25, { by: more })]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await get(received)).toMatchObject({ credit: '0' });
  // A part alone, or more than is left, is refused by the database.
  const insert = (payment: string, document: string, amount: number) =>
    ledger.as((session) =>
      session.query(
        `insert into allocations (id, payment_id, obligation_kind, document_id, amount) values ($1, $2, 'credit', $3, $4)`,
        [newId(), payment, document, amount],
      ),
    );
  await expect(insert(more, received, 1000)).rejects.toMatchObject({ code: 'badRequest' });
  const open = (await ledger.record(7, '2026-05-07', { party: { kind: 'LP', id: lp } })).id;
  await expect(insert(open, more, 1)).rejects.toThrow();
  expect(await get(open)).toMatchObject({ credit: '7' });
});

test('only a payment the other way, of the same party, currency and fund, that a person may change', async () => {
  const other = (await ledger.record(8, '2026-05-08', { party: { kind: 'LP', id: ledger.tenant.lpIds[1]! } })).id;
  const nobody = (await ledger.record(9, '2026-05-09')).id;
  const out = (await ledger.record(10, '2026-05-10', { direction: 'out', party: { kind: 'LP', id: lp } })).id;
  const why = (problem: string) => ({ flags: { 'returns.0.payment': problem } });
  await expect(giveBack(1, { by: out, of: other })).rejects.toMatchObject(why('is with somebody else'));
  await expect(giveBack(1, { of: nobody })).rejects.toMatchObject(
    why('is with nobody yet: say first whose credit it is'),
  );
  await expect(giveBack(1, { of: out })).rejects.toMatchObject(why('went out as well, and is no credit'));
  await expect(giveBack(1, { of: newId() })).rejects.toMatchObject(why('is not a payment in USD'));
  await expect(giveBack(1, { actor: ledger.manager({ permissions: ['payments/read'] }) })).rejects.toMatchObject({
    code: 'forbidden',
  });
  await expect(giveBack(1, { actor: testActor({ type: 'manager', managerId: newId() }) })).rejects.toMatchObject({
    code: 'notFound',
  });
  await expect(
    ledger.as((session) => returnCredits(session, paid, { version: 99, returns: [] })),
  ).rejects.toMatchObject({ conflict: { sent: 99 } });
  const offered = async (id: string) => {
    const payment = await get(id);
    return (await ledger.as((session) => returnableCredits(session, payment, 10))).map((one) => one.id);
  };
  expect(await offered(paid)).toEqual([other, received]);
  expect(await offered(out)).toEqual([received]);
  // What is given back is no mistake that a person removes.
  await giveBack(30);
  const removal = { id: paid, version: (await get(paid)).version, status: 'Removed' as const, removalReason: 'Wrong' };
  await expect(ledger.as((session) => removePayments(session, [removal]))).rejects.toMatchObject({
    code: 'badRequest',
  });
  for (const body of [
    { version: 1, returns: [] },
    { version: 1, returns: [{ payment: received, amount: 0 }] },
  ])
    expect(creditReturnSchema.safeParse(body).success).toBe(false);
});

test('a return is reversed by whoever sees both payments, and others are told so', async () => {
  const [{ fund } = { fund: '' }] = await database.query<{ fund: string }>(
    'select fund_id as fund from contributions where id = $1',
    [ledger.calls[0]],
  );
  const ofFund = await ledger.as(async (session) => {
    const account = await createBankAccount(
      session,
      bankAccountCreateSchema.parse({
        ...{ title: 'Account of the fund', bankName: 'First Tidewater', accountNumber: '998877665544' },
        ...{ currency: 'USD', openingDate: '2026-04-01', fund },
      }),
    );
    const body = { bankAccount: account.id, direction: 'out', amount: 20, bookedOn: '2026-05-05' };
    return createPayment(session, paymentCreateSchema.parse({ ...body, party: { kind: 'LP', id: lp } }));
  });
  await giveBack(5, { by: ofFund.id });
  const own = (await get(received)).allocations.find(({ kind }) => kind === 'credit')!;
  const reverse = (actor: UserActor) =>
    ledger.as((session) => reverseAllocation(session, received, { allocation: own.id, reason: 'Wrong' }), actor);
  await expect(reverse(ledger.manager({ blockedDocuments: [`funds/${fund}`] }))).rejects.toMatchObject({
    code: 'badRequest',
    flags: { allocation: 'is of a return whose other payment is hidden from you' },
  });
  expect(await get(received)).toMatchObject({ credit: '25' });
  await reverse(ledger.manager());
  expect([(await get(received)).credit, (await get(ofFund.id)).credit]).toEqual(['30', '20']);
});
