import { contributionCreateSchema } from '@tapeline/domain/capital/contribution.schema.ts';
import { distributionCreateSchema } from '@tapeline/domain/capital/distribution.schema.ts';
import { navCreateSchema } from '@tapeline/domain/capital/nav.schema.ts';
import { commitmentCreateSchema } from '@tapeline/domain/commitments/commitment.schema.ts';
import { fundCreateSchema } from '@tapeline/domain/funds/fund.schema.ts';
import { sum } from '@tapeline/domain/money/decimal.ts';
import type { Actor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Session, SYSTEM, settingsOf } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { countStatements } from '../../testing/count-statements.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { createCommitment } from '../commitments/change-commitments.ts';
import { createFund } from '../funds/change-funds.ts';
import { callCapital } from './contributions.ts';
import { distribute } from './distributions.ts';
import { type FeeQuery, fundFees, MAX_FEE_DAYS } from './fees.ts';
import { createNavs } from './navs.ts';

let database: TestDatabase;
let one: TestTenant;
let two: TestTenant;
let fundId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  [one, two] = await database.store.as(SYSTEM, async (session) => [
    await makeTenant(session),
    await makeTenant(session),
  ]);
  fundId = await database.store.as(manager(), makeFund);
});
afterAll(() => database.close());

const manager = () => testActor({ type: 'manager', managerId: one.managerId });
const investor = (index: number) =>
  testActor({ type: 'LP', managerId: one.managerId, lpIds: [one.lpIds[index] ?? ''] });

const usd = (amount: number) => ({ sum: amount, currency: 'USD' });

/** A fund that calls 100 of two investors on 1 January 2025, and pays back 130 a year later: the textbook's waterfall. */
async function makeFund(session: Session): Promise<string> {
  const { fund } = await createFund(
    session,
    fundCreateSchema.parse({
      title: 'Fund with fees',
      type: 'SMA',
      strategy: 'ABL',
      currency: 'USD',
      targetSize: 500,
      hardCap: 600,
    }),
  );
  const success = { rate: 20, hurdle: 8, catchUp: 100 };
  for (const [index, fees] of [
    { management: { committed: 2, invested: 1 }, success },
    { management: { committed: 2 }, success, overallCap: 1 },
  ].entries()) {
    await createCommitment(
      session,
      commitmentCreateSchema.parse({
        fund: fund.id,
        investor: { id: one.lpIds[index], kind: 'LP' },
        closingDate: '2024-12-01',
        maxCommitment: 100,
        fees,
      }),
    );
  }
  await callCapital(
    session,
    contributionCreateSchema.parse({
      fund: fund.id,
      cutOffDate: '2024-12-10',
      dueDate: '2025-01-01',
      callNumber: '1',
      amount: usd(100),
      callPurposes: [
        { title: 'Investments', kind: 'investments', amount: 98 },
        { title: 'Management fee', kind: 'managementFee', amount: 2 },
      ],
      status: 'Active',
    }),
  );
  await distribute(session, [
    distributionCreateSchema.parse({
      fund: fund.id,
      cutOffDate: '2026-01-01',
      callNumber: '1',
      distributionKind: 'Interest and Principal',
      principal: usd(100),
      components: [{ title: 'Interest', actionType: 'INTEREST', amount: usd(30) }],
      status: 'Active',
    }),
  ]);
  return fund.id;
}

const YEAR = { from: '2025-01-01', to: '2026-01-01', at: '2026-01-01', currency: 'USD' };
const feesAs = (actor: Actor, query: Partial<FeeQuery> = {}) =>
  database.store.as(actor, (session) => fundFees(session, { fundId, ...YEAR, ...query }));

describe('fees of a fund', () => {
  test('are listed by investor with their lines, and add up', async () => {
    const { investors, total } = await feesAs(manager());
    expect(
      investors.map(({ title, management, called }) => ({
        title,
        lines: management.lines.map(({ basis, amount }) => [basis, Number(amount)]),
        amount: Number(management.amount),
        cappedAt: management.cappedAt === null ? null : Number(management.cappedAt),
        called: Number(called),
      })),
    ).toEqual([
      {
        title: 'Investor one',
        lines: [
          ['committed', 2],
          ['invested', 0.5],
        ],
        amount: 2.5,
        cappedAt: null,
        called: 1,
      },
      { title: 'Investor two', lines: [['committed', 2]], amount: 1, cappedAt: 1, called: 1 },
    ]);
    expect(investors[0]?.management.lines[1]?.parts[0]?.explanation).toBe(
      '50.00 called (1 call, the last due on 1 Jan 2025)',
    );
    expect(Number(total.management)).toBe(3.5);
    expect(total.paid).toMatchObject({ lp: '124', gp: '6', preferredReturn: '8', catchUp: '2' });
    expect(sum(investors.map(({ success }) => success?.paid.tiers.gp ?? ''))).toBe('6');
    expect(total.accrued).toBeNull();
  });

  test('accrue on the NAV once every investor has one', async () => {
    const { total } = await database.store.as(
      manager(),
      async (session) => {
        for (const [index, gross] of [65, 70].entries()) {
          const nav = { fund: fundId, investor: { id: one.lpIds[index], kind: 'LP' }, cutOffDate: '2025-12-31' };
          await createNavs(session, [
            navCreateSchema.parse({ ...nav, currency: 'USD', gross, net: 60, status: 'Active' }),
          ]);
        }
        return fundFees(session, { fundId, ...YEAR, at: '2025-12-31' });
      },
      { rollback: true },
    );
    expect(total.paid.gp).toBe('0');
    // 20% of the profits of 15 and of 20.
    expect(total.accrued).toMatchObject({ gp: '7', lp: '128' });
  });

  test('are called by each investor’s own terms, also from those whom the actor cannot see', async () => {
    const call = (body: object, actor: Actor = manager()) =>
      database.store.as(
        actor,
        (session) =>
          callCapital(
            session,
            contributionCreateSchema.parse({
              fund: fundId,
              cutOffDate: '2025-12-31',
              dueDate: '2026-01-20',
              callNumber: 'Fee',
              callPurposes: [
                { title: 'Fee', kind: 'managementFee', split: 'terms', from: '2025-01-01', until: '2025-12-31' },
              ],
              dryRun: true,
              ...body,
            }),
          ),
        { rollback: true },
      );
    // 2 % of 75 and 1 % of 100, and the cap of the other: a call of 3.50 by commitment would charge both 1.75.
    const parts = await call({});
    expect(parts.map(({ investor, amount }) => [investor?.title, Number(amount)])).toEqual([
      ['Investor one', 2.5],
      ['Investor two', 1],
    ]);
    expect(parts[0]).toMatchObject({
      totals: ['3.50'],
      basis: [{ rule: 'terms', from: '2025-01-01', until: '2025-12-31' }],
    });
    await expect(call({ cutOffDate: '2024-11-30', dueDate: '2024-12-20' })).rejects.toMatchObject({
      flags: { cutOffDate: 'is before the first commitment' },
    });
    const blocked = testActor({
      type: 'manager',
      managerId: one.managerId,
      blockedDocuments: [`LPs/${one.lpIds[0]}`],
    });
    expect(await call({}, blocked)).toMatchObject([{ amount: '1', totals: ['3.50'] }]);
    await expect(call({ amount: usd(3.51), dryRun: false })).rejects.toMatchObject({
      flags: { callPurposes: expect.stringMatching(/^add up to 3\.50?, not 3\.51$/) },
    });
  });

  test('of others are not visible to an investor, nor to another manager', async () => {
    const own = await feesAs(investor(1));
    expect(own.investors.map(({ title }) => title)).toEqual(['Investor two']);
    expect(own.total.paid.gp).toBe('3');
    expect(own).toMatchObject({ seesTransactionFees: false, total: { transaction: null } });
    const other = testActor({ type: 'manager', managerId: two.managerId });
    expect((await feesAs(other)).investors).toEqual([]);
  });

  test('are read with as many statements for two investors as for one', async () => {
    const ofOne = await countStatements(() => feesAs(manager(), { Class: 'none' }));
    expect(await countStatements(() => feesAs(manager()))).toBe(ofOne);
  });

  test('need a period that ends after it begins, of at most ten years', async () => {
    await expect(feesAs(manager(), { to: '2025-01-01' })).rejects.toThrow('must end after it begins');
    const last = new Date(Date.UTC(2025, 0, 1 + MAX_FEE_DAYS)).toISOString().slice(0, 10);
    expect((await feesAs(manager(), { to: last })).investors).toHaveLength(2);
    const late = new Date(Date.UTC(2025, 0, 2 + MAX_FEE_DAYS)).toISOString().slice(0, 10);
    await expect(feesAs(manager(), { to: late })).rejects.toThrow('at most 10 years');
  });
});

/** What investors are due of fees that a borrower paid on a note of the fund, as this actor reads it. */
const borrowersFeesAs = (actor: Actor) =>
  database.store.as(
    SYSTEM,
    async (session) => {
      const fees = { transaction: { applied: true, cap: 10 } };
      await session.query('update lp_commitments set fees = $2 where fund_id = $1', [one.fundId, JSON.stringify(fees)]);
      await session.query(`update repayments set repayments = $2 where company_id = $1`, [
        one.companies[0]?.id,
        JSON.stringify([
          { kind: 'fees', amount: { sum: '1.50', currency: 'USD' } },
          { kind: 'interest', amount: { sum: '40', currency: 'USD' } },
        ]),
      ]);
      for (const [name, value] of Object.entries(settingsOf(actor)))
        await session.query('select set_config($1, $2, true)', [name, value]);
      return fundFees(
        { ...session, actor },
        { ...YEAR, fundId: one.fundId, from: '2026-10-31', to: '2026-11-01', at: '2026-11-01' },
      );
    },
    { rollback: true },
  );
const halves = { share: '0.75', cap: expect.stringMatching(/^1(\.00)?$/), amount: '0.75' };

test('fees that borrowers pay on notes of the fund are split, and capped by the commitment', async () => {
  const { investors, total } = await borrowersFeesAs(manager());
  expect(investors.map(({ transaction }) => transaction)).toEqual([halves, halves]);
  expect(total.transaction).toMatch(/^1\.50?$/);
});

test('an investor gets the same part of them for a reader who does not see the others', async () => {
  const ofOne = { type: 'manager', managerId: one.managerId } as const;
  const within = { funds: [], investors: [one.lpIds[1]!] };
  const readers = [testActor({ ...ofOne, blockedDocuments: [`LPs/${one.lpIds[0]}`] }), testActor({ ...ofOne, within })];
  for (const reader of readers) {
    const { investors, total } = await borrowersFeesAs(reader);
    expect(investors.map(({ title, transaction }) => [title, transaction])).toEqual([['Investor two', halves]]);
    expect(total.transaction).toBe('0.75');
  }
});
