import { add, compare, type DecimalText, min, subtract, sum } from '@tapeline/domain/money/decimal.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mt940Statement, openCashLedger, type TestLine } from '../../testing/cash-ledger.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { returnCredits } from './credit-returns.ts';
import { confirmMatches, listPaymentsToMatch, matchPayments } from './match-payments.ts';
import { closeWithDifference, listObligations, reverseDifference } from './obligations.ts';
import { payablesOf, readPayingAccount } from './payables.ts';
import {
  getPaymentRun,
  listPaymentRuns,
  preparePaymentRun,
  releasePaymentRun,
  returnPayment,
  withdrawPaymentRun,
} from './payment-runs.ts';
import { getPayment, listPayments, removePayments, reverseAllocation } from './payments.ts';
import type { Reconciliation } from './reconciliation.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const NOW = new Date('2026-06-30T12:00:00Z');
const TODAY = '2026-06-30';
const MONTHS = ['2026-04', '2026-05', '2026-06'];

const CHECKED_EVERY = 4;
/** The latest day of a statement, counted from the first of April: payments are recorded up to two days later. */
const LAST_DAY = 85;

/** A day, counted from the first of April. */
const dayOf = (offset: number) => new Date(Date.UTC(2026, 3, 1 + offset)).toISOString().slice(0, 10);
const inCents = (cents: number): DecimalText => (cents / 100).toFixed(2);
const pickOf = <Item>(items: readonly Item[], pick: number): Item | undefined =>
  items[pick % Math.max(1, items.length)];

const STEPS = [
  'import',
  'import',
  'import',
  'import',
  'again',
  'record',
  'match',
  'match',
  'allocate',
  'reverse',
  'remove',
  'waive',
  'reopen',
  'withdrawCall',
  'prepare',
  'prepare',
  'release',
  'release',
  'withdrawRun',
  'return',
  'giveBack',
  'giveBack',
  'close',
  'close',
] as const;
type StepKind = (typeof STEPS)[number];
const step = fc.record({
  kind: fc.constantFrom(...STEPS),
  cents: fc.array(
    fc.integer({ min: -9000, max: 12_000 }).filter((cents) => cents !== 0),
    { minLength: 1, maxLength: 3 },
  ),
  pick: fc.nat(999),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Does the steps of a history one by one, and checks the books after each. */
async function live(steps: readonly Step[], done: Map<StepKind, number>): Promise<void> {
  const ledger = await openCashLedger(database, { now: NOW });
  const { account, as, calls, tenant } = ledger;
  const rows = <Row>(sql: string) => database.query<Row>(sql, [account]);
  const bank: { balance: DecimalText; statement: number; day: number; toReport: TestLine[] } = {
    balance: '1000',
    statement: 0,
    day: 0,
    // What the bank paid out or got back, and reports with its next statement.
    toReport: [],
  };
  let lastFile = mt940Statement(0, dayOf(0), '1000', []);
  await ledger.send(lastFile);
  const closed = new Map<string, string>();
  const runs = async (status: string) =>
    (await as((session) => listPaymentRuns(session))).documents.filter((run) => run.status === status);

  const act: Record<StepKind, (step: Step) => Promise<boolean>> = {
    async import({ cents, pick }) {
      bank.statement += 1;
      bank.day = Math.min(bank.day + 4 + (pick % 12), LAST_DAY);
      const { obligations } = await as((session) => listObligations(session, { kind: 'contribution', isOpen: true }));
      const stated = pickOf(obligations, pick);
      const lines = [
        ...cents.map((cent, index) => ({ amount: inCents(cent), reference: `R${bank.statement}-${index}` })),
        // An investor pays what it owes.
        ...(stated && pick % 2 === 0
          ? [{ amount: stated.open, reference: `P${bank.statement}`, text: `CALL ${stated.reference}` }]
          : []),
        ...bank.toReport.splice(0),
      ].map((line) => ({ ...line, amount: Number(line.amount).toFixed(2) }));
      lastFile = mt940Statement(bank.statement, dayOf(bank.day), bank.balance, lines);
      await ledger.send(lastFile);
      bank.balance = add(bank.balance, sum(lines.map(({ amount }) => amount)));
      return true;
    },
    async again() {
      expect(await ledger.send(lastFile)).toMatchObject([{ isNew: false, added: 0 }]);
      return true;
    },
    async record({ cents, pick }) {
      const direction = cents[0]! < 0 ? 'out' : 'in';
      const recording = ledger.record(inCents(Math.abs(cents[0]!)), dayOf(bank.day + (pick % 3)), {
        direction,
        note: `${pick}`,
      });
      return recording.then(
        () => true,
        (error) => {
          expect(String(error)).toMatch(/is closed|same|twice|again/i);
          return false;
        },
      );
    },
    async match() {
      await as((session) => matchPayments(session));
      const { rows: waiting } = await as((session) => listPaymentsToMatch(session, { limit: 100 }));
      const first = waiting.find(({ suggestions }) => suggestions.length > 0);
      if (!first) return false;
      const { id, version } = first.payment;
      const allocations = first.suggestions[0]!.allocations.map(
        ({ obligation: { kind, documentId }, amount: sum }) => ({
          kind,
          document: documentId,
          amount: { sum, currency: null },
        }),
      );
      await as((session) => confirmMatches(session, [{ id, version, allocations, closesCharges: false }]));
      return true;
    },
    async allocate({ cents, pick }) {
      const payments = await rows<{ id: string; direction: 'in' | 'out' }>(
        `select id, direction from payments where bank_account_id = $1 and status = 'Active' order by code`,
      );
      const chosen = pickOf(payments, pick);
      if (!chosen) return false;
      const { obligations } = await as((session) => listObligations(session, { isOpen: true }));
      const owed = pickOf(
        obligations.filter(({ direction, kind }) => direction === chosen.direction && kind !== 'draw'),
        cents.length,
      );
      const { credit, party } = await as((session) => getPayment(session, chosen.id));
      if (!owed || (party && party.id !== owed.party?.id)) return false;
      if (compare(credit, '0') <= 0) return false;
      // Some want more than is left of the payment, or than is open.
      const part = pick % 3 === 0 ? inCents(Math.abs(cents[0]!)) : min(credit, owed.open);
      const fits = compare(part, '0') > 0 && compare(part, credit) <= 0 && compare(part, owed.open) <= 0;
      return ledger.allocate(chosen.id, part, owed.documentId, owed.kind).then(
        () => {
          expect(fits).toBe(true);
          return true;
        },
        (error) => {
          expect(error).toMatchObject({ code: 'badRequest' });
          expect(fits).toBe(false);
          return false;
        },
      );
    },
    async reverse({ pick }) {
      const allocated = await rows<{ id: string; payment: string }>(
        `select a.id, a.payment_id as payment from allocations a join payments p on p.id = a.payment_id
         where p.bank_account_id = $1 and a.reversed_at is null order by a.id`,
      );
      const chosen = pickOf(allocated, pick);
      if (!chosen) return false;
      await as((session) => reverseAllocation(session, chosen.payment, { allocation: chosen.id, reason: 'Wrong' }));
      return true;
    },
    async remove({ pick }) {
      const byHand = await rows<{ id: string; version: number }>(
        `select id, version from payments p where bank_account_id = $1 and status = 'Active' and statement_line is null
           and not exists (select from allocations a where a.payment_id = p.id and a.reversed_at is null) order by code`,
      );
      const chosen = pickOf(byHand, pick);
      if (!chosen) return false;
      const removal = { ...chosen, status: 'Removed' as const, removalReason: 'Recorded twice' };
      return as((session) => removePayments(session, [removal])).then(
        () => true,
        (error) => {
          expect(String(error)).toContain('is closed');
          return false;
        },
      );
    },
    async waive({ cents, pick }) {
      const { obligations } = await as((session) => listObligations(session, { isOpen: true }));
      const owed = pickOf(obligations, pick);
      if (!owed) return false;
      const amount = { sum: min(inCents(Math.abs(cents[0]!)), owed.open), currency: null };
      await as((session) =>
        closeWithDifference(session, owed.documentId, { currency: 'USD', amount, reason: 'waived' }),
      );
      return true;
    },
    async reopen({ pick }) {
      const { obligations } = await as((session) => listObligations(session, {}));
      const closed = obligations.flatMap(({ documentId, differences }) =>
        differences.flatMap(({ id, reversedAt }) => (reversedAt === null ? [{ document: documentId, id }] : [])),
      );
      const chosen = pickOf(closed, pick);
      if (!chosen) return false;
      await as((session) => reverseDifference(session, chosen.document, { difference: chosen.id, reason: 'Wrong' }));
      return true;
    },
    async withdrawCall({ pick }) {
      if (pick % 4 !== 0) return false;
      const isPaidOut = await rows<{ id: string }>(
        `select run_id as id from payment_run_lines where is_open and manager_id = (select manager_id from bank_accounts where id = $1)`,
      );
      if (isPaidOut.length > 0) return false;
      await database.query(
        `with returned as (update distributions set status = 'Removed' where manager_id = $1)
         update write_offs set status = 'Removed' where manager_id = $1`,
        [tenant.managerId],
      );
      await database.query(`update contributions set status = 'Removed', removal_reason = 'Wrong' where id = $1`, [
        calls[0]!,
      ]);
      return true;
    },
    async prepare({ pick }) {
      const payables = await as(async (session) => payablesOf(session, await readPayingAccount(session, account)));
      const free = payables.filter(({ block, kind }) => block === null && kind === 'distribution');
      const chosen = free.slice(0, 1 + (pick % 2)).map(({ kind, id }) => ({ kind, id }));
      if (chosen.length === 0) return false;
      const body = { bankAccount: account, executeOn: TODAY, format: 'CSV' as const, payables: chosen };
      await as((session) => preparePaymentRun(session, body));
      return true;
    },
    async release({ pick }) {
      const run = pickOf(await runs('Prepared'), pick);
      if (!run) return false;
      const releasing = as((session) => releasePaymentRun(session, run));
      return releasing.then(
        ({ lines }) => {
          // The bank pays each of them, sooner or later.
          for (const { amount, reference } of lines) {
            bank.toReport.push({
              amount: subtract('0', amount),
              reference: `X${reference}${run.id}`.slice(0, 16),
              text: reference,
            });
          }
          return true;
        },
        (error) => {
          expect(String(error)).toMatch(/another amount is owed|no longer owed/);
          return false;
        },
      );
    },
    async withdrawRun({ pick }) {
      const run = pickOf(await runs('Prepared'), pick);
      if (!run || pick % 2 === 0) return false;
      const { id, version } = run;
      await as((session) => withdrawPaymentRun(session, { id, version, reason: 'Another day' }));
      return true;
    },
    async return({ pick }) {
      const run = pickOf(await runs('Released'), pick);
      if (!run) return false;
      const { lines } = await as((session) => getPaymentRun(session, run.id));
      const sent = lines.find(({ state }) => state === 'sent' || state === 'paid');
      if (!sent) return false;
      const { id, version } = run;
      const { place, amount } = sent;
      await as((session) => returnPayment(session, { id, version, place, reason: 'Account closed' }));
      bank.toReport.push({ amount, reference: `B${bank.statement}-${place}`, text: 'RETURN' });
      return true;
    },
    async giveBack({ cents, pick }) {
      const { documents } = await as((session) => listPayments(session));
      const left = documents.filter(({ status, credit }) => status === 'Active' && compare(credit, '0') > 0);
      const paid = pickOf(
        left.filter(({ direction }) => direction === 'out'),
        pick,
      );
      const owed = pickOf(
        left.filter(({ direction, party }) => direction === 'in' && party !== null),
        cents.length,
      );
      if (!paid || !owed) return false;
      // Some want more than is left of one of the two.
      const part = pick % 3 === 0 ? inCents(Math.abs(cents[0]!)) : min(paid.credit, owed.credit);
      const fits = compare(part, min(paid.credit, owed.credit)) <= 0;
      const isSame = paid.party === null || paid.party.id === owed.party?.id;
      const returns = [{ payment: owed.id, amount: { sum: part, currency: null } }];
      return as((session) => returnCredits(session, paid.id, { version: paid.version, returns })).then(
        ({ credit }) => {
          expect([fits, isSame]).toEqual([true, true]);
          expect(compare(credit, subtract(paid.credit, part))).toBe(0);
          return true;
        },
        (error) => {
          expect(error).toMatchObject({ code: 'badRequest' });
          expect(fits && isSame).toBe(false);
          return false;
        },
      );
    },
    async close() {
      const month = MONTHS.find((one) => !closed.has(one))!;
      const { problem } = await ledger.look(month);
      if (problem !== null) return false;
      closed.set(month, keptOf(await ledger.close(month)));
      return true;
    },
  };

  for (const [index, step] of steps.entries()) {
    if (await act[step.kind](step)) done.set(step.kind, (done.get(step.kind) ?? 0) + 1);
    // The checks read much more than a step.
    if (step.kind !== 'close' && index % CHECKED_EVERY !== 0 && index < steps.length - 1) continue;
    const found = await Promise.all(MONTHS.map((month) => ledger.look(month)));
    for (const { days, items, month } of found) {
      for (const { bank, book, open, difference } of days) {
        if (bank === null) continue;
        expect(difference && Number(difference), month).toBe(0);
        expect(Number(subtract(bank, add(book, open)))).toBe(0);
      }
      expect(Number(subtract(days.at(-1)!.open, sum(items.map(({ amount }) => amount)))), month).toBe(0);
      const before = closed.get(month);
      if (before !== undefined) expect(keptOf({ days, items })).toBe(before);
    }
    // The book of today is what counts of the allocations. No payment is used twice, and nothing is in two open runs.
    const [check] = await rows<{ book: string; over: number; twice: number }>(
      `select (1000 + coalesce(sum(case p.direction when 'in' then a.amount else -a.amount end), 0))::text as book,
         (select count(*)::int from payments p where p.bank_account_id = $1 and p.amount < (select coalesce(sum(x.amount), 0)
           from allocations x where x.payment_id = p.id and x.reversed_at is null)) as over,
         (select count(*)::int from (select from payment_run_lines l join payment_runs r on r.id = l.run_id
           where r.bank_account_id = $1 and l.is_open group by l.document_id having count(*) > 1) as doubled) as twice
       from allocations a join payments p on p.id = a.payment_id where p.bank_account_id = $1 and a.reversed_at is null`,
    );
    expect(check).toMatchObject({ over: 0, twice: 0 });
    expect(Number(subtract(found.at(-1)!.days.at(-1)!.book, check!.book))).toBe(0);
    const { obligations } = await as((session) => listObligations(session, {}));
    for (const { open, amount, allocated, difference } of obligations) {
      expect(compare(open, subtract(amount, add(allocated, difference)))).toBe(0);
      expect(compare(open, '0')).toBeGreaterThanOrEqual(0);
    }
    const { documents: payments } = await as((session) => listPayments(session));
    const returnedOf = (direction: string) =>
      sum(
        payments
          .filter((payment) => payment.direction === direction)
          .flatMap(({ allocations }) => allocations)
          .filter(({ kind, reversedAt }) => kind === 'credit' && reversedAt === null)
          .map(({ amount }) => amount),
      );
    for (const direction of ['in', 'out']) {
      const ofDirection = payments.filter((payment) => payment.direction === direction);
      const paid = sum(obligations.filter((owed) => owed.direction === direction).map(({ allocated }) => allocated));
      const settled = sum([paid, returnedOf(direction), ...ofDirection.map(({ credit }) => credit)]);
      expect(compare(settled, sum(ofDirection.map(({ amount }) => amount)))).toBe(0);
    }
    // What was given back of the one is what the other gave back, and no more than there was.
    expect(compare(returnedOf('in'), returnedOf('out'))).toBe(0);
  }
}

/** What a closed month keeps: whom a payment is with may become known later. */
const keptOf = ({ days, items }: Pick<Reconciliation, 'days' | 'items'>): string =>
  JSON.stringify([days, items.map(({ paymentId, bookedOn, amount }) => [paymentId, bookedOn, amount])]);

const numRuns = Number(process.env.FC_RUNS ?? 4);

test(
  'after any history, the bank has what the book has and what is open, and nothing is allocated or sent twice',
  async () => {
    const done = new Map<StepKind, number>();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40, size: 'max' }), (steps) => live(steps, done)),
      { numRuns, endOnFailure: true },
    );
    process.stdout.write(`steps done: ${JSON.stringify(Object.fromEntries(done))}\n`);
  },
  120_000 + numRuns * 15_000,
);
