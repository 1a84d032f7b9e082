import { companyCreateSchema } from '@tapeline/domain/companies/company.schema.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { createCompany, listCompanies, updateCompany } from '../companies/companies.ts';
import { getEntity, listCategories, updateEntity } from '../entities/entities.ts';
import { listLPs } from '../investors/investors.ts';
import { listRoles } from '../roles/roles.ts';
import { listUsers } from '../users/users.ts';

let database: TestDatabase;
let managerId: string;
const manager = () => testActor({ type: 'manager', managerId });
const COUNTED = ['companies', 'lps', 'entities', 'users', 'lp_groups'];

beforeAll(async () => {
  database = await createTestDatabase({ demonstration: true });
  managerId = (await database.store.as(SYSTEM, (session) => listCompanies(session))).documents[0]!.managerId;
});
afterAll(() => database.close());

/** What was counted, next to what there is. */
async function counts() {
  const counted = await database.query<{ counted: string }>(
    `select concat_ws(' ', collection, manager_id, status, sum(count)) as counted from document_counts
     group by collection, manager_id, status having sum(count) <> 0 order by 1`,
  );
  const real = await database.query<{ counted: string }>(
    `select concat_ws(' ', collection, manager_id, status, count(*)) as counted from (
       ${COUNTED.map((table) => `select '${table}' as collection, manager_id, status from ${table}`).join(' union all ')}
       union all select 'entities.category', manager_id, value from entities, jsonb_array_elements_text(category) as value
         where status <> 'Removed'
     ) as documents group by collection, manager_id, status order by 1`,
  );
  return { counted: counted.map(({ counted: one }) => one), real: real.map(({ counted: one }) => one) };
}
const company = (name: string, more: object = {}) =>
  companyCreateSchema.parse({ entity: { name, formalId: '1', nationality: { country: 'US' }, ...more } });

test('every document is counted by its status, whoever changes it and however often the counts are added up', async () => {
  const first = await counts();
  expect(first.counted.length).toBeGreaterThan(COUNTED.length);
  expect(first.counted).toEqual(first.real);
  // Two hundred creations add the rows up several times.
  await database.store.as(manager(), async (session) => {
    for (let n = 0; n < 200; n++) {
      const created = await createCompany(session, company(`Counted ${n}`, { category: ['Sponsor', `Kind ${n % 3}`] }));
      if (n % 2 === 0) await updateCompany(session, { id: created.id, body: { ...body(created), status: 'Disabled' } });
    }
  });
  await database.query(`update lps set status = 'Removed' where id in (select id from lps order by id limit 1)`);
  await database.query(`update entities set category = '["Sponsor"]' where category @> '["Kind 1"]'`);
  await database.query(`update entities set status = 'Removed' where category @> '["Kind 2"]'`);
  await expect(
    database.store.as(manager(), (session) => createCompany(session, company('Refused')), { rollback: true }),
  ).resolves.toBeTruthy();
  const last = await counts();
  expect(last.counted).toEqual(last.real);
  const rows = await database.query<{ n: number }>('select count(*)::int as n from document_counts');
  expect(rows[0]!.n).toBeLessThan(600);
  const categories = await database.store.as(manager(), listCategories);
  expect(categories).toEqual(expect.arrayContaining(['Kind 0', 'Sponsor']));
  expect(categories).not.toContain('Kind 1');
  expect(categories).not.toContain('Kind 2');
});

const body = ({ version, entityId, domains }: { version: number; entityId: string; domains: string[] }) => ({
  version,
  entity: { kind: 'known' as const, id: entityId, fields: {} },
  domains,
});

test('the program cannot change what was counted', async () => {
  for (const statement of ['delete from document_counts', 'update document_counts set count = 0']) {
    await expect(database.store.as(SYSTEM, ({ query }) => query(statement))).rejects.toThrow('permission denied');
  }
});

test('a list shows the present name, country and formal id of an entity, and the titles of organizations and roles', async () => {
  const { entityId } = await database.store.as(manager(), (session) => createCompany(session, company('Before')));
  await database.store.as(manager(), async (session) => {
    const { version, ...entity } = await getEntity(session, entityId);
    await updateEntity(session, {
      id: entityId,
      body: { ...entity, version, name: 'Afterwards', formalId: 'NEW-1', nationality: { country: 'LU' } },
    });
  });
  const found = async (filter: object) =>
    (await database.store.as(manager(), (session) => listCompanies(session, { filter }))).documents.map(
      ({ entity }) => entity.name,
    );
  expect(await found({ 'entity.formalId': 'NEW-1' })).toEqual(['Afterwards']);
  expect(await found({ 'entity.name': 'Afterwards', 'entity.nationality.country': 'LU' })).toEqual(['Afterwards']);
  expect(await found({ 'entity.name': 'Before' })).toEqual([]);

  const users = (filter: object) => database.store.as(SYSTEM, (session) => listUsers(session, { filter }));
  const [analyst] = (await users({ roleTitle: 'Analyst' })).documents;
  const [lp] = (await database.store.as(SYSTEM, (session) => listLPs(session, { filter: { title: { like: '%a%' } } })))
    .documents;
  const ofLP = (await users({ 'assoc.LP.id': lp!.id })).total;
  await database.query(`update lps set title = 'Their new title' where id = $1`, [lp!.id]);
  await database.query(`update roles set title = 'Credit analyst' where title = 'Analyst'`);
  expect((await users({ organization: 'Their new title' })).total).toBe(ofLP);
  expect((await users({ roleTitle: 'Credit analyst' })).documents.map(({ id }) => id)).toContain(analyst!.id);
  expect((await users({ roleTitle: 'Analyst' })).total).toBe(0);
  const roles = await database.store.as(SYSTEM, (session) =>
    listRoles(session, { filter: { title: 'Credit analyst' } }),
  );
  expect(roles.total).toBe(1);
});
