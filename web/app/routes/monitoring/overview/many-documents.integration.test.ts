import { listCompanies } from '@tapeline/db/operations/companies/companies.ts';
import { companyChoices } from '@tapeline/db/operations/companies/company-choices.ts';
import { MAX_CHOICES } from '@tapeline/db/operations/listing/choices.ts';
import { countsOfManagers, listManagers } from '@tapeline/db/operations/managers/managers.ts';
import { listMappingsInUse } from '@tapeline/db/operations/mappings/mappings.ts';
import { listContracts } from '@tapeline/db/operations/transactions/contracts.ts';
import { type Session, SYSTEM } from '@tapeline/db/store.ts';
import { testActor } from '@tapeline/db/testing/actors.ts';
import { countStatements } from '@tapeline/db/testing/count-statements.ts';
import { addBorrowers } from '@tapeline/db/testing/many-documents.ts';
import { createTestDatabase, type TestDatabase } from '@tapeline/db/testing/test-store.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readMonitoring } from './monitoring.server.ts';

const MANY = 1200;
let database: TestDatabase;
let manager: UserActor;
let northwind: string;
/** Companies of the demonstration. */
let seeded: number;
const asManager = <T>(work: (session: Session) => Promise<T>) => database.store.as(manager, work);
const read = (search = '', page = { skip: 0, limit: 50 }) =>
  readMonitoring(
    { actor: manager, url: new URL(`http://tapeline.test/monitoring${search}`), db: (work) => asManager(work) },
    page,
  );

beforeAll(async () => {
  database = await createTestDatabase({ demonstration: true });
  await database.store.as(SYSTEM, async (session) => {
    const [company] = (await listCompanies(session, { filter: { 'entity.name': 'Northwind Consumer Loans' } }))
      .documents;
    northwind = company!.id;
    manager = testActor({ type: 'manager', managerId: company!.managerId });
    seeded = (await countsOfManagers(session, [company!.managerId])).get(company!.managerId)!.companies;
    await addBorrowers(session, { like: northwind, from: 1, count: 2 });
  });
});
afterAll(() => database.close());

test('monitoring sends as many statements for 1,200 notes as for 3, and its totals are over all of them', async () => {
  const few = await countStatements(() => read());
  const before = await read();
  await database.store.as(SYSTEM, (session) => addBorrowers(session, { like: northwind, from: 3, count: MANY - 2 }));
  expect(await countStatements(() => read())).toBe(few);

  const found = await read();
  expect(found.totals.notes - before.totals.notes).toBe(MANY - 2);
  expect(found.totals.based).toBe(MANY);
  // Each net equals its number, with even numbers in USD: 2 + 4 + ... + 1200, and 1 + 3 + ... + 1199.
  expect(found.totals.netBB).toEqual([
    { sum: '360000', currency: 'EUR' },
    { sum: '360600', currency: 'USD' },
  ]);
  expect(found.totals.availability).toEqual([
    { sum: '-359400', currency: 'EUR' },
    { sum: '-360000', currency: 'USD' },
  ]);
  expect(found.notes).toHaveLength(50);
  expect(found.companies).toHaveLength(50);
  expect(found.companiesTotal).toBe(MANY);
  // Each note has a broken limit and, except for the first, a deficit. Each company has a failed tape.
  expect(found.exceptionsTotal).toBe(MANY + (MANY - 1) + MANY);
  expect(found.exceptions).toHaveLength(50);
  expect(found.exceptions[0]).toMatchObject({ tone: 'danger', text: expect.stringContaining('deficit today of') });

  const pages = await Promise.all([0, 600, 1200].map((skip) => read('', { skip, limit: 600 })));
  expect(new Set(pages.flatMap(({ notes }) => notes.map(({ id }) => id))).size).toBe(found.totals.notes);
});

test('a picker offers a page of the companies, finds any of them by name, and always has the chosen one', async () => {
  const all = await asManager((session) => companyChoices(session));
  expect(all).toMatchObject({ found: MANY + seeded, total: MANY + seeded });
  expect(all.choices).toHaveLength(MAX_CHOICES);

  const one = await asManager((session) => companyChoices(session, { search: 'borrower 01199' }));
  expect(one.choices.map(({ name }) => name)).toEqual(['Borrower 01199']);
  expect(one).toMatchObject({ found: 1, total: MANY + seeded });

  const [last] = one.choices;
  const chosen = await asManager((session) => companyChoices(session, { search: 'northwind', chosen: last!.id }));
  expect(chosen.choices.map(({ name }) => name)).toEqual(['Borrower 01199', 'Northwind Consumer Loans']);
  // A wildcard is treated as an ordinary character, and a company of another manager is never offered.
  for (const search of ['%', '_', '\\', 'Fernhill']) {
    expect((await asManager((session) => companyChoices(session, { search }))).choices).toEqual([]);
  }
  expect((await asManager((session) => companyChoices(session, { chosen: 'f'.repeat(24) }))).choices).toHaveLength(
    MAX_CHOICES,
  );
});

test('lists of contracts and mappings are pages with the number of all', async () => {
  const contracts = await asManager((session) => listContracts(session, { skip: 1000, limit: 50 }));
  expect(contracts.total).toBeGreaterThanOrEqual(MANY + 1);
  expect(contracts.documents).toHaveLength(50);
  const mappings = await asManager((session) => listMappingsInUse(session, { skip: 1150, limit: 100 }));
  expect(mappings.companies).toBe(MANY + 2);
  expect(mappings.mappings).toHaveLength(Math.min(100, mappings.total - 1150));
});

test('a manager is counted with every company', async () => {
  const counts = await database.store.as(SYSTEM, async (session) => {
    const ids = (await listManagers(session)).documents.map(({ id }) => id);
    return countsOfManagers(session, ids);
  });
  expect(counts.get(manager.managerId!)).toMatchObject({ companies: MANY + seeded });
});

test('totals, rows and exceptions are the same availability to date, also after a draw and a repayment', async () => {
  const total = async () => {
    const { totals, notes, exceptions } = await read('', { skip: 0, limit: 5000 });
    const sums = new Map<string, number>();
    for (const { availability } of notes) {
      if (!availability) continue;
      sums.set(availability.currency, (sums.get(availability.currency) ?? 0) + Number(availability.sum));
    }
    expect(totals.availability.map(({ sum, currency }) => [currency, Number(sum)])).toEqual([...sums].sort());
    expect(totals.unavailable).toBe(notes.filter(({ availability }) => availability === null).length);
    return { totals, notes, first: exceptions[0] };
  };
  const before = await total();
  const row = before.notes.find(({ company }) => company === 'Borrower 00002')!;
  expect(row).toMatchObject({ balance: { sum: '3.00' }, availability: { sum: '-1.00', currency: 'USD' } });
  const [draw] = await asManager((session) =>
    session.query<{ id: string; transaction_id: string; company_id: string }>(
      'select id, transaction_id, company_id from draws where note_id = $1',
      [row.id],
    ),
  );
  // The certificate of the borrowing base stays as it is. What was drawn since counts here.
  await database.query(
    `insert into repayments (id, status, metadata, manager_id, company_id, transaction_id, note_id, cut_off_date, repayments)
     select lpad('ab', 24, '0'), 'Active', metadata, manager_id, company_id, transaction_id, note_id, '2026-11-06',
       '[{"kind":"principal","amount":{"sum":"2.5","currency":"USD"}},{"kind":"interest","amount":{"sum":"9","currency":"USD"}}]'
     from draws where id = $1`,
    [draw!.id],
  );
  const after = await total();
  expect(after.notes.find(({ id }) => id === row.id)).toMatchObject({
    balance: { sum: '0.50' },
    availability: { sum: '1.50', currency: 'USD' },
  });
  const usd = ({ totals }: typeof before) =>
    Number(totals.availability.find(({ currency }) => currency === 'USD')!.sum);
  expect(usd(after) - usd(before)).toBe(2.5);
  expect(before.totals.exceptions - after.totals.exceptions).toBe(1);
  expect(after.totals.asOf).toBe(new Date().toISOString().slice(0, 10));
  expect(after.totals.cutOffDates).toEqual({ earliest: '2026-10-31', latest: '2026-10-31' });
});
