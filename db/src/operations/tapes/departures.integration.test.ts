import { addDays } from '@tapeline/domain/dates/calendar-date.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import type { Actor, UserActor } from '@tapeline/domain/people/actor.ts';
import { departureSchema, MAX_DEPARTED, MAX_DEPARTURES } from '@tapeline/domain/pools/departure.schema.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { seedFoundations } from '../../seed/seed-foundations.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { departuresBetween, enterDeparture, listDepartures, removeDeparture } from './departures.ts';

let database: TestDatabase;
let tenant: TestTenant;
let ada: UserActor;
let tapeId: string;
let companyId: string;

const as = <T>(actor: Actor, work: (session: Session) => Promise<T>) => database.store.as(actor, work);

beforeAll(async () => {
  database = await createTestDatabase();
  await as(SYSTEM, seedFoundations);
  tenant = await as(SYSTEM, makeTenant);
  ada = testActor({ type: 'manager', managerId: tenant.managerId });
  companyId = tenant.companies[0]!.id;
  tapeId = tenant.companies[0]!.tapeId;
});
afterAll(() => database.close());
beforeEach(() =>
  database.query(`alter table departures disable trigger departures_states; delete from departures;
  alter table departures enable trigger departures_states`),
);

const statement = (assetIds: string[], kind = 'sold') =>
  departureSchema.parse({ kind, assetIds, reason: 'Bill of sale of 14 October' });
const enter = (actor: Actor, assetIds: string[], kind?: string) =>
  as(actor, (session) => enterDeparture(session, { tapeId, body: statement(assetIds, kind) }));
const known = (actor: Actor, [after, upTo] = ['1990-01-01', '2150-12-31']) =>
  as(actor, async (session) =>
    (await departuresBetween(session, { companyId, after, upTo })).map(({ kind, assetIds }) => [kind, assetIds]),
  );
const codeOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (found: unknown) => found,
  );
  if (!isRefusal(error)) throw error ?? new Error('nothing was refused');
  return error.code;
};

test('a statement explains loans between two tapes until it is taken back, and the latest is first', async () => {
  const first = await enter(ada, ['L1', 'L2', 'L1']);
  await enter(ada, ['L2'], 'paid');
  expect(await known(ada)).toEqual([
    ['paid', ['L2']],
    ['sold', ['L1', 'L2']],
  ]);
  const [{ day }] = (await database.query('select cut_off_date::text as day from loan_tapes where id = $1', [
    tapeId,
  ])) as [{ day: string }];
  expect((await known(ada, ['1990-01-01', day])).length).toBe(2);
  expect(await known(ada, ['1990-01-01', addDays(day, -1)])).toEqual([]);
  expect(await known(ada, [day, '2150-12-31'])).toEqual([]);
  const removed = await as(ada, (session) => removeDeparture(session, first.id));
  expect([removed.status, removed.removedBy?.id]).toEqual(['Removed', ada.userId]);
  expect(await known(ada)).toEqual([['paid', ['L2']]]);
  expect((await as(ada, (session) => listDepartures(session, tapeId))).map(({ kind }) => kind)).toEqual(['paid']);
  expect(await codeOf(as(ada, (session) => removeDeparture(session, first.id)))).toBe('notFound');
});

test('only people of the manager with the permission say so, and whoever does not see the tape sees nothing of it', async () => {
  const { managerId } = tenant;
  const borrower = testActor({ type: 'company', managerId, companyId });
  const reader = testActor({ type: 'manager', managerId, permissions: ['assets/read'] });
  const other = testActor({ type: 'company', managerId, companyId: tenant.companies[1]!.id });
  const blocked = testActor({ type: 'manager', managerId, blockedDocuments: [`loanTapes/${tapeId}`] });
  expect(await codeOf(enter(borrower, ['L1']))).toBe('forbidden');
  expect(await codeOf(enter(reader, ['L1']))).toBe('forbidden');
  expect(await codeOf(enter(blocked, ['L1']))).toBe('notFound');
  const { id } = await enter(ada, ['L1']);
  expect([await known(borrower), await known(reader)]).toEqual([[['sold', ['L1']]], [['sold', ['L1']]]]);
  expect([await known(other), await known(blocked)]).toEqual([[], []]);
  expect(await codeOf(as(blocked, (session) => removeDeparture(session, id)))).toBe('notFound');
  expect(await codeOf(as(borrower, (session) => removeDeparture(session, id)))).toBe('forbidden');
});

test('the schema and the database hold the limits, and what was said does not change', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `L${index}`);
  expect(departureSchema.safeParse({ kind: 'sold', assetIds: many(MAX_DEPARTED), reason: 'A reason' }).success).toBe(
    true,
  );
  for (const wrong of [
    { assetIds: many(MAX_DEPARTED + 1) },
    { assetIds: [] },
    { assetIds: [' '] },
    { reason: 'four' },
    { kind: 'left' },
  ]) {
    expect(departureSchema.safeParse({ kind: 'sold', assetIds: ['L1'], reason: 'A reason', ...wrong }).success).toBe(
      false,
    );
  }
  const { id } = await enter(ada, many(MAX_DEPARTED));
  const write = (sql: string) => as(SYSTEM, (session) => session.query(sql, [id]));
  for (const change of ["asset_ids = array['L2']", "kind = 'paid'", "reason = 'Another reason'"]) {
    await expect(write(`update departures set ${change} where id = $1`)).rejects.toThrow(
      'what was said stays until it is taken back',
    );
  }
  const insert = (columns: string) =>
    write(`insert into departures (id, manager_id, company_id, tape_id, kind, asset_ids, reason, entered_by, entered_at)
      select md5(random()::text)::char(24), manager_id, company_id, tape_id, ${columns}, entered_by, entered_at from departures where id = $1`);
  await insert("'sold', array['L1'], 'A reason'");
  for (const wrong of [
    "'left', array['L1'], 'A reason'",
    "'sold', '{}'::text[], 'A reason'",
    "'sold', array[''], 'A reason'",
    "'sold', array[null]::text[], 'A reason'",
    "'sold', array['L1'], 'four'",
    `'sold', (select array_agg(n::text) from generate_series(0, ${MAX_DEPARTED}) n), 'A reason'`,
  ]) {
    await expect(insert(wrong)).rejects.toThrow(/violates check constraint/);
  }
  for (let count = 2; count < MAX_DEPARTURES; count += 1) await insert("'sold', array['L1'], 'A reason'");
  expect(await codeOf(enter(ada, ['L9']))).toBe('badRequest');
  await expect(insert("'sold', array['L1'], 'A reason'")).rejects.toThrow('a tape has at most 20 statements');
  await as(ada, (session) => removeDeparture(session, id));
  await enter(ada, ['L9']);
});
