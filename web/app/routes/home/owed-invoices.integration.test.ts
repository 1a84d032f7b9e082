import { seedFoundations } from '@tapeline/db/seed/seed-foundations.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import { testActor } from '@tapeline/db/testing/actors.ts';
import { makeTenant, type TestTenant } from '@tapeline/db/testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '@tapeline/db/testing/test-store.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readHome } from './home.server.ts';

let database: TestDatabase;
let one: TestTenant;
let invoices: { id: string; facility: string }[];

const read = async (actor: UserActor) =>
  readHome({ actor, url: new URL('http://tapeline.test/'), db: (work) => database.store.as(actor, work) });
const late = async (actor: UserActor) =>
  (await read(actor)).todo?.items.flatMap(({ kind, key }) => (kind === 'invoice' ? [key] : []));
const owed = async (actor: UserActor) => (await read(actor)).owed?.rows.map(({ documentId }) => documentId);

const manager = (fields: Partial<UserActor> = {}) =>
  testActor({ type: 'manager', managerId: one.managerId, ...fields });
const borrower = (fields: Partial<UserActor> = {}) =>
  testActor({ type: 'company', managerId: one.managerId, companyId: one.companies[0]!.id, ...fields });

beforeAll(async () => {
  database = await createTestDatabase();
  one = await database.store.as(SYSTEM, async (session) => {
    await seedFoundations(session);
    return makeTenant(session);
  });
  invoices = await database.query<{ id: string; facility: string }>(
    'select id, transaction_id as facility from invoices where company_id = $1',
    [one.companies[0]!.id],
  );
});
afterAll(() => database.close());

test('a draft is on nobody’s Home', async () => {
  expect([await owed(borrower()), await late(manager())]).toEqual([undefined, []]);
});

test('a borrower sees what it owes and how to pay it, its lender what is late, and nobody what is hidden', async () => {
  const [invoice] = invoices;
  await database.query(
    `insert into bank_accounts (id, status, manager_id, title, bank_name, account_number, currency, opening_date, version, metadata)
     values (left(md5('account'), 24), 'Active', $1, 'Collections', 'First Tidewater', 'US64 0210 0002 1000 4471', 'USD', '2020-01-01', 1, '{}')`,
    [one.managerId],
  );
  await database.query(
    `update invoices set status = 'Active', issued_on = '2024-02-01', period_from = '2024-01-01', period_to = '2024-02-01',
       due_date = '2024-03-01' where id = $1`,
    [invoice?.id],
  );
  const { owed: seen } = await read(borrower());
  expect(seen).toMatchObject({ total: 1, sums: [{ currency: 'USD', open: '10', overdue: '10' }] });
  expect(seen?.rows).toMatchObject([
    {
      documentId: invoice?.id,
      dueDate: '2024-03-01',
      open: '10',
      state: 'overdue',
      reference: expect.stringMatching(/-I\d+-/),
    },
  ]);
  expect(await late(manager())).toEqual([`invoice-${invoice?.id}`]);
  expect((await read(manager())).owed).toBeNull();

  for (const blocked of [`invoices/${invoice?.id}`, `transactions/${invoice?.facility}`]) {
    expect(await owed(borrower({ blockedDocuments: [blocked] }))).toBeUndefined();
    expect(await late(manager({ blockedDocuments: [blocked] }))).toEqual([]);
  }
  expect(await owed(borrower({ companyId: one.companies[1]!.id }))).toBeUndefined();
  expect(await owed(borrower({ permissions: ['transactions/read'] }))).toBeUndefined();
  expect(await late(manager({ permissions: ['transactions/read'] }))).toEqual([]);
});
