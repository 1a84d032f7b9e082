import { bankAccountCreateSchema, paymentCreateSchema } from '@tapeline/domain/cash/cash.schema.ts';
import { MAX_MATCHES, type Match, matchSchema, ownItemsSchema } from '@tapeline/domain/cash/match.schema.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { countStatements } from '../../testing/count-statements.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { createBankAccount } from './bank-accounts.ts';
import {
  confirmMatches,
  leaveAsCredit,
  listPaymentsToMatch,
  matchPayments,
  recordPayment,
  suggestionsOfPayment,
} from './match-payments.ts';
import { listObligations } from './obligations.ts';
import { setOwnItems } from './own-items.ts';
import {
  allocatePayment,
  createPayment,
  getPayment,
  listCredits,
  reverseAllocation,
  updatePayment,
} from './payments.ts';
import { overdueToRemind } from './reminders.ts';

const NOW = new Date('2026-05-01T12:00:00Z');
const ACCOUNT = 'DE44 5001 0517 5407 3249 31';

let database: TestDatabase;
let tenant: TestTenant;
let account: string;
/** Calls of the two investors: 100.00 and 250.00, due on 15 April, with their references. */
let owed: { id: string; lp: string; reference: string }[];

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
  const calls = await database.query<{ id: string }>(
    'select id from contributions where manager_id = $1 order by code',
    [tenant.managerId],
  );
  for (const [index, { id }] of calls.entries()) {
    await database.query(
      `update contributions set purposes = jsonb_build_array(jsonb_build_object('title', 'Investments', 'kind', 'investments', 'amount', $2::text)) where id = $1`,
      [id, ['100', '250'][index]],
    );
  }
  const { obligations } = await as((session) => listObligations(session, { kind: 'contribution' }));
  owed = calls.map(({ id }) => {
    const found = obligations.find(({ documentId }) => documentId === id)!;
    return { id, lp: found.party!.id, reference: found.reference };
  });
  account = await as(async (session) => {
    const body = bankAccountCreateSchema.parse({
      title: 'Pay-in account',
      bankName: 'First Tidewater',
      accountNumber: 'US64 0210 0002 1000 4471',
      currency: 'USD',
      openingDate: '2026-01-01',
    });
    return (await createBankAccount(session, body)).id;
  });
});
afterAll(() => database.close());

const bodyOf = (amount: number, more: object = {}) =>
  paymentCreateSchema.parse({
    bankAccount: account,
    direction: 'in',
    amount,
    bookedOn: '2026-04-14',
    counterpartyName: 'INVESTOR ONE',
    counterpartyAccount: ACCOUNT,
    ...more,
  });
const pay = (amount: number, more: object = {}) => as((session) => createPayment(session, bodyOf(amount, more)));
const queue = () => as((session) => listPaymentsToMatch(session, { limit: 50 }));
const match = (more: object): Match => matchSchema.parse(more);
const pays = (amount: number, document = owed[0]!.id) => [{ kind: 'contribution', document, amount }];
const open = async (document = owed[0]!.id) =>
  Number((await as((session) => listObligations(session, { documents: [document] }))).obligations[0]!.open);

/** A first payment of an investor, which a person confirms: its account is known from then on. */
async function known(document = owed[0]!.id): Promise<string> {
  const first = await pay(1, { counterpartyName: 'Nobody' });
  const [confirmed] = await as((session) =>
    confirmMatches(session, [match({ id: first.id, version: first.version, allocations: pays(1, document) })]),
  );
  return confirmed!.id;
}

describe('what is suggested', () => {
  test('says what is paid, why and with which confidence', async () => {
    const { id } = await pay(100, { remittance: owed[0]!.reference.toLowerCase() });
    const { rows, total } = await queue();
    expect(total).toBe(1);
    expect(rows[0]).toMatchObject({
      payment: { id, left: '100', accountTitle: 'Pay-in account', tolerance: '50' },
      suggestions: [
        {
          reason: 'reference',
          isAutomatic: false,
          evidence: { amount: 'open', reference: 'stated', account: 'none', name: 'agrees' },
          allocations: [{ amount: '100.00', obligation: { documentId: owed[0]!.id } }],
        },
      ],
    });
    expect(await as((session) => suggestionsOfPayment(session, id))).toEqual(rows[0]!.suggestions);
  });

  test('the sum of what a group owes', async () => {
    await pay(350, { counterpartyName: 'A GROUP' });
    const [{ suggestions } = { suggestions: [] }] = (await queue()).rows;
    expect([suggestions[0]?.reason, suggestions[0]?.allocations.length]).toEqual(['sum', 2]);
  });

  test('a distribution and a draw by their references, which the bank also states as the end-to-end id', async () => {
    await database.query(`update draws set status = 'Approved' where manager_id = $1`, [tenant.managerId]);
    const { obligations } = await as((session) => listObligations(session, { direction: 'out' }));
    for (const [kind, sign] of [
      ['distribution', 'D'],
      ['draw', 'W'],
    ] as const) {
      const paid = obligations.find((one) => one.kind === kind)!;
      expect(paid.reference).toMatch(new RegExp(`^[A-Z]{1,3}\\d+-${sign}\\w+-\\d{3,}[A-Z]?-\\d$`));
      const stranger = { direction: 'out', counterpartyName: null, counterpartyAccount: null };
      const { id } = await pay(Number(paid.open), { ...stranger, remittance: `Payment ${paid.reference}` });
      const silent = await pay(Number(paid.open), { ...stranger, note: `${kind} without words` });
      const suggested = async (payment: string) =>
        (await as((session) => suggestionsOfPayment(session, payment)))[0] ?? null;
      const expected = { reason: 'reference', allocations: [{ obligation: { documentId: paid.documentId } }] };
      expect(await suggested(id)).toMatchObject(expected);
      expect(await suggested(silent.id)).toBeNull();
      await database.query(
        `with statement as (insert into bank_statements (id, manager_id, bank_account_id, format, number, currency, to_date, line_count,
             fingerprint, file_id, file_name, code)
           select substr(md5(p.id), 1, 24), p.manager_id, p.bank_account_id, 'MT940', p.id, p.currency, p.booked_on, 1,
             repeat('a', 64), (select id from files limit 1), 'statement', p.code from payments p where p.id = $1
           returning id, manager_id, bank_account_id)
         insert into bank_statement_lines (statement_id, manager_id, bank_account_id, sequence, reference, booked_on, valued_on, amount,
           remittance, end_to_end_id, payment_id)
         select s.id, s.manager_id, s.bank_account_id, 0, '1', '2026-04-14', '2026-04-14', -$3::numeric, '', $2, $1 from statement s`,
        [silent.id, paid.reference.replaceAll('-', ''), paid.open],
      );
      expect(await suggested(silent.id)).toMatchObject(expected);
    }
  });

  test('nothing of a fund to whose obligations the account cannot be allocated', async () => {
    await pay(100, { remittance: owed[0]!.reference });
    const move = (fund: string | null) =>
      database.query('update bank_accounts set fund_id = $2 where id = $1', [account, fund]);
    const [other] = await database.query<{ id: string }>(
      `insert into funds select (jsonb_populate_record(f, jsonb_build_object('id', substr(md5(f.id), 1, 24), 'code', f.code + 1,
         'title', 'Other', 'entity_id', null))).* from funds f where f.id = $1 returning id`,
      [tenant.fundId],
    );
    const suggested = async () => (await queue()).rows[0]!.suggestions.length;
    await move(other!.id);
    expect(await suggested()).toBe(0);
    await move(tenant.fundId);
    expect(await suggested()).toBe(1);
  });

  test('for as many payments as are compared at once, and says how many there are', async () => {
    await known();
    const first = await pay(99, { remittance: owed[0]!.reference });
    await pay(70, { bookedOn: '2026-04-15' });
    const page = (most: number) => as((session) => listPaymentsToMatch(session, { limit: 50, most }));
    expect(await page(1)).toMatchObject({ total: 2, compared: 1, rows: [{ payment: { id: first.id } }] });
    expect(await page(2)).toMatchObject({ total: 2, compared: 2 });
    // What is not compared may state the same reference.
    expect(await as((session) => matchPayments(session, { most: 1 }))).toEqual([]);
    // The program matches those of the manager that it is told, as a person who sees everything does.
    const byProgram = (manager: string) =>
      database.store.as(SYSTEM, (session) => matchPayments(session, { most: 2, manager }), { now: NOW });
    const other = await database.store.as(SYSTEM, (session) => makeTenant(session));
    expect(await byProgram(other.managerId)).toEqual([]);
    expect(await byProgram(tenant.managerId)).toEqual([first.id]);
  });

  test('nothing of another manager, nor to whoever may not read payments', async () => {
    const { id } = await pay(100, { remittance: owed[0]!.reference });
    const other = await database.store.as(SYSTEM, (session) => makeTenant(session));
    const stranger = manager({ managerId: other.managerId });
    expect((await as((session) => listPaymentsToMatch(session, { limit: 50 }), stranger)).total).toBe(0);
    await expect(as((session) => suggestionsOfPayment(session, id), stranger)).rejects.toMatchObject({
      code: 'notFound',
    });
    await expect(
      as((session) => listPaymentsToMatch(session, { limit: 50 }), manager({ permissions: ['contributions/read'] })),
    ).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('a match without a person', () => {
  test('follows once reference, amount and account agree, and pays', async () => {
    await known();
    const { id } = await pay(99, { remittance: `call ${owed[0]!.reference}` });
    expect(await as(matchPayments)).toEqual([id]);
    expect(await as((session) => getPayment(session, id))).toMatchObject({
      credit: '0',
      party: { kind: 'LP', id: owed[0]!.lp },
      allocations: [{ documentId: owed[0]!.id, amount: '99.00' }],
    });
    expect([await open(), (await queue()).total]).toEqual([0, 0]);
    expect(await as(matchPayments)).toEqual([]);
  });

  test('closes the charges that the bank reports', async () => {
    await known();
    await pay(74, { remittance: owed[0]!.reference, charges: 25 });
    expect(await as(matchPayments)).toHaveLength(1);
    const { obligations } = await as((session) => listObligations(session, { documents: [owed[0]!.id] }));
    expect(obligations[0]).toMatchObject({ open: '0.00', differences: [{ amount: '25.00', reason: 'bankCharges' }] });
  });

  test.each<[string, number, object]>([
    ['another amount', 98.99, {}],
    ['charges of another amount', 74, { charges: 24.99 }],
    ['another account', 99, { counterpartyAccount: 'DE02 1203 0000 0000 2020 51' }],
    ['no reference', 99, { remittance: '' }],
  ])('does not follow with %s', async (_, amount, more) => {
    await known();
    await pay(amount, { remittance: owed[0]!.reference, ...more });
    expect(await as(matchPayments)).toEqual([]);
    expect((await queue()).total).toBe(1);
  });

  test('does not follow if two payments state the reference, or once the account is forgotten', async () => {
    const first = await known();
    const { id } = await pay(99, { remittance: owed[0]!.reference });
    const again = await pay(5, { remittance: owed[0]!.reference });
    expect(await as(matchPayments)).toEqual([]);
    await as((session) => leaveAsCredit(session, { ...again, party: { kind: 'LP', id: owed[0]!.lp } }));
    const { allocations } = await as((session) => getPayment(session, first));
    await as((session) => reverseAllocation(session, first, { allocation: allocations[0]!.id, reason: 'Wrong' }));
    await pay(100, { remittance: owed[0]!.reference, counterpartyName: null });
    expect(await as(matchPayments)).toEqual([]);
    expect((await queue()).rows.map(({ payment }) => payment.id)).toContain(id);
  });

  test('is left to somebody who sees everything that is open', async () => {
    await known();
    await pay(99, { remittance: owed[0]!.reference });
    const without = (key: string) => manager({ permissions: manager().permissions.filter((one) => one !== key) });
    expect(await as(matchPayments, without('transactionDraw/read'))).toEqual([]);
    expect(await as(matchPayments, manager({ blockedDocuments: [`contributions/${owed[1]!.id}`] }))).toEqual([]);
    await expect(as(matchPayments, without('payments/write'))).rejects.toMatchObject({ code: 'forbidden' });
    expect(await as(matchPayments)).toHaveLength(1);
  });

  /** What is left of both calls, with what was closed and how; and of which investors can be reminded. */
  const standing = () =>
    as(async (session) => {
      const { obligations } = await listObligations(session, { documents: owed.map(({ id }) => id) });
      const reminded = new Set((await overdueToRemind(session, {})).map(({ documentId }) => documentId));
      return owed.map(({ id }) => {
        const { open: left, state, differences } = obligations.find(({ documentId }) => documentId === id)!;
        const closed = differences.map(({ amount, reason }) => `${amount} ${reason}`).join();
        return [Number(left), state, closed, reminded.has(id)];
      });
    });
  const both = () => owed.map(({ reference }) => reference).join(' and ');

  test('pays several investors whose references it states, once its account is known for each', async () => {
    await known();
    const payment = await pay(349, { remittance: both() });
    expect(await as(matchPayments)).toEqual([]);
    expect(await standing()).toEqual([
      [99, 'overdue', '', true],
      [250, 'overdue', '', true],
    ]);
    const { id, version } = await pay(1, { counterpartyName: 'Nobody' });
    await as((session) => confirmMatches(session, [match({ id, version, allocations: pays(1, owed[1]!.id) })]));
    expect(await as(matchPayments)).toEqual([]);
    const exact = await pay(348, { remittance: 'Both calls' });
    expect(await as(matchPayments)).toEqual([]);
    await as((session) => leaveAsCredit(session, { ...exact, party: { kind: 'LP', id: owed[0]!.lp } }));
    await as((session) => leaveAsCredit(session, { ...payment, party: { kind: 'LP', id: owed[0]!.lp } }));
    const stating = await pay(348, { remittance: both() });
    expect(await as(matchPayments)).toEqual([stating.id]);
    // It is with both, so with neither alone.
    const paid = await as((session) => getPayment(session, stating.id));
    expect([paid.party, paid.credit]).toEqual([null, '0']);
    expect(paid.allocations.map(({ amount }) => amount).sort()).toEqual(['249.00', '99.00']);
    expect(await standing()).toEqual([
      [0, 'paid', '', false],
      [0, 'paid', '', false],
    ]);
    expect((await queue()).total).toBe(0);
  });

  test('closes the charges of one payment of several calls once', async () => {
    await known();
    await known(owed[1]!.id);
    await pay(323, { remittance: both(), charges: 24.99 });
    expect(await as(matchPayments)).toEqual([]);
    await database.query('update payments set charges = 25 where amount = 323');
    expect(await as(matchPayments)).toHaveLength(1);
    const closed = await standing();
    expect(closed.map(([left, state]) => [left, state])).toEqual([
      [0, 'paid'],
      [0, 'paid'],
    ]);
    expect(closed.map(([, , charges]) => charges).join('')).toBe('25.00 bankCharges');
  });

  test('pays one call in parts that all state its reference, once they are what is open', async () => {
    await known();
    const first = await pay(40, { remittance: owed[0]!.reference });
    expect(await as(matchPayments)).toEqual([]);
    expect((await standing())[0]).toEqual([99, 'overdue', '', true]);
    const second = await as((session) => recordPayment(session, bodyOf(59, { remittance: owed[0]!.reference })));
    // What one part lacks is within the tolerance of the account, and no charges.
    expect((await standing())[0]).toEqual([0, 'paid', '', false]);
    for (const [{ id }, amount] of [
      [first, '40.00'],
      [second, '59.00'],
    ] as const) {
      expect(await as((session) => getPayment(session, id))).toMatchObject({
        credit: '0',
        party: { kind: 'LP', id: owed[0]!.lp },
        allocations: [{ documentId: owed[0]!.id, amount }],
      });
    }
    expect((await queue()).total).toBe(0);
  });

  test.each<[string, readonly number[], object]>([
    ['are a cent less', [40, 58.99], {}],
    ['are a cent more', [40, 59.01], {}],
    ['are equal, so that one may be the other made twice', [49.5, 49.5], {}],
    ['are four', [10, 20, 30, 39], {}],
    ['come from an unknown account', [40, 59], { counterpartyAccount: 'DE02 1203 0000 0000 2020 51' }],
  ])('does not follow if parts %s', async (_, amounts, more) => {
    await known();
    const [last, ...others] = amounts.toReversed();
    for (const amount of others) await pay(amount, { remittance: owed[0]!.reference });
    await pay(last!, { remittance: owed[0]!.reference, ...more });
    expect(await as(matchPayments)).toEqual([]);
    expect([await open(), (await queue()).total]).toEqual([99, amounts.length]);
  });

  test('happens as soon as a payment is recorded', async () => {
    await known();
    const recorded = await as((session) => recordPayment(session, bodyOf(99, { remittance: owed[0]!.reference })));
    expect([recorded.credit, recorded.allocations.length]).toEqual(['0', 1]);
  });
});

test('what somebody pays or closes while payments are compared is left to a person, and fails nothing', async () => {
  await known();
  await known(owed[1]!.id);
  const overtaken = await pay(99, { remittance: owed[0]!.reference });
  const other = await pay(249, { remittance: owed[1]!.reference });
  const byHand = await pay(5, { party: { kind: 'LP', id: owed[0]!.lp } });
  const { allocations } = match({ id: byHand.id, version: 1, allocations: pays(5) });
  const waits = `select count(*)::int as count from pg_locks where not granted and locktype = 'advisory'
    and database = (select oid from pg_database where datname = current_database())`;
  const matched = await as(async (session) => {
    await allocatePayment(session, byHand.id, { version: byHand.version, allocations });
    const matching = as((second) => matchPayments(second));
    await expect.poll(() => database.query(waits), { timeout: 20_000 }).toEqual([{ count: 1 }]);
    return { matching };
  });
  expect(await matched.matching).toEqual([other.id]);
  expect([await open(), await open(owed[1]!.id)]).toEqual([94, 0]);
  expect((await as((session) => getPayment(session, overtaken.id))).allocations).toEqual([]);
});

describe('what a person confirms', () => {
  test('is several payments at once, all of them or none', async () => {
    const [one, two] = [await pay(100), await pay(250)];
    const first = { id: one.id, version: one.version, allocations: pays(100) };
    const second = (amount: number) => ({ id: two.id, version: two.version, allocations: pays(amount, owed[1]!.id) });
    await expect(as((session) => confirmMatches(session, [match(first), match(second(250.01))]))).rejects.toMatchObject(
      { code: 'badRequest' },
    );
    expect([await open(), (await queue()).total]).toEqual([100, 2]);
    await as((session) => confirmMatches(session, [match(first), match(second(250))]));
    expect([await open(), await open(owed[1]!.id), (await queue()).total]).toEqual([0, 0, 0]);
  });

  test('never waits for what another person confirms at once in another order', async () => {
    const [one, two] = [await pay(100), await pay(250)];
    const parts = (first: string, second: string) =>
      [
        { ...one, allocations: pays(30, first) },
        { ...two, allocations: pays(30, second) },
      ].map(({ id, version, allocations }) => match({ id, version, allocations }));
    const commands = parts(owed[0]!.id, owed[1]!.id);
    for (let round = 0; round < 5; round += 1) {
      const outcomes = await Promise.allSettled([
        as((session) => confirmMatches(session, commands)),
        as((session) => confirmMatches(session, parts(owed[1]!.id, owed[0]!.id).toReversed())),
      ]);
      const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      expect(outcomes.map(({ status }) => status).sort()).toEqual(
        round === 0 ? ['fulfilled', 'rejected'] : ['rejected', 'rejected'],
      );
      for (const reason of refused) expect(reason).toMatchObject({ code: 'badRequest', flags: expect.any(Object) });
    }
    expect([await open(), await open(owed[1]!.id)]).toEqual([70, 220]);
  });

  test('names the payment that is wrong, if there are several', async () => {
    const [one, two] = [await pay(100), await pay(250)];
    const commands = [
      match({ id: one.id, version: one.version, allocations: pays(100) }),
      match({ id: two.id, version: two.version, allocations: pays(1) }),
    ];
    await expect(as((session) => confirmMatches(session, commands))).rejects.toMatchObject({
      flags: { '1.allocations.0.amount': expect.stringContaining('0.00 USD') },
    });
  });

  test('closes the charges of several payments with few more statements than of one', async () => {
    const confirm = async (amounts: readonly (readonly [number, string])[]) => {
      const commands: Match[] = [];
      for (const [amount, document] of amounts) {
        const { id, version } = await pay(amount);
        commands.push(match({ id, version, allocations: pays(amount, document), closesCharges: true }));
      }
      return countStatements(() => as((session) => confirmMatches(session, commands)));
    };
    const one = await confirm([[60, owed[0]!.id]]);
    expect(await open()).toBe(0);
    await database.query(
      `update obligation_differences set reversed = '{}', reversed_at = now(), reversal_reason = 'Again' where document_id = $1`,
      [owed[0]!.id],
    );
    const two = await confirm([
      [39, owed[0]!.id],
      [240, owed[1]!.id],
    ]);
    expect([await open(), await open(owed[1]!.id)]).toEqual([0, 0]);
    // Before each of its two updates of several payments, the ORM reads their versions.
    expect(two).toBe(one + 2);
  });

  test('closes what is short up to the tolerance of the account, and no more', async () => {
    const confirm = async (amount: number) => {
      const { id, version } = await pay(amount);
      const command = match({ id, version, allocations: pays(amount), closesCharges: true });
      return as((session) => confirmMatches(session, [command]));
    };
    await expect(confirm(49.99)).rejects.toMatchObject({ code: 'badRequest' });
    expect(await open()).toBe(100);
    await confirm(50);
    expect(await open()).toBe(0);
  });

  test('needs the permission, the version and a number that is not too large', async () => {
    const { id, version } = await pay(100);
    const command = match({ id, version, allocations: pays(100) });
    const readOnly = manager({ permissions: ['payments/read', 'contributions/read'] });
    await expect(as((session) => confirmMatches(session, [command]), readOnly)).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(
      as((session) => confirmMatches(session, [{ ...command, version: version + 1 }])),
    ).rejects.toMatchObject({ code: 'badRequest' });
    await expect(
      as((session) =>
        confirmMatches(
          session,
          Array.from({ length: MAX_MATCHES + 1 }, () => command),
        ),
      ),
    ).rejects.toThrow(`At most ${MAX_MATCHES}`);
    expect(await open()).toBe(100);
  });

  test('a payment left as a credit waits no longer', async () => {
    const payment = await pay(70);
    const left = await as((session) => leaveAsCredit(session, { ...payment, party: { kind: 'LP', id: owed[0]!.lp } }));
    expect([left.party?.id, left.credit, (await queue()).total]).toEqual([owed[0]!.lp, '70', 0]);
  });
});

describe('what is not ours', () => {
  const mark = (items: object[], actor = manager()) =>
    as((session) => setOwnItems(session, ownItemsSchema.parse(items)), actor);

  test('leaves the queue for several payments at once, is no credit, and comes back', async () => {
    const payments = [await pay(45), await pay(46, { direction: 'out' })];
    expect((await queue()).total).toBe(2);
    const marked = await mark(payments.map(({ id, version }) => ({ id, version, ownItem: 'fee' })));
    expect(marked.map(({ ownItem, credit }) => [ownItem, credit])).toEqual([
      ['fee', '0'],
      ['fee', '0'],
    ]);
    expect((await queue()).total).toBe(0);
    expect(await as((session) => listCredits(session))).toEqual([]);
    expect(await as((session) => matchPayments(session))).toEqual([]);
    const [recorded] = await database.query<{ count: number }>(
      `select count(*)::int as count from history where document_id = $1 and updated_fields::text like '%"ownItem"%'`,
      [payments[0]!.id],
    );
    expect(recorded).toEqual({ count: 1 });
    const [back] = await mark([{ id: payments[0]!.id, version: marked[0]!.version, ownItem: null }]);
    expect([back!.ownItem, Number(back!.credit)]).toEqual([null, 45]);
    expect((await queue()).total).toBe(1);
  });

  test('is refused of what has a party, is stale, of another manager, or without the permission', async () => {
    const { id, version } = await pay(45);
    const item = { id, version, ownItem: 'interest' };
    await expect(mark([{ ...item, version: version + 1 }])).rejects.toMatchObject({
      flags: { version: 'is not the latest' },
    });
    await expect(mark([item], manager({ permissions: ['payments/read'] }))).rejects.toMatchObject({
      code: 'forbidden',
    });
    const other = await database.store.as(SYSTEM, (session) => makeTenant(session));
    await expect(mark([item], manager({ managerId: other.managerId }))).rejects.toMatchObject({ code: 'notFound' });
    const credit = await pay(50, { party: { kind: 'LP', id: owed[0]!.lp } });
    const refused = { flags: { ownItem: 'excludes a party and allocations' } };
    await expect(mark([item, { ...item, id: credit.id, version: credit.version }])).rejects.toMatchObject(refused);
    expect((await as((session) => getPayment(session, id))).ownItem ?? null).toBeNull();
    // The database refuses the same, whatever writes it.
    await expect(
      database.query(`update payments set own_item = 'fee' where id = $1`, [credit.id]),
    ).rejects.toMatchObject({
      constraint: 'payments_own_party',
    });
    await expect(database.query(`update payments set own_item = 'gift' where id = $1`, [id])).rejects.toMatchObject({
      constraint: 'payments_own_item',
    });
  });

  test('has no party and pays nothing until it is taken back', async () => {
    const payment = await pay(45);
    const [marked] = await mark([{ id: payment.id, version: payment.version, ownItem: 'transfer' }]);
    const allocating = {
      version: marked!.version,
      allocations: match({ id: payment.id, version: 1, allocations: pays(45) }).allocations,
    };
    const refused = { flags: { ownItem: 'excludes a party and allocations' } };
    await expect(as((session) => allocatePayment(session, payment.id, allocating))).rejects.toMatchObject(refused);
    const body = { ...bodyOf(45), party: { kind: 'LP' as const, id: owed[0]!.lp }, version: marked!.version };
    await expect(
      as((session) => updatePayment(session, { id: payment.id, body: { ...body, valuedOn: body.bookedOn } })),
    ).rejects.toMatchObject(refused);
    expect(await open()).toBe(100);
  });

  test('two people at once allocate a payment or mark it, never both', async () => {
    const { id, version } = await pay(45, { counterpartyName: 'Nobody' });
    const done = await Promise.allSettled([
      mark([{ id, version, ownItem: 'fee' }]),
      as((session) => confirmMatches(session, [match({ id, version, allocations: pays(45) })])),
    ]);
    expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const { ownItem, allocations } = await as((session) => getPayment(session, id));
    expect([ownItem ?? null, allocations.length]).toEqual(done[0]!.status === 'fulfilled' ? ['fee', 0] : [null, 1]);
  });
});
