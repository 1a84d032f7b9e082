import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type CashLedger, openCashLedger, mt940Statement as statement } from '../../testing/cash-ledger.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { getBankAccount, updateBankAccount } from './bank-accounts.ts';
import { setOwnItems } from './own-items.ts';
import { getPayment, removePayments, reverseAllocation } from './payments.ts';
import { closeMonth, daysOfChange } from './reconciliation.ts';

let database: TestDatabase;
let { account, as, calls, close, look, manager, record, send, allocate: allocateTo } = {} as CashLedger;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  const ledger = await openCashLedger(database, { now: new Date('2026-06-10T12:00:00Z') });
  ({ account, as, calls, close, look, manager, record, send, allocate: allocateTo } = ledger);
});
afterAll(() => database.close());

const paymentOf = async (reference: string) => {
  const [row] = await database.query<{ id: string }>(
    'select id from payments where bank_account_id = $1 and bank_reference = $2',
    [account, reference],
  );
  return as((session) => getPayment(session, row!.id));
};
const allocate = (id: string, amount: DecimalText, document = calls[0]!) => allocateTo(id, amount, document);
const at = async (day: string) => {
  const found = (await look(day.slice(0, 7))).days.find((one) => one.day === day);
  return found && [found.bank, found.book, found.open, found.difference].map((figure) => figure && Number(figure));
};

test('the bank has what the book has and what is open, on every day', async () => {
  await send(statement(1, '2026-04-10', '1000', [{ amount: '150.00', reference: 'A' }]));
  await send(statement(2, '2026-04-20', '1150', [{ amount: '-7.50', reference: 'FEE' }]));
  const payment = await paymentOf('A');
  await allocate(payment.id, '100');
  // Recorded by hand, and not reported by the bank yet.
  const byHand = await record(30, '2026-04-15');
  await allocate(byHand.id, '20', calls[1]!);
  // Before the first statement, its opening balance is that of the account.
  expect(await at('2026-04-09')).toEqual([1000, 1000, 0, 0]);
  expect(await at('2026-04-10')).toEqual([1150, 1100, 50, 0]);
  expect(await at('2026-04-15')).toEqual([1150, 1120, 30, 0]);
  expect(await at('2026-04-20')).toEqual([1142.5, 1120, 22.5, 0]);
  // After the last statement, the bank's balance is unknown.
  expect(await at('2026-04-21')).toEqual([null, 1120, 22.5, null]);
  const april = await look('2026-04');
  expect(april.days).toHaveLength(30);
  expect(daysOfChange(april.days).map(({ day }) => day.slice(8))).toEqual(['01', '10', '15', '20', '21', '30']);
  expect(april.items.map(({ kind, amount }) => [kind, Number(amount)])).toEqual([
    ['credit', 50],
    ['notReported', -20],
    ['toMatch', -7.5],
  ]);
  expect(april).toMatchObject({ itemCount: 3, problem: 'noStatement', closedUntil: null, closings: [] });
});

test('what was recorded before the first statement is in its opening balance', async () => {
  await record(30, '2026-04-15');
  await send(statement(1, '2026-04-20', '1030', [{ amount: '5.00', reference: 'A' }]));
  expect(await at('2026-04-14')).toEqual([1000, 1000, 0, 0]);
  expect(await at('2026-04-15')).toEqual([1030, 1000, 30, 0]);
  expect(await at('2026-04-20')).toEqual([1035, 1000, 35, 0]);
  // On the day of the statement, only what it reports is at the bank.
  await record(7, '2026-04-20');
  expect(await at('2026-04-20')).toEqual([1035, 1000, 35, 0]);
});

test('a missing statement is a difference, until it is imported', async () => {
  await send(statement(1, '2026-04-10', '1000', [{ amount: '150.00', reference: 'A' }]));
  await send(statement(3, '2026-05-02', '1175', [{ amount: '5.00', reference: 'C' }]));
  expect(await at('2026-04-30')).toEqual([1175, 1000, 150, 25]);
  await expect(close('2026-04')).rejects.toMatchObject({
    flags: { month: expect.stringContaining('The statements of the bank differ') },
  });
  await send(statement(2, '2026-04-21', '1150', [{ amount: '25.00', reference: 'B' }]));
  expect(await at('2026-04-30')).toEqual([1175, 1000, 175, 0]);
  await expect(close('2026-04')).resolves.toMatchObject({ problem: 'closed', closedUntil: '2026-04-30' });
});

test('a month is closed once, after it is over, when statements reach its end', async () => {
  await send(statement(1, '2026-04-10', '1000', [{ amount: '150.00', reference: 'A' }]));
  await expect(close('2026-04')).rejects.toMatchObject({
    flags: { month: expect.stringContaining('Import it first') },
  });
  await expect(close('2026-06')).rejects.toMatchObject({
    flags: { month: expect.stringContaining('once it is over') },
  });
  await expect(close('2026-13')).rejects.toMatchObject({ flags: { month: 'is not a month' } });
  await send(statement(2, '2026-06-01', '1150', []));
  await expect(close('2026-05')).resolves.toMatchObject({
    closings: [{ month: '2026-05', bankBalance: '1150.00', bookBalance: '1000', closedBy: expect.any(String) }],
  });
  // With a month, those before it are closed.
  for (const month of ['2026-05', '2026-04']) await expect(close(month)).rejects.toThrow('This month is closed');
  // A program that forgets to check is refused too.
  const insert = (month: string) =>
    as(({ query }) =>
      query(
        `insert into account_closings (bank_account_id, manager_id, month, bank_balance, book_balance)
         select id, manager_id, $2, 0, 0 from bank_accounts where id = $1`,
        [account, month],
      ),
    );
  await expect(insert('2026-05-01')).rejects.toThrow('cannot be closed now');
  await expect(insert('2026-06-01')).rejects.toThrow('cannot be closed now');
  const [kept] = await as(({ query }) =>
    query('select count(*)::int as count from account_closings where bank_account_id = $1', [account]),
  );
  expect(kept).toEqual({ count: 1 });
});

test('the lines of a closed month stay as they are', async () => {
  await send(statement(1, '2026-04-10', '1000', [{ amount: '150.00', reference: 'A' }]));
  const byHand = await record(30, '2026-04-15');
  await send(statement(2, '2026-05-04', '1150', [{ amount: '5.00', reference: 'B' }]));
  await close('2026-04');
  const closed = { flags: { bookedOn: 'is in a month that is closed' } };
  await expect(record(1, '2026-04-30')).rejects.toMatchObject(closed);
  await expect(record(1, '2026-05-01')).resolves.toMatchObject({ status: 'Active' });
  const removal = { id: byHand.id, version: byHand.version, status: 'Removed' as const, removalReason: 'Twice' };
  await expect(as((session) => removePayments(session, [removal]))).rejects.toMatchObject(closed);
  for (const change of ['amount = 1', `booked_on = '2026-05-02'`, `direction = 'out'`])
    await expect(
      as(({ query }) => query(`update payments set ${change} where id = $1`, [byHand.id])),
    ).rejects.toMatchObject(closed);
  await expect(
    as(({ query }) => query(`update payments set note = 'Seen' where id = $1 returning id`, [byHand.id])),
  ).resolves.toHaveLength(1);
  // The same file again adds nothing, and another statement of the month is refused as a whole.
  await expect(send(statement(1, '2026-04-10', '1000', [{ amount: '150.00', reference: 'A' }]))).resolves.toMatchObject(
    [{ isNew: false }],
  );
  await expect(send(statement(9, '2026-04-20', '1150', [{ amount: '3.00', reference: 'Z' }]))).rejects.toMatchObject(
    closed,
  );
  const stored = await as((session) => getBankAccount(session, account));
  const body = {
    title: stored.title,
    bankName: stored.bankName,
    accountNumber: stored.accountNumber,
    currency: 'USD',
    openingDate: '2026-04-01',
    tolerance: { sum: '50', currency: null },
    version: stored.version,
  };
  const change = (openingBalance: string) =>
    as((session) =>
      updateBankAccount(session, {
        id: account,
        body: { ...body, openingBalance: { sum: openingBalance, currency: null } },
      }),
    );
  await expect(change('999')).rejects.toThrow('A month of this account is closed');
  await expect(change('1000')).resolves.toMatchObject({ title: 'Pay-in account' });
});

test('what is allocated or reversed after a closing counts in the first open month', async () => {
  await send(
    statement(1, '2026-04-10', '1000', [
      { amount: '100.00', reference: 'A' },
      { amount: '40.00', reference: 'B' },
    ]),
  );
  await send(statement(2, '2026-05-04', '1140', []));
  const before = await allocate((await paymentOf('A')).id, '60');
  await close('2026-04');
  expect(await at('2026-04-30')).toEqual([1140, 1060, 80, 0]);
  await allocate((await paymentOf('B')).id, '40');
  await as((session) =>
    reverseAllocation(session, before.id, { allocation: before.allocations[0]!.id, reason: 'Another call' }),
  );
  expect(await at('2026-04-30')).toEqual([1140, 1060, 80, 0]);
  expect(await at('2026-05-01')).toEqual([1140, 1040, 100, 0]);
  expect((await look('2026-04')).items.map(({ amount }) => Number(amount))).toEqual([40, 40]);
  // In an open month, it is as if it had never been.
  const later = await record(10, '2026-05-02');
  const wrong = await allocate(later.id, '10');
  await as((session) =>
    reverseAllocation(session, later.id, { allocation: wrong.allocations[0]!.id, reason: 'Another call' }),
  );
  expect(await at('2026-05-03')).toEqual([1140, 1040, 100, 0]);
});

test('what is not ours is in the book, and what is marked so after a closing counts in the first open month', async () => {
  await send(
    statement(1, '2026-04-10', '1000', [
      { amount: '-7.50', reference: 'FEE' },
      { amount: '3.00', reference: 'INTEREST' },
    ]),
  );
  await send(statement(2, '2026-05-04', '995.50', [{ amount: '-8.00', reference: 'FEE2' }]));
  const mark = async (reference: string, ownItem: 'fee' | null) => {
    const { id, version } = await paymentOf(reference);
    return as((session) => setOwnItems(session, [{ id, version, ownItem }]));
  };
  await mark('FEE', 'fee');
  expect(await at('2026-04-30')).toEqual([995.5, 992.5, 3, 0]);
  await close('2026-04');
  await mark('INTEREST', 'fee');
  await mark('FEE2', 'fee');
  expect(await at('2026-04-30')).toEqual([995.5, 992.5, 3, 0]);
  expect(await at('2026-05-01')).toEqual([995.5, 995.5, 0, 0]);
  expect(await at('2026-05-04')).toEqual([987.5, 987.5, 0, 0]);
  // What counts in a closed month stays; the rest can be taken back.
  await expect(mark('FEE', null)).rejects.toThrow('is closed');
  await mark('INTEREST', null);
  await mark('FEE2', null);
  expect(await at('2026-05-04')).toEqual([987.5, 992.5, -5, 0]);
});

test('is for those who see every payment of the account', async () => {
  const payment = await record(100, '2026-04-15', {
    allocations: [{ kind: 'contribution', document: calls[0]!, amount: 100 }],
  });
  const blocked = manager({ blockedDocuments: [`contributions/${calls[0]!}`] });
  await expect(look('2026-04', blocked)).rejects.toMatchObject({ code: 'forbidden' });
  await expect(look('2026-04', manager({ permissions: [] }))).rejects.toMatchObject({ code: 'forbidden' });
  await expect(
    as((session) => closeMonth(session, account, { month: '2026-04' }), manager({ permissions: ['payments/read'] })),
  ).rejects.toMatchObject({ code: 'forbidden' });
  expect((await look('2026-04')).itemCount).toBe(1);
  expect(payment.allocated).toBe('100');
});

test('a month and a payment of it at once: the payment is in what is closed, or refused', async () => {
  await send(statement(1, '2026-05-04', '1000', []));
  const [closing, ...recorded] = await Promise.allSettled([
    close('2026-04'),
    ...Array.from({ length: 6 }, (_, index) =>
      record(10 + index, '2026-04-20', {
        allocations: [{ kind: 'contribution', document: calls[0]!, amount: 10 + index }],
      }),
    ),
  ]);
  expect(closing.status).toBe('fulfilled');
  expect(recorded).toHaveLength(6);
  const { closings, days } = await look('2026-04');
  expect(days.at(-1)!.book).toBe(closings[0]!.bookBalance);
});
