import { dueDateOf, nextCutOffDate } from '@tapeline/domain/tapes/tape-due.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Role, User } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import { seedFoundations } from '../../seed/seed-foundations.ts';
import { SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { mailLateTape } from '../outbox/late-tape-mails.ts';
import { listTapesDue, listUnreportedLateTapes } from './tapes-due.ts';

let database: TestDatabase;
let tenant: TestTenant;
let other: TestTenant;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.store.as(SYSTEM, async (session) => {
    await seedFoundations(session);
    tenant = await makeTenant(session);
    other = await makeTenant(session);
    for (const { managerId, companies } of [tenant, other]) {
      const roleId = newId();
      session.em.create(Role, { id: roleId, managerId, title: 'Uploads', level: 12, permissions: ['assets/write'] });
      const person = { firstName: 'Ann', lastName: 'Example', roleId, managerId };
      const [manager, borrower] = [newId(), newId()];
      const assoc = { manager: { id: managerId } };
      session.em.create(User, { id: manager, ...person, email: `${manager}@example.test`, type: 'manager', assoc });
      session.em.create(User, {
        id: borrower,
        ...person,
        email: `${borrower}@example.test`,
        type: 'company',
        companyId: companies[0]!.id,
        assoc: { company: { id: companies[0]!.id } },
      });
    }
    await session.em.flush();
  });
  await database.query(`update contracts set status = 'Active', activated_at = now()`);
});
afterAll(() => database.close());

const at = (day: string) => ({ now: new Date(`${day}T12:00:00Z`) });
const manager = () => testActor({ type: 'manager', managerId: tenant.managerId });
const borrower = () => testActor({ type: 'company', managerId: tenant.managerId, companyId: tenant.companies[0]!.id });
const dueOn = (day: string, actor = manager()) =>
  database.store.as(actor, (session) => listTapesDue(session, { limit: 50 }), at(day));

/** Sets what decides when the next tape of the first company is due. */
async function given(facility: { latestTape: string | null; contractsFrom: string }): Promise<void> {
  const [company] = tenant.companies;
  await database.query('update contracts set cut_off_date = $2 where company_id = $1', [
    company!.id,
    facility.contractsFrom,
  ]);
  await database.query(
    `update loan_tapes set status = $2, cut_off_date = coalesce($3, cut_off_date) where company_id = $1`,
    [company!.id, facility.latestTape === null ? 'Removed' : 'Active', facility.latestTape],
  );
}

test.each([
  { latestTape: '2026-10-31', contractsFrom: '2026-01-01' },
  { latestTape: '2026-10-15', contractsFrom: '2026-01-01' },
  { latestTape: '2028-01-31', contractsFrom: '2026-01-01' },
  { latestTape: null, contractsFrom: '2026-01-10' },
  { latestTape: null, contractsFrom: '2026-01-31' },
  { latestTape: '2025-06-30', contractsFrom: '2026-01-10' },
])('the database computes the same dates as the rule: %o', async (facility) => {
  await given(facility);
  const { tapes } = await dueOn('2026-12-01', borrower());
  const cutOffDate = nextCutOffDate(facility);
  expect(tapes).toMatchObject([{ cutOffDate, dueDate: dueDateOf(cutOffDate), latestTape: facility.latestTape }]);
});

test('a borrower sees its own tape, and a manager those of its companies', async () => {
  await given({ latestTape: '2026-10-31', contractsFrom: '2026-01-01' });
  expect((await dueOn('2026-12-01', borrower())).tapes.map(({ companyId }) => companyId)).toEqual([
    tenant.companies[0]!.id,
  ]);
  const all = await dueOn('2026-12-01');
  expect(all.total).toBe(2);
  expect(all.tapes.map(({ companyId }) => companyId).sort()).toEqual(tenant.companies.map(({ id }) => id).sort());
});

test('the counts change on the day after the cut-off date and on the day after the due date', async () => {
  await given({ latestTape: '2026-10-31', contractsFrom: '2026-01-01' });
  const counts = async (day: string) => {
    const { late, due, tapes } = await dueOn(day, borrower());
    return [late, due, tapes[0]!.state, tapes[0]!.daysLeft];
  };
  expect(await counts('2026-11-30')).toEqual([0, 0, 'Upcoming', 15]);
  expect(await counts('2026-12-01')).toEqual([0, 1, 'Due', 14]);
  expect(await counts('2026-12-15')).toEqual([0, 1, 'Due', 0]);
  expect(await counts('2026-12-16')).toEqual([1, 0, 'Late', -1]);
});

test.each([
  ['a closed transaction', `update transactions set status = 'Closed'`, `update transactions set status = 'Active'`],
  ['another type', `update transactions set type = 'Direct'`, `update transactions set type = 'Asset Backed Lending'`],
  [
    'a draft contract',
    `update contracts set status = 'Draft', activated_at = null`,
    `update contracts set status = 'Active', activated_at = now()`,
  ],
])('%s needs no tape', async (_, change, undo) => {
  await database.query(change);
  expect(await dueOn('2026-12-01')).toEqual({ tapes: [], total: 0, late: 0, due: 0 });
  await database.query(undo);
  expect((await dueOn('2026-12-01')).total).toBe(2);
});

test('each late tape is reported once to the borrower and the manager, and again only for the next date', async () => {
  await database.query('delete from outbox');
  await given({ latestTape: '2026-10-31', contractsFrom: '2026-01-01' });
  const report = (day: string) =>
    database.store.as(
      SYSTEM,
      async (session) => {
        const late = await listUnreportedLateTapes(session, { limit: 100 });
        const own = late.filter(({ companyId }) => companyId === tenant.companies[0]!.id);
        for (const tape of own) await mailLateTape(session, tape);
        return own.length;
      },
      at(day),
    );
  expect(await report('2026-12-15')).toBe(0);
  expect(await report('2026-12-16')).toBe(1);
  expect(await report('2026-12-17')).toBe(0);
  const mails = await database.query<{ type: string; managerId: string; subject: string }>(
    `select u.type, u.manager_id as "managerId", o.subject from outbox o join users u on u.id = o.user_id order by u.type`,
  );
  expect(mails).toEqual([
    { type: 'company', managerId: tenant.managerId, subject: 'Your loan tape for 30 Nov 2026 is late' },
    {
      type: 'manager',
      managerId: tenant.managerId,
      subject: expect.stringMatching(/^Late loan tape from .+: 30 Nov 2026$/),
    },
  ]);
  await given({ latestTape: '2026-11-30', contractsFrom: '2026-01-01' });
  expect(await report('2027-01-15')).toBe(0);
  expect(await report('2027-01-16')).toBe(1);
});

test('a tape that is being processed has arrived', async () => {
  await database.query('delete from outbox');
  await given({ latestTape: null, contractsFrom: '2026-11-01' });
  await database.query(
    `update loan_tapes set status = 'Active', cut_off_date = '2026-11-30', generation_id = null, published_at = null,
       scheduler_status = 'Processing' where company_id = $1`,
    [tenant.companies[0]!.id],
  );
  const late = await database.store.as(
    SYSTEM,
    (session) => listUnreportedLateTapes(session, { limit: 100 }),
    at('2027-03-01'),
  );
  expect(late.map(({ companyId }) => companyId)).not.toContain(tenant.companies[0]!.id);
  expect(late.map(({ companyId }) => companyId)).toContain(other.companies[0]!.id);
  expect((await dueOn('2027-03-01', borrower())).tapes).toMatchObject([{ isProcessing: true, state: 'Late' }]);
});
