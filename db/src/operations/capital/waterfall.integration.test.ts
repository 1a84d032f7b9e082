import { contributionCreateSchema } from '@tapeline/domain/capital/contribution.schema.ts';
import { distributionCreateSchema } from '@tapeline/domain/capital/distribution.schema.ts';
import { commitmentCreateSchema } from '@tapeline/domain/commitments/commitment.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { fundCreateSchema } from '@tapeline/domain/funds/fund.schema.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { createCommitment } from '../commitments/change-commitments.ts';
import { createFund } from '../funds/change-funds.ts';
import { getDistributionHeader, splitsOfHeader } from './calls-and-distributions.ts';
import { callCapital } from './contributions.ts';
import { changeDistribution, distribute } from './distributions.ts';
import { fundFees } from './fees.ts';

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
      'Carried interest is unknown for Investor two: its terms agree on no success fee, or on one by facility or without compounding, which is not calculated. Enter the rate in the terms, 0 if there is none, or enter the amounts',
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
