import { NORTHWIND_COMPANY } from '@tapeline/demonstration/names.ts';
import { COLLECTIONS } from '@tapeline/domain/collections/collections.ts';
import type { Actor, UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../ids.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { type CompanyView, createCompany, listCompanies } from '../companies/companies.ts';
import { enterDeparture } from '../tapes/departures.ts';
import { createTape, removeTape } from '../tapes/tapes.ts';
import { historyOf } from './history.ts';
import { deleteManyPermanently, deletePermanently } from './permanent-delete.ts';

let database: TestDatabase;
let northwind: CompanyView;
let admin: UserActor;
const as = <Result>(actor: Actor, work: (session: Session) => Promise<Result>) => database.store.as(actor, work);

beforeAll(async () => {
  database = await createTestDatabase({ demonstration: true });
  northwind = await as(SYSTEM, async (session) => {
    return (await listCompanies(session, { filter: { 'entity.name': NORTHWIND_COMPANY } })).documents[0]!;
  });
  admin = testActor({ type: 'admin', firstName: 'Ada', lastName: 'Okafor' });
});
afterAll(() => database.close());

const addTape = () =>
  as(SYSTEM, async (session) => {
    const attachment = { bucket: 'loanTapes', key: newId(), name: 'n.xlsx', size: 1, type: 'text/csv', checksum: null };
    const { id } = await createTape(session, {
      companyId: northwind.id,
      cutOffDate: '2026-11-30',
      mainCurrency: 'USD',
      exchangeRates: { USD: '1' },
      calculateBB: false,
      attachment,
    });
    return id;
  });
const remove = (id: string) => as(SYSTEM, (session) => removeTape(session, { id }));
const deleteTape = (id: string, actor: Actor = admin, title?: string) =>
  as(actor, (session) =>
    deletePermanently(session, { resource: 'loanTapes', id, ...(title === undefined ? {} : { title }) }),
  );

test('an admin deletes a removed document for good, and its history stays', async () => {
  const id = await addTape();
  const body = { kind: 'sold' as const, assetIds: ['L1'], reason: 'Bill of sale' };
  await as(SYSTEM, (session) => enterDeparture(session, { tapeId: id, body }));
  await expect(deleteTape(id)).rejects.toMatchObject({ code: 'badRequest', message: /^Remove the loan tape first/ });
  await remove(id);
  await expect(deleteTape(id, admin, 'another')).rejects.toMatchObject({
    flags: { title: 'must be “n.xlsx”, as written above' },
  });
  await deleteTape(id, admin, 'n.xlsx');
  await expect(deleteTape(id)).rejects.toMatchObject({ code: 'notFound' });
  const { documents } = await as(admin, (session) => historyOf(session, [{ resource: 'loanTapes', ids: [id] }]));
  expect(documents.map(({ operation }) => operation)).toEqual(['Permanent Delete', 'Delete', 'Insert']);
  expect(documents[0]).toMatchObject({ changedBy: { entity: { firstName: 'Ada', lastName: 'Okafor' } } });
  expect(documents[0]?.updatedFields).toContainEqual({
    field: 'attachment',
    old: expect.objectContaining({ name: 'n.xlsx' }),
    new: null,
  });
});

test('nobody else does, whatever their role says, and nothing changes', async () => {
  const id = await addTape();
  await remove(id);
  const { managerId } = northwind;
  for (const actor of [
    testActor({ type: 'manager', managerId }),
    testActor({ type: 'company', managerId, companyId: northwind.id }),
  ]) {
    await expect(deleteTape(id, actor)).rejects.toMatchObject({ code: 'forbidden' });
  }
  await expect(deleteTape(id, testActor({ type: 'admin', permissions: [] }))).rejects.toMatchObject({
    code: 'forbidden',
  });
  await deleteTape(id, testActor({ type: 'admin', managerId }));
});

test('several are deleted together or not at all', async () => {
  const [one, two, kept] = [await addTape(), await addTape(), await addTape()];
  await remove(one);
  await remove(two);
  const all = (ids: string[]) => as(admin, (session) => deleteManyPermanently(session, { resource: 'loanTapes', ids }));
  await expect(all([one, kept])).rejects.toMatchObject({ code: 'badRequest' });
  await all([one, two]);
  await expect(deleteTape(one)).rejects.toMatchObject({ code: 'notFound' });
  await expect(deleteTape(kept)).rejects.toMatchObject({ message: /^Remove the loan tape first/ });
});

test('a document of every collection can be looked for', async () => {
  for (const resource of Object.keys(COLLECTIONS)) {
    await expect(as(admin, (session) => deletePermanently(session, { resource, id: newId() }))).rejects.toMatchObject({
      code: 'notFound',
    });
  }
  await expect(
    as(admin, (session) => deletePermanently(session, { resource: 'permissions', id: newId() })),
  ).rejects.toMatchObject({ code: 'notFound' });
});

test('a company without documents is deleted', async () => {
  const { id } = await as(testActor({ type: 'manager', managerId: northwind.managerId }), (session) =>
    createCompany(session, {
      entity: { kind: 'known', id: northwind.entityId, fields: {} },
      domains: [],
    } as Parameters<typeof createCompany>[1]),
  );
  await as(SYSTEM, ({ query }) => query(`update companies set status = 'Removed' where id = $1`, [id]));
  await as(admin, (session) => deletePermanently(session, { resource: 'companies', id }));
  const rows = await as(SYSTEM, ({ query }) => query('select id from companies where id = $1', [id]));
  expect(rows).toEqual([]);
});

// Last, because it removes the company and the fund of the other tests.
test('a document that others refer to stays, by a key or within a list', async () => {
  await as(SYSTEM, ({ query }) => query(`update companies set status = 'Removed' where id = $1`, [northwind.id]));
  const gone = (resource: string, id: string) => as(admin, (session) => deletePermanently(session, { resource, id }));
  await expect(gone('companies', northwind.id)).rejects.toMatchObject({
    code: 'badRequest',
    message: /^Other documents refer to this borrower: .*\d+ (loan tapes?|mappings?|transactions?)/,
  });
  const [fund] = await as(SYSTEM, ({ query }) =>
    query<{ id: string }>(`update funds set status = 'Removed' where manager_id = $1 returning id`, [
      northwind.managerId,
    ]),
  );
  await as(SYSTEM, async ({ query }) => {
    const documents = ['contributions', 'distributions', 'navs', 'write_offs', 'capital_accounts', 'reports'];
    for (const table of [...documents, 'lp_commitments']) {
      await query(`delete from ${table} where fund_id = $1`, [fund!.id]);
    }
  });
  await expect(gone('funds', fund!.id)).rejects.toMatchObject({ message: /refer to this fund: 1 transaction\./ });
});
