import { companyCreateSchema, companyUpdateSchema } from '@tapeline/domain/companies/company.schema.ts';
import { reason } from '@tapeline/domain/errors/reason.ts';
import { fundCreateSchema } from '@tapeline/domain/funds/fund.schema.ts';
import { lpCreateSchema, lpUpdateSchema } from '@tapeline/domain/investors/lp.schema.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Session, SYSTEM } from '../store.ts';
import { testActor } from '../testing/actors.ts';
import { makeTenant } from '../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-store.ts';
import { createCompany, updateCompany } from './companies/companies.ts';
import { createFund } from './funds/change-funds.ts';
import { createLP, removeLPs, updateLP } from './investors/investors.ts';
import { searchDocuments } from './search/search.ts';

let database: TestDatabase;
let one: UserActor;
let two: UserActor;
beforeAll(async () => {
  database = await createTestDatabase();
  const tenant = async () => {
    const { managerId } = await database.store.as(SYSTEM, (session) => makeTenant(session));
    return testActor({ type: 'manager', managerId });
  };
  [one, two] = [await tenant(), await tenant()];
});
afterAll(() => database.close());

const as = <Result>(actor: UserActor, work: (session: Session) => Promise<Result>) => database.store.as(actor, work);
const entity = (formalId: string) => ({ name: `Party ${formalId}`, formalId, nationality: { country: 'NO' } });
const addLP = (actor: UserActor, formalId: string, externalCode?: string | null) =>
  as(actor, (session) =>
    createLP(session, lpCreateSchema.parse({ title: `Party ${formalId}`, entity: entity(formalId), externalCode })),
  );
const FUND = {
  title: 'Marsh Lane Credit Fund II',
  type: 'SMA',
  strategy: 'ABL',
  currency: 'EUR',
  targetSize: { sum: '0', currency: 'EUR' },
  hardCap: { sum: '0', currency: 'EUR' },
};
const TAKEN = expect.objectContaining({ reasons: { externalCode: reason('codeTaken') } });

test('no two investors of a manager have the same external code, whatever its case; another manager can use it', async () => {
  const first = await addLP(one, 'X-1', '  TPF-01 ');
  expect(first.externalCode).toBe('TPF-01');
  await expect(addLP(one, 'X-2', 'tpf-01')).rejects.toEqual(TAKEN);
  expect((await addLP(two, 'X-2', 'TPF-01')).externalCode).toBe('TPF-01');
  expect((await addLP(one, 'X-3', '')).externalCode).toBeNull();
  expect((await addLP(one, 'X-4')).externalCode).toBeNull();
  // The code of a removed investor is free again.
  await as(one, (session) => removeLPs(session, [first.id]));
  expect((await addLP(one, 'X-5', 'TPF-01')).externalCode).toBe('TPF-01');
});

test('two people cannot give the same code at once: the database refuses the second', async () => {
  const added = await addLP(one, 'Y-1');
  await expect(
    as(one, async ({ query }) => {
      await query(`update lps set external_code = 'RACE-1' where id = $1`, [added.id]);
      await query(`update lps set external_code = 'race-1' where manager_id = $1 and id <> $2`, [
        added.managerId,
        added.id,
      ]);
    }),
  ).rejects.toEqual(TAKEN);
});

test('an update without the code keeps it, an empty one removes it, and the own code is not taken', async () => {
  const { id, version, title, domains, entityId } = await addLP(one, 'K-1', 'KEEP-1');
  let now = version;
  const update = async (externalCode?: string | null) => {
    const body = lpUpdateSchema.parse({ title, domains, entity: { id: entityId }, version: now, externalCode });
    const changed = await as(one, (session) => updateLP(session, { id, body }));
    now = changed.version;
    return changed.externalCode;
  };
  expect(await update()).toBe('KEEP-1');
  expect(await update('keep-1')).toBe('keep-1');
  expect(await update(null)).toBeNull();
});

test('companies and funds have external codes too', async () => {
  const company = (formalId: string) =>
    as(one, (session) =>
      createCompany(session, companyCreateSchema.parse({ entity: entity(formalId), externalCode: 'BORROWER-7' })),
    );
  const { id, version, domains, entityId } = await company('C-1');
  await expect(company('C-2')).rejects.toEqual(TAKEN);
  const kept = await as(one, (session) =>
    updateCompany(session, { id, body: companyUpdateSchema.parse({ domains, entity: { id: entityId }, version }) }),
  );
  expect(kept.externalCode).toBe('BORROWER-7');
  const fund = () =>
    as(one, (session) => createFund(session, fundCreateSchema.parse({ ...FUND, externalCode: 'MLC-2' })));
  expect((await fund()).fund.externalCode).toBe('MLC-2');
  await expect(fund()).rejects.toEqual(TAKEN);
});

test('a record is found by its external code', async () => {
  await addLP(one, 'S-1', 'Zebra-42');
  const found = await database.store.read(one, (session) => searchDocuments({ ...session, actor: one }, 'zebra 42'));
  expect(JSON.stringify(found)).toContain('Party S-1');
});

test.each([
  ['A'.repeat(50), true],
  ['A'.repeat(51), false],
  ['two\nlines', false],
])('an external code of at most 50 characters on one line: %j', (externalCode, isValid) => {
  const body = { title: 'Party', entity: entity('L-1'), externalCode };
  expect(lpCreateSchema.safeParse(body).success).toBe(isValid);
});
