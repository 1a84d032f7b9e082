import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Company, Manager, User } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import { seedFoundations } from '../../seed/seed-foundations.ts';
import { SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { addEntity } from '../../testing/entities.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { firstStepsOf } from './first-steps.ts';

let database: TestDatabase;
/** Another manager, which has everything. */
let other: TestTenant;
/** The first user of a new manager. */
let first: UserActor;
let ownEntity: string;

const BANKS = JSON.stringify([
  {
    title: 'First Tidewater',
    accountNumber: '004417729100',
    address: '1 Quay',
    type: 'Business',
    IBAN: 'GB29NWBK60161331926819',
  },
]);

const person = (managerId: string) => {
  const id = newId();
  const named = { firstName: 'Ann', lastName: 'Example', email: `${id}@example.test` };
  return { id, type: 'manager' as const, managerId, assoc: { manager: { id: managerId } }, ...named };
};

beforeAll(async () => {
  database = await createTestDatabase();
  await database.store.as(SYSTEM, async (session) => {
    await seedFoundations(session);
    other = await makeTenant(session);
    const managerId = newId();
    ownEntity = addEntity(session.em, managerId, 'A new manager');
    session.em.create(Manager, { id: managerId, entityId: ownEntity });
    const user = session.em.create(User, person(managerId));
    first = testActor({ type: 'manager', managerId, userId: user.id });
  });
});
afterAll(() => database.close());

const steps = (actor: UserActor = first) => database.store.read(actor, firstStepsOf);

test('each step is done when its documents exist, whatever other managers have', async () => {
  const nothing = { party: false, people: false, bank: false, record: false };
  expect(await steps()).toEqual({ done: nothing, entity: ownEntity, fund: null });
  const managerId = first.managerId!;

  const colleague = person(managerId);
  await database.store.as(SYSTEM, async ({ em }) => {
    em.create(User, colleague);
  });
  const change = (status: string) =>
    database.query('update users set status = $2 where id = $1', [colleague.id, status]);
  await change('Removed');
  expect((await steps())?.done).toEqual(nothing);
  await change('Pending');
  expect((await steps())?.done).toEqual({ ...nothing, people: true });

  const companyId = newId();
  await database.store.as(SYSTEM, async ({ em }) => {
    em.create(Company, { id: companyId, managerId, entityId: addEntity(em, managerId, 'A borrower') });
  });
  expect((await steps())?.done).toEqual({ ...nothing, people: true, party: true });

  await database.query('update entities set banks = $2 where id = $1', [ownEntity, BANKS]);
  expect((await steps())?.done).toEqual({ people: true, party: true, bank: true, record: false });
});

test('a bank account is added to the fund first, and nothing is left for a manager that has everything', async () => {
  const manager = testActor({ type: 'manager', managerId: other.managerId });
  const [lp] = await database.query<{ entity: string }>('select entity_id as entity from lps where id = $1', [
    other.lpIds[0],
  ]);
  await database.query('update funds set entity_id = $2 where id = $1', [other.fundId, lp!.entity]);
  await database.query(`update entities set banks = '[]' where manager_id = $1`, [other.managerId]);
  expect(await steps(manager)).toEqual({
    done: { party: true, people: true, bank: false, record: true },
    entity: lp!.entity,
    fund: null,
  });
  // The account of another entity is not stated on notices.
  await database.query('update entities set banks = $2 where manager_id = $1 and id <> $3', [
    other.managerId,
    BANKS,
    lp!.entity,
  ]);
  expect((await steps(manager))?.done.bank).toBe(false);
  await database.query('update funds set entity_id = null where manager_id = $1', [other.managerId]);
  expect(await steps(manager)).toMatchObject({ entity: null, fund: other.fundId });
  await database.query('update funds set entity_id = $2 where id = $1', [other.fundId, lp!.entity]);
  await database.query('update entities set banks = $2 where id = $1', [lp!.entity, BANKS]);
  expect(await steps(manager)).toBeNull();
});

test('an administrator who acts for a manager sees its steps, and one who acts for none sees none', async () => {
  expect(await steps(testActor({ type: 'admin' }))).toBeNull();
  expect((await steps(testActor({ type: 'admin', managerId: first.managerId })))?.done.record).toBe(false);
});
