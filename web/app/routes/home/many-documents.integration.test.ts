import { listCompanies } from '@tapeline/db/operations/companies/companies.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import { testActor } from '@tapeline/db/testing/actors.ts';
import { countStatements } from '@tapeline/db/testing/count-statements.ts';
import { addBorrowers } from '@tapeline/db/testing/many-documents.ts';
import { createTestDatabase, type TestDatabase } from '@tapeline/db/testing/test-store.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readHome } from './home.server.ts';

const MANY = 300;
let database: TestDatabase;
let manager: UserActor;
let northwind: string;
const read = (actor: UserActor = manager) =>
  readHome({ actor, url: new URL('http://tapeline.test/'), db: (work) => database.store.as(actor, work) });

beforeAll(async () => {
  database = await createTestDatabase({ demonstration: true });
  await database.store.as(SYSTEM, async (session) => {
    const [company] = (await listCompanies(session, { filter: { 'entity.name': 'Northwind Consumer Loans' } }))
      .documents;
    northwind = company!.id;
    manager = testActor({ type: 'manager', managerId: company!.managerId });
    await addBorrowers(session, { like: northwind, from: 1, count: 3 });
  });
});
afterAll(() => database.close());

test('Home sends as many statements for 300 notes as for 3, shows six rows, and counts everything', async () => {
  const few = await countStatements(() => read());
  const before = await read();
  await database.store.as(SYSTEM, (session) => addBorrowers(session, { like: northwind, from: 4, count: MANY - 3 }));
  expect(await countStatements(() => read())).toBe(few);

  const found = await read();
  expect(found.todo?.items).toHaveLength(6);
  expect(found.lending?.notes).toHaveLength(6);
  // Each new note has a deficit and a failed tape, and comes before what is only to be watched.
  const late = (view: typeof found) => view.todo?.counts.late ?? 0;
  expect(late(found) - late(before)).toBeGreaterThanOrEqual(MANY - 3);
  expect(found.todo?.items[0]).toMatchObject({ kind: 'deficit', urgency: 'late' });
  expect(new Set(found.todo?.items.map(({ key }) => key)).size).toBe(6);
});

test('what is blocked for a person is neither on Home nor counted there', async () => {
  const name = `Borrower ${String(MANY).padStart(5, '0')}`;
  const { documents } = await database.store.as(SYSTEM, (session) =>
    listCompanies(session, { filter: { 'entity.name': name } }),
  );
  const seen = await read();
  const hidden = await read({ ...manager, blockedDocuments: [`companies/${documents[0]!.id}`] });
  expect([JSON.stringify(seen).includes(name), JSON.stringify(hidden).includes(name)]).toEqual([true, false]);
  expect(hidden.lending?.totals.deficits).toBe(seen.lending!.totals.deficits - 1);
  const other = JSON.stringify(await read(testActor({ type: 'manager', managerId: 'f'.repeat(24) })));
  expect(other).not.toContain('Borrower 0');
});

test('a role without lending or funds has nothing of them', async () => {
  const view = await read({ ...manager, permissions: ['announcements/read'] });
  expect([view.lending, view.funds, view.pool, view.todo?.items]).toEqual([null, null, null, []]);
});
