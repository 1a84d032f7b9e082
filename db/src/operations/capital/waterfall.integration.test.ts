import { contributionCreateSchema } from '@tapeline/domain/capital/contribution.schema.ts';
import { distributionCreateSchema } from '@tapeline/domain/capital/distribution.schema.ts';
import { commitmentCreateSchema } from '@tapeline/domain/commitments/commitment.schema.ts';
import { commitmentTransferSchema } from '@tapeline/domain/commitments/transfer.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { fundCreateSchema } from '@tapeline/domain/funds/fund.schema.ts';
import { lpCreateSchema } from '@tapeline/domain/investors/lp.schema.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { createCommitment } from '../commitments/change-commitments.ts';
import { transferCommitment } from '../commitments/transfer-commitment.ts';
import { createFund } from '../funds/change-funds.ts';
import { listCommitments } from '../funds/funds.ts';
import { createLP } from '../investors/investors.ts';
import { getDistributionHeader, splitsOfHeader } from './calls-and-distributions.ts';
import { callCapital } from './contributions.ts';
import { changeDistribution, distribute } from './distributions.ts';
import { fundFees } from './fees.ts';
import { fundInvestments } from './investments.ts';

let database: TestDatabase;
let tenant: TestTenant;
beforeAll(async () => {
  database = await createTestDatabase();
  tenant = await database.store.as(SYSTEM, makeTenant);
});
afterAll(() => database.close());

const trying = <Result>(work: (session: Session) => Promise<Result>): Promise<Result> =>
  database.store.as(testActor({ type: 'manager', managerId: tenant.managerId }), work, { rollback: true });
const usd = (sum: number | string) => ({ sum, currency: 'USD' });
const investor = (index: number) => ({ id: tenant.lpIds[index], kind: 'LP' });
const SUCCESS = { success: { hurdle: 8, rate: 20, catchUp: 100 } };

/** A fund that has called 100 of each of two investors a year before. */
async function makeFund(session: Session, fees: readonly object[] = [SUCCESS, SUCCESS]): Promise<string> {
  const body = { title: 'Quay Fund', type: 'SMA', strategy: 'ABL', currency: 'USD', targetSize: 500, hardCap: 600 };
  const { fund } = await createFund(session, fundCreateSchema.parse(body));
  for (const [index, own] of fees.entries()) {
    const commitment = { fund: fund.id, investor: investor(index), closingDate: '2024-01-01', maxCommitment: 200 };
    await createCommitment(session, commitmentCreateSchema.parse({ ...commitment, fees: own }));
  }
  await callCapital(
    session,
    contributionCreateSchema.parse({
      fund: fund.id,
      cutOffDate: '2024-12-16',
      dueDate: '2025-01-01',
      callNumber: '1',
      amount: usd(200),
      callPurposes: [{ title: 'A loan', kind: 'investments', amount: 200 }],
      status: 'Active',
    }),
  );
  return fund.id;
}

const proceedsOf = (fund: string, changes: object = {}) =>
  distributionCreateSchema.parse({
    fund,
    cutOffDate: '2026-01-01',
    callNumber: '1',
    distributionKind: 'Interest and Principal',
    principal: usd(200),
    principalSplit: 'waterfall',
    components: [
      { title: 'Income', actionType: 'INTEREST', split: 'waterfall', amount: usd(20) },
      { title: 'Gain', actionType: 'CG', split: 'waterfall', amount: usd(40) },
      { title: 'Carried interest', actionType: 'CG FEES', split: 'waterfall' },
    ],
    ...changes,
  });

const shown = (parts: Awaited<ReturnType<typeof distribute>>) =>
  parts.map(({ investor: who, principal, components, totals }) => [
    who?.title,
    Number(principal),
    ...components.map(({ amount }) => Number(amount)),
    Number(totals.totalDistributed),
  ]);

describe('a distribution by the waterfall', () => {
  test('gives 100, 8, 2 and 20 of 130 a year after 100 was paid in, and says so', async () => {
    const found = await trying(async (session) => {
      const fund = await makeFund(session);
      const made = await distribute(session, [proceedsOf(fund, { status: 'Active' })]);
      const id = made[0]!.activityId;
      return {
        made,
        header: await getDistributionHeader(session, id),
        splits: await splitsOfHeader(session, 'distributions', id),
        fees: await fundFees(session, {
          fundId: fund,
          currency: 'USD',
          from: '2025-01-01',
          to: '2026-01-02',
          at: '2026-01-01',
        }),
      };
    });
    expect(shown(found.made)).toEqual([
      ['Investor one', 100, 10, 20, 6, 124],
      ['Investor two', 100, 10, 20, 6, 124],
    ]);
    expect(found.made[0]?.basis.map(({ rule, tier }) => [rule, tier])).toEqual([
      ['waterfall', 'principal'],
      ['waterfall', 'income'],
      ['waterfall', 'gain'],
      ['waterfall', 'carry'],
    ]);
    expect(found.made[0]?.basis[0]?.waterfall).toMatchObject({
      returnOfCapital: '100.00',
      preferredReturn: '8.00',
      catchUp: '2.00',
      splitLp: '16.00',
      splitGp: '4.00',
      days: 365,
      accrued: '8.00',
    });
    expect(Number(found.header.principal)).toBe(200);
    // As it was entered.
    expect(found.splits.map(({ rule, amount }) => [rule, amount && Number(amount)])).toEqual([
      ['waterfall', 200],
      ['waterfall', 20],
      ['waterfall', 40],
      ['waterfall', null],
    ]);
    // The carry that was paid is no less proceeds for the success fee.
    expect(found.fees.total.paid).toMatchObject({ lp: '248', gp: '12' });
  });

  test('pays the next distribution after the tiers of the one before', async () => {
    const next = await trying(async (session) => {
      const fund = await makeFund(session);
      await distribute(session, [proceedsOf(fund, { status: 'Active' })]);
      return distribute(session, [
        proceedsOf(fund, { callNumber: '2', cutOffDate: '2026-06-30', principal: usd(20), dryRun: true }),
      ]);
    });
    expect(shown(next).map((row) => row.slice(1))).toEqual([
      [0, 13.33, 26.67, 8, 32],
      [0, 13.33, 26.67, 8, 32],
    ]);
  });

  test('names an investor without terms, shows the others, and takes what is entered for it', async () => {
    const [tried, refused, entered] = await trying(async (session) => {
      const fund = await makeFund(session, [SUCCESS, {}]);
      return [
        await distribute(session, [proceedsOf(fund, { dryRun: true })]),
        await distribute(session, [proceedsOf(fund, { callNumber: '2' })]).catch((error: unknown) => error),
        await distribute(session, [
          proceedsOf(fund, {
            callNumber: '3',
            amounts: [{ investor: investor(1), components: [{ title: 'Carried interest', amount: usd(0) }] }],
          }),
        ]),
      ] as const;
    });
    expect(shown(tried)[0]).toEqual(['Investor one', 100, 10, 20, 6, 124]);
    expect(tried[0]?.warnings).toContain(
      'Carried interest is unknown for Investor two: its terms agree on no success fee, on one by facility although the distribution names no investment, or on one without compounding, which is not calculated. Enter the rate in the terms, 0 if there is none, or enter the amounts',
    );
    expect(refused).toBeInstanceOf(Refusal);
    expect((refused as Refusal).flags).toHaveProperty(['components.2.amount']);
    expect(shown(entered)[1]).toEqual(['Investor two', 100, 10, 20, 0, 130]);
  });

  test('keeps an amount that a person entered, and refuses amounts that are not the proceeds', async () => {
    const own = (amounts: object) => ({ amounts: [{ investor: investor(0), ...amounts }] });
    const [kept, more] = await trying(async (session) => {
      const fund = await makeFund(session);
      return [
        await distribute(session, [
          proceedsOf(fund, own({ components: [{ title: 'Carried interest', amount: usd('5.50') }] })),
        ]),
        await distribute(session, [proceedsOf(fund, { ...own({ principal: usd('99.99') }), callNumber: '2' })]).catch(
          (error: unknown) => error,
        ),
      ] as const;
    });
    expect(shown(kept)[0]).toEqual(['Investor one', 100, 10, 20, 5.5, 124.5]);
    expect((more as Refusal).message).toBe('Principal: the amounts entered come to 0.01 USD less than the proceeds');
  });

  test('divides a draft again when it is changed', async () => {
    const changed = await trying(async (session) => {
      const fund = await makeFund(session);
      const [first] = await distribute(session, [proceedsOf(fund)]);
      const { version } = await getDistributionHeader(session, first!.activityId);
      const terms = { ...proceedsOf(fund, { principal: usd(140) }), own: [] };
      return changeDistribution(session, { id: first!.activityId, version, investors: 'same', terms });
    });
    expect(shown(changed)[0]).toEqual(['Investor one', 100, 0, 0, 0, 100]);
  });
});

describe('a distribution by the waterfall after a transfer of an interest', () => {
  /** What a second distribution pays everyone, and the tiers of the success fee, after a share moved to a third investor. */
  const totalsAfter = (sharePercent: string | null) =>
    trying(async (session) => {
      const fund = await makeFund(session);
      await distribute(session, [proceedsOf(fund, { status: 'Active' })]);
      if (sharePercent !== null) {
        const { documents } = await listCommitments(session, { filter: { fund } });
        const first = documents.find(({ investorLPId }) => investorLPId === tenant.lpIds[0])!;
        const newHolder = {
          title: 'Third investor',
          entity: { name: 'Third investor', formalId: 'T3', nationality: { country: 'US' } },
        };
        const { id } = await createLP(session, lpCreateSchema.parse(newHolder));
        await transferCommitment(
          session,
          commitmentTransferSchema.parse({
            commitment: first.id,
            version: first.version,
            to: { id, kind: 'LP' },
            date: '2026-03-01',
            sharePercent,
          }),
        );
      }
      const next = await distribute(session, [
        proceedsOf(fund, { callNumber: '2', cutOffDate: '2026-06-30', principal: usd(20), status: 'Active' }),
      ]);
      const fees = { fundId: fund, currency: 'USD', from: '2025-01-01', to: '2026-07-01', at: '2026-06-30' };
      const { total } = await fundFees(session, fees);
      const rows = shown(next).map((row) => row.slice(1) as number[]);
      return {
        amounts: rows[0]!.map((_, index) => rows.reduce((all, row) => all + row[index]! * 100, 0)).map(Math.round),
        carryReceived: next.reduce((all, { basis }) => all + Number(basis[0]?.waterfall?.carryReceived), 0),
        tiers: total.paid,
      };
    });

  test('gives all holders the tiers that they have without it, of a whole and of a part', async () => {
    const without = await totalsAfter(null);
    // 80 more, 40 to each: 8 and 8 to the manager. Before, 6 and 6.
    expect(without).toMatchObject({ amounts: [0, 2666, 5334, 1600, 6400], carryReceived: 12 });
    expect(await totalsAfter('100')).toEqual(without);
    const { amounts, ...partly } = await totalsAfter('50');
    expect(partly).toEqual({ carryReceived: without.carryReceived, tiers: without.tiers });
    // Income and gain are divided by cents in each of three parts.
    expect(amounts.map((cents, index) => Math.abs(cents - without.amounts[index]!) <= 1)).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(amounts[3]).toBe(without.amounts[3]);
  });
});

describe('a distribution of the proceeds of one investment', () => {
  const AMERICAN = { from: '2024-01-01', terms: { success: { ...SUCCESS.success, perTransaction: true } } };
  /** The fund has called 200 for a loan and 100 for another. The second investor was excused from the other one. */
  async function twoInvestments(session: Session): Promise<string> {
    const fund = await makeFund(session, [{}, SUCCESS]);
    await session.query('update funds set fee_terms = $2 where id = $1', [
      fund,
      JSON.stringify([{ ...AMERICAN, Class: null }]),
    ]);
    await callCapital(
      session,
      contributionCreateSchema.parse({
        fund,
        cutOffDate: '2024-12-16',
        dueDate: '2025-01-01',
        callNumber: '2',
        amount: usd(100),
        callPurposes: [{ title: 'Another loan', kind: 'investments', amount: 100 }],
        amounts: [{ investor: investor(1), excuse: { reason: 'Side letter' } }],
        status: 'Active',
      }),
    );
    return fund;
  }
  const of = (fund: string, title: string, amount: number, changes: object = {}) =>
    proceedsOf(fund, {
      investment: title,
      principal: usd(amount),
      components: [
        { title: 'Gain', actionType: 'CG', split: 'waterfall' },
        { title: 'Carried interest', actionType: 'CG FEES', split: 'waterfall' },
      ],
      ...changes,
    });

  test('has the waterfall of it alone for American terms, and of the whole fund for the others', async () => {
    const [made, header, next, other, known] = await trying(async (session) => {
      const fund = await twoInvestments(session);
      const made = await distribute(session, [of(fund, 'A loan', 260, { status: 'Active' })]);
      return [
        made,
        await splitsOfHeader(session, 'distributions', made[0]!.activityId),
        await distribute(session, [of(fund, 'A loan', 20, { callNumber: '2', dryRun: true })]),
        await distribute(session, [of(fund, 'Another loan', 100, { callNumber: '3', dryRun: true })]),
        await fundInvestments(session, fund),
      ] as const;
    });
    // The first has paid 100 for it, and 100 for the other loan: American, it has carry on the profit of the loan alone.
    expect(shown(made)).toEqual([
      ['Investor one', 100, 30, 6, 124],
      ['Investor two', 100, 30, 6, 124],
    ]);
    expect(made.map(({ basis }) => [basis[0]?.investment, basis[0]?.waterfall?.investment])).toEqual([
      ['A loan', 'A loan'],
      ['A loan', undefined],
    ]);
    expect(made[0]?.basis[0]?.waterfall).toMatchObject({ carryDue: '0.00' });
    expect(header.map(({ investment }) => investment)).toEqual(['A loan', undefined, undefined]);
    // Its capital and preferred return are paid, so the rest is split.
    expect(shown(next).map((row) => row.slice(1))).toEqual([
      [0, 10, 2, 8],
      [0, 10, 2, 8],
    ]);
    // The second was excused from the other loan, and has nothing of its proceeds.
    expect(shown(other)).toEqual([
      ['Investor one', 100, 0, 0, 100],
      ['Investor two', 0, 0, 0, 0],
    ]);
    expect(
      known.map(({ title, called, returned, distributed }) => [title, ...[called, returned, distributed].map(Number)]),
    ).toEqual([
      ['A loan', 200, 200, 248],
      ['Another loan', 100, 0, 0],
    ]);
  });

  test('names American terms where no investment is named, and refuses one that no call was for', async () => {
    const [whole, refused] = await trying(async (session) => {
      const fund = await twoInvestments(session);
      return [
        await distribute(session, [of(fund, 'A loan', 260, { investment: null, dryRun: true })]),
        await distribute(session, [of(fund, 'A load', 260)]).catch((error: unknown) => error),
      ] as const;
    });
    expect(whole[0]?.warnings?.join()).toContain('Carried interest is unknown for Investor one');
    expect((refused as Refusal).flags).toEqual({
      investment: 'is not an investment that the fund has called capital for',
    });
  });

  test('cannot name an investment from the day of a transfer of an interest on, whose parts name none', async () => {
    const [before, refused] = await trying(async (session) => {
      const fund = await twoInvestments(session);
      const { documents } = await listCommitments(session, { filter: { fund } });
      const first = documents.find(({ investorLPId }) => investorLPId === tenant.lpIds[0])!;
      await transferCommitment(
        session,
        commitmentTransferSchema.parse({
          commitment: first.id,
          version: first.version,
          to: investor(1),
          date: '2025-12-31',
          sharePercent: '50',
        }),
      );
      return [
        await distribute(session, [
          of(fund, 'A loan', 10, { cutOffDate: '2025-12-30', callNumber: '1', dryRun: true }),
        ]),
        await distribute(session, [of(fund, 'A loan', 10, { cutOffDate: '2025-12-31', callNumber: '2' })]).catch(
          (error: unknown) => error,
        ),
      ] as const;
    });
    expect(before).toHaveLength(2);
    expect((refused as Refusal).flags).toEqual({ investment: 'is not possible after a transfer of an interest' });
  });

  test('is changed as a draft, with its investment or for the whole fund', async () => {
    const [changed, splits] = await trying(async (session) => {
      const fund = await twoInvestments(session);
      const [first] = await distribute(session, [of(fund, 'A loan', 260)]);
      const id = first!.activityId;
      const { version } = await getDistributionHeader(session, id);
      const terms = { ...of(fund, 'Another loan', 100), own: [] };
      const changed = await changeDistribution(session, { id, version, investors: 'same', terms });
      return [changed, await splitsOfHeader(session, 'distributions', id)] as const;
    });
    expect(shown(changed)[0]).toEqual(['Investor one', 100, 0, 0, 100]);
    expect(splits[0]?.investment).toBe('Another loan');
  });
});

describe('the rules of a distribution by the waterfall', () => {
  const issues = (changes: object) =>
    distributionCreateSchema
      .safeParse({ ...proceedsOf('f'.repeat(24)), ...changes })
      .error?.issues.map(({ path }) => path.join('.'));
  const component = (actionType: string, more: object = {}) => ({
    title: actionType,
    actionType,
    split: 'waterfall',
    ...more,
  });

  test('ask for principal, profit and one carry by the waterfall', () => {
    expect(issues({})).toBeUndefined();
    expect(issues({ principalSplit: 'commitment' })).toEqual(['principalSplit']);
    expect(issues({ investment: 'x'.repeat(150) })).toBeUndefined();
    expect(issues({ investment: 'x'.repeat(151) })).toEqual(['investment']);
    expect(issues({ investment: 'A loan', principalSplit: 'commitment', components: [] })).toEqual(['investment']);
    expect(issues({ distributionKind: 'Interest', principal: usd(0) })).toEqual(['distributionKind']);
    expect(issues({ components: [component('CG FEES')] })).toEqual(['components']);
    expect(issues({ components: [component('CG')] })).toEqual(['components']);
    expect(issues({ components: [component('CG'), component('CG FEES')] })).toBeUndefined();
    expect(issues({ components: [component('CG'), component('CG FEES'), component('INTEREST FEES')] })).toEqual([
      'components',
    ]);
    expect(
      issues({
        components: [
          component('CG'),
          component('CG FEES'),
          component('INTEREST', { split: 'commitment', amount: usd(1) }),
        ],
      }),
    ).toEqual(['components']);
  });

  test('leave taxes and the amount of the carry out', () => {
    expect(issues({ components: [component('CG'), component('CG FEES'), component('CG TAX')] })).toEqual([
      'components.2.split',
    ]);
    expect(issues({ components: [component('CG'), component('CG FEES', { amount: usd(1) })] })).toEqual([
      'components.1.amount',
    ]);
  });

  test('do not divide a purpose of a call', () => {
    const parsed = contributionCreateSchema.safeParse({
      fund: 'f'.repeat(24),
      cutOffDate: '2024-12-16',
      dueDate: '2025-01-01',
      callNumber: '1',
      amount: usd(1),
      callPurposes: [{ title: 'A loan', kind: 'investments', amount: 1, split: 'waterfall' }],
    });
    expect(parsed.error?.issues.map(({ path }) => path.join('.'))).toEqual(['callPurposes.0.split']);
  });
});
