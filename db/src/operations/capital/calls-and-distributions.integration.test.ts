import { contributionCreateSchema } from '@tapeline/domain/capital/contribution.schema.ts';
import { distributionCreateSchema } from '@tapeline/domain/capital/distribution.schema.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import {
  componentsOfDistribution,
  getCallHeader,
  getDistributionHeader,
  linesOfHeader,
  listCallHeaders,
  listDistributionHeaders,
  listOfInvestors,
  purposesOfCall,
  retryNotices,
} from './calls-and-distributions.ts';
import { callCapital, listContributions, removeCall, stepCall } from './contributions.ts';
import { distribute, stepDistribution } from './distributions.ts';
import { nextNumber } from './headers.ts';
import { splitNav } from './navs.ts';

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

/** Runs as a user of the first manager, or as another actor, and undoes it. */
const trying = <Result>(
  work: (session: Session) => Promise<Result>,
  actor = testActor({ type: 'manager', managerId: one.managerId }),
): Promise<Result> => database.store.as(actor, work, { rollback: true });

const call = (changes = {}) =>
  contributionCreateSchema.parse({
    fund: one.fundId,
    callNumber: 'C-09',
    cutOffDate: '2026-05-01',
    dueDate: '2026-05-20',
    amount: { sum: '3.01', currency: 'USD' },
    callPurposes: [
      { title: 'A note', kind: 'investments', amount: '3' },
      { title: 'Audit', kind: 'fundExpenses', amount: '0.01' },
    ],
    ...changes,
  });

describe('capital calls are listed', () => {
  test('as one row each, with the total of their parts', async () => {
    const { rows, total } = await trying(async (session) => {
      await callCapital(session, call());
      return listCallHeaders(session, { sort: { cutOffDate: -1 } });
    });
    expect(total).toBe(2);
    expect(rows.map(({ id, version, ...row }) => row)).toEqual([
      {
        fundId: one.fundId,
        fundTitle: expect.any(String),
        Class: null,
        callNumber: 'C-09',
        cutOffDate: '2026-05-01',
        dueDate: '2026-05-20',
        currency: 'USD',
        amount: '3.01',
        investors: 2,
        notices: 0,
        due: 0,
        problems: 0,
        status: 'Draft',
        drafts: 2,
        issued: 0,
      },
      expect.objectContaining({ callNumber: '1', amount: '4', investors: 2, drafts: 0, issued: 2 }),
    ]);
  });

  test('by filters on the whole call, and page by page', async () => {
    const found = await trying(async (session) => {
      await callCapital(session, call());
      return {
        // No part is as much as 3, but the call is.
        large: await listCallHeaders(session, { filter: { amount: { gt: 3.5 } } }),
        drafts: await listCallHeaders(session, { filter: { status: 'Draft' } }),
        second: await listCallHeaders(session, { sort: { amount: 1 }, skip: 1, limit: 1 }),
      };
    });
    expect(found.large.rows.map(({ callNumber }) => callNumber)).toEqual(['1']);
    expect(found.drafts.rows.map(({ callNumber }) => callNumber)).toEqual(['C-09']);
    expect([found.second.rows[0]?.amount, found.second.total]).toEqual(['4', 2]);
  });

  test('to an investor with its own part only, and to other managers not at all', async () => {
    const own = await trying(
      (session) => listCallHeaders(session),
      testActor({ type: 'LP', managerId: one.managerId, lpIds: [one.lpIds[0]!] }),
    );
    expect(own.rows).toMatchObject([{ amount: '2', investors: 1 }]);
    const other = testActor({ type: 'manager', managerId: two.managerId });
    const found = await trying((session) => listCallHeaders(session), other);
    expect(found.rows.map(({ fundId }) => fundId)).toEqual([two.fundId]);
    await expect(trying((session) => getCallHeader(session, one.fundId), other)).rejects.toMatchObject({
      code: 'notFound',
    });
  });
});

describe('the list of all investors', () => {
  test('of a call adds up, and is for the manager only', async () => {
    const { name, printed } = await trying((session) => listOfInvestors(session, one.fundId));
    expect(name).toBe('CALL-01 all investors');
    const table = printed.blocks.flatMap((block) =>
      block.kind === 'table' && block.title === 'Investors' ? [block] : [],
    );
    expect(table[0]?.rows.map(({ cells }) => cells[1])).toEqual(['Investor one', 'Investor two']);
    expect(table[0]?.total?.[4]).toBe('4.00');
    const investor = testActor({ type: 'LP', managerId: one.managerId, lpIds: [one.lpIds[0]!] });
    await expect(trying((session) => listOfInvestors(session, one.fundId), investor)).rejects.toMatchObject({
      code: 'notFound',
    });
    const other = testActor({ type: 'manager', managerId: two.managerId });
    await expect(trying((session) => listOfInvestors(session, one.fundId), other)).rejects.toMatchObject({
      code: 'notFound',
    });
  });
});

test('notices that could not be made are counted, and made again on request', async () => {
  const counts = await trying(async (session) => {
    await session.query(`update contributions set file_problem = 'No text' where fund_id = $1`, [one.fundId]);
    const before = await getCallHeader(session, one.fundId);
    await retryNotices(session, 'contributions', one.fundId);
    const after = await getCallHeader(session, one.fundId);
    return [before, after].map(({ due, problems }) => ({ due, problems }));
  });
  expect(counts).toEqual([
    { due: 0, problems: 2 },
    { due: 2, problems: 0 },
  ]);
});

describe('a capital call', () => {
  test('has its purposes in order, and its parts', async () => {
    const found = await trying(async (session) => {
      const [part] = await callCapital(session, call());
      const id = part!.metadata.bundleId!;
      return {
        purposes: await purposesOfCall(session, id),
        parts: await listContributions(session, { filter: linesOfHeader(id) }),
      };
    });
    expect(found.purposes).toEqual([
      { title: 'A note', kind: 'investments', amount: '3.00' },
      { title: 'Audit', kind: 'fundExpenses', amount: '0.01' },
    ]);
    expect(found.parts.total).toBe(2);
  });

  test('is issued, closed and removed as a whole', async () => {
    const statuses = await trying(async (session) => {
      const [part] = await callCapital(session, call());
      const id = part!.metadata.bundleId!;
      const seen = async () => getCallHeader(session, id);
      const found: string[] = [];
      for (const status of ['Active', 'Closed'] as const) {
        await stepCall(session, { id, version: (await seen()).version, status });
        found.push((await seen()).status);
      }
      await removeCall(session, { id, version: (await seen()).version, reason: 'Entered twice' });
      await expect(seen()).rejects.toMatchObject({ code: 'notFound' });
      return found;
    });
    expect(statuses).toEqual(['Active', 'Closed']);
  });

  test('is not changed after someone else changed it, nor issued twice, nor removed without a reason', async () => {
    await trying(async (session) => {
      const { version } = await getCallHeader(session, one.fundId);
      const command = { id: one.fundId, version };
      await expect(stepCall(session, { ...command, version: 999, status: 'Closed' })).rejects.toThrow(
        'Someone else has changed this',
      );
      await expect(stepCall(session, { ...command, status: 'Active' })).rejects.toThrow('Nothing here is a draft');
      await expect(removeCall(session, command)).rejects.toMatchObject({ flags: { reason: 'is required' } });
    });
  });

  test('gets the next number', async () => {
    const numbers = await trying(async (session) => {
      const first = await nextNumber(session, 'contributions', one.fundId);
      await callCapital(session, call());
      const second = await nextNumber(session, 'contributions', one.fundId);
      await callCapital(session, call({ callNumber: 'Final', cutOffDate: '2026-05-02' }));
      return [first, second, await nextNumber(session, 'contributions', one.fundId)];
    });
    expect(numbers).toEqual(['2', 'C-10', '']);
  });
});

test('distributions are listed with their totals, and issued as a whole', async () => {
  const found = await trying(async (session) => {
    const money = (sum: string) => ({ sum, currency: 'USD' });
    const [part] = await distribute(session, [
      distributionCreateSchema.parse({
        fund: one.fundId,
        callNumber: '2',
        cutOffDate: '2026-06-30',
        distributionKind: 'Interest and Principal',
        principal: money('2'),
        components: [
          { title: 'Interest', actionType: 'INTEREST', amount: money('1.01') },
          { title: 'Fee', actionType: 'INTEREST FEES', amount: money('0.5') },
        ],
      }),
    ]);
    const id = part!.metadata.bundleId!;
    const { version } = await getDistributionHeader(session, id);
    await stepDistribution(session, { id, version, status: 'Active' });
    return {
      components: await componentsOfDistribution(session, id),
      list: await listDistributionHeaders(session, { filter: { amount: { gt: 2.5 } } }),
    };
  });
  expect(found.components.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['INTEREST', '1.01'],
    ['INTEREST FEES', '0.50'],
  ]);
  expect(found.list.rows).toMatchObject([{ amount: '2.51', principal: '2.00', investors: 2, issued: 2, drafts: 0 }]);
});

test('the NAV of a fund is split to the cent', async () => {
  const parts = await trying((session) =>
    splitNav(session, { fund: one.fundId, cutOffDate: '2026-06-30', gross: '10.01', net: '7' }),
  );
  expect(parts.map(({ gross, net }) => [gross, net]).sort()).toEqual([
    ['5.00', '3.50'],
    ['5.01', '3.50'],
  ]);
});
