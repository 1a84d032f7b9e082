import { contributionCreateSchema } from '@tapeline/domain/capital/contribution.schema.ts';
import { distributionCreateSchema } from '@tapeline/domain/capital/distribution.schema.ts';
import { commitmentCreateSchema } from '@tapeline/domain/commitments/commitment.schema.ts';
import { fundCreateSchema } from '@tapeline/domain/funds/fund.schema.ts';
import type { Actor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { calledBack } from '../../testing/call-back.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { createCommitment } from '../commitments/change-commitments.ts';
import { createFund } from '../funds/change-funds.ts';
import { getCallHeader, getDistributionHeader, linesOfHeader, listCallHeaders } from './calls-and-distributions.ts';
import { callCapital, changeCall, changeContributions, listContributions, stepCall } from './contributions.ts';
import { changeDistribution, distribute } from './distributions.ts';

let database: TestDatabase;
let one: TestTenant;
let two: TestTenant;
beforeAll(async () => {
  database = await createTestDatabase();
  [one, two] = await database.store.as(SYSTEM, async (session) => [
    await makeTenant(session),
    await makeTenant(session),
  ]);
});
afterAll(() => database.close());

const manager = (changes = {}) => testActor({ type: 'manager', managerId: one.managerId, ...changes });
/** Runs as a user of the manager, and undoes it. */
const trying = <Result>(work: (session: Session) => Promise<Result>, actor: Actor = manager()): Promise<Result> =>
  database.store.as(actor, work, { rollback: true });

const usd = (sum: number | string) => ({ sum, currency: 'USD' });
const TERMS = { title: 'Quay Fund', type: 'SMA', strategy: 'ABL', currency: 'USD', targetSize: 500, hardCap: 600 };

/** A fund with an investor who has committed 100 in January, and one who commits 50 in April. */
async function lateInvestor(session: Session): Promise<string> {
  const { fund } = await createFund(session, fundCreateSchema.parse(TERMS));
  for (const [index, [closingDate, maxCommitment]] of [
    ['2025-01-31', 100] as const,
    ['2025-04-30', 50] as const,
  ].entries()) {
    const investor = { id: one.lpIds[index], kind: 'LP' };
    const body = { fund: fund.id, investor, closingDate, maxCommitment };
    await createCommitment(session, commitmentCreateSchema.parse(body));
  }
  return fund.id;
}

const bodyOf = (fund: string, changes: object = {}) =>
  contributionCreateSchema.parse({
    fund,
    cutOffDate: '2025-05-05',
    dueDate: '2025-05-26',
    callNumber: '1',
    amount: usd(30),
    callPurposes: [
      { title: 'A loan', kind: 'investments', amount: 27 },
      { title: 'Audit', kind: 'fundExpenses', amount: 3 },
    ],
    ...changes,
  });

/** A draft call, and its id and version. */
async function draftCall(session: Session, fund: string, changes: object = {}) {
  const [part] = await callCapital(session, bodyOf(fund, changes));
  const id = part?.metadata.bundleId ?? '';
  return { id, version: (await getCallHeader(session, id)).version };
}
const partsOf = async (session: Session, id: string) =>
  (await listContributions(session, { filter: linesOfHeader(id), sort: { amount: -1 } })).documents;
const refusal = (
  work: Promise<unknown>,
): Promise<{ message: string; code?: string; flags?: object; conflict?: object }> =>
  work.then(
    () => ({ message: 'nothing was refused' }),
    (error) => ({ message: error.message, code: error.code, flags: error.flags, conflict: error.conflict }),
  );

describe('a draft call that is changed as a whole', () => {
  const changed = {
    cutOffDate: '2025-06-02',
    dueDate: '2025-06-30',
    callNumber: '7',
    amount: usd(100),
    callPurposes: [
      { title: 'Two loans', kind: 'investments', amount: '66.67' },
      { title: 'Fee', kind: 'managementFee', amount: '33.33' },
    ],
    trailingDescription: 'Pay by wire.',
    pdfOptions: { fundLevel: true },
  };

  test('is what a new call with these terms would be, and keeps its documents', async () => {
    const found = await trying(async (session) => {
      const fund = await lateInvestor(session);
      const fresh = await callCapital(session, bodyOf(fund, { ...changed, callNumber: '8' }));
      const call = await draftCall(session, fund);
      const before = await partsOf(session, call.id);
      await changeCall(session, { ...call, terms: bodyOf(fund, changed), investors: 'same' });
      const after = await partsOf(session, call.id);
      const history = await session.query<{ operation: string }>(
        `select operation from history where document_id = any ($1) order by operation`,
        [before.map(({ id }) => id)],
      );
      return { fresh, before, after, history: history.map(({ operation }) => operation) };
    });
    const shown = (parts: typeof found.fresh) =>
      parts.map(({ cutOffDate, dueDate, purposes, pdfOptions, fundLines, trailingDescription, ...part }) => ({
        ...{ cutOffDate, dueDate, purposes, pdfOptions, fundLines, trailingDescription },
        ...{ amount: part.amount, unfunded: part.unfunded, holding: Number(part.holdingPercentage) },
      }));
    expect(shown(found.after)).toEqual(shown(found.fresh));
    expect(found.after.map(({ callNumber }) => callNumber)).toEqual(['7', '7']);
    expect(found.after.map(({ id }) => id).sort()).toEqual(found.before.map(({ id }) => id).sort());
    expect(found.after.map(({ version }) => version)).toEqual([2, 2]);
    expect(found.after[0]?.metadata.changedBy).toMatchObject({ entity: { firstName: 'Some', lastName: 'One' } });
    expect(found.history).toEqual(['Insert', 'Insert', 'Update', 'Update']);
  });

  test('has its number and its days in every line, and no other call of the fund has these', async () => {
    const broken = (change: string) =>
      refusal(
        trying(async (session) => {
          const { id } = await draftCall(session, await lateInvestor(session));
          await session.query('set constraints contributions_of_header immediate');
          await session.query(change, [id]);
        }),
      );
    for (const change of [`call_number = '9'`, `due_date = '2025-07-01'`, `cut_off_date = '2025-04-30'`]) {
      const { message } = await broken(`update contributions set ${change} where activity_id = $1`);
      expect(message).toContain('contributions_of_header');
    }
    const { message } = await broken(
      `insert into capital_calls (id, manager_id, fund_id, currency, number, cut_off_date, due_date)
       select repeat('f', 24), manager_id, fund_id, currency, number, cut_off_date, due_date from capital_calls where id = $1`,
    );
    expect(message).toContain('capital_calls_days_of_number');
  });

  test('keeps the share of each investor if only its text, its number or its due date change', async () => {
    const amounts = await trying(async (session) => {
      const fund = await lateInvestor(session);
      const call = await draftCall(session, fund);
      const [first, second] = await partsOf(session, call.id);
      const move = (part: typeof first, by: number) => ({
        id: part!.id,
        version: part!.version,
        callPurposes: part!.purposes.map((purpose, index) => ({
          ...purpose,
          amount: index === 0 ? String(Number(purpose.amount) + by) : purpose.amount,
        })),
      });
      await changeContributions(session, [move(first, 1), move(second, -1)]);
      const { version } = await getCallHeader(session, call.id);
      const terms = bodyOf(fund, { dueDate: '2025-06-30', trailingDescription: 'Pay by wire.' });
      const kept = await changeCall(session, { id: call.id, version, terms, investors: 'same' });
      const again = { id: call.id, version: (await getCallHeader(session, call.id)).version };
      const split = await changeCall(session, { ...again, terms, investors: { Class: null } });
      return [kept, split].map((parts) => parts.map(({ amount, dueDate }) => [Number(amount), dueDate]));
    });
    expect(amounts).toEqual([
      [
        [21, '2025-06-30'],
        [9, '2025-06-30'],
      ],
      [
        [20, '2025-06-30'],
        [10, '2025-06-30'],
      ],
    ]);
  });

  test('adds and removes investors with its date, if it is for all of the fund', async () => {
    const found = await trying(async (session) => {
      const fund = await lateInvestor(session);
      const early = { cutOffDate: '2025-04-01', dueDate: '2025-04-29' };
      const call = await draftCall(session, fund, early);
      const change = async (changes: object, investors: 'same' | { Class: null }) => {
        const { version } = await getCallHeader(session, call.id);
        const parts = await changeCall(session, { id: call.id, version, terms: bodyOf(fund, changes), investors });
        return parts.map(({ amount, holdingPercentage }) => [Number(amount), Number(holdingPercentage)]);
      };
      return [
        await change({}, 'same'),
        await change({}, { Class: null }),
        await change(early, { Class: null }),
        (await getCallHeader(session, call.id)).investors,
      ];
    });
    expect(found).toEqual([
      [[30, 66.66666667]],
      [
        [20, 66.66666667],
        [10, 33.33333333],
      ],
      [[30, 100]],
      1,
    ]);
  });

  test('is issued only within what is unfunded, to the cent', async () => {
    const issuing = (amount: string, dryRun = false) =>
      trying(async (session) => {
        const fund = await lateInvestor(session);
        const call = await draftCall(session, fund);
        const terms = bodyOf(fund, { amount: usd(amount), callPurposes: [{ title: 'A', kind: 'other', amount }] });
        const parts = await changeCall(session, { ...call, terms, investors: 'same', status: 'Active', dryRun });
        return parts.map(({ status, unfunded, warnings, issuedOn }) => ({ status, unfunded, warnings, issuedOn }));
      });
    const today = new Date().toISOString().slice(0, 10);
    expect(await issuing('150')).toMatchObject([
      { status: 'Active', unfunded: { after: '0' }, issuedOn: today },
      { status: 'Active', unfunded: { after: '0' } },
    ]);
    expect(await refusal(issuing('150.02'))).toMatchObject({
      message:
        'More would be called than is committed: Investor one by 0.01 USD on 5 May 2025; Investor two by 0.01 USD on 5 May 2025',
    });
    const tried = await issuing('150.02', true);
    expect(tried.map(({ status }) => status)).toEqual(['Draft', 'Draft']);
    expect(tried[0]?.warnings).toContain('Beyond what is unfunded: Investor one by 0.01 USD on 5 May 2025');
  });

  test('is withdrawn and entered again if it was issued: an excused part goes to the others, and nothing counts twice', async () => {
    const reissued = (changes: object = {}, reason = 'An investor is excused') =>
      trying(async (session) => {
        const fund = await lateInvestor(session);
        const draft = await draftCall(session, fund);
        await stepCall(session, { ...draft, status: 'Active' });
        const before = await partsOf(session, draft.id);
        const { version } = await getCallHeader(session, draft.id);
        const excused = {
          of: { commitmentId: before[1]!.commitmentId },
          lines: [{ excused: true as const }, null],
          excuse: { reason: 'Policy on tobacco', document: null },
        };
        const terms = { ...bodyOf(fund, changes), own: [excused] };
        const command = { id: draft.id, version, terms, investors: 'same' as const };
        const after = await changeCall(session, { ...command, status: 'Active', reason });
        const headers = await session.query<{ id: string; status: string; reason: string | null }>(
          `select h.id, h.status,
             (select max(t.removal_reason) from contributions t where t.activity_id = h.id) as reason
           from capital_calls h where h.fund_id = $1 and h.number = '1'`,
          [fund],
        );
        return { before, after, headers, id: draft.id };
      });
    const { before, after, headers, id } = await reissued();
    expect(before.map(({ amount }) => Number(amount))).toEqual([20, 10]);
    // 27 of a loan by 100 and 50, of which the second is excused; its part of the audit stays.
    expect(after.map(({ amount, status }) => [Number(amount), status])).toEqual([
      [29, 'Active'],
      [1, 'Active'],
    ]);
    // Only the second call is counted.
    expect(after.map(({ unfunded }) => Number(unfunded.after))).toEqual([71, 49]);
    expect(headers.map((one) => [one.id === id, one.status, one.reason]).sort()).toEqual([
      [false, 'Active', null],
      [true, 'Removed', 'An investor is excused'],
    ]);
    // What the others have unfunded is called to the cent, and no more.
    const calling = (loan: string, whole: string) => ({
      amount: usd(whole),
      callPurposes: [
        { title: 'A loan', kind: 'other', amount: loan },
        { title: 'Audit', kind: 'other', amount: '4.5' },
      ],
    });
    for (const [loan, whole] of [
      ['97', '101.5'],
      ['97.01', '101.51'],
    ] as const) {
      const { after: most } = await reissued(calling(loan, whole));
      expect(most.map(({ amount }) => Number(amount))).toEqual([100, 1.5]);
      expect(most.map(({ unfunded }) => Number(unfunded.after))).toEqual([0, 48.5]);
    }
    expect((await refusal(reissued({}, ' '))).flags).toEqual({ reason: 'is required' });
  });

  test('is refused to others, after someone else changed it, and once it was issued', async () => {
    const [fund, call] = await database.store.as(manager(), async (session) => {
      const made = await lateInvestor(session);
      return [made, await draftCall(session, made)] as const;
    });
    const change = (actor: Actor, changes: object = {}) =>
      refusal(
        trying(
          (session) => changeCall(session, { ...call, terms: bodyOf(fund), investors: 'same', ...changes }),
          actor,
        ),
      );
    expect(await change(manager({ permissions: ['contributions/read', 'funds/read'] }))).toMatchObject({
      code: 'forbidden',
    });
    expect(await change(testActor({ type: 'manager', managerId: two.managerId }))).toMatchObject({ code: 'notFound' });
    // It names who changed the call last, and when.
    expect(await change(manager(), { version: 99 })).toMatchObject({
      message: expect.stringMatching(/^Someone else has changed this \(.+, \d{4}-\d\d-\d\d \d\d:\d\d UTC\)/),
      conflict: { sent: 99, latest: call.version },
    });
    const blind = manager({ blockedDocuments: [`LPs/${one.lpIds[1]}`] });
    expect((await change(blind)).message).toMatch(/^You cannot see every investor of this call/);
    const percentage = { amount: null, percentage: 41 };
    expect((await change(manager(), { terms: bodyOf(fund, percentage) })).message).toBe(
      'The purposes add up to 30, not 61.5 (difference 31.5)',
    );
    const issued = trying(async (session) => {
      await stepCall(session, { ...call, status: 'Active' });
      const { version } = await getCallHeader(session, call.id);
      return changeCall(session, { id: call.id, version, terms: bodyOf(fund), investors: 'same' });
    });
    expect(await refusal(issued)).toMatchObject({
      message: 'It was already issued. Give a reason for withdrawing it.',
      flags: { reason: 'is required' },
    });
    const taken = trying(async (session) => {
      await callCapital(session, bodyOf(fund, { callNumber: '2' }));
      return changeCall(session, { ...call, terms: bodyOf(fund, { callNumber: '2' }), investors: 'same' });
    });
    expect((await refusal(taken)).flags).toEqual({ callNumber: 'is the number of another call of this fund' });
  });
});

test('the lines of the fund follow a change of one investor’s part', async () => {
  const found = await trying(async (session) => {
    const fund = await lateInvestor(session);
    const call = await draftCall(session, fund, { pdfOptions: { fundLevel: true } });
    const [first, second] = await partsOf(session, call.id);
    const purposes = (first?.purposes ?? []).map((purpose) => ({ ...purpose, amount: '10' }));
    const [changed] = await changeContributions(session, [
      { id: first?.id ?? '', version: first?.version ?? 0, callPurposes: purposes },
    ]);
    const [other] = await session.query<{ lines: { title: string; amount: string }[]; version: number }>(
      'select h.purposes as lines, t.version from contributions t join capital_calls h on h.id = t.activity_id where t.id = $1',
      [second?.id],
    );
    const told = (all: readonly { title: string; amount: string }[] = []) =>
      all.map(({ title, amount }) => ({ title, amount }));
    return {
      changed: told(changed?.fundLines ?? []),
      other: told(other?.lines),
      versions: [second?.version, other?.version],
    };
  });
  const lines = [
    { title: 'A loan', amount: '19.00' },
    { title: 'Audit', amount: '11.00' },
  ];
  expect([found.changed, found.other]).toEqual([lines, lines]);
  expect(found.versions).toEqual([1, 1]);
});

describe('a line that gets another number or other days', () => {
  /** The lines after changes of them, each as [number, due date, whether it is still of the call]. */
  const linesAfter = (changes: (lines: readonly { id: string; version: number }[]) => readonly object[]) =>
    trying(async (session) => {
      const fund = await lateInvestor(session);
      const call = await draftCall(session, fund);
      const lines = await partsOf(session, call.id);
      for (const change of changes(lines)) await changeContributions(session, [change].flat() as never);
      await session.query('set constraints all immediate');
      const { documents } = await listContributions(session, {
        filter: { id: { in: lines.map(({ id }) => id) } },
        sort: { amount: -1 },
      });
      const headers = await listCallHeaders(session, { filter: { fund }, sort: { dueDate: 1 } });
      return {
        lines: documents.map(({ callNumber, dueDate, metadata }) => [
          callNumber,
          dueDate,
          metadata.bundleId === call.id,
        ]),
        headers: headers.rows.map(({ callNumber, dueDate, investors, amount }) => [
          callNumber,
          dueDate,
          investors,
          amount,
        ]),
      };
    });

  test('alone moves to a header of its own', async () => {
    const due = await linesAfter(([first]) => [{ id: first!.id, version: 1, dueDate: '2025-06-30' }]);
    expect(due.lines).toEqual([
      ['1', '2025-06-30', false],
      ['1', '2025-05-26', true],
    ]);
    expect(due.headers).toEqual([
      ['1', '2025-05-26', 1, '10.00'],
      ['1', '2025-06-30', 1, '20.00'],
    ]);
    const number = await linesAfter(([, second]) => [{ id: second!.id, version: 1, callNumber: '9' }]);
    expect(number.lines).toEqual([
      ['1', '2025-05-26', true],
      ['9', '2025-05-26', false],
    ]);
  });

  test('with all others keeps its header, and follows those that moved before', async () => {
    const together = await linesAfter((lines) => [lines.map(({ id }) => ({ id, version: 1, callNumber: '9' }))]);
    expect(together.lines).toEqual([
      ['9', '2025-05-26', true],
      ['9', '2025-05-26', true],
    ]);
    const oneByOne = await linesAfter((lines) => lines.map(({ id }) => ({ id, version: 1, dueDate: '2025-06-30' })));
    expect(oneByOne.headers).toEqual([['1', '2025-06-30', 2, '30.00']]);
  });
});

test('a draft distribution is changed as a whole, and names the investors who cannot be paid', async () => {
  const found = await trying(async (session) => {
    const fund = await lateInvestor(session);
    const terms = (changes: object = {}) =>
      distributionCreateSchema.parse({
        fund,
        callNumber: 'D1',
        cutOffDate: '2025-06-30',
        distributionKind: 'Interest and Principal',
        principal: usd(10),
        components: [{ title: 'Interest', actionType: 'INTEREST', amount: usd(5) }],
        ...changes,
      });
    const [part] = await distribute(session, [terms()]);
    const id = part?.metadata.bundleId ?? '';
    const change = async (changes: object, more: object = {}) => {
      const { version } = await getDistributionHeader(session, id);
      return changeDistribution(session, { id, version, terms: terms(changes), investors: 'same', ...more });
    };
    await session.query(
      `update entities set banks = '[{"title": "A bank", "accountNumber": "12", "address": "A street", "type": "Private"}]'
       where id = (select entity_id from lps where id = $1)`,
      [one.lpIds[0]],
    );
    const interest = { distributionKind: 'Interest', principal: usd(0) };
    const withPayout = async (currency: string, confirmedBy: object | null) => {
      const chosen = {
        id: 'p',
        currency,
        account: 'A bank',
        ending: '12',
        fingerprint: 'f'.repeat(64),
        chosenBy: { id: 'a' },
      };
      const called = { chosenAt: session.now.toISOString(), confirmedAt: session.now.toISOString() };
      await session.query('update lps set payout_accounts = $2::jsonb where id = $1', [
        one.lpIds[0],
        JSON.stringify([{ ...chosen, confirmedBy, ...called, check: calledBack(session.now) }]),
      ]);
      return (await change({}, { dryRun: true }))[0]?.warnings;
    };
    return {
      tried: await withPayout('EUR', { id: 'b' }),
      waiting: await withPayout('USD', null),
      confirmed: await withPayout('USD', { id: 'b' }),
      wrong: await refusal(change({ distributionKind: 'Principal Only', components: [] }).then(() => change({}))),
      interest: (await change(interest)).map(({ totals }) => Number(totals.totalDistributed)),
      issued: (await change(interest, { status: 'Active' })).map(({ status }) => status),
      again: await refusal(change(interest)),
    };
  });
  expect(found.tried).toEqual([
    'No bank account: Investor two. Add one to each investor’s entity, so that it can be paid',
    'No pay-out account: Investor one. Choose one in this currency on each investor’s record',
  ]);
  expect(found.waiting).toEqual([
    'No bank account: Investor two. Add one to each investor’s entity, so that it can be paid',
    'The pay-out account waits for a second person: Investor one. Confirm it in Approvals before anything is paid to it',
  ]);
  expect(found.confirmed).toEqual([
    'No bank account: Investor two. Add one to each investor’s entity, so that it can be paid',
  ]);
  expect(found.wrong.message).toBe('nothing was refused');
  expect(found.interest).toEqual([3.33, 1.67]);
  expect(found.issued).toEqual(['Active', 'Active']);
  expect(found.again.message).toMatch(/^It was already issued. Give a reason/);
});
