import { transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import { managerCreateSchema } from '@tapeline/domain/managers/manager.schema.ts';
import type { Actor, UserActor } from '@tapeline/domain/people/actor.ts';
import { DEFAULT_TABLES } from '@tapeline/domain/tables/default-tables.ts';
import { LIST_NAMES, tableCreateSchema, tableUpdateSchema } from '@tapeline/domain/tables/table.schema.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Company, Manager } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { addEntity } from '../../testing/entities.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { createManager } from '../managers/managers.ts';
import { createTransaction } from '../transactions/transactions.ts';
import {
  addDefaultTables,
  createTable,
  getTable,
  importFixings,
  listTables,
  removeTable,
  suggestionsOf,
  tableOptions,
  updateTable,
} from './tables.ts';

let database: TestDatabase;
let one: string;
let two: string;
let companyId: string;
const manager = (managerId: string, fields: Partial<UserActor> = {}) =>
  testActor({ type: 'manager', managerId, ...fields });
const as = <Result>(actor: Actor, work: (session: Session) => Promise<Result>) => database.store.as(actor, work);
const create = (actor: Actor, body: unknown) =>
  as(actor, (session) => createTable(session, tableCreateSchema.parse(body)));
const update = (actor: Actor, id: string, body: unknown) =>
  as(actor, (session) => updateTable(session, { id, body: tableUpdateSchema.parse(body) }));
const tableNamed = async (name: string) =>
  (await as(manager(one), (session) => listTables(session, { filter: { name } }))).documents[0]!;

beforeAll(async () => {
  database = await createTestDatabase();
  [one, two] = (await as(SYSTEM, async (session) => {
    const { em } = session;
    return ['Harbour', 'Meridian'].map((name) => {
      const id = newId();
      em.create(Manager, { id, entityId: addEntity(em, id, name) });
      addDefaultTables(session, id);
      return id;
    });
  })) as [string, string];
  companyId = newId();
  await as(SYSTEM, async ({ em }) => {
    em.create(Company, { id: companyId, managerId: one, entityId: addEntity(em, one, 'Northwind') });
  });
  const timeline = { contractSigning: '2026-01-01', maturity: '2029-01-01' };
  const fees = [{ rate: 1, title: 'Fee', kind: 'Upfront', frequency: 'Beginning' }];
  const interest = { kind: 'variable', baseRate: 'SOFR', spread: 5, minimumInterest: 1 };
  const terms = { commitments: [{ amount: { sum: 1, currency: 'USD' } }], timeline, fees, interest };
  await as(manager(one), (session) =>
    createTransaction(
      session,
      transactionSchema.parse({
        title: 'Facility',
        type: 'Direct',
        industries: ['Biotechnology'],
        company: companyId,
        notes: [{ title: 'Senior', tranches: [{ sequence: 1, title: 'A', type: 'ROFR', terms }] }],
      }),
    ),
  );
});
afterAll(() => database.close());

describe('an option list', () => {
  test('is seeded for each manager, and offers what is not retired', async () => {
    const admin = testActor({ type: 'admin' });
    const made = await as(admin, (session) =>
      createManager(
        session,
        managerCreateSchema.parse({
          entity: { name: 'New manager', formalId: '1', nationality: { country: 'US' } },
          domains: [],
        }),
      ),
    );
    const options = await as(manager(made.id), (session) => tableOptions(session));
    expect(options).toEqual(DEFAULT_TABLES.map(({ name, values }) => ({ name, values })));

    const table = await create(manager(made.id), {
      name: 'Regions',
      values: ['North', { title: 'South', isRetired: true }],
    });
    const offered = await as(manager(made.id), (session) => tableOptions(session));
    expect(offered.find(({ name }) => name === 'Regions')?.values.map(({ title }) => title)).toEqual(['North']);
    expect(table.values).toHaveLength(2);
  });

  test('has a name of its own per manager, whatever its case', async () => {
    await expect(create(manager(one), { name: 'FEE KINDS' })).rejects.toMatchObject({
      flags: { name: 'is the name of another list' },
    });
    const both = await Promise.allSettled([
      create(manager(one), { name: 'Same', values: ['a'] }),
      create(manager(one), { name: 'same', values: ['b'] }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const regions = await create(manager(one), { name: 'Regions' });
    await expect(
      update(manager(one), regions.id, { name: 'Industries', values: [], version: 1 }),
    ).rejects.toMatchObject({
      flags: { name: 'is the name of another list' },
    });
    await as(manager(one), (session) => removeTable(session, regions.id));
    await expect(create(manager(one), { name: 'Regions' })).resolves.toMatchObject({ name: 'Regions' });
  });

  test('retires a value in use instead of deleting it, and drops others', async () => {
    for (const [name, used] of [
      [LIST_NAMES.industries, 'Biotechnology'],
      [LIST_NAMES.feeKinds, 'Upfront'],
    ] as const) {
      const table = await tableNamed(name);
      const changed = await update(manager(one), table.id, { name, values: ['Only one'], version: table.version });
      expect(changed.values.map(({ title, isRetired }) => [title, isRetired])).toEqual([
        ['Only one', false],
        [used, true],
      ]);
      expect(await as(manager(one), (session) => suggestionsOf(session, name))).toEqual(['Only one']);
    }
  });

  test('is not renamed or removed while documents use its values', async () => {
    for (const name of [LIST_NAMES.industries, LIST_NAMES.baseRates]) {
      const table = await tableNamed(name);
      await expect(as(manager(one), (session) => removeTable(session, table.id))).rejects.toThrow(
        'Retire its values instead',
      );
      const body = { name: `${name} 2`, values: [], version: table.version };
      await expect(update(manager(one), table.id, body)).rejects.toMatchObject({ flags: { name: 'is in use' } });
    }
    const purposes = await tableNamed(LIST_NAMES.callPurposes);
    await as(manager(one), (session) => removeTable(session, purposes.id));
    await expect(as(manager(one), (session) => getTable(session, purposes.id))).rejects.toMatchObject({
      code: 'notFound',
    });
  });

  test('refuses a stale version, whoever lacks tables/write, and another tenant', async () => {
    const { id, version } = await create(manager(one), { name: 'Owners', values: ['a'] });
    const body = { name: 'Owners', values: ['b'], version };
    await update(manager(one), id, body);
    await expect(update(manager(one), id, body)).rejects.toMatchObject({ flags: { version: expect.any(String) } });
    const reader = manager(one, { permissions: ['tables/read'] });
    await expect(update(reader, id, body)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(create(reader, { name: 'Readers' })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(as(reader, (session) => removeTable(session, id))).rejects.toMatchObject({ code: 'forbidden' });
    await expect(update(manager(two), id, body)).rejects.toMatchObject({ code: 'notFound' });
  });

  test.each([
    ['Fees', [{ title: 'x', isRetired: false, date: '2026-01-01', rate: null }]],
    ['Fees', [{ title: '', isRetired: false, date: null, rate: null }]],
    ['Fees', ['a', 'A'].map((title) => ({ title, isRetired: false, date: null, rate: null }))],
    ['BASE rates', [{ title: 'EURIBOR', isRetired: false, date: '2026-01-01', rate: '1' }]],
    ['BASE rates', [{ title: 'SOFR', isRetired: false, date: null, rate: '1' }]],
    ['BASE rates', [{ title: 'SOFR', isRetired: false, date: '2026-01-01', rate: '101' }]],
  ])('is checked by the database as well: %s %j', async (name, values) => {
    const insert = as(SYSTEM, ({ query }) =>
      query('insert into option_lists (id, manager_id, name, values) values ($1, $2, $3, $4)', [
        newId(),
        two,
        `${name}`,
        JSON.stringify(values),
      ]),
    );
    await expect(insert).rejects.toThrow('option_lists_values');
  });
});

describe('base rates', () => {
  const fixing = (title: string, date: string, rate: string) => ({ title, isRetired: false, date, rate });

  test('are imported all at once, the latest first, and corrected by a later import', async () => {
    const table = await tableNamed(LIST_NAMES.baseRates);
    const fixings = [
      fixing('SOFR', '2026-01-01', '4.3'),
      fixing('SOFR', '2026-02-01', '4.2'),
      fixing('SONIA', '2026-01-01', '4'),
    ];
    const run = (version: number, imported: typeof fixings) =>
      as(manager(one), (session) => importFixings(session, { id: table.id, version, fixings: imported }));
    expect(await run(table.version, fixings)).toEqual({ added: 3, changed: 0, unchanged: 0 });
    expect(await run(table.version + 1, [fixing('SOFR', '2026-01-01', '4.35'), fixings[2]!])).toEqual({
      added: 0,
      changed: 1,
      unchanged: 1,
    });
    expect((await tableNamed(LIST_NAMES.baseRates)).values).toEqual([
      fixing('SOFR', '2026-02-01', '4.2'),
      fixing('SOFR', '2026-01-01', '4.35'),
      fixing('SONIA', '2026-01-01', '4'),
    ]);
    await expect(run(table.version, fixings)).rejects.toMatchObject({ flags: { version: expect.any(String) } });
    const other = await tableNamed(LIST_NAMES.feeKinds);
    const wrong = as(manager(one), (session) =>
      importFixings(session, { id: other.id, version: other.version, fixings }),
    );
    await expect(wrong).rejects.toThrow('Only the list Base rates has fixings');
  });

  test('a wrong fixing can be removed, although notes use the base rate', async () => {
    const table = await tableNamed(LIST_NAMES.baseRates);
    const changed = await update(manager(one), table.id, {
      name: table.name,
      values: table.values.slice(1),
      version: table.version,
    });
    expect(changed.values).toEqual(table.values.slice(1));
  });

  test('can be read by the borrowers of the manager, and no other list', async () => {
    const borrower = testActor({ type: 'company', managerId: one, companyId });
    const { documents } = await as(borrower, (session) => listTables(session));
    expect(documents.map(({ name }) => name)).toEqual([LIST_NAMES.baseRates]);
    const investor = testActor({ type: 'LP', managerId: one });
    expect((await as(investor, (session) => listTables(session))).total).toBe(0);
  });
});

test('a fixing that looks like a mistake is asked about; one beyond the bounds is refused, also by the database', async () => {
  const { id, version } = await tableNamed(LIST_NAMES.baseRates);
  const fixing = (date: string, rate: string) => ({ title: 'SONIA', isRetired: false, date, rate });
  const add = (...fixings: ReturnType<typeof fixing>[]) =>
    database.store.as(manager(one), (session) => importFixings(session, { id, version, fixings }), { confirmed: [] });
  await expect(add(fixing('2026-01-05', '4'), fixing('2026-01-06', '6.01'))).rejects.toMatchObject({
    questions: ['SONIA of 6 Jan 2026, 6.01 %, is 2.01 percentage points away from 4 % of 5 Jan 2026.'],
  });
  await expect(add(fixing('2999-01-05', '4'))).rejects.toMatchObject({
    questions: ['The fixing of SONIA of 5 Jan 2999 is in the future.'],
  });
  await add(fixing('2026-01-05', '4'), fixing('2026-01-06', '6'));
  const store = (rate: string) =>
    database.query('update option_lists set values = $2 where id = $1', [
      id,
      JSON.stringify([fixing('2026-01-05', rate)]),
    ]);
  await store('-10');
  await expect(store('-10.01')).rejects.toThrow('option_lists_values');
  expect(() =>
    tableUpdateSchema.parse({ name: LIST_NAMES.baseRates, version, values: [fixing('2026-01-05', '-10.01')] }),
  ).toThrow();
});
