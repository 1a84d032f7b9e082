import { activityStatement } from '@tapeline/domain/capital/activity-statement.ts';
import { capitalFigures, totalFigures } from '@tapeline/domain/capital/capital-figures.ts';
import { contributionCreateSchema } from '@tapeline/domain/capital/contribution.schema.ts';
import { distributionCreateSchema } from '@tapeline/domain/capital/distribution.schema.ts';
import { navCreateSchema } from '@tapeline/domain/capital/nav.schema.ts';
import { writeOffCreateSchema } from '@tapeline/domain/capital/write-off.schema.ts';
import { commitmentCreateSchema } from '@tapeline/domain/commitments/commitment.schema.ts';
import { commitmentTransferSchema } from '@tapeline/domain/commitments/transfer.ts';
import { fundCreateSchema } from '@tapeline/domain/funds/fund.schema.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { capitalCourse } from '../capital/capital-course.ts';
import { callCapital, listContributions, removeContributions } from '../capital/contributions.ts';
import { distribute } from '../capital/distributions.ts';
import { positionsAt, selectionFigures, selectionReturns } from '../capital/figures.ts';
import { ledgersOf } from '../capital/ledgers.ts';
import { createNavs } from '../capital/navs.ts';
import { createWriteOffs } from '../capital/write-offs.ts';
import { createFund } from '../funds/change-funds.ts';
import { getCommitment } from '../funds/funds.ts';
import { createCommitment, removeCommitment } from './change-commitments.ts';
import { planTransfer, transferCommitment } from './transfer-commitment.ts';

let database: TestDatabase;
let one: TestTenant;
beforeAll(async () => {
  database = await createTestDatabase();
  one = await database.store.as(SYSTEM, (session) => makeTenant(session));
});
afterAll(() => database.close());

const manager = () => testActor({ type: 'manager', managerId: one.managerId });
/** Runs as a user of the manager, as far as the checks at its end, and undoes it. */
const trying = <Result>(work: (session: Session) => Promise<Result>): Promise<Result> =>
  database.store.as(
    manager(),
    async (session) => {
      const result = await work(session);
      await session.query('set constraints all immediate');
      return result;
    },
    { rollback: true },
  );
const flags = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error) => error.flags ?? error.message,
  );

const usd = (sum: number) => ({ sum, currency: 'USD' });
const lp = (index: number) => ({ id: one.lpIds[index]!, kind: 'LP' as const });
const valued = (session: Session, fund: string, cutOffDate: string, nets: (number | null)[]) =>
  createNavs(
    session,
    nets.flatMap((net, index) =>
      net === null
        ? []
        : [
            navCreateSchema.parse({
              fund,
              investor: lp(index),
              cutOffDate,
              gross: net + 1,
              net,
              currency: 'USD',
              status: 'Active',
            }),
          ],
    ),
  );

/** Investor one has 100,000 committed and investor two 50,000.01, with calls, distributions, a write-off and NAVs. */
async function makeHistory(session: Session) {
  const fund = (
    await createFund(
      session,
      fundCreateSchema.parse({
        title: 'A fund',
        type: 'SMA',
        strategy: 'ABL',
        currency: 'USD',
        targetSize: 500_000,
        hardCap: 600_000,
      }),
    )
  ).fund.id;
  const [first, second] = [await commit(session, fund, 0, 100_000), await commit(session, fund, 1, 50_000.01)];
  await call(session, fund, {
    number: '1',
    cutOffDate: '2024-02-01',
    dueDate: '2024-02-20',
    amounts: [20_000.05, 1000.01],
  });
  await distribute(session, [
    distributionCreateSchema.parse({
      fund,
      cutOffDate: '2024-05-31',
      callNumber: '1',
      distributionKind: 'Interest and Principal',
      principal: usd(5000.01),
      components: [
        { title: 'Interest', actionType: 'INTEREST', amount: usd(900.07) },
        { title: 'Tax', actionType: 'INTEREST TAX', amount: usd(90.01) },
      ],
      pdfOptions: { recallableDistribution: true },
      status: 'Active',
    }),
  ]);
  await createWriteOffs(session, [
    writeOffCreateSchema.parse({ fund, cutOffDate: '2024-06-10', amount: usd(333.33), status: 'Active' }),
  ]);
  await valued(session, fund, '2024-03-31', [14_500, 7300.5]);
  await call(session, fund, { number: '2', cutOffDate: '2024-06-25', dueDate: '2024-07-10', amounts: [6000, 400] });
  return { fund, first, second };
}
const commit = (session: Session, fund: string, index: number, maxCommitment: number) =>
  createCommitment(
    session,
    commitmentCreateSchema.parse({ fund, investor: lp(index), closingDate: '2024-01-15', maxCommitment }),
  );
const call = (
  session: Session,
  fund: string,
  {
    number,
    amounts: [invested = 0, fee = 0],
    ...days
  }: { number: string; cutOffDate: string; dueDate: string; amounts: number[] },
) =>
  callCapital(
    session,
    contributionCreateSchema.parse({
      fund,
      ...days,
      callNumber: number,
      amount: usd(Math.round((invested + fee) * 100) / 100),
      callPurposes: [
        { title: 'Investments', kind: 'investments', amount: invested },
        { title: 'Management fee', kind: 'managementFee', amount: fee },
      ],
      status: 'Active',
    }),
  );

const transfer = async (session: Session, id: string, changes: object) => {
  const { version } = await getCommitment(session, id);
  return transferCommitment(
    session,
    commitmentTransferSchema.parse({ commitment: id, version, to: lp(1), date: '2024-07-01', ...changes }),
  );
};

const DAYS = ['2024-06-30', '2024-07-01', '2024-07-10', '2024-08-01', '2024-09-30', '2025-01-31'];

/** The figures of each commitment on a day, by the SQL and by the ledgers. */
async function bothOn(session: Session, fundId: string, cutOffDate: string) {
  const positions = await positionsAt(session, { fundId, cutOffDate });
  const ledgers = await ledgersOf(
    session,
    positions.map(({ commitmentId }) => commitmentId),
  );
  return positions.map(({ commitmentId, ...position }) => {
    const figures = capitalFigures(ledgers.get(commitmentId)!, cutOffDate);
    const names = Object.keys(figures) as (keyof typeof figures)[];
    const numbers = (of: typeof figures) =>
      Object.fromEntries(
        names.map((name) => [name, name === 'navDate' || of[name] === null ? of[name] : Number(of[name])]),
      );
    return { sql: numbers(position), ledger: numbers(figures) };
  });
}

const totalsOn = async (session: Session, fundId: string) =>
  Promise.all(
    DAYS.map(async (cutOffDate) => {
      const { navDate: _, ...total } = totalFigures(await positionsAt(session, { fundId, cutOffDate }));
      return Object.fromEntries(
        Object.entries(total).map(([name, amount]) => [name, amount === null ? null : Number(amount)]),
      );
    }),
  );

describe('a transfer of the interest', () => {
  test('moves its share to the cent, changes no total on any day, and is the same in SQL as in the ledgers', async () => {
    await trying(async (session) => {
      const { fund, first, second } = await makeHistory(session);
      const before = await totalsOn(session, fund);
      const [own] = await positionsAt(session, { fundId: fund, cutOffDate: '2024-06-30', investorId: one.lpIds[0]! });
      const { to } = await transfer(session, first.id, { sharePercent: '33.33333333', price: 5000 });
      expect(to.id).toBe(second.id);
      expect(await totalsOn(session, fund)).toEqual(before);
      for (const day of DAYS) {
        const both = await bothOn(session, fund, day);
        expect(both.map(({ sql }) => sql)).toEqual(both.map(({ ledger }) => ledger));
        expect(both).toHaveLength(2);
      }
      // 20,000.05 + 1,000.01 called, of which investor one has 14,000.04. A third of it is 4,666.68.
      expect(own?.called).toBe('14000.04');
      const [left] = await positionsAt(session, { fundId: fund, cutOffDate: '2024-07-01', investorId: one.lpIds[0]! });
      expect(left?.called).toBe('9333.36');
      await valued(session, fund, '2024-07-31', [11_000, 14_000]);
      await call(session, fund, { number: '3', cutOffDate: '2024-08-01', dueDate: '2024-08-15', amounts: [9000, 0] });
      await transfer(session, second.id, { to: lp(0), date: '2024-08-10', sharePercent: '12.5' });
      await transfer(session, first.id, { date: '2024-08-10', sharePercent: '100' });
      for (const day of [...DAYS, '2024-08-10', '2024-08-15']) {
        const both = await bothOn(session, fund, day);
        expect(both.map(({ sql }) => sql)).toEqual(both.map(({ ledger }) => ledger));
      }
      const [nothing] = await positionsAt(session, {
        fundId: fund,
        cutOffDate: '2024-09-30',
        investorId: one.lpIds[0]!,
      });
      expect(
        [nothing!.called, nothing!.unfunded, nothing!.distributed, nothing!.nav, nothing!.writtenOff].map(Number),
      ).toEqual([0, 0, 0, 0, 0]);
    });
  });

  test('has the course and the returns of its holders on each day', async () => {
    await trying(async (session) => {
      const { fund, first } = await makeHistory(session);
      await transfer(session, first.id, { sharePercent: '40' });
      for (const investorId of [one.lpIds[0]!, one.lpIds[1]!, undefined]) {
        const query = { fundId: fund, ...(investorId ? { investorId } : {}), cutOffDate: '2025-01-31' };
        const { points } = await capitalCourse(session, query);
        expect(points.length).toBeGreaterThan(10);
        for (const { day, called, distributed, nav, netIrr } of points) {
          const figures = await selectionFigures(session, { ...query, cutOffDate: day });
          expect({ day, called, distributed, nav }).toEqual({
            day,
            called: figures.called,
            distributed: figures.distributed,
            nav: figures.nav,
          });
          if (netIrr.percent === null) continue;
          const { net } = await selectionReturns(session, { ...query, cutOffDate: day });
          expect(Number(netIrr.percent)).toBeCloseTo(net.rate! * 100, 6);
        }
      }
    });
  });

  test('follows documents that are dated before it and entered, or withdrawn, after it', async () => {
    await trying(async (session) => {
      const { fund, first } = await makeHistory(session);
      await transfer(session, first.id, { sharePercent: '50' });
      await valued(session, fund, '2024-06-30', [10_000.01, 5000]);
      // Half of 10,000.01 is 5,000.01, which the new holder has on top of its own.
      const [holder] = await positionsAt(session, {
        fundId: fund,
        cutOffDate: '2024-07-01',
        investorId: one.lpIds[1]!,
      });
      expect([holder?.nav, holder?.navDate]).toEqual(['10000.01', '2024-06-30']);
      const { documents } = await listContributions(session, { filter: { callNumber: '2' } });
      await removeContributions(session, { ids: documents.map(({ id }) => id), reason: 'Not needed' });
      for (const day of DAYS) {
        const both = await bothOn(session, fund, day);
        expect(both.map(({ sql }) => sql)).toEqual(both.map(({ ledger }) => ledger));
      }
      const later = await positionsAt(session, { fundId: fund, cutOffDate: '2024-08-01' });
      expect(later.reduce((total, { called }) => total + Number(called), 0)).toBeCloseTo(21_000.06, 6);
    });
    await expect(
      trying(async (session) => {
        const { fund, first } = await makeHistory(session);
        await transfer(session, first.id, { sharePercent: '50' });
        await session.query(`update navs set net = net + 1 where fund_id = $1`, [fund]);
      }),
    ).rejects.toThrow();
  });

  test('shows each holder its own documents and figures, and not those of the other one', async () => {
    const made = await database.store.as(manager(), async (session) => {
      const { fund, first, second } = await makeHistory(session);
      await transfer(session, first.id, { sharePercent: '25', price: 3000 });
      return { fund, first, second };
    });
    const [former, holder] = [0, 1].map((index) =>
      testActor({ type: 'LP', managerId: one.managerId, lpIds: [one.lpIds[index]!] }),
    );
    for (const [actor, own] of [
      [former!, made.first],
      [holder!, made.second],
    ] as const) {
      await database.store.as(actor, async (session) => {
        const { documents } = await listContributions(session, { filter: { fund: made.fund } });
        expect([...new Set(documents.map(({ commitmentId }) => commitmentId))]).toEqual([own.id]);
        const other = own === made.first ? made.second : made.first;
        const rows = await session.query<{ id: string }>('select distinct commitment_id as id from transferred_lines');
        expect(rows).toEqual([{ id: own.id }]);
        expect(await session.query('select from transfers')).toEqual([]);
        expect((await ledgersOf(session, [other.id])).size).toBe(0);
        const entries = activityStatement(
          (await ledgersOf(session, [own.id])).get(own.id)!,
          '2024-07-01',
        ).entries.filter(({ date }) => date === '2024-07-01');
        expect(entries.map(({ actionType, title }) => [actionType, title])).toEqual(
          ['commitment', 'cont', 'dist', 'writeOff'].map((type) => [
            type,
            own === made.first ? 'Transfer to another investor' : 'Transfer from another investor',
          ]),
        );
      });
    }
  });

  test('is planned with both sides before and after, and the totals of the fund', async () => {
    const plan = await trying(async (session) => {
      const { fund: _, first } = await makeHistory(session);
      const { version } = await getCommitment(session, first.id);
      return planTransfer(
        session,
        commitmentTransferSchema.parse({
          commitment: first.id,
          version,
          to: lp(1),
          date: '2024-07-01',
          sharePercent: 50,
          price: 0,
        }),
      );
    });
    expect([plan.sharePercent, plan.price, plan.isNew]).toEqual(['50', '0', false]);
    expect(plan.from.figures.before.called).toBe('14000.04');
    expect(plan.from.figures.after.called).toBe('7000.02');
    expect(Number(plan.to.figures.after.called) - Number(plan.to.figures.before.called)).toBeCloseTo(7000.02, 6);
    expect(plan.fund.after).toEqual(plan.fund.before);
  });

  test('is a share above 0 and at most 100, and not an amount as well', () => {
    const errors = (fields: object) =>
      commitmentTransferSchema
        .safeParse({ commitment: one.lpIds[0], version: 1, to: lp(1), date: '2024-07-01', ...fields })
        .error?.issues.map(({ path }) => path.join('.')) ?? [];
    expect(errors({ sharePercent: '0.00000001' })).toEqual([]);
    expect(errors({ sharePercent: 100, price: 0 })).toEqual([]);
    for (const sharePercent of ['0', '-1', '100.00000001', '1.000000001']) {
      expect(errors({ sharePercent })).toEqual(['sharePercent']);
    }
    expect(errors({})).toEqual(['sharePercent']);
    expect(errors({ sharePercent: 1, amount: 1 })).toEqual(['sharePercent']);
    expect(errors({ amount: 1, price: 1 })).toEqual(['price']);
    expect(errors({ sharePercent: 1, price: -1 })).toEqual(['price']);
  });

  test('is after the NAVs of both sides, and not before another transfer', async () => {
    const at = (
      date: string,
      prepare?: (
        session: Session,
        ids: { fund: string; first: { id: string }; second: { id: string } },
      ) => Promise<unknown>,
    ) =>
      flags(
        trying(async (session) => {
          const made = await makeHistory(session);
          await prepare?.(session, made);
          return transfer(session, made.first.id, { sharePercent: '10', date });
        }),
      );
    expect(await at('2024-04-01')).toBeNull();
    expect(await at('2024-03-31')).toEqual({ date: 'must be after 31 Mar 2024, for which a NAV is recorded' });
    const ofOther = (session: Session, { fund }: { fund: string }) => valued(session, fund, '2024-06-30', [null, 7000]);
    expect(await at('2024-07-01', ofOther)).toBeNull();
    expect(await at('2024-06-30', ofOther)).toEqual({ date: 'must be after 30 Jun 2024, for which a NAV is recorded' });
    const moved = (session: Session, { second }: { second: { id: string } }) =>
      transfer(session, second.id, { to: lp(0), date: '2024-06-28', sharePercent: '5' });
    expect(await at('2024-06-28', moved)).toBeNull();
    expect(await at('2024-06-27', moved)).toEqual({
      date: 'must be on or after 28 Jun 2024, the day of another transfer',
    });
  });

  test('leaves enough for what was called on its day and later', async () => {
    // Investor one has 60,000 called on 5 August, of 100,000: it can give away what leaves that.
    const giving = (sharePercent: string) =>
      flags(
        trying(async (session) => {
          const { fund, first } = await makeHistory(session);
          await call(session, fund, {
            number: '3',
            cutOffDate: '2024-08-05',
            dueDate: '2024-08-20',
            amounts: [90_000, 0],
          });
          return transfer(session, first.id, { sharePercent });
        }),
      );
    expect(await giving('29')).toBeNull();
    expect(await giving('32')).toEqual({ sharePercent: 'leaves an unfunded commitment below zero' });
  });

  test('keeps both commitments, which share a history', async () => {
    for (const side of ['first', 'second'] as const) {
      expect(
        await flags(
          trying(async (session) => {
            const made = await makeHistory(session);
            await transfer(session, made.first.id, { sharePercent: '10' });
            await removeCommitment(session, { id: made[side].id, isDeleteAll: false, deleteAllContent: true });
          }),
        ),
      ).toBe('An interest was transferred from or to this commitment, so it cannot be removed');
    }
  });

  test('is refused for a commitment of which nothing is left', async () => {
    expect(
      await flags(
        trying(async (session) => {
          const { first } = await makeHistory(session);
          await transfer(session, first.id, { sharePercent: '100' });
          return transfer(session, first.id, { sharePercent: '50', date: '2024-07-02' });
        }),
      ),
    ).toEqual({ sharePercent: 'leaves nothing to transfer on that day' });
  });
});
