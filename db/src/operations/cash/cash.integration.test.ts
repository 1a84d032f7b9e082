import { bankAccountCreateSchema, paymentCreateSchema } from '@tapeline/domain/cash/cash.schema.ts';
import { fundCreateSchema } from '@tapeline/domain/funds/fund.schema.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { createFund } from '../funds/change-funds.ts';
import { createBankAccount, getBankAccount, updateBankAccount } from './bank-accounts.ts';
import { closeWithDifference, listObligations, owedBy, reverseDifference } from './obligations.ts';
import {
  allocatePayment,
  createPayment,
  getPayment,
  listCredits,
  removePayments,
  reverseAllocation,
  updatePayment,
} from './payments.ts';

const NOW = new Date('2026-05-01T12:00:00Z');
const USD = { sum: '0', currency: 'USD' };

let database: TestDatabase;
let tenant: TestTenant;
let account: string;
/** Contributions and distributions of the two investors: 100.00 due on 15 April, and 1.00 paid on that day. */
let calls: { id: string; lp: string }[];
let distributions: { id: string; lp: string }[];

const manager = (fields: Partial<UserActor> = {}) =>
  testActor({ type: 'manager', managerId: tenant.managerId, ...fields });
const as = <Result>(work: (session: Session) => Promise<Result>, actor = manager()) =>
  database.store.as(actor, work, { now: NOW, isKeyed: true });

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  tenant = await database.store.as(SYSTEM, (session) => makeTenant(session));
  await database.query(
    `update lp_commitments set max_commitment = 1000, active_commitment = 1000 where manager_id = $1`,
    [tenant.managerId],
  );
  await database.query(
    `update contributions set purposes = '[{"title": "Investments", "kind": "investments", "amount": "100"}]' where manager_id = $1`,
    [tenant.managerId],
  );
  const linesOf = (table: string) =>
    database.query<{ id: string; lp: string }>(
      `select id, investor_lp_id as lp from ${table} where manager_id = $1 order by code`,
      [tenant.managerId],
    );
  calls = await linesOf('contributions');
  distributions = await linesOf('distributions');
  account = (
    await as((session) =>
      createBankAccount(
        session,
        bankAccountCreateSchema.parse({
          title: 'Pay-in account',
          bankName: 'First Tidewater',
          accountNumber: 'US64 0210 0002 1000 4471',
          currency: 'USD',
          openingDate: '2026-01-01',
          openingBalance: 1000,
        }),
      ),
    )
  ).id;
});
afterAll(() => database.close());

const pay = (amount: number | string, more: object = {}, actor = manager()) =>
  as(
    (session) =>
      createPayment(
        session,
        paymentCreateSchema.parse({ bankAccount: account, direction: 'in', amount, bookedOn: '2026-04-14', ...more }),
      ),
    actor,
  );
const createAccount = async (more: object) =>
  (
    await as((session) =>
      createBankAccount(
        session,
        bankAccountCreateSchema.parse({
          title: 'Another account',
          bankName: 'First Tidewater',
          accountNumber: 'US64 0210 0002 1000 4472',
          currency: 'USD',
          openingDate: '2026-01-01',
          ...more,
        }),
      ),
    )
  ).id;
const anotherFund = async (): Promise<string> => {
  const body = {
    title: 'Quay Fund',
    type: 'SMA',
    strategy: 'ABL',
    currency: 'USD',
    targetSize: 5000,
    hardCap: 900000,
  };
  return (await as((session) => createFund(session, fundCreateSchema.parse(body)))).fund.id;
};
const part = (amount: number | string, document = calls[0]!.id, kind = 'contribution') => ({ kind, document, amount });
const toCommand = (amount: string, document = calls[0]!.id) => ({
  kind: 'contribution' as const,
  document,
  amount: { sum: amount, currency: null },
});
const allocate = (payment: { id: string; version: number }, amount: string, document = calls[0]!.id) =>
  as((session) =>
    allocatePayment(session, payment.id, { version: payment.version, allocations: [toCommand(amount, document)] }),
  );
const owed = async (document = calls[0]!.id, actor = manager(), now = NOW) => {
  const { obligations } = await database.store.as(
    actor,
    (session) => listObligations(session, { documents: [document] }),
    { now },
  );
  return obligations[0];
};
/** What was returned or written off of a call that is withdrawn is withdrawn before it. */
const withdrawLater = () =>
  database.query(
    `with returned as (update distributions set status = 'Removed' where manager_id = $1)
     update write_offs set status = 'Removed' where manager_id = $1`,
    [tenant.managerId],
  );
const withdraw = async (id: string) => {
  await withdrawLater();
  await database.query(`update contributions set status = 'Removed', removal_reason = 'Wrong' where id = $1`, [id]);
};

describe('what is owed', () => {
  test('follows from documents: calls are owed to us, distributions and approved draws by us', async () => {
    await database.query(`update draws set status = 'Approved' where manager_id = $1`, [tenant.managerId]);
    const { obligations, total } = await as((session) => listObligations(session, {}));
    expect(total).toBe(6);
    expect(obligations.map(({ kind, direction, amount }) => [kind, direction, Number(amount)]).sort()).toEqual([
      ['contribution', 'in', 100],
      ['contribution', 'in', 100],
      ['distribution', 'out', 1],
      ['distribution', 'out', 1],
      ['draw', 'out', 10],
      ['draw', 'out', 10],
    ]);
    const { obligations: page } = await as((session) => listObligations(session, { skip: 1, limit: 2 }));
    expect(page).toEqual(obligations.slice(1, 3));
  });

  test('is not what is a draft, waits, is withdrawn or only recycled, and closed calls have nothing open', async () => {
    await withdrawLater();
    const set = (status: string) =>
      database.query('update contributions set status = $2 where id = $1', [calls[0]!.id, status]);
    await set('Draft');
    expect(await owed()).toBeUndefined();
    await set('Closed');
    expect(await owed()).toMatchObject({ open: '0', state: 'paid' });
    await set('Removed');
    expect(await owed()).toBeUndefined();
    await database.query(
      `update draws set status = 'Approved', draws = '[{"type": "Recycling", "amounts": [{"sum": "10", "currency": "USD"}]}]' where manager_id = $1`,
      [tenant.managerId],
    );
    expect((await as((session) => listObligations(session, { kind: 'draw' }))).total).toBe(0);
  });

  test('is upcoming before its day, due on it, and overdue after it until it is paid', async () => {
    const on = (day: string) => owed(calls[0]!.id, manager(), new Date(`${day}T12:00:00Z`));
    expect(await on('2026-04-14')).toMatchObject({ state: 'upcoming', daysLate: 0 });
    expect(await on('2026-04-15')).toMatchObject({ state: 'due', daysLate: 0 });
    expect(await on('2026-04-16')).toMatchObject({ state: 'overdue', daysLate: 1 });
    await pay('99.99', { allocations: [part('99.99')] });
    expect(await on('2026-04-15')).toMatchObject({ state: 'partlyPaid', allocated: '99.99', open: '0.01' });
    expect(await on('2026-04-16')).toMatchObject({ state: 'overdue' });
    await pay('0.01', { allocations: [part('0.01')] });
    expect(await on('2026-04-16')).toMatchObject({ state: 'paid', paidOn: '2026-04-14', daysLate: 0 });
  });
});

describe('what is owed is summed', () => {
  test('over all rows of a query, whatever the page, and never across currencies', async () => {
    await database.query(`update draws set status = 'Approved' where manager_id = $1`, [tenant.managerId]);
    await database.query(
      `update draws set draws = jsonb_build_array(jsonb_build_object('type', draws #>> '{0,type}', 'amounts',
         '[{"sum": "10", "currency": "EUR"}]'::jsonb)) where id = (select min(id) from draws where manager_id = $1)`,
      [tenant.managerId],
    );
    await pay(30, { allocations: [part(30)] });
    const sumsOf = (query: object) => as((session) => listObligations(session, { ...query, limit: 1 }));
    const { obligations, total, sums } = await sumsOf({});
    expect([obligations.length, total]).toEqual([1, 6]);
    expect(sums).toMatchObject([
      { currency: 'EUR', count: 1, amount: '10', open: '10' },
      { currency: 'USD', count: 5, amount: '212', allocated: '30', open: '182' },
    ]);
    expect((await sumsOf({ currency: 'EUR' })).sums.map(({ currency }) => currency)).toEqual(['EUR']);
    expect(await sumsOf({ currency: 'USD', direction: 'in' })).toMatchObject({
      total: 2,
      sums: [{ amount: '200', overdue: '170', untracked: '0', untrackedCount: 0 }],
    });
  });
});

describe('what was due before an account for it was open', () => {
  const openOn = (openingDate: string, fund: string | null = null, currency = 'USD') =>
    database.query('update bank_accounts set opening_date = $2, fund_id = $3, currency = $4 where id = $1', [
      account,
      openingDate,
      fund,
      currency,
    ]);

  test.each<[string, string, string]>([
    ['on the due date', '2026-04-15', 'overdue'],
    ['on the day after', '2026-04-16', 'untracked'],
  ])('is not tracked: opened %s', async (_, day, state) => {
    await openOn(day);
    expect(await owed()).toMatchObject({ state, daysLate: state === 'overdue' ? 16 : 0 });
    // Before its day it is upcoming, whether or not it is tracked.
    expect(await owed(calls[0]!.id, manager(), new Date('2026-04-14T12:00:00Z'))).toMatchObject({ state: 'upcoming' });
    const investor = testActor({ type: 'LP', managerId: tenant.managerId, lpIds: [calls[0]!.lp] });
    expect(await owed(calls[0]!.id, investor)).toMatchObject({ state });
    const { activities, ages } = await as((session) => owedBy(session, { kind: 'contribution' }));
    const isTracked = state === 'overdue';
    expect(ages).toEqual([{ age: isTracked ? 'to30' : 'untracked', currency: 'USD', open: '200', count: 2 }]);
    expect(activities).toMatchObject([
      isTracked
        ? { overdue: '200', untracked: '0', untrackedCount: 0 }
        : { overdue: '0', untracked: '200', untrackedCount: 2 },
    ]);
  });

  test('is tracked by an account of its own fund and currency, and by no other', async () => {
    await openOn('2026-01-01', tenant.fundId);
    expect(await owed()).toMatchObject({ state: 'overdue' });
    await openOn('2026-01-01', await anotherFund());
    expect(await owed()).toMatchObject({ state: 'untracked' });
    await openOn('2026-01-01', null, 'EUR');
    expect(await owed()).toMatchObject({ state: 'untracked' });
  });

  test('is paid once it is paid', async () => {
    await openOn('2026-04-16');
    await pay(100, { allocations: [part(100)] });
    expect(await owed()).toMatchObject({ state: 'paid' });
  });
});

describe('a payment', () => {
  test('is allocated up to what is open, and what is left is a credit of its party', async () => {
    const payment = await pay(130, { allocations: [part(100)] });
    expect(payment).toMatchObject({ allocated: '100', credit: '30', party: { kind: 'LP', id: calls[0]!.lp } });
    expect(await as((session) => listCredits(session))).toEqual([
      { party: expect.objectContaining({ id: calls[0]!.lp }), direction: 'in', currency: 'USD', amount: '30' },
    ]);
    await expect(allocate(await pay(1), '0.01')).rejects.toMatchObject({
      flags: { 'allocations.0.amount': expect.stringContaining('at most the 0.00 USD that is open') },
    });
  });

  test('pays no more than itself, also in several parts, and also where a program forgets to check', async () => {
    const payment = await pay(50);
    await expect(allocate(payment, '50.01')).rejects.toMatchObject({
      flags: { 'allocations.0.amount': 'must be at most the 50.00 USD that is left of the payment' },
    });
    const once = await allocate(payment, '50');
    await expect(allocate(once, '0.01')).rejects.toThrow('left of the payment');
    const insert = (amount: string, document: string) =>
      as(({ query }) =>
        query(
          `insert into allocations (id, payment_id, obligation_kind, document_id, amount)
           values (substr(md5($3), 1, 24), $1, 'contribution', $2, $3::numeric)`,
          [payment.id, document, amount],
        ),
      );
    await expect(insert('0.01', calls[0]!.id)).rejects.toThrow('left of the payment');
    await pay(50, { allocations: [part(50)] });
    await expect(insert('0.02', calls[0]!.id)).rejects.toThrow('More would be paid than is open');
  });

  test('in one currency pays nothing in another, what came in pays nothing that we owe, and nobody pays for strangers', async () => {
    await expect(pay(1, { allocations: [part(1, distributions[0]!.id, 'distribution')] })).rejects.toMatchObject({
      flags: { 'allocations.0.document': 'is owed by us, and this payment came in' },
    });
    await expect(
      pay(1, { direction: 'out', allocations: [part(1, distributions[0]!.id, 'distribution')] }),
    ).resolves.toMatchObject({ credit: '0' });
    // Of one group, an investor pays for another; of two it does not.
    const party = { kind: 'LP', id: calls[1]!.lp };
    await expect(pay(1, { party, allocations: [part(1)] })).resolves.toMatchObject({ allocated: '1' });
    await database.query('update lps set group_id = null where id = $1', [calls[1]!.lp]);
    await expect(pay(2, { party, allocations: [part(2)] })).rejects.toThrow('somebody else');
    const euros = await createAccount({ currency: 'EUR' });
    await expect(pay(3, { bankAccount: euros, allocations: [part(3)] })).rejects.toMatchObject({
      flags: { 'allocations.0.document': 'is not due in EUR' },
    });
  });

  test('from the account of a fund pays for that fund, and one from an account of the manager for every fund', async () => {
    const [own, other] = [
      await createAccount({ fund: tenant.fundId }),
      await createAccount({ fund: await anotherFund(), accountNumber: 'US64 0210 0002 1000 4473' }),
    ];
    await expect(pay(1, { bankAccount: other, allocations: [part(1)] })).rejects.toMatchObject({
      flags: { 'allocations.0.document': 'belongs to another fund than the account of the payment' },
    });
    await expect(pay(1, { bankAccount: own, allocations: [part(1)] })).resolves.toMatchObject({ allocated: '1' });
    await expect(pay(2, { allocations: [part(2)] })).resolves.toMatchObject({ allocated: '2' });
    const stray = await pay(4, { bankAccount: other });
    await expect(
      as(({ query }) =>
        query(
          `insert into allocations (id, payment_id, obligation_kind, document_id, amount) values (substr(md5($1), 1, 24), $1, 'contribution', $2, 1)`,
          [stray.id, calls[0]!.id],
        ),
      ),
    ).rejects.toThrow('belongs to another fund');
    const offered = async (accountFund: string | null) =>
      (await as((session) => listObligations(session, { kind: 'contribution', accountFund }))).total;
    expect([await offered(tenant.fundId), await offered(null), await offered(stray.fundId!)]).toEqual([2, 2, 0]);
  });

  test('for a draw comes from a fund that holds its note, or from any if not all of the note is held', async () => {
    await database.query(`update draws set status = 'Approved' where manager_id = $1`, [tenant.managerId]);
    const fund = await anotherFund();
    const other = await createAccount({ fund });
    const { obligations } = await as((session) => listObligations(session, { kind: 'draw' }));
    const { documentId, facility } = obligations[0]!;
    const hold = (holdings: object[]) =>
      database.query(
        `update transactions set notes = (select jsonb_agg(note || jsonb_build_object('holdings', $2::jsonb)) from jsonb_array_elements(notes) as note) where id = $1`,
        [facility!.id, JSON.stringify(holdings)],
      );
    const share = (holder: object, percentage: number) => ({
      ...holder,
      targetPercentage: percentage,
      actualPercentage: percentage,
    });
    const payDraw = (amount: number) =>
      pay(amount, { bankAccount: other, direction: 'out', allocations: [part(amount, documentId, 'draw')] });
    await hold([share({ fund: tenant.fundId }, 80), share({ holding: 'Building society' }, 20)]);
    await expect(payDraw(1)).rejects.toMatchObject({
      flags: { 'allocations.0.document': expect.stringContaining('another fund') },
    });
    await hold([share({ fund: tenant.fundId }, 80), share({ fund }, 20)]);
    await expect(payDraw(1)).resolves.toMatchObject({ allocated: '1' });
    await hold([share({ fund: tenant.fundId }, 80), share({ holding: 'Building society' }, 19.9)]);
    await expect(payDraw(2)).resolves.toMatchObject({ allocated: '2' });
    await hold([share({ holding: 'Building society' }, 100)]);
    await expect(payDraw(3)).resolves.toMatchObject({ allocated: '3' });
    await hold([]);
    await expect(payDraw(4)).resolves.toMatchObject({ allocated: '4' });
  });

  test('that went out leaves a credit of its own, which is not added to what came in, nor to another currency', async () => {
    const euros = await createAccount({ currency: 'EUR' });
    const party = { kind: 'LP', id: calls[0]!.lp };
    await pay(30, { party });
    await pay(20, { party, direction: 'out' });
    await pay(1000, { party, bankAccount: euros });
    const credits = (query: object) =>
      as(async (session) =>
        (await listCredits(session, query)).map(({ direction, currency, amount }) => [currency, direction, amount]),
      );
    expect(await credits({})).toEqual([
      ['EUR', 'in', '1000'],
      ['USD', 'in', '30'],
      ['USD', 'out', '20'],
    ]);
    expect(await credits({ direction: 'out', party: party.id })).toEqual([['USD', 'out', '20']]);
    expect(await credits({ party: calls[1]!.lp })).toEqual([]);
  });

  test('and another at once never pay more than is open, nor one more than itself', async () => {
    const [one, two] = [await pay(100), await pay(100, { note: 'Again' })];
    const both = await Promise.allSettled([allocate(one, '100'), allocate(two, '100')]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await owed()).toMatchObject({ allocated: '100', open: '0' });
    const three = await pay(100, { note: 'For both investors' });
    await database.query('update contributions set purposes = purposes where id = $1', [calls[1]!.id]);
    const halves = await Promise.allSettled([allocate(three, '60', calls[1]!.id), allocate(three, '60', calls[1]!.id)]);
    expect(halves.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await as((session) => getPayment(session, three.id))).toMatchObject({ allocated: '60', credit: '40' });
  });

  test('whose allocation is reversed, once and with a reason, can pay something else', async () => {
    const payment = await pay(100, { allocations: [part(100)] });
    const command = { allocation: payment.allocations[0]!.id, reason: 'It was for the next call' };
    const reversed = await as((session) => reverseAllocation(session, payment.id, command));
    expect(reversed).toMatchObject({
      credit: '100',
      version: payment.version + 1,
      metadata: { changedBy: { timestamp: NOW.toISOString() } },
      allocations: [{ reversalReason: 'It was for the next call' }],
    });
    expect(await owed()).toMatchObject({ allocated: '0', open: '100' });
    await expect(as((session) => reverseAllocation(session, payment.id, command))).rejects.toThrow('reversed already');
    await expect(
      as(({ query }) => query('update allocations set amount = 1 where id = $1', [command.allocation])),
    ).rejects.toThrow('reversed already');
    await expect(
      as(({ query }) => query('delete from allocations where id = $1 returning id', [command.allocation])),
    ).resolves.toEqual([]);
  });

  test('of a call that is withdrawn is a credit', async () => {
    const payment = await pay(100, { allocations: [part(100)] });
    await withdraw(calls[0]!.id);
    expect(await as((session) => getPayment(session, payment.id))).toMatchObject({
      credit: '100',
      version: payment.version + 1,
      metadata: { changedBy: expect.anything() },
      allocations: [{ reversalReason: 'What it paid was withdrawn' }],
    });
    await expect(allocate(await pay(1), '1')).rejects.toMatchObject({
      flags: { 'allocations.0.document': 'is not due in USD' },
    });
  });

  test('keeps what it says once it is allocated, is removed only with nothing allocated, and never if a bank reported it', async () => {
    const payment = await pay(100, { allocations: [part(60)] });
    const body = (amount: string) => ({
      ...paymentCreateSchema.parse({ bankAccount: account, direction: 'in', amount, bookedOn: '2026-04-14' }),
      valuedOn: '2026-04-14',
      party: { kind: 'LP' as const, id: calls[0]!.lp },
      version: payment.version,
    });
    const change = (amount: string) => as((session) => updatePayment(session, { id: payment.id, body: body(amount) }));
    await expect(change('59.99')).rejects.toThrow('Reverse its allocations first');
    const changed = await change('60');
    expect(changed).toMatchObject({ amount: '60', credit: '0' });
    const remove = (one: { id: string; version: number }) =>
      as((session) =>
        removePayments(session, [{ id: one.id, version: one.version, status: 'Removed', removalReason: 'Twice' }]),
      );
    await expect(remove(changed)).rejects.toThrow('Reverse its allocations first');
    const other = await pay(5);
    await expect(remove(other)).resolves.toMatchObject([{ status: 'Removed', credit: '0' }]);
    const reported = await pay(6);
    await database.query(`update payments set statement_line = '1/1' where id = $1`, [reported.id]);
    await expect(remove(reported)).rejects.toThrow('The bank reported this payment');
  });

  test('is refused in the future, with a bank reference that is recorded, and without permission', async () => {
    await expect(pay(1, { bookedOn: '2026-05-03' })).rejects.toMatchObject({
      flags: { bookedOn: 'must not be in the future' },
    });
    await pay(1, { bookedOn: '2026-05-02', bankReference: 'A-1' });
    await expect(pay(2, { bankReference: 'A-1' })).rejects.toMatchObject({
      flags: { bankReference: 'is already recorded' },
    });
    await expect(pay('1.001')).rejects.toMatchObject({ flags: { amount: 'must have at most 2 decimals' } });
    await expect(pay(1, {}, manager({ permissions: ['payments/read'] }))).rejects.toMatchObject({ code: 'forbidden' });
  });
});

test('an account shows its balance, and keeps its currency once it has payments', async () => {
  await pay('250.50');
  await pay('0.50', { direction: 'out' });
  // On the opening date it counts; what is booked before is in the opening balance.
  await pay('0.25', { bookedOn: '2026-01-01' });
  await pay('7.00', { bookedOn: '2025-12-31' });
  const found = await as((session) => getBankAccount(session, account));
  expect(found.balance).toBe('1250.25');
  const change = (currency: string) =>
    as((session) =>
      updateBankAccount(session, {
        id: account,
        body: {
          title: 'Pay-in',
          bankName: 'First Tidewater',
          accountNumber: found.accountNumber,
          openingDate: '2026-01-01',
          openingBalance: USD,
          tolerance: USD,
          currency,
          version: found.version,
        },
      }),
    );
  await expect(change('EUR')).rejects.toMatchObject({ flags: { openingBalance: expect.anything() } });
  await expect(change('USD')).resolves.toMatchObject({ title: 'Pay-in', balance: '250.25' });
});

test('what is open is closed with a difference up to that amount, and opened again', async () => {
  await pay('99.75', { allocations: [part('99.75')] });
  const close = (sum: string, currency: string | null = null) =>
    as((session) =>
      closeWithDifference(session, calls[0]!.id, {
        currency: 'USD',
        amount: { sum, currency },
        reason: 'bankCharges',
      }),
    );
  await expect(close('0.25', 'EUR')).rejects.toMatchObject({ flags: { amount: expect.stringContaining('USD') } });
  await expect(close('0.26')).rejects.toMatchObject({ flags: { amount: expect.stringContaining('0.25 USD') } });
  const closed = await close('0.25', 'USD');
  expect(closed).toMatchObject({
    open: '0.00',
    state: 'paid',
    differences: [{ reason: 'bankCharges', amount: '0.25' }],
  });
  await expect(allocate(await pay(1), '0.01')).rejects.toThrow();
  const difference = closed.differences[0]!.id;
  await expect(
    as((session) => reverseDifference(session, calls[0]!.id, { difference, reason: 'The rest came' })),
  ).resolves.toMatchObject({ open: '0.25', state: 'overdue' });
});

test('an investor and a borrower see what is theirs, and no payment, account or remittance', async () => {
  await pay(100, { remittance: 'Private words', allocations: [part(100)] });
  await pay(100, { note: 'The other one', allocations: [part(100, calls[1]!.id)] });
  const investor = testActor({ type: 'LP', managerId: tenant.managerId, lpIds: [calls[0]!.lp] });
  const seen = await as((session) => listObligations(session, {}), investor);
  expect(seen.obligations.map(({ documentId }) => documentId).sort()).toEqual(
    [calls[0]!.id, distributions[0]!.id].sort(),
  );
  expect(await owed(calls[0]!.id, investor)).toMatchObject({ allocated: '100', paidOn: '2026-04-14' });
  const rows = await as(
    ({ query }) =>
      query<{ allocations: number; payments: number; accounts: number }>(
        `select (select count(*) from allocations)::int as allocations, (select count(*) from payments)::int as payments,
           (select count(*) from bank_accounts)::int as accounts`,
      ),
    investor,
  );
  expect(rows).toEqual([{ allocations: 1, payments: 0, accounts: 0 }]);
  await database.query(`update draws set status = 'Approved' where manager_id = $1`, [tenant.managerId]);
  const borrower = testActor({ type: 'company', managerId: tenant.managerId, companyId: tenant.companies[0]!.id });
  expect((await as((session) => listObligations(session, {}), borrower)).obligations).toMatchObject([
    { kind: 'draw', party: { kind: 'company', id: tenant.companies[0]!.id } },
  ]);
  const without = await as((session) => listObligations(session, {}), manager({ permissions: ['distributions/read'] }));
  expect([...new Set(without.obligations.map(({ kind }) => kind))]).toEqual(['distribution']);
});
