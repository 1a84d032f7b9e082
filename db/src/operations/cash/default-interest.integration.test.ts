import { contributionCreateSchema } from '@tapeline/domain/capital/contribution.schema.ts';
import { bankAccountCreateSchema, paymentCreateSchema } from '@tapeline/domain/cash/cash.schema.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { callCapital, changeCall, listContributions, removeCall, stepCall } from '../capital/contributions.ts';
import { createBankAccount } from './bank-accounts.ts';
import { addDefaultInterest, defaultInterestOf, removeDefaultInterest } from './default-interest.ts';
import { closeWithDifference, listObligations } from './obligations.ts';
import { createPayment, reverseAllocation } from './payments.ts';

const DUE = '2026-10-14';

let database: TestDatabase;
let tenant: TestTenant;
let account: string;
/** The parts of the two investors of call 8 of 400.00: one of 200.00 each. */
let parts: string[];

const as = <Result>(
  day: string,
  work: (session: Session) => Promise<Result>,
  fields: Parameters<typeof testActor>[0] = { type: 'manager' },
) =>
  database.store.as(testActor({ ...fields, managerId: tenant.managerId }), work, {
    now: new Date(`${day}T09:00:00Z`),
    isKeyed: true,
  });
const call = async (callNumber: string, dueDate: string, day: string, status: 'Draft' | 'Active' = 'Active') => {
  const lines = await as(day, (session) =>
    callCapital(
      session,
      contributionCreateSchema.parse({
        fund: tenant.fundId,
        callNumber,
        cutOffDate: day,
        dueDate,
        amount: { sum: 400, currency: 'USD' },
        callPurposes: [
          { title: 'A note', kind: 'investments', amount: 300 },
          { title: 'Costs', kind: 'fundExpenses', amount: 100 },
        ],
        status,
      }),
    ),
  );
  return { id: lines[0]!.activityId, lines };
};
const setTerms = (feeTerms: unknown) =>
  database.query('update funds set fee_terms = $2::jsonb where id = $1', [tenant.fundId, JSON.stringify(feeTerms)]);
const termsFrom = (from: string, defaultInterest: object) => ({ Class: null, from, terms: { defaultInterest } });

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  tenant = await database.store.as(SYSTEM, (session) => makeTenant(session));
  await database.query(
    'update lp_commitments set max_commitment = 10000, active_commitment = 10000 where manager_id = $1',
    [tenant.managerId],
  );
  await database.query(`update contributions set status = 'Closed' where manager_id = $1`, [tenant.managerId]);
  account = (
    await as('2026-01-02', (session) =>
      createBankAccount(
        session,
        bankAccountCreateSchema.parse({
          title: 'Pay-in account',
          bankName: 'First Tidewater',
          accountNumber: '4471',
          currency: 'USD',
          openingDate: '2026-09-01',
        }),
      ),
    )
  ).id;
  await setTerms([termsFrom('2026-01-01', { rate: 8, graceDays: 5 })]);
  const { lines } = await call('8', DUE, '2026-09-30');
  parts = tenant.lpIds.map((lp) => lines.find(({ investorLPId }) => investorLPId === lp)!.id);
});

const pay = (amount: number, part: number, day: string) =>
  as(day, (session) =>
    createPayment(
      session,
      paymentCreateSchema.parse({
        bankAccount: account,
        direction: 'in',
        amount,
        bookedOn: day,
        remittance: `${part} ${amount} ${day}`,
        allocations: [{ kind: 'contribution', document: parts[part]!, amount }],
      }),
    ),
  );
const lateOn = async (day: string, part: number) =>
  (await as(day, (session) => defaultInterestOf(session, { documents: [parts[part]!] })))[0] ?? null;
const versionOf = async (id: string) =>
  (await database.query<{ version: number }>('select version from capital_calls where id = $1', [id]))[0]!.version;
const add = async (id: string, day: string) => {
  const version = await versionOf(id);
  await as(day, (session) => addDefaultInterest(session, { id, version }));
};
/** What a call asks of the two investors in default interest. */
const interestOf = (id: string) =>
  as('2026-12-01', async (session) => {
    const { documents } = await listContributions(session, { filter: { 'metadata.bundleId': id }, limit: 10 });
    return tenant.lpIds.map((lp) => {
      const line = documents.find(({ investorLPId }) => investorLPId === lp)!;
      return [line.defaultInterest.map(({ amount }) => amount), line.purposes.map(({ interest }) => interest ?? null)];
    });
  });

describe('default interest', () => {
  test('is on what was open after the days of grace, less payments on their value dates', async () => {
    expect(await lateOn('2026-10-19', 0)).toBeNull();
    await pay(100, 0, '2026-10-12');
    await pay(60, 0, '2026-10-29');
    expect(await lateOn('2026-11-13', 0)).toMatchObject({
      // 100 × 8 % × 10 ÷ 365 = 0.219178, 40 × 8 % × 15 ÷ 365 = 0.131507
      pieces: [
        { from: '2026-10-19', to: '2026-10-29', open: '100', days: 10, amount: '0.219178' },
        { from: '2026-10-29', to: '2026-11-13', open: '40', days: 15, amount: '0.131507' },
      ],
      total: '0.35',
      rest: '0.35',
      terms: { ratePercent: '8', graceDays: 5, dayCount: 'ACT/365F' },
    });
    // What was paid in time has none, also if it was closed with a difference in time.
    await pay(200, 1, '2026-10-14');
    expect(await lateOn('2026-11-13', 1)).toBeNull();
  });

  test('counts what was closed without a payment from that day, and a reversed payment not at all', async () => {
    await as('2026-10-24', (session) =>
      closeWithDifference(session, parts[0]!, {
        currency: 'USD',
        amount: { sum: '150', currency: null },
        reason: 'waived',
      }),
    );
    // It was closed on that day.
    const trigger = (how: string) =>
      database.query(`alter table obligation_differences ${how} trigger obligation_differences_reversal`);
    await trigger('disable');
    await database.query(
      `update obligation_differences set created_at = '2026-10-24T09:00:00Z' where document_id = $1`,
      [parts[0]],
    );
    await trigger('enable');
    const payment = await pay(50, 0, '2026-10-20');
    await as('2026-10-30', (session) =>
      reverseAllocation(session, payment.id, { allocation: payment.allocations[0]!.id, reason: 'Another call' }),
    );
    const late = await lateOn('2026-11-03', 0);
    expect(late?.pieces.map(({ open, days }) => [Number(open), days])).toEqual([
      [200, 5],
      [50, 10],
    ]);
  });

  test('follows the terms of the due date: of the fund, or of the side letter of an investor', async () => {
    await setTerms([
      termsFrom('2026-01-01', { rate: 8, graceDays: 5 }),
      termsFrom('2026-10-14', { rate: 10, graceDays: 0, dayCount: 'ACT/360' }),
      termsFrom('2026-10-15', { rate: 99 }),
    ]);
    const letter = [{ from: '2026-01-01', title: 'Letter', terms: { defaultInterest: { rate: 0 } } }];
    await database.query('update lp_commitments set side_letters = $2::jsonb where investor_lp_id = $1', [
      tenant.lpIds[1],
      JSON.stringify(letter),
    ]);
    // 200 × 10 % × 30 ÷ 360 = 1.67
    expect(await lateOn('2026-11-13', 0)).toMatchObject({ total: '1.67' });
    expect(await lateOn('2026-11-13', 1)).toBeNull();
    for (const wrong of [{ rate: 101 }, { rate: 8, graceDays: 366 }, { rate: 8, dayCount: 'ACT/999' }])
      await expect(setTerms([termsFrom('2026-01-01', wrong)])).rejects.toThrow('funds_fee_terms');
    await setTerms([termsFrom('2026-01-01', { rate: 100, graceDays: 365, dayCount: '30E/360' })]);
  });

  test('is not known of what was due before an account was open, and not shown to investors', async () => {
    expect(await as('2026-11-13', (session) => defaultInterestOf(session, {}))).toHaveLength(2);
    const investor = { type: 'LP', lpIds: [tenant.lpIds[0]!] } as const;
    expect(await as('2026-11-13', (session) => defaultInterestOf(session, {}), investor)).toEqual([]);
    await database.query(`update bank_accounts set opening_date = '2026-10-15' where id = $1`, [account]);
    expect(await as('2026-11-13', (session) => defaultInterestOf(session, {}))).toEqual([]);
  });
});

describe('a draft call', () => {
  test('asks for the default interest of its investors once, on top of its amounts', async () => {
    await pay(200, 1, '2026-10-14');
    const next = await call('9', '2026-12-01', '2026-11-13', 'Draft');
    // 200 × 8 % × 25 ÷ 365 = 1.0959
    await add(next.id, '2026-11-13');
    expect(await interestOf(next.id)).toEqual([
      [['1.1'], ['1.1', null]],
      [[], [null, null]],
    ]);
    expect(await lateOn('2026-11-13', 0)).toMatchObject({
      total: '1.10',
      rest: '0',
      charged: [{ callNumber: '9', isDraft: true, until: '2026-11-13', amount: '1.1' }],
    });
    const other = await call('10', '2026-12-15', '2026-11-13', 'Draft');
    await expect(add(other.id, '2026-11-13')).rejects.toThrow('No default interest is left');
    // A day later, only what accrued since: 1.14 in all.
    await add(other.id, '2026-11-14');
    expect((await interestOf(other.id))[0]?.[0]).toEqual(['0.04']);

    const version = await versionOf(next.id);
    await as('2026-11-14', (session) => stepCall(session, { id: next.id, version, status: 'Active' }));
    const { obligations } = await as('2026-11-14', (session) => listObligations(session, { activity: next.id }));
    expect(obligations.map(({ amount }) => Number(amount)).toSorted()).toEqual([200, 201.1]);
    // Withdrawing the call frees what it asked for.
    const issued = await versionOf(next.id);
    await as('2026-11-15', (session) => removeCall(session, { id: next.id, version: issued, reason: 'Wrong date' }));
    expect(await lateOn('2026-11-14', 0)).toMatchObject({ total: '1.14', rest: '1.1' });
  });

  test('gives it back when it is taken out, and is not changed while it asks for it', async () => {
    const { id, lines } = await call('9', '2026-12-01', '2026-11-13', 'Draft');
    await add(id, '2026-11-13');
    const terms = {
      cutOffDate: '2026-11-13',
      dueDate: '2026-12-01',
      callNumber: '9',
      amount: { sum: '500', currency: 'USD' },
      callPurposes: [{ title: 'A note', kind: 'investments' as const, split: 'commitment' as const, amount: '500' }],
      trailingDescription: undefined,
      pdfOptions: { fundLevel: false },
    };
    const change = async () => {
      const version = await versionOf(id);
      return as('2026-11-13', (session) => changeCall(session, { id, version, investors: 'same', terms }));
    };
    await expect(change()).rejects.toThrow('This call asks for default interest');
    // Nor by anything that writes past the operations.
    await expect(
      database.query(`update contributions set purposes = '[]' where id = $1`, [
        lines.find(({ investorLPId }) => investorLPId === tenant.lpIds[0])!.id,
      ]),
    ).rejects.toThrow('the interest of the call is its default interest');
    const version = await versionOf(id);
    await as('2026-11-13', (session) => removeDefaultInterest(session, { id, version }));
    expect(await interestOf(id)).toEqual([
      [[], [null, null]],
      [[], [null, null]],
    ]);
    expect(await lateOn('2026-11-13', 0)).toMatchObject({ rest: '1.1', charged: [] });
    await change();
  });

  test('is refused the same days twice by the database, and other calls than those of its investor', async () => {
    const { lines } = await call('9', '2026-12-01', '2026-11-13', 'Draft');
    const others = await call('10', '2026-12-15', '2026-11-13', 'Draft');
    const lineOf = (all: typeof lines) => all.find(({ investorLPId }) => investorLPId === tenant.lpIds[0])!.id;
    const charge = (id: string, document: string, until: string, amount = '1') =>
      database.query(
        `update contributions set default_interest = $2::jsonb,
           purposes = jsonb_build_array((purposes -> 0) || jsonb_build_object('interest', $3::text), purposes -> 1) where id = $1`,
        [id, JSON.stringify([{ document, callNumber: '8', until, amount }]), amount],
      );
    await expect(charge(lineOf(lines), parts[1]!, '2026-11-13')).rejects.toThrow('of the same commitment');
    await expect(charge(lineOf(lines), parts[0]!, DUE)).rejects.toThrow('of the same commitment');
    await charge(lineOf(lines), parts[0]!, '2026-11-13');
    await expect(charge(lineOf(others.lines), parts[0]!, '2026-11-13')).rejects.toThrow('charged already');
    await charge(lineOf(others.lines), parts[0]!, '2026-11-14');
  });

  test('takes it once of two people at the same time', async () => {
    const drafts = [
      await call('9', '2026-12-01', '2026-11-13', 'Draft'),
      await call('10', '2026-12-15', '2026-11-13', 'Draft'),
    ];
    const results = await Promise.allSettled(drafts.map(({ id }) => add(id, '2026-11-13')));
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await lateOn('2026-11-13', 0)).toMatchObject({ charged: [{ amount: '1.1' }], rest: '0' });
  });

  test('is refused for what was issued, and for who may not write calls', async () => {
    const { id } = await call('9', '2026-12-01', '2026-11-13');
    await expect(add(id, '2026-11-13')).rejects.toThrow('Default interest is added to a draft');
    const draft = await call('10', '2026-12-15', '2026-11-13', 'Draft');
    const version = await versionOf(draft.id);
    await expect(
      as('2026-11-13', (session) => addDefaultInterest(session, { id: draft.id, version }), {
        type: 'manager',
        permissions: ['contributions/read', 'payments/write'],
      }),
    ).rejects.toMatchObject({ code: 'forbidden' });
    await expect(
      as('2026-11-13', (session) => addDefaultInterest(session, { id: draft.id, version: version + 1 })),
    ).rejects.toMatchObject({ code: 'badRequest' });
  });
});
