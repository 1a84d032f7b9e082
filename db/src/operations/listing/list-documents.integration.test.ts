import { afterAll, beforeAll, expect, test } from 'vitest';
import { LPCommitment } from '../../entities/funds.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { listCompanies } from '../companies/companies.ts';
import { LP_COMMITMENTS, listCommitments, listFunds, totalCommitments } from '../funds/funds.ts';
import { listLPs } from '../investors/investors.ts';
import { listManagers } from '../managers/managers.ts';
import { listServiceProviders } from '../service-providers/service-providers.ts';
import { listTransactions } from '../transactions/transactions.ts';
import { groupDocuments } from './list-figures.ts';

let database: TestDatabase;
const asSystem = <T>(work: (session: Session) => Promise<T>) => database.store.as(SYSTEM, work);
let ids: { dollars: string[]; euros: string };

beforeAll(async () => {
  database = await createTestDatabase({ demonstration: true });
  ids = await asSystem(async (session) => {
    const [first, ...others] = await session.em.find(
      LPCommitment,
      { Class: 'A', currency: 'USD' },
      { orderBy: { maxCommitment: 'desc', id: 'asc' } },
    );
    const euros = newId(session.now);
    const { managerId, fundId, investorKind, investorLPId = null, closingDate } = first!;
    session.em.create(LPCommitment, {
      id: euros,
      managerId,
      fundId,
      investorKind,
      investorLPId,
      closingDate,
      Class: 'E',
      currency: 'EUR',
      maxCommitment: '999000000.01',
      activeCommitment: '0.02',
    });
    await session.em.flush();
    return { dollars: [first!, ...others].map(({ id }) => id), euros };
  });
});
afterAll(() => database.close());

const dollars = { currency: 'USD', value: '155000000', count: 4 };
const euros = { currency: 'EUR', value: '999000000.01', count: 1 };
/** The commitments that the expectations know, whatever else the demonstration has. */
const known = () => ({ id: { in: [...ids.dollars, ids.euros] } });
const group = ({ filter = {}, ...query }: Record<string, unknown>) =>
  asSystem((session) => groupDocuments(session, LP_COMMITMENTS, { ...query, filter: { $and: [known(), filter] } }));

test('amounts of several currencies make a figure for each, and none for the whole group', async () => {
  const sum = { accumulator: '$sum', field: 'maxCommitment' };
  const all = await group({ groupBy: sum, preseveDocsIds: true });
  expect(all).toMatchObject({
    total: 1,
    groups: [{ key: null, value: null, count: 5, byCurrency: [euros, dollars] }],
  });
  expect(all.groups[0]?.ids).toEqual([...ids.dollars, ids.euros].sort());

  const byClass = await group({ groupBy: { ...sum, by: 'Class' } });
  expect(byClass.groups).toEqual([
    { key: 'E', value: '999000000.01', count: 1, byCurrency: [euros] },
    { key: 'A', value: '155000000', count: 4, byCurrency: [dollars] },
  ]);
  expect((await group({ groupBy: { ...sum, by: 'Class' }, skip: 1 })).groups).toEqual(byClass.groups.slice(1));

  const [average] = (await group({ groupBy: { accumulator: '$avg', field: 'maxCommitment' } })).groups;
  expect(average?.value).toBeNull();
  expect(average?.byCurrency?.map(({ currency, value }) => [currency, Number(value)])).toEqual([
    ['EUR', 999000000.01],
    ['USD', expect.closeTo(38750000, 3)],
  ]);
  // Each currency is weighted separately: the average in euros is the only commitment in euros.
  const weighed = { accumulator: '$wAvg', field: 'maxCommitment', weightedField: 'activeCommitment' };
  const [byWeight] = (await group({ groupBy: weighed, filter: { Class: 'E' } })).groups;
  expect(byWeight).toMatchObject({ count: 1, byCurrency: [{ count: 1 }] });
  expect(Number(byWeight?.value)).toBe(999000000.01);
});

test('what is no money has one value and no currencies', async () => {
  expect((await group({ groupBy: { accumulator: '$sum' } })).groups).toEqual([{ key: null, value: '5', count: 5 }]);
});

test('totals of commitments are one for each currency', async () => {
  expect(await asSystem((session) => totalCommitments(session, { filter: known() }))).toEqual([
    { currency: 'EUR', count: 1, maxCommitment: '999000000.01', activeCommitment: '0.02' },
    { currency: 'USD', count: 4, maxCommitment: '155000000', activeCommitment: '155000000' },
  ]);
});

test('A list reads what its documents refer to in one round trip, and answers a filter and an order alike', async () => {
  const lists: readonly ((session: ReadSession, query?: unknown) => Promise<{ documents: object[]; total: number }>)[] =
    [listCompanies, listManagers, listLPs, listFunds, listCommitments, listServiceProviders, listTransactions];
  for (const list of lists) {
    const page = { skip: 1, limit: 3 };
    let trips = 0;
    const [plain, ...others] = await database.store.read(SYSTEM, async (session) => {
      const counting: ReadSession = {
        ...session,
        queries: (statements) => {
          trips += 1;
          return session.queries(statements);
        },
        query: () => Promise.reject(new Error(`${list.name} sends a query of its own`)),
      };
      return [
        await list(counting, page),
        await list(session, { ...page, sort: { id: -1 } }),
        await list(session, { ...page, filter: { id: { exists: true } } }),
        await database.store.as(SYSTEM, (writing) => list(writing, page)),
      ];
    });
    expect(trips, list.name).toBe(1);
    expect(plain!.documents.length, list.name).toBe(Math.max(0, Math.min(3, plain!.total - 1)));
    for (const other of others) expect(other, list.name).toEqual(plain);
  }
});

test('a filter compares two fields of a document, and refuses a cut-off date that documents do not have', async () => {
  const find = (filter: object) =>
    asSystem((session) => listCommitments(session, { filter: { $and: [known(), filter] } }));
  const below = await find({ activeCommitment: { lt: { $field: 'maxCommitment' } } });
  const above = await find({ activeCommitment: { gte: { $field: 'maxCommitment' } } });
  expect(below.documents.map(({ id }) => id)).toContain(ids.euros);
  expect([...below.documents, ...above.documents].map(({ id }) => id).sort()).toEqual(
    [...ids.dollars, ids.euros].sort(),
  );
  await expect(find({ maxCommitment: { gt: { $field: 'currency' } } })).rejects.toMatchObject({
    flags: {
      'filter.$and.1.maxCommitment.gt.$field': expect.stringMatching(
        /^must be an amount of money as .*; Currency is text$/,
      ),
    },
  });
  await expect(find({ closingDate: { lt: { $cutOff: '-90d' } } })).rejects.toMatchObject({
    flags: {
      'filter.$and.1.closingDate.lt.$cutOff': 'cannot be used here: only assets of a loan tape have a cut-off date',
    },
  });
});
