import type { EventKind } from '@tapeline/domain/calendar/calendar-event.ts';
import type { Actor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedFoundations } from '../../seed/seed-foundations.ts';
import { SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { listCalendarEvents } from './calendar-events.ts';

let database: TestDatabase;
let one: TestTenant;
let other: TestTenant;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.store.as(SYSTEM, async (session) => {
    await seedFoundations(session);
    one = await makeTenant(session);
    other = await makeTenant(session);
  });
  await database.query(`update contracts set status = 'Active', activated_at = now()`);
  await database.query(`update funds set timeline = $1::jsonb`, [
    JSON.stringify([
      {
        title: 'Investment period',
        planned: '2026-03-01',
        actual: '2026-03-02',
        endTime: '2026-04-30',
        activated: true,
      },
      { title: 'Extension', planned: '2026-04-30', activated: false },
    ]),
  ]);
});
afterAll(() => database.close());

const manager = (changes = {}) => testActor({ type: 'manager', managerId: one.managerId, ...changes });
const investor = () => testActor({ type: 'LP', managerId: one.managerId, lpIds: [one.lpIds[0]!] });
const borrower = () => testActor({ type: 'company', managerId: one.managerId, companyId: one.companies[0]!.id });

const SPRING = { from: '2026-03-01', to: '2026-04-30', limit: 100 };
const AUTUMN = { from: '2026-10-01', to: '2026-11-30', limit: 100 };
const listed = (
  actor: Actor,
  command: typeof SPRING & { kind?: EventKind; parties?: string[] } = SPRING,
  now = '2026-04-01',
) => database.store.as(actor, (session) => listCalendarEvents(session, command), { now: new Date(`${now}T12:00:00Z`) });
const lines = ({ events }: Awaited<ReturnType<typeof listed>>) =>
  events.map(({ kind, day, part, investors, amounts, status }) =>
    [day, kind, part, investors, ...(amounts ?? []).map(({ sum, currency }) => `${sum} ${currency}`), status]
      .filter((word) => word !== null)
      .join(' '),
  );

test('a manager sees one event per call, distribution and date, with the total over the investors', async () => {
  expect(lines(await listed(manager()))).toEqual([
    '2026-03-02 fund start Actual',
    '2026-03-31 statement 2 Active',
    '2026-03-31 report Active',
    '2026-04-15 call 2 4 USD Active',
    '2026-04-15 distribution 2 2 USD Active',
    '2026-04-30 fund date Not activated',
    '2026-04-30 fund end Planned',
  ]);
});

test('an investor sees its own part of what was issued to it, and nothing of the lending', async () => {
  const own = [
    '2026-03-31 statement 1 Active',
    '2026-04-15 call 1 2 USD Active',
    '2026-04-15 distribution 1 1 USD Active',
  ];
  expect(lines(await listed(investor()))).toEqual(expect.arrayContaining(own));
  await database.query(`update contributions set status = 'Draft' where manager_id = $1`, [one.managerId]);
  expect((await listed(investor())).counts).toMatchObject({ call: 0, distribution: 1 });
  expect((await listed(manager())).counts).toMatchObject({ call: 1 });
  await database.query(`update contributions set status = 'Active' where manager_id = $1`, [one.managerId]);
  expect((await listed(investor(), AUTUMN)).events).toEqual([]);
});

test('a borrower sees the draws, repayments and tapes of its company; a manager those of all its companies', async () => {
  const own = ['2026-10-31 repayment 10 USD Active', '2026-11-05 draw 10 USD Pending', '2026-11-15 tape Upcoming'];
  await database.query(`update loan_tapes set status = 'Removed'`);
  await database.query(`update contracts set cut_off_date = '2026-10-31'`);
  expect(lines(await listed(borrower(), AUTUMN, '2026-10-31'))).toEqual(own);
  const { counts } = await listed(manager(), AUTUMN);
  expect(counts).toMatchObject({ repayment: 2, draw: 2, tape: 2, call: 0 });
  const states = await Promise.all(
    ['2026-11-01', '2026-11-16'].map(async (day) => lines(await listed(borrower(), { ...AUTUMN, kind: 'tape' }, day))),
  );
  expect(states.flat()).toEqual(['2026-11-15 tape Due', '2026-11-15 tape Late']);
});

test('a borrower sees when its invoices are due once they are issued, and nobody sees those of a hidden facility', async () => {
  const winter = { from: '2026-12-01', to: '2026-12-31', limit: 10, kind: 'invoice' as const };
  const facility = (
    await database.query<{ id: string }>('select id from transactions where company_id = $1', [one.companies[0]!.id])
  )[0]!.id;
  expect(lines(await listed(manager(), winter))).toEqual(Array(2).fill('2026-12-01 invoice 10 USD Draft'));
  expect(lines(await listed(borrower(), winter))).toEqual([]);
  await database.query(`update invoices set status = 'Active', issued_on = period_to where transaction_id = $1`, [
    facility,
  ]);
  expect(lines(await listed(borrower(), winter))).toEqual(['2026-12-01 invoice 10 USD Active']);
  expect(lines(await listed(manager({ blockedDocuments: [`transactions/${facility}`] }), winter))).toHaveLength(1);
  expect(
    lines(await listed({ ...borrower(), blockedDocuments: [`transactions/${facility}`] } as Actor, winter)),
  ).toEqual([]);
  expect((await listed(manager({ permissions: ['transactionDraw/read'] }), winter)).counts).toEqual({ draw: 0 });
  expect(lines(await listed(investor(), winter))).toEqual([]);
  await database.query(`update invoices set status = 'Removed', removal_reason = 'Wrong' where transaction_id = $1`, [
    facility,
  ]);
  expect(lines(await listed(borrower(), winter))).toEqual([]);
});

test('a note’s dates are those of the active tranche', async () => {
  const [stored] = await database.query<{ notes: object[] }>('select notes from transactions where company_id = $1', [
    one.companies[0]!.id,
  ]);
  const [note] = stored!.notes;
  const timeline = { contractSigning: '2025-01-01', maturity: '2031-05-31' };
  const terms = { commitments: [{ amount: { sum: '1', currency: 'USD' } }], timeline };
  const tranche = { sequence: 9, title: 'Later', type: 'ROFR', terms };
  const withTranche = (sequenceActivated: boolean) =>
    database.query(`update transactions set notes = $2::jsonb where company_id = $1`, [
      one.companies[0]!.id,
      JSON.stringify([{ ...note, tranches: [{ ...tranche, sequenceActivated }] }]),
    ]);
  const may = { from: '2031-05-01', to: '2031-05-31', limit: 10 };
  await withTranche(false);
  expect(lines(await listed(borrower(), may))).toEqual([]);
  await withTranche(true);
  expect(lines(await listed(borrower(), may))).toEqual(['2031-05-31 note maturity']);
});

test('another tenant’s events, kinds without permission and blocked funds are not listed', async () => {
  const partyIds = (await listed(manager())).events.map(({ partyId }) => partyId);
  expect(partyIds).not.toContain(other.fundId);
  const { counts } = await listed(manager({ permissions: ['contributions/read'] }));
  expect(counts).toEqual({ call: 1 });
  expect((await listed(manager({ blockedDocuments: [`funds/${one.fundId}`] }))).events).toEqual([]);
});

test('a list that is shorter than what there is says how many there are', async () => {
  const first = await listed(manager(), { ...SPRING, limit: 2 });
  expect([first.events.length, first.total]).toEqual([2, 7]);
  const calls = await listed(manager(), { ...SPRING, kind: 'call' });
  expect([calls.events.map(({ kind }) => kind), calls.total, calls.counts.report]).toEqual([['call'], 1, 1]);
});

test('only the events of some parties are listed and counted', async () => {
  const ofFund = await listed(manager(), { ...SPRING, parties: [one.fundId] });
  expect([...new Set(ofFund.events.map(({ partyId }) => partyId))]).toEqual([one.fundId]);
  expect(ofFund.total).toBe(ofFund.events.length);
  expect(await listed(manager(), { ...SPRING, parties: [] })).toMatchObject({ events: [], total: 0 });
  expect((await listed(manager(), { ...SPRING, parties: [other.fundId] })).events).toEqual([]);
});

test('a calendar covers at most 400 days', async () => {
  await expect(listed(manager(), { from: '2026-01-01', to: '2027-02-04', limit: 1 })).resolves.toBeDefined();
  await expect(listed(manager(), { from: '2026-01-01', to: '2027-02-05', limit: 1 })).rejects.toThrow(
    'at most 400 days',
  );
});
