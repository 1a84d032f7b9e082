import { afterAll, beforeAll, expect, test } from 'vitest';
import { SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { listLimitRooms } from './room-in-limits.ts';

let database: TestDatabase;
let tenant: TestTenant;

beforeAll(async () => {
  database = await createTestDatabase();
  tenant = await database.store.as(SYSTEM, makeTenant);
  await database.query(`update borrowing_bases set status = 'Active'`);
});
afterAll(() => database.close());

/** A result with one cap of 100 for each measure, in this order. */
const resultOf = (measures: readonly (string | null)[]) => ({
  totals: { pools: { eligibleOrPerforming: { amount: { sum: '1000', currency: 'USD' } } } },
  excessBreachDistribution: measures.map((measure, rule) => ({
    rule,
    title: `Limit ${rule}`,
    operand: 'lte',
    money: false,
    accumulatorField: null,
    limit: '100',
    measure,
    breached: Number(measure) > 100,
    removes: true,
    groupCount: 1,
    groups: [],
  })),
});

test('limits are in breach first, then by the room that is left, as numbers', async () => {
  // Sorted as text, 10 would come before 0.2, and 0.005 before -0.1.
  const measures = ['95', '80', '90', '110', null, '99.5', '-900'];
  const bases = await database.query<{ id: string }>(
    `update borrowing_bases set result = $1 where id = (select min(id) from borrowing_bases where manager_id = $2) returning id`,
    [JSON.stringify(resultOf(measures)), tenant.managerId],
  );
  expect(bases).toHaveLength(1);
  const manager = testActor({ type: 'manager', managerId: tenant.managerId });
  const read = (limit: number) =>
    database.store.as(manager, async (session) => {
      const { limits, ...counts } = await listLimitRooms(session, { limit });
      return { ...counts, rooms: limits.filter(({ baseId }) => baseId === bases[0]!.id).map(({ room }) => room) };
    });
  const all = await read(50);
  expect(all.rooms.map((room) => room && Number(room))).toEqual([-0.1, 0.005, 0.05, 0.1, 0.2, 10, null]);
  expect(all.breached).toBe(1);
  const ofNotes = (noteIds: string[]) =>
    database.store.as(manager, (session) => listLimitRooms(session, { limit: 50, noteIds }));
  const notes = await database.query<{ id: string; note: string }>(
    'select id, note_id as note from borrowing_bases where manager_id = $1',
    [tenant.managerId],
  );
  const own = notes.find(({ id }) => id === bases[0]!.id)!.note;
  const others = notes.flatMap(({ note }) => (note === own ? [] : [note]));
  expect((await ofNotes([own])).limits.map(({ room }) => room)).toEqual(all.rooms);
  expect((await ofNotes([own])).total).toBe(all.rooms.length);
  expect((await ofNotes(others)).limits.map(({ baseId }) => baseId)).not.toContain(bases[0]!.id);
  expect(await ofNotes([])).toEqual({ limits: [], total: 0, breached: 0 });
  const first = await read(2);
  expect(first).toMatchObject({ total: all.total, rooms: all.rooms.slice(0, 2) });
});
