import { contributionCreateSchema } from '@tapeline/domain/capital/contribution.schema.ts';
import { distributionCreateSchema } from '@tapeline/domain/capital/distribution.schema.ts';
import { navCreateSchema } from '@tapeline/domain/capital/nav.schema.ts';
import { LAST_DAY, randomWorlds } from '@tapeline/domain/capital/testing/random-worlds.ts';
import {
  type ReferenceDocument,
  type ReferenceLimit,
  ReferenceWorld,
} from '@tapeline/domain/capital/testing/reference.ts';
import { writeOffCreateSchema } from '@tapeline/domain/capital/write-off.schema.ts';
import { commitmentChangeSchema, commitmentCreateSchema } from '@tapeline/domain/commitments/commitment.schema.ts';
import { fromEpochDay } from '@tapeline/domain/dates/calendar-date.ts';
import { fundCreateSchema, fundUpdateSchema } from '@tapeline/domain/funds/fund.schema.ts';
import { compare, fromScaled, round, sum, toScaled } from '@tapeline/domain/money/decimal.ts';
import type { Actor } from '@tapeline/domain/people/actor.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asProgram, type Session, SYSTEM, type Warning } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { createCommitment, updateCommitments } from '../commitments/change-commitments.ts';
import { createFund, updateFund } from '../funds/change-funds.ts';
import { callCapital, changeContributions, listContributions, removeContributions } from './contributions.ts';
import {
  changeDistributions,
  distribute,
  listDistributions,
  removeDistributions,
  totalDistributions,
} from './distributions.ts';
import { positionsAt, selectionFigures, selectionPerformance, selectionReturns } from './figures.ts';
import { changeNavs, createNavs, removeNavs } from './navs.ts';
import { createWriteOffs } from './write-offs.ts';

/** Random funds that are entered into the database. */
const RUNS = Number(process.env.FC_RUNS ?? 12);

let database: TestDatabase;
let one: TestTenant;
beforeAll(async () => {
  database = await createTestDatabase();
  one = await database.store.as(SYSTEM, (session) => makeTenant(session));
});
afterAll(() => database.close());

const manager = (changes = {}) => testActor({ type: 'manager', managerId: one.managerId, ...changes });

/** Runs as a user of the manager with all its constraints, and undoes it. */
const trying = <Result>(work: (session: Session) => Promise<Result>, actor: Actor = manager()): Promise<Result> =>
  database.store.as(
    actor,
    async (session) => {
      const result = await work(session);
      await session.query('set constraints all immediate');
      return result;
    },
    { rollback: true },
  );
/** The same for work that ends with a refusal, and so in a state that would not be committed. */
const failing = (work: (session: Session) => Promise<unknown>): Promise<unknown> =>
  database.store.as(manager(), work, { rollback: true });
const refusal = (work: Promise<unknown>): Promise<{ message: string; flags?: object }> =>
  work.then(
    () => ({ message: 'nothing was refused' }),
    (error) => ({ message: error.message, flags: error.flags }),
  );

const TERMS = { title: 'Harbour Fund', type: 'SMA', strategy: 'ABL', currency: 'USD', targetSize: 500, hardCap: 600 };
const usd = (sum: number | string) => ({ sum, currency: 'USD' });
const makeFund = async (session: Session, changes = {}): Promise<string> =>
  (await createFund(session, fundCreateSchema.parse({ ...TERMS, ...changes }))).fund.id;
const commit = (session: Session, fund: string, index: number, changes = {}) =>
  createCommitment(
    session,
    commitmentCreateSchema.parse({
      fund,
      investor: { id: one.lpIds[index], kind: 'LP' },
      closingDate: '2025-01-31',
      maxCommitment: 100,
      ...changes,
    }),
  );
const callOf = (fund: string, changes: object = {}) =>
  contributionCreateSchema.parse({
    fund,
    cutOffDate: '2025-03-03',
    dueDate: '2025-03-17',
    callNumber: '1',
    amount: usd(60),
    callPurposes: [{ title: 'Investments', kind: 'investments', amount: 60 }],
    status: 'Active',
    ...changes,
  });
const distributionOf = (fund: string, changes: object = {}) =>
  distributionCreateSchema.parse({
    fund,
    cutOffDate: '2025-06-30',
    callNumber: '1',
    distributionKind: 'Interest and Principal',
    principal: usd(20),
    components: [{ title: 'Interest', actionType: 'INTEREST', amount: usd(10) }],
    pdfOptions: { recallableDistribution: true },
    status: 'Active',
    ...changes,
  });
/** A fund with two investors who have committed 100 and 50. */
const twoInvestors = async (session: Session, changes = {}) => {
  const fund = await makeFund(session, changes);
  const first = await commit(session, fund, 0);
  const second = await commit(session, fund, 1, { maxCommitment: 50 });
  return { fund, first, second };
};

describe('a call', () => {
  test('is split by commitment, with what is unfunded before and after', async () => {
    const parts = await trying(async (session) => callCapital(session, callOf((await twoInvestors(session)).fund)));
    expect(
      parts.map(({ amount, unfunded, aggregate, aggregatePercent, holdingPercentage }) => ({
        amount: Number(amount),
        before: Number(unfunded.before),
        after: Number(unfunded.after),
        aggregate: Number(aggregate),
        percent: Number(aggregatePercent),
        holding: Number(holdingPercentage),
      })),
    ).toEqual([
      { amount: 40, before: 100, after: 60, aggregate: 40, percent: 40, holding: 66.66666667 },
      { amount: 20, before: 50, after: 30, aggregate: 20, percent: 40, holding: 33.33333333 },
    ]);
    expect(new Set(parts.map(({ metadata }) => metadata.bundleId)).size).toBe(1);
  });

  test('takes everything that is unfunded, and not a cent more', async () => {
    const calling = (amount: number) =>
      trying(async (session) => {
        const { fund } = await twoInvestors(session);
        const callPurposes = [{ title: 'Investments', kind: 'investments', amount }];
        return callCapital(session, callOf(fund, { amount: usd(amount), callPurposes }));
      });
    expect((await calling(150)).map(({ unfunded }) => Number(unfunded.after))).toEqual([0, 0]);
    expect(await refusal(calling(150.03))).toEqual({
      message:
        'More would be called than is committed: Investor one by 0.02 USD on 3 Mar 2025; Investor two by 0.01 USD on 3 Mar 2025',
      flags: { amount: 'leaves an unfunded commitment below zero' },
    });
  });

  test('counts calls that were issued for a later day', async () => {
    const found = refusal(
      trying(async (session) => {
        const { fund } = await twoInvestors(session);
        await callCapital(
          session,
          callOf(fund, { amount: usd(120), callPurposes: [{ title: 'A', kind: 'other', amount: 120 }] }),
        );
        const earlier = { cutOffDate: '2025-02-03', dueDate: '2025-02-17', callNumber: '0' };
        return callCapital(session, callOf(fund, earlier));
      }),
    );
    expect((await found).message).toMatch(/Investor one by 20.00 USD on 3 Mar 2025/);
  });

  test('can call recallable capital again, unless the fund forbids it', async () => {
    const rest = { cutOffDate: '2025-09-01', dueDate: '2025-09-15', callNumber: '2' };
    const again = (nonRecyclable?: object) =>
      trying(async (session) => {
        const { fund } = await twoInvestors(session, nonRecyclable ? { nonRecyclable } : {});
        const amount = (sum: number) => ({
          amount: usd(sum),
          callPurposes: [{ title: 'A', kind: 'other', amount: sum }],
        });
        await callCapital(session, callOf(fund, amount(150)));
        await distribute(session, [distributionOf(fund, { principal: usd(30) })]);
        return callCapital(session, callOf(fund, { ...rest, ...amount(30) }));
      });
    expect((await again()).map(({ unfunded }) => Number(unfunded.after))).toEqual([0, 0]);
    expect((await refusal(again({ declerationDate: '2025-06-30' }))).message).toMatch(/by 20.00 USD on 1 Sep 2025/);
    expect(await again({ declerationDate: '2025-12-31' }).then((parts) => parts.length)).toBe(2);
    expect((await refusal(again({ declerationDate: '2025-12-31', fromBeginning: true }))).message).toMatch(
      /by 20.00 USD on 31 Dec 2025/,
    );
  });

  test('states what is wrong with it at the field', async () => {
    const refused = (changes: object) =>
      refusal(trying(async (session) => callCapital(session, callOf((await twoInvestors(session)).fund, changes))));
    expect((await refused({ Class: 'a' })).flags).toEqual({ Class: 'is not the key of a class of the fund' });
    const euros = { sum: 60, currency: 'EUR' };
    expect((await refused({ amount: euros })).flags).toEqual({ amount: 'must be in USD, the currency of the fund' });
    const fine = ['30.001', '29.999'].map((amount) => ({ title: 'A', kind: 'other', amount }));
    expect((await refused({ callPurposes: fine })).flags).toMatchObject({
      'callPurposes.0.amount': 'must have at most 2 decimals',
    });
    expect((await refused({ amount: null, percentage: 41 })).message).toBe(
      'The purposes add up to 60, not 61.5 (difference 1.5)',
    );
    expect((await refused({ cutOffDate: '2025-01-30' })).message).toMatch(
      /^Nobody has a commitment to Harbour Fund on 30 Jan/,
    );
    const stranger = { investor: { id: '65f0c2a1b3d4e5f601234567', kind: 'LP' } };
    expect((await refused(stranger)).flags).toEqual({ 'investor.id': 'has no commitment on this day' });
  });

  test('has a number of its own', async () => {
    const again = (changes: object) =>
      trying(async (session) => {
        const { fund } = await twoInvestors(session);
        const [first] = await callCapital(session, callOf(fund));
        if ('removed' in changes) await removeContributions(session, { ids: [first!.id], reason: 'Wrong amount' });
        return callCapital(session, callOf(fund, { callNumber: '1', ...changes }));
      });
    expect((await refusal(again({}))).flags).toEqual({ callNumber: 'is the number of another call of this fund' });
    expect(await again({ callNumber: '2' })).toHaveLength(2);
    // The other investor's part of the first call still has the number.
    expect((await refusal(again({ removed: true }))).flags).toHaveProperty('callNumber');
  });

  test('of a percentage is that share of every commitment', async () => {
    const parts = await trying(async (session) => {
      const { fund } = await twoInvestors(session);
      const callPurposes = [{ title: 'Investments', kind: 'investments', amount: 15 }];
      return callCapital(session, callOf(fund, { amount: null, percentage: 10, callPurposes }));
    });
    expect(parts.map(({ amount }) => Number(amount))).toEqual([10, 5]);
  });
});

test('a draft reduces nothing until it is issued, and issuing checks what is unfunded', async () => {
  await failing(async (session) => {
    const { fund } = await twoInvestors(session);
    const amounts = { amount: usd(120), callPurposes: [{ title: 'A', kind: 'other', amount: 120 }] };
    const drafts = await callCapital(session, callOf(fund, { ...amounts, status: 'Draft' }));
    expect(await selectionFigures(session, { fundId: fund, cutOffDate: '2025-12-31' })).toMatchObject({
      called: '0.00',
    });
    await callCapital(session, callOf(fund, { callNumber: '2' }));
    const issue = drafts.map(({ id, version }) => ({ id, version, status: 'Active' as const }));
    expect((await refusal(changeContributions(session, issue))).message).toMatch(/Investor one by 20.00 USD/);
  });
});

test('only drafts change otherwise than in status, and removing what was issued needs a reason', async () => {
  await trying(async (session) => {
    const { fund } = await twoInvestors(session);
    const [issued] = await callCapital(session, callOf(fund));
    const [draft] = await callCapital(session, callOf(fund, { callNumber: '2', status: 'Draft' }));
    const move = ({ id, version }: { id: string; version: number }) => ({ id, version, dueDate: '2025-04-01' });
    expect((await changeContributions(session, [move(draft!)]))[0]).toMatchObject({ dueDate: '2025-04-01' });
    expect((await refusal(changeContributions(session, [move(issued!)]))).flags).toEqual({
      '0.dueDate': 'cannot be changed once Active',
    });
    expect((await refusal(removeContributions(session, { ids: [issued!.id] }))).flags).toEqual({
      reason: 'is required',
    });
    await removeContributions(session, { ids: [issued!.id], reason: 'Wrong amount' });
    await removeContributions(session, { ids: [draft!.id] });
  });
});

test('recallable principal that was called again cannot be removed', async () => {
  await failing(async (session) => {
    const { fund } = await twoInvestors(session);
    const whole = { amount: usd(150), callPurposes: [{ title: 'A', kind: 'other', amount: 150 }] };
    await callCapital(session, callOf(fund, whole));
    const [paid] = await distribute(session, [distributionOf(fund)]);
    const rest = { amount: usd(20), callPurposes: [{ title: 'A', kind: 'other', amount: 20 }] };
    await callCapital(
      session,
      callOf(fund, { ...rest, callNumber: '2', cutOffDate: '2025-08-01', dueDate: '2025-08-15' }),
    );
    const removal = removeDistributions(session, { ids: [paid!.id], reason: 'A mistake' });
    expect((await refusal(removal)).message).toMatch(/by 13.33 USD on 1 Aug 2025/);
  });
});

test('a commitment or fund cannot change below what was called', async () => {
  await failing(async (session) => {
    const { fund, first } = await twoInvestors(session);
    await callCapital(session, callOf(fund));
    const lower = (amount: number) =>
      updateCommitments(session, [
        commitmentChangeSchema.parse({
          id: first.id,
          version: first.version,
          deltas: [{ date: '2025-02-15', amount, title: 'Reduced' }],
        }),
      ]);
    expect((await refusal(lower(-60.01))).message).toMatch(/Investor one by 0.01 USD on 3 Mar 2025/);
  });
  await failing(async (session) => {
    const { fund } = await twoInvestors(session);
    const whole = { amount: usd(150), callPurposes: [{ title: 'A', kind: 'other', amount: 150 }] };
    await callCapital(session, callOf(fund, whole));
    await distribute(session, [distributionOf(fund)]);
    await callCapital(
      session,
      callOf(fund, {
        callNumber: '2',
        cutOffDate: '2025-08-01',
        dueDate: '2025-08-15',
        amount: usd(10),
        callPurposes: [{ title: 'A', kind: 'other', amount: 10 }],
      }),
    );
    const { currency: _, ...terms } = TERMS;
    const change = fundUpdateSchema.parse({ ...terms, version: 1, nonRecyclable: { declerationDate: '2025-01-01' } });
    expect((await refusal(updateFund(session, { id: fund, body: change }))).flags).toEqual({
      nonRecyclable: 'leaves an unfunded commitment below zero',
    });
  });
});

describe('what was called', () => {
  /** 100 called of two investors, 66.67 and 33.33. */
  const called = async (session: Session) => {
    const { fund } = await twoInvestors(session);
    const amounts = { amount: usd(100), callPurposes: [{ title: 'A', kind: 'other', amount: 100 }] };
    return { fund, calls: await callCapital(session, callOf(fund, amounts)) };
  };
  const paying = (changes: object) =>
    trying(async (session) => distribute(session, [distributionOf((await called(session)).fund, changes)]));
  const writingOff = (amount: string, cutOffDate = '2025-06-30', before: object[] = []) =>
    trying(async (session) => {
      const { fund } = await called(session);
      for (const one of before) await distribute(session, [distributionOf(fund, one)]);
      return createWriteOffs(session, [writeOffCreateSchema.parse({ fund, cutOffDate, amount: usd(amount) })]);
    });

  test('can be returned as principal once it is due, to the cent', async () => {
    expect(await paying({ principal: usd(100) })).toHaveLength(2);
    expect(await paying({ principal: usd(100), cutOffDate: '2025-03-17' })).toHaveLength(2);
    expect(await refusal(paying({ principal: usd('100.01') }))).toEqual({
      message:
        'More principal would be returned than was called and not returned yet: Investor two by 0.01 USD on 30 Jun 2025 (called 33.33, returned 33.34)',
      flags: { principal: 'is more than what was called and not returned yet' },
    });
    expect((await refusal(paying({ principal: usd(100), cutOffDate: '2025-03-16' }))).message).toMatch(
      /Investor one by 66.67 USD on 16 Mar 2025 \(called 0.00, returned 66.67\)/,
    );
  });

  test('is returned in parts without a cent of rounding in the way, and not a cent more', async () => {
    const inParts = (...sums: string[]) =>
      trying(async (session) => {
        const { fund } = await called(session);
        const paid = [];
        for (const [index, part] of sums.entries()) {
          const changes = { principal: usd(part), callNumber: String(index + 1) };
          paid.push(...(await distribute(session, [distributionOf(fund, changes)])));
        }
        const totals = Map.groupBy(paid, ({ commitmentId }) => commitmentId);
        return [...totals.values()].map((own) => sum(own.map(({ principal }) => principal))).sort();
      });
    // Each third is rounded: 22.23 and 11.12 of 33.35, then 22.22 and 11.11 of 33.33 and 33.32.
    expect(await inParts('33.35', '33.35', '33.30')).toEqual(['33.33', '66.67']);
    expect(await inParts('16.67', '16.67', '16.67', '16.67', '16.67', '16.65')).toEqual(['33.33', '66.67']);
    expect((await refusal(inParts('33.35', '33.35', '33.31'))).message).toMatch(/by 0.01 USD on 30 Jun 2025/);
  });

  test('is returned once, whatever the order of the documents', async () => {
    const later = trying(async (session) => {
      const { fund } = await called(session);
      await distribute(session, [distributionOf(fund, { principal: usd(60) })]);
      return distribute(session, [
        distributionOf(fund, { principal: usd(60), cutOffDate: '2025-04-30', callNumber: '2' }),
      ]);
    });
    expect((await refusal(later)).message).toMatch(/Investor one by 13.33 USD on 30 Jun 2025/);
  });

  test('is written off to the cent, less what can be called again', async () => {
    expect(await writingOff('100')).toHaveLength(2);
    expect(await refusal(writingOff('100.01'))).toEqual({
      message:
        'More would be written off than the net capital called: Investor two by 0.01 USD on 30 Jun 2025 (net capital called 33.33, written off 33.34)',
      flags: { amount: 'is more than the net capital called' },
    });
    expect((await refusal(writingOff('0.03', '2025-03-16'))).message).toMatch(/Investor one by 0.02 USD/);
    expect(await writingOff('70', '2025-06-30', [{ principal: usd(30) }])).toHaveLength(2);
    expect((await refusal(writingOff('70.03', '2025-06-30', [{ principal: usd(30) }]))).flags).toHaveProperty('amount');
  });

  test('stays while it is returned, and drafts wait until it is', async () => {
    await failing(async (session) => {
      const { fund, calls } = await called(session);
      await distribute(session, [distributionOf(fund)]);
      const removal = removeContributions(session, { ids: calls.map(({ id }) => id), reason: 'Wrong' });
      expect((await refusal(removal)).message).toMatch(/Investor one by 13.33 USD on 30 Jun 2025 \(called 0.00/);
    });
    await failing(async (session) => {
      const { fund } = await twoInvestors(session);
      const drafts = await distribute(session, [distributionOf(fund, { status: 'Draft' })]);
      const items = drafts.map(({ id, version }) => ({ id, version, status: 'Active' as const }));
      expect((await refusal(changeDistributions(session, items))).flags).toEqual({
        status: 'is more than what was called and not returned yet',
      });
    });
  });

  test.each([
    [`update distributions set principal = 66.68`, 'More principal would be returned than was called'],
    [`update contributions set status = 'Removed'`, 'More principal would be returned than was called'],
    [`update write_offs set amount = 60`, 'More would be written off'],
  ])('is guarded by the database itself: %s', async (sql, message) => {
    const work = trying(async (session) => {
      const { fund } = await called(session);
      await distribute(session, [distributionOf(fund)]);
      await createWriteOffs(session, [writeOffCreateSchema.parse({ fund, cutOffDate: '2025-07-01', amount: usd(1) })]);
      await asProgram(session, () => session.query(`${sql} where fund_id = $1`, [fund]));
    });
    await expect(work).rejects.toThrow(message);
  });
});

test('the database itself refuses to call more than is committed', async () => {
  const work = trying(async (session) => {
    const { fund } = await twoInvestors(session);
    await callCapital(session, callOf(fund));
    await session.query(
      `update contributions set purposes = '[{"title": "A", "kind": "other", "amount": "100.01"}]' where fund_id = $1`,
      [fund],
    );
  });
  await expect(work).rejects.toThrow('More would be called than is committed. Something else was saved');
});

test('a dry run leaves no trace', async () => {
  const setUp = async () => database.store.as(manager(), (session) => twoInvestors(session, { title: 'A dry fund' }));
  const { fund } = await setUp();
  const state = () =>
    database.query(
      `select (select count(*) from contributions) as calls, (select count(*) from history) as history,
         (select jsonb_agg(c order by collection, manager_id) from document_codes c) as codes`,
    );
  const before = await state();
  const whole = { amount: usd(300), callPurposes: [{ title: 'A', kind: 'other', amount: 300 }], dryRun: true };
  const parts = await database.store.as(manager(), (session) => callCapital(session, callOf(fund, whole)), {
    rollback: true,
  });
  expect(parts.map(({ unfunded }) => Number(unfunded.after))).toEqual([-100, -50]);
  expect(parts[0]?.warnings).toEqual([
    'Beyond what is unfunded: Investor one by 100.00 USD on 3 Mar 2025',
    'Beyond what is unfunded: Investor two by 50.00 USD on 3 Mar 2025',
    'The fund has no bank account. Add one to its entity, so that the notice states where to pay',
  ]);
  expect(await state()).toEqual(before);
});

test('two operators who call at once do not call more than is committed, and the codes have no gaps', async () => {
  const { fund } = await database.store.as(manager(), (session) =>
    twoInvestors(session, { title: 'A contested fund' }),
  );
  const calling = (callNumber: string) => {
    const amounts = { amount: usd(90), callPurposes: [{ title: 'A', kind: 'other', amount: 90 }] };
    return database.store.as(manager(), (session) => callCapital(session, callOf(fund, { ...amounts, callNumber })));
  };
  const results = await Promise.allSettled([calling('1'), calling('2'), calling('3')]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
  const [codes] = await database.query<{ gapless: boolean }>(
    `select max(code) = count(*) as gapless from contributions where manager_id = $1`,
    [one.managerId],
  );
  expect(codes?.gapless).toBe(true);
});

test('a write-off that is sent twice at once is saved once, and a list can repeat one', async () => {
  const fund = await database.store.as(manager(), async (session) => {
    const { fund } = await twoInvestors(session, { title: 'A hasty fund' });
    await callCapital(session, callOf(fund));
    return fund;
  });
  const body = writeOffCreateSchema.parse({ fund, cutOffDate: '2025-06-30', amount: usd(3) });
  const send = (bodies = [body]) => database.store.as(manager(), (session) => createWriteOffs(session, bodies));
  const sent = await Promise.allSettled([send(), send()]);
  expect(sent.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const [refused] = sent.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(refused.message).toMatch(/^Item 1: The same write-off was saved a moment ago/);
  const other = { ...body, amount: { sum: '4', currency: 'USD' } };
  expect(await send([other, other])).toHaveLength(4);
  // A request with a key of its own is meant.
  const options = { isKeyed: true };
  expect(await database.store.as(manager(), (session) => createWriteOffs(session, [other]), options)).toHaveLength(2);
});

test('what looks like a mistake is asked once, and answered with the document', async () => {
  const future = { cutOffDate: '2150-01-01' };
  const sentence = 'is in the future.';
  const asked = async (work: (session: Session) => Promise<unknown>): Promise<string[]> => {
    const warnings: Warning[] = [];
    await database.store.as(manager(), work, { rollback: true, warnings });
    const messages = [...new Set(warnings.map(({ message }) => message))];
    const told = await database.store.as(manager(), work, { confirmed: [], isKeyed: true }).then(
      () => [],
      (error) => error.questions,
    );
    expect(told).toEqual(messages);
    return messages;
  };
  const { fund, investor } = await database.store.as(manager(), async (session) => {
    const made = await twoInvestors(session, { title: 'A fund of the future', hardCap: 160 });
    await callCapital(session, callOf(made.fund));
    return { fund: made.fund, investor: { id: one.lpIds[0], kind: 'LP' } };
  });
  const nav = (changes: object) => (session: Session) =>
    createNavs(session, [navCreateSchema.parse({ fund, investor, gross: 1, net: 1, currency: 'USD', ...changes })]);
  expect(await asked(nav(future))).toEqual([`The NAV of 1 Jan 2150 ${sentence}`]);
  const loss = writeOffCreateSchema.parse({ fund, amount: usd(1), ...future });
  expect(await asked((session) => createWriteOffs(session, [loss]))).toEqual([
    `The write-off of 1 Jan 2150 ${sentence}`,
  ]);
  const confirmed = [`The NAV of 1 Jan 2150 ${sentence}`];
  const [stored] = await database.store.as(manager(), nav(future), { confirmed, isKeyed: true });
  // A day that stays is not asked about again.
  const { id, version } = stored!;
  expect(await asked((session) => changeNavs(session, [{ id, version, net: '2' }]))).toEqual([]);

  const [commitment] = await database.store.as(manager(), (session) =>
    session.query<{ id: string; version: number }>(
      'select id, version from lp_commitments where fund_id = $1 and active_commitment = 100',
      [fund],
    ),
  );
  const raised = (sum: number) => (session: Session) =>
    updateCommitments(session, [
      commitmentChangeSchema.parse({ ...commitment, maxCommitment: usd(500), activeCommitment: usd(sum) }),
    ]);
  // 50 are committed by the other investor.
  expect(await asked((session) => raised(111)(session))).toEqual([
    'The commitments to A fund of the future, drafts included, are above its hard cap of 160.00 USD.',
  ]);
  expect(await asked(raised(110))).toEqual([]);
});

test('an investor whom the operator cannot see has its part as well', async () => {
  const { fund, first } = await database.store.as(manager(), (session) =>
    twoInvestors(session, { title: 'Partly hidden' }),
  );
  const blind = manager({ blockedDocuments: [`LPs/${one.lpIds[1]}`] });
  const shown = await database.store.as(blind, (session) => callCapital(session, callOf(fund)));
  expect(shown.map(({ commitmentId, amount }) => [commitmentId, Number(amount)])).toEqual([[first.id, 40]]);
  const all = await database.store.as(manager(), (session) => listContributions(session, { filter: { fund } }));
  expect(all.documents.map(({ amount }) => Number(amount)).sort((a, b) => a - b)).toEqual([20, 40]);
});

test('a warning or a refusal says neither the name nor the amount of an investor whom the operator cannot see', async () => {
  const { fund } = await database.store.as(manager(), (session) => twoInvestors(session, { title: 'Beyond, hidden' }));
  const blind = manager({ blockedDocuments: [`LPs/${one.lpIds[1]}`] });
  const call = callOf(fund, {
    amount: usd(900),
    callPurposes: [{ title: 'All', kind: 'investments', amount: usd(900).sum }],
  });
  const { message } = await refusal(database.store.as(blind, (session) => callCapital(session, call)));
  expect(message).toBe(
    'More would be called than is committed: Investor one by 500.00 USD on 3 Mar 2025; An investor whom you cannot see',
  );
  const shown = await database.store.as(blind, (session) => callCapital(session, { ...call, dryRun: true }), {
    rollback: true,
  });
  expect(shown).toHaveLength(1);
  expect(shown[0]?.warnings).toContain('Beyond what is unfunded: An investor whom you cannot see');
  expect(JSON.stringify(shown)).not.toContain('Investor two');
  const seen = await refusal(database.store.as(manager(), (session) => callCapital(session, call)));
  expect(seen.message).toContain('Investor two by');
});

test('a refusal states no amounts of an investor with a document that the operator cannot see', async () => {
  const { fund, own } = await database.store.as(manager(), async (session) => {
    const { fund } = await twoInvestors(session, { title: 'Beyond, partly hidden' });
    const calls = await callCapital(session, callOf(fund));
    return { fund, own: calls.find(({ investor }) => investor?.title === 'Investor one')! };
  });
  const blind = manager({ blockedDocuments: [`contributions/${own.id}`] });
  const { message } = await refusal(
    database.store.as(blind, (session) =>
      createWriteOffs(session, [writeOffCreateSchema.parse({ fund, cutOffDate: '2025-06-30', amount: usd(900) })]),
    ),
  );
  expect(message).toMatch(
    /^More would be written off than the net capital called: Investor one, by documents of which you cannot see all; Investor two by /,
  );
});

test('an investor sees what was issued to it, and nothing else', async () => {
  const { fund } = await database.store.as(manager(), (session) =>
    twoInvestors(session, { title: 'Shown to investors' }),
  );
  await database.store.as(manager(), async (session) => {
    await callCapital(session, callOf(fund, { dueDate: '2099-01-01' }));
    await callCapital(session, callOf(fund, { callNumber: '2', status: 'Draft' }));
  });
  const investor = testActor({ type: 'LP', managerId: one.managerId, lpIds: [one.lpIds[0]!] });
  const seen = await database.store.as(investor, (session) => listContributions(session, { filter: { fund } }));
  expect(seen.documents).toHaveLength(1);
  expect(seen.documents[0]).toMatchObject({ status: 'Upcoming', callNumber: '1', investor: { title: 'Investor one' } });
  const upcoming = { fund, status: 'Upcoming' };
  const filtered = await database.store.as(investor, (session) => listContributions(session, { filter: upcoming }));
  expect(filtered.total).toBe(1);
});

test('a distribution states its totals, and fees cannot exceed what is distributed', async () => {
  await trying(async (session) => {
    const { fund } = await twoInvestors(session);
    await callCapital(session, callOf(fund));
    const components = [
      { title: 'Interest', actionType: 'INTEREST', amount: usd(30) },
      { title: 'Fees', actionType: 'INTEREST FEES', amount: usd(3) },
      { title: 'Tax', actionType: 'INTEREST TAX', amount: usd('1.50') },
      { title: 'Sale', actionType: 'CG', amount: usd(15) },
    ];
    await distribute(session, [distributionOf(fund, { components })]);
    const { documents } = await listDistributions(session, { filter: { fund } });
    expect(documents).toHaveLength(2);
    const [total] = await totalDistributions(session, { filter: { fund } });
    expect(total).toMatchObject({ currency: 'USD', count: 2, principal: '20.00' });
    expect(Number(total?.totalDistributed)).toBe(60.5);
    expect(compare(sum(documents.map(({ totals }) => totals.totalDistributed)), '60.5')).toBe(0);
    const costly = [{ title: 'Fees', actionType: 'INTEREST FEES', amount: usd(21) }];
    expect(
      (await refusal(distribute(session, [distributionOf(fund, { components: costly, callNumber: '2' })]))).message,
    ).toMatch(/^The fees and taxes are more than what is distributed/);
  });
});

test('a day has one NAV of an investor, which can be corrected', async () => {
  await trying(async (session) => {
    const { fund } = await twoInvestors(session);
    const nav = (changes = {}) =>
      navCreateSchema.parse({
        fund,
        investor: { id: one.lpIds[0], kind: 'LP' },
        cutOffDate: '2025-12-31',
        gross: 110,
        net: 100,
        currency: 'USD',
        ...changes,
      });
    const [first] = await createNavs(session, [nav()]);
    expect((await refusal(createNavs(session, [nav()]))).flags).toEqual({
      '0.cutOffDate': 'already has a NAV of this investor',
    });
    const twice = nav({ cutOffDate: '2025-06-30' });
    const drafts = [nav({ status: 'Draft' }), nav({ status: 'Draft' })];
    expect((await refusal(createNavs(session, [...drafts, twice, twice]))).flags).toEqual({
      '3.cutOffDate': 'already has a NAV of this investor',
    });
    const [corrected] = await changeNavs(session, [{ id: first!.id, version: first!.version, net: '101' }]);
    expect(corrected).toMatchObject({ net: '101', gross: '110' });
    await removeNavs(session, { ids: [first!.id], reason: 'Restated' });
    expect(await createNavs(session, [nav()])).toHaveLength(1);
  });
});

test('the NAV of a fund is unknown while that of an investor is', async () => {
  await trying(async (session) => {
    const { fund } = await twoInvestors(session);
    await callCapital(session, callOf(fund));
    const nav = { fund, cutOffDate: '2025-12-31', gross: 40, net: 40, currency: 'USD' };
    await createNavs(session, [navCreateSchema.parse({ ...nav, investor: { id: one.lpIds[0], kind: 'LP' } })]);
    const query = { fundId: fund, cutOffDate: '2025-12-31' };
    expect(await selectionFigures(session, query)).toMatchObject({
      nav: null,
      navDate: null,
      tvpi: null,
      dpi: '0',
    });
    expect(await selectionReturns(session, query)).toMatchObject({
      net: { rate: null, reason: 'Not every investor has a net asset value' },
    });
    // Screens show what is known, and what that covers.
    const missing = [{ id: one.lpIds[1], title: 'Investor two' }];
    const { figures, returns } = await selectionPerformance(session, query);
    expect(figures).toMatchObject({
      called: '60.00',
      nav: '40.00',
      navDate: '2025-12-31',
      tvpi: '1',
      coverage: { parts: 'investors', known: 1, of: 2, missing },
    });
    expect(returns).toMatchObject({ navSum: '40.00', items: [{ amount: '-40.00' }, { amount: '40.00' }] });
    expect((await selectionFigures(session, query)).coverage.missing).toEqual(missing);
    // A fund that has called nothing and has no NAV is worth zero, and makes no total unknown.
    const young = await makeFund(session, { title: 'Young Fund' });
    await commit(session, young, 0);
    expect(await selectionFigures(session, { ...query, fundId: young })).toMatchObject({
      nav: '0.00',
      coverage: { known: 1, of: 1, missing: [] },
    });
  });
});

test('a fund that invests in another fund is not counted twice', async () => {
  await trying(async (session) => {
    const { fund } = await twoInvestors(session, { title: 'Feeder' });
    const master = await makeFund(session, { title: 'Master' });
    await createCommitment(
      session,
      commitmentCreateSchema.parse({
        fund: master,
        investor: { id: fund, kind: 'fund' },
        closingDate: '2025-01-31',
        maxCommitment: 120,
      }),
    );
    const at = { cutOffDate: '2025-12-31', currency: 'USD' };
    const committed = async (query: object) =>
      (await positionsAt(session, { ...at, ...query })).filter(({ fundId }) => [fund, master].includes(fundId)).length;
    expect(await committed({})).toBe(2);
    expect(await committed({ fundId: master })).toBe(1);
  });
});

const day = fromEpochDay;
const text = (cents: bigint) => fromScaled(cents, 2);
const whole = (value: string) => toScaled(round(value, 2), 2);

/** Issues a document of a random world to the fund, as its manager. */
function issue(
  session: Session,
  fund: string,
  document: ReferenceDocument,
  number: string,
  dryRun = false,
): Promise<readonly object[]> {
  const cutOffDate = day(document.day);
  const amount = (cents: bigint) => usd(text(cents));
  if (document.kind === 'call') {
    const dueDate = day(document.dueDay);
    const callPurposes = [
      { title: 'A', kind: 'investments', amount: text(document.invested) },
      { title: 'B', kind: 'managementFee', amount: text(document.fee) },
    ];
    const total = amount(document.invested + document.fee);
    const changes = { amount: total, callPurposes, cutOffDate, dueDate, callNumber: number, dryRun };
    return callCapital(session, callOf(fund, changes));
  }
  if (document.kind === 'distribution') {
    const { interest, interestFees, interestTax, gains, recallable, principal } = document;
    const components = [
      { title: 'A', actionType: 'INTEREST', amount: amount(interest) },
      { title: 'B', actionType: 'INTEREST FEES', amount: amount(interestFees) },
      { title: 'C', actionType: 'INTEREST TAX', amount: amount(interestTax) },
      { title: 'D', actionType: 'CG', amount: amount(gains) },
    ];
    const pdfOptions = { recallableDistribution: recallable };
    const changes = { principal: amount(principal), components, pdfOptions, cutOffDate, callNumber: number, dryRun };
    return distribute(session, [distributionOf(fund, changes)]);
  }
  if (document.kind === 'writeOff') {
    return createWriteOffs(session, [
      writeOffCreateSchema.parse({ fund, cutOffDate, amount: amount(document.amount) }),
    ]);
  }
  const investor = { id: one.lpIds[document.code - 1], kind: 'LP' };
  const value = { gross: text(document.gross), net: text(document.net), currency: 'USD' };
  return createNavs(session, [navCreateSchema.parse({ fund, investor, cutOffDate, ...value })]);
}

/** What each investor has of a call or distribution. */
const amountsOf = (parts: readonly object[]) =>
  (parts as { investor: { id: string } | null; purposes?: unknown; principal?: unknown; components?: unknown }[])
    .map(({ investor, purposes, principal, components }) => [investor?.id, purposes, principal, components])
    .sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1));

const MESSAGES: Readonly<Record<ReferenceLimit, RegExp>> = {
  called: /^More would be called than is committed: .*Investor/,
  returned:
    /^More principal would be returned than was called and not returned yet: Investor .*\(called .*, returned .*\)/,
  writtenOff:
    /^More would be written off than the net capital called: Investor .*\(net capital called .*, written off .*\)/,
};

test('random funds are refused what the reference refuses, and have its figures on any day', async () => {
  const tally = { issued: 0, refused: 0 };
  const asOf = fc.integer({ min: LAST_DAY - 900, max: LAST_DAY });
  await fc.assert(
    fc.asyncProperty(randomWorlds(2), asOf, async ({ fund: terms, documents }, at) => {
      const { commitments, nonRecyclable: declared } = terms;
      const nonRecyclable = declared && { declerationDate: day(declared.day), fromBeginning: declared.fromBeginning };
      const fund = await database.store.as(manager(), async (session) => {
        const id = await makeFund(session, { nonRecyclable });
        for (const { code, closingDay, committed, changes } of commitments) {
          await commit(session, id, code - 1, {
            closingDate: day(closingDay),
            activeCommitment: text(committed),
            maxCommitment: text(changes.reduce((total, { amount }) => total + amount, committed)),
            deltas: changes.map((change) => ({ date: day(change.day), amount: text(change.amount) })),
          });
        }
        return id;
      });
      const world = new ReferenceWorld(terms);
      for (const [index, document] of documents.entries()) {
        if (document.kind !== 'nav' && !commitments.some(({ closingDay }) => closingDay <= document.day)) continue;
        const broken = world.issue(document);
        // A dry run runs before: it changes nothing, and answers what is issued.
        const isTried = broken === null && (document.kind === 'call' || document.kind === 'distribution');
        const tried = isTried ? await trying((session) => issue(session, fund, document, String(index), true)) : null;
        const issued = database.store.as(manager(), (session) => issue(session, fund, document, String(index)));
        if (broken === null && tried) expect(amountsOf(tried)).toEqual(amountsOf(await issued));
        else if (broken === null) await issued;
        else await expect(issued).rejects.toThrow(MESSAGES[broken]);
        tally[broken === null ? 'issued' : 'refused'] += 1;
      }
      const found = await database.store.as(manager(), (session) =>
        positionsAt(session, { fundId: fund, cutOffDate: day(at) }),
      );
      const closed = commitments.filter(({ closingDay }) => closingDay <= at);
      expect(found).toHaveLength(closed.length);
      for (const position of found) {
        const wanted = world.figures(one.lpIds.indexOf(position.investorId) + 1, at);
        expect({
          active: whole(position.activeCommitment),
          called: whole(position.called),
          unfunded: whole(position.unfunded),
          recallable: whole(position.recallableCapital),
          writtenOff: whole(position.writtenOff),
          netCapitalCalled: whole(position.netCapitalCalled),
          distributed: whole(position.distributed),
          nav: position.nav === null ? null : whole(position.nav),
          grossNav: position.grossNav === null ? null : whole(position.grossNav),
          navDate: position.navDate,
        }).toEqual({
          active: wanted.active,
          called: wanted.called,
          unfunded: wanted.unfunded,
          recallable: wanted.recallable,
          writtenOff: wanted.writtenOff,
          netCapitalCalled: wanted.netCapitalCalled,
          distributed: wanted.distributed,
          nav: wanted.nav?.net ?? null,
          grossNav: wanted.nav?.gross ?? null,
          navDate: wanted.nav?.day == null ? null : day(wanted.nav.day),
        });
      }
    }),
    { numRuns: RUNS },
  );
  console.info(`${RUNS} random funds: ${tally.issued} documents issued, ${tally.refused} refused, 0 differences`);
  expect(tally.issued).toBeGreaterThan(RUNS);
  expect(tally.refused).toBeGreaterThan(RUNS / 2);
});
