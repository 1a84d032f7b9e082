import { shownReturn } from '@tapeline/domain/returns/shown-return.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedFoundations } from '../../seed/seed-foundations.ts';
import { SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { cashFlows } from './cash-flows.ts';
import { figuresByClass } from './class-figures.ts';
import { selectionPerformance } from './figures.ts';
import { latestInvestorDocuments, ownPositions, paymentDetailsOf } from './own-capital.ts';

let database: TestDatabase;
let one: TestTenant;
/** The contributions of the two investors, in their order. */
let calls: string[];

const BANK = {
  title: 'First Tidewater',
  accountNumber: '004417729100',
  address: '1 Quay',
  type: 'Business',
  IBAN: 'GB29NWBK60161331926819',
};

beforeAll(async () => {
  database = await createTestDatabase();
  await database.store.as(SYSTEM, async (session) => {
    await seedFoundations(session);
    one = await makeTenant(session);
  });
  await database.query(
    `update funds f set entity_id = (select l.entity_id from lps l where l.id = $2) where f.id = $1`,
    [one.fundId, one.lpIds[0]],
  );
  await database.query(`update entities e set banks = $2::jsonb from funds f where f.id = $1 and e.id = f.entity_id`, [
    one.fundId,
    JSON.stringify([BANK]),
  ]);
  const rows = await database.query<{ id: string }>(
    `select id from contributions where manager_id = $1 order by investor_lp_id = $2 desc`,
    [one.managerId, one.lpIds[0]],
  );
  calls = rows.map(({ id }) => id);
});
afterAll(() => database.close());

const investor = (index = 0) => testActor({ type: 'LP', managerId: one.managerId, lpIds: [one.lpIds[index]!] });
const manager = (changes = {}) => testActor({ type: 'manager', managerId: one.managerId, ...changes });
const accounts = (actor: ReturnType<typeof testActor>) =>
  database.store.as(actor, async (session) =>
    [...(await paymentDetailsOf(session, calls))].map(([id, { wire, reference }]) => [
      calls.indexOf(id),
      wire?.accountNumber,
      wire?.IBAN,
      /^[A-Z]{1,3}\d+-C1-\d{3,}[A-Z]?-\d$/.test(reference),
    ]),
  );

test('the investor who is called sees the account in full, others who may not change entities see it masked', async () => {
  const full = [BANK.accountNumber, BANK.IBAN, true];
  const masked = ['****9100', '****6819', true];
  expect(await accounts(investor())).toEqual([[0, ...full]]);
  expect(await accounts(manager({ permissions: ['contributions/read'] }))).toEqual(
    expect.arrayContaining([
      [0, ...masked],
      [1, ...masked],
    ]),
  );
  expect(await accounts(manager())).toEqual(expect.arrayContaining([[1, ...full]]));
  await database.query(`update contributions set status = 'Draft' where id = $1`, [calls[0]]);
  expect(await accounts(manager())).toEqual([[1, ...full]]);
  await database.query(`update contributions set status = 'Active' where id = $1`, [calls[0]]);
});

test('a call that is issued and not due is to be paid, and counts as called on its due date', async () => {
  const at = (cutOffDate: string) =>
    database.store.as(investor(), async (session) => {
      const { positions, total } = await ownPositions(session, { cutOffDate, limit: 10 });
      return [total, ...positions.flatMap(({ called, toPay, unfunded }) => [called, toPay, unfunded].map(Number))];
    });
  expect(await at('2026-03-30')).toEqual([1, 0, 0, 10]);
  expect(await at('2026-04-14')).toEqual([1, 0, 2, 8]);
  expect(await at('2026-04-15')).toEqual([1, 2, 0, 8]);
});

test('an investor is offered its own documents and the reports of its funds', async () => {
  const of = (index: number, limit: number) =>
    database.store.as(investor(index), (session) => latestInvestorDocuments(session, { limit }));
  const { documents, total, unread } = await of(1, 10);
  expect([documents.map(({ kind }) => kind).sort(), total, unread]).toEqual([['report', 'statement'], 2, 2]);
  expect(documents.map(({ readAt }) => readAt)).toEqual([null, null]);
  expect(documents.map(({ kind, investor }) => [kind, investor === null]).sort()).toEqual([
    ['report', true],
    ['statement', false],
  ]);
  expect(await of(1, 1)).toMatchObject({ total: 2, unread: 2 });
});

test('the commitments of one investor are those that it sees itself', async () => {
  const query = { cutOffDate: '2026-04-15', limit: 10 };
  const [ofOne, own, all] = await Promise.all([
    database.store.as(manager(), (session) => ownPositions(session, { ...query, investorId: one.lpIds[0]! })),
    database.store.as(investor(), (session) => ownPositions(session, query)),
    database.store.as(manager(), (session) => ownPositions(session, query)),
  ]);
  expect(ofOne).toEqual(own);
  expect([ofOne.total, all.total]).toEqual([1, 2]);
});

test('the figures of a class are those that the fund has for it alone', async () => {
  const query = { fundId: one.fundId, cutOffDate: '2027-06-30' };
  // Calls and NAVs keep the class of their commitment by a foreign key, which is of no concern here.
  await database.query(
    `set session_replication_role = replica;
     update lp_commitments set class = case when investor_lp_id = '${one.lpIds[0]}' then 'A' else 'B' end
     where fund_id = '${one.fundId}'`,
  );
  const found = await database.store.as(manager(), (session) => figuresByClass(session, query));
  expect(found.map(({ investors }) => investors)).toEqual([1, 1]);
  expect(found.map(({ Class }) => Class).sort()).toEqual(['A', 'B']);
  for (const { Class, investors: _, netIrr, ...figures } of found) {
    const { figures: expected, returns } = await database.store.as(manager(), (session) =>
      selectionPerformance(session, { ...query, Class: Class ?? undefined }),
    );
    for (const name of ['activeCommitment', 'called', 'unfunded', 'distributed', 'nav', 'dpi', 'tvpi'] as const) {
      expect([Class, name, Number(figures[name])]).toEqual([Class, name, Number(expected[name])]);
    }
    expect(netIrr).toEqual(shownReturn(returns.net, returns.items[0]?.when, query.cutOffDate));
  }
});

test('an investor exports its own payments up to today, and a manager those of all investors', async () => {
  const flows = (actor: ReturnType<typeof testActor>, day: string) =>
    database.store
      .as(actor, (session) => cashFlows(session), { now: new Date(`${day}T12:00:00Z`) })
      .then(({ cashFlows }) =>
        cashFlows.map(({ date, investorTitle, fundTitle, actionType, amount, currency }) =>
          [date, investorTitle, fundTitle, actionType, amount, currency].join(' '),
        ),
      );
  const call = (name: string) => `2026-04-15 Investor ${name} A fund cont -2 USD`;
  expect(await flows(investor(), '2026-04-14')).not.toContain(call('one'));
  const [own, other] = [await flows(investor(), '2026-04-15'), await flows(investor(1), '2026-04-15')];
  expect([own.includes(call('one')), own.includes(call('two'))]).toEqual([true, false]);
  expect([other.includes(call('one')), other.includes(call('two'))]).toEqual([false, true]);
  const group = testActor({ type: 'LPGroup', managerId: one.managerId, lpIds: one.lpIds });
  expect((await flows(group, '2026-04-15')).toSorted()).toEqual([...own, ...other].toSorted());
  const ofAll = await flows(manager(), '2026-04-15');
  expect([ofAll.includes(call('one')), ofAll.includes(call('two'))]).toEqual([true, true]);
  const [permissions] = [['LPs/commitments/read', 'contributions/read', 'funds/read'] as const];
  await expect(flows({ ...investor(), permissions }, '2026-04-15')).rejects.toMatchObject({ code: 'forbidden' });
});
