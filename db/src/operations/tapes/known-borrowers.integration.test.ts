import { afterAll, beforeAll, expect, test } from 'vitest';
import { SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { knownBorrowers } from './known-borrowers.ts';

let database: TestDatabase;
let tenant: TestTenant;
let other: TestTenant;
beforeAll(async () => {
  database = await createTestDatabase();
  tenant = await database.store.as(SYSTEM, makeTenant);
  other = await database.store.as(SYSTEM, makeTenant);
});
afterAll(() => database.close());

const known = (headers: readonly string[], words: readonly string[] = []) =>
  database.store.as(testActor({ type: 'manager', managerId: tenant.managerId }), (session) =>
    knownBorrowers(session, { headers, words }),
  );

test('the companies of the tenant, with the name of the latest file and the share of columns that are there', async () => {
  const [company] = tenant.companies;
  await database.query(
    `update mappings set extracted_origin_cols_from_loan_tape = '{Loan  ID,Balance,Rate,Status}' where company_id = $1`,
    [company!.id],
  );
  const found = await known([' loan id', 'BALANCE', 'Other']);
  expect(found.map(({ id }) => id).toSorted()).toEqual(tenant.companies.map(({ id }) => id).toSorted());
  const [{ name: latestFile }] = (await database.query(
    `select attachment ->> 'name' as name from loan_tapes where id = $1`,
    [company!.tapeId],
  )) as [{ name: string }];
  expect(found.find(({ id }) => id === company!.id)).toEqual({
    id: company!.id,
    name: 'A company',
    latestFile,
    columnShare: 0.5,
  });
  expect(found.some(({ id }) => other.companies.some((each) => each.id === id))).toBe(false);
});

test('a company whose name has a word of the file comes first', async () => {
  const [, second] = tenant.companies;
  await database.query(
    `update entities set name = 'Zephyr Finance' where id = (select entity_id from companies where id = $1)`,
    [second!.id],
  );
  expect((await known([], ['zephyr']))[0]).toMatchObject({ id: second!.id, name: 'Zephyr Finance', columnShare: 0 });
});

test('a removed company is none', async () => {
  const [company] = tenant.companies;
  await database.query(`update companies set status = 'Removed' where id = $1`, [company!.id]);
  expect((await known([])).map(({ id }) => id)).not.toContain(company!.id);
});
