import { companyCreateSchema, companyUpdateSchema } from '@tapeline/domain/companies/company.schema.ts';
import { entityCreateSchema, entityUpdateSchema } from '@tapeline/domain/entities/entity.schema.ts';
import type { Actor, UserActor } from '@tapeline/domain/people/actor.ts';
import {
  serviceProviderCreateSchema,
  serviceProviderUpdateSchema,
} from '@tapeline/domain/service-providers/service-provider.schema.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Fund, LPCommitment } from '../../entities/funds.ts';
import { LP, Manager } from '../../entities/people.ts';
import { LegalEntity } from '../../entities/register.ts';
import { newId } from '../../ids.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { countStatements } from '../../testing/count-statements.ts';
import { addEntity } from '../../testing/entities.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { createCompany, getCompany, listCompanies, updateCompany } from '../companies/companies.ts';
import { resolveFile } from '../files/files.ts';
import { listFunds } from '../funds/funds.ts';
import { getLP, listLPs } from '../investors/investors.ts';
import {
  createServiceProvider,
  createServiceProviders,
  getServiceProvider,
  listServiceProviders,
  updateServiceProvider,
} from '../service-providers/service-providers.ts';
import { createEntity, getEntity, listCategories, listEntities, updateEntity } from './entities.ts';

const bank = {
  title: 'Main account',
  accountNumber: '0012345678',
  address: '1 High Street',
  type: 'Business',
  IBAN: 'GB29NWBK60161331926819',
  swiftCode: 'NWBKGB2L',
};
const northwind = {
  name: 'Northwind',
  formalId: '47-3382916',
  nationality: { country: 'US', state: 'UT' },
  category: ['Originator'],
  banks: [bank],
};
const entityBody = (changes = {}) => entityCreateSchema.parse({ ...northwind, ...changes });

let database: TestDatabase;
let one: string;
let two: string;
const manager = (managerId: string, fields: Partial<UserActor> = {}) =>
  testActor({ type: 'manager', managerId, ...fields });
const without = (managerId: string, ...keys: string[]) =>
  manager(managerId, { permissions: manager(managerId).permissions.filter((key) => !keys.includes(key)) });
const as = <Result>(actor: Actor, work: (session: Session) => Promise<Result>) => database.store.as(actor, work);
const addCompany = (actor: Actor, entity: unknown = northwind, fields = {}) =>
  as(actor, (session) => createCompany(session, companyCreateSchema.parse({ entity, ...fields })));

beforeAll(async () => {
  database = await createTestDatabase();
  [one, two] = (await as(SYSTEM, async ({ em }) =>
    ['Harbour', 'Meridian'].map((name) => {
      const id = newId();
      em.create(Manager, { id, entityId: addEntity(em, id, name) });
      return id;
    }),
  )) as [string, string];
});
afterAll(() => database.close());

describe('the register', () => {
  test('keeps an entity as it was written', async () => {
    const body = entityBody({ business: { type: 'LLC', formalName: 'Northwind LLC', raised: '12345678901234567.89' } });
    const created = await as(manager(one), (session) => createEntity(session, body));
    const read = await as(manager(one), (session) => getEntity(session, created.id));
    expect(read).toMatchObject({ ...body, managerId: one, version: 1, status: 'Active' });
    expect(read.business?.raised).toBe('12345678901234567.89');
  });

  test('refuses whoever has no entities/write, and a stale version', async () => {
    const { id } = await as(manager(one), (session) => createEntity(session, entityBody()));
    const update = (actor: Actor, version: number, name = 'Northwind Two') =>
      as(actor, (session) =>
        updateEntity(session, { id, body: entityUpdateSchema.parse({ ...northwind, name, version }) }),
      );
    await expect(update(without(one, 'entities/write'), 1)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(
      as(without(one, 'entities/write'), (session) => createEntity(session, entityBody())),
    ).rejects.toMatchObject({ code: 'forbidden' });
    expect(await update(manager(one), 1)).toMatchObject({ name: 'Northwind Two', version: 2 });
    await expect(update(manager(one), 1)).rejects.toMatchObject({ flags: { version: 'is not the latest' } });
    await expect(update(manager(two), 2)).rejects.toMatchObject({ code: 'notFound' });
  });

  test('lets one of two people who change an entity at once win', async () => {
    const { id } = await as(manager(one), (session) => createEntity(session, entityBody()));
    const results = await Promise.allSettled(
      ['First', 'Second'].map((name) =>
        as(manager(one), (session) =>
          updateEntity(session, { id, body: entityUpdateSchema.parse({ ...northwind, name, version: 1 }) }),
        ),
      ),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const lost = results.find((result) => result.status === 'rejected');
    expect(lost?.reason).toMatchObject({ flags: { version: 'is not the latest' } });
  });

  test('does not let a manager’s users change the entity of their manager', async () => {
    const [own] = await as(SYSTEM, ({ em }) => em.find(LegalEntity, { managerId: two, name: 'Meridian' }));
    const body = entityUpdateSchema.parse({ ...northwind, name: 'Taken over', version: own!.version });
    const change = (actor: Actor) => as(actor, (session) => updateEntity(session, { id: own!.id, body }));
    await expect(change(without(two, 'managers/write'))).rejects.toMatchObject({ code: 'forbidden' });
    await expect(change(manager(two))).rejects.toMatchObject({ code: 'forbidden' });
    const around = await as(manager(two), ({ query }) =>
      query(`update entities set name = 'Taken over' where id = $1 returning id`, [own!.id]),
    );
    expect(around).toEqual([]);
    expect(await change(testActor({ type: 'admin' }))).toMatchObject({ name: 'Taken over' });
  });

  test('masks bank details for whoever may not change them, in an entity and wherever it is embedded', async () => {
    const company = await addCompany(manager(one));
    const reader = without(one, 'entities/write');
    const hidden = { accountNumber: '****5678', IBAN: '****6819', swiftCode: '****GB2L', title: 'Main account' };
    const shown = await as(reader, async (session) => [
      (await getEntity(session, company.entityId)).banks,
      (await getCompany(session, company.id)).entity.banks,
      (await listCompanies(session, { filter: { id: company.id } })).documents[0]?.entity.banks,
      (await listEntities(session, { filter: { id: company.entityId } })).documents[0]?.banks,
    ]);
    for (const banks of shown) expect(banks).toMatchObject([hidden]);
    expect((await as(manager(one), (session) => getEntity(session, company.entityId))).banks).toEqual([bank]);
  });

  test('lists the categories in use, of one’s own tenant', async () => {
    await as(manager(two), (session) => createEntity(session, entityBody({ category: ['Servicer', 'Auditor'] })));
    await as(manager(two), (session) => createEntity(session, entityBody({ category: ['Auditor'] })));
    expect(await as(manager(two), (session) => listCategories(session))).toEqual(['Auditor', 'Originator', 'Servicer']);
  });

  test('shows its logo to those who see it, and to nobody else by its key', async () => {
    const store = (session: Session) =>
      session.query(
        `insert into files (id, bucket, key, name, size, type, checksum, status, manager_id, created_at)
         values ($1, 'publicFiles', $2, 'logo.png', 1, 'image/png', 'x', 'Active', $3, now())`,
        [newId(), 'one/logo.png', one],
      );
    await as(SYSTEM, store);
    const business = { type: 'Company', formalName: 'Northwind LLC', logo: 'one/logo.png' };
    const company = await addCompany(manager(one), { ...northwind, formalId: '47-0000001', business });
    const read = (actor: Actor) =>
      as(actor, (session) => resolveFile(session, { bucket: 'publicFiles', keyOrId: 'one/logo.png' }));
    const borrower = testActor({ type: 'company', managerId: one, companyId: company.id });
    expect((await read(manager(one))).name).toBe('logo.png');
    expect((await read(borrower)).name).toBe('logo.png');
    await expect(read(manager(two))).rejects.toMatchObject({ code: 'notFound' });
    const other = await addCompany(manager(two));
    await expect(read(testActor({ type: 'company', managerId: two, companyId: other.id }))).rejects.toMatchObject({
      code: 'notFound',
    });
  });

  test('takes a logo only where it was uploaded', async () => {
    const business = { type: 'LLC', formalName: 'Northwind LLC', logo: 'https://example.com/logo.png' };
    const create = as(manager(one), (session) => createEntity(session, entityBody({ business })));
    await expect(create).rejects.toMatchObject({ flags: { 'business.logo': 'is not the key of an uploaded file' } });
  });
});

describe('a company', () => {
  test('takes an entity of the register or adds one, and shows it embedded', async () => {
    const first = await addCompany(manager(one));
    const second = await addCompany(manager(one), first.entityId);
    expect(second.entityId).toBe(first.entityId);
    expect(second.entity).toMatchObject({ id: first.entityId, name: 'Northwind' });
    await expect(addCompany(manager(two), first.entityId)).rejects.toMatchObject({
      flags: { entity: 'is not an entity of this manager' },
    });
    const foreign = await addCompany(manager(two));
    const around = as(SYSTEM, ({ query }) =>
      query('update companies set entity_id = $1 where id = $2', [foreign.entityId, first.id]),
    );
    await expect(around).rejects.toThrow('violates foreign key constraint');
    await expect(addCompany(without(one, 'companies/write'))).rejects.toMatchObject({ code: 'forbidden' });
    await expect(addCompany(without(one, 'entities/write'))).rejects.toMatchObject({ code: 'forbidden' });
    expect(await addCompany(without(one, 'entities/write'), first.entityId)).toMatchObject({
      entityId: first.entityId,
    });
  });

  test('belongs to the manager that its creator acts for, or that an admin names', async () => {
    const admin = testActor({ type: 'admin' });
    await expect(addCompany(admin)).rejects.toMatchObject({ flags: { manager: 'is required' } });
    await expect(addCompany(admin, northwind, { manager: newId() })).rejects.toMatchObject({
      flags: { manager: 'is not the id of a manager' },
    });
    expect(await addCompany(admin, northwind, { manager: two })).toMatchObject({ managerId: two });
    await expect(addCompany(manager(one), northwind, { manager: two })).rejects.toMatchObject({
      flags: { manager: 'is not the one you act for' },
    });
  });

  test('shows an edit of its entity at once, by name in lists too', async () => {
    const { id, entityId } = await addCompany(manager(one));
    await as(manager(one), (session) =>
      updateEntity(session, {
        id: entityId,
        body: entityUpdateSchema.parse({ ...northwind, name: 'Renamed Northwind', version: 1 }),
      }),
    );
    const found = await as(manager(one), (session) =>
      listCompanies(session, { filter: { 'entity.name': 'Renamed Northwind' } }),
    );
    expect(found.documents).toMatchObject([{ id, name: 'Renamed Northwind', entity: { name: 'Renamed Northwind' } }]);
  });

  test('is updated as it was returned; an entity that differs is refused, and changes by itself', async () => {
    const company = await addCompany(manager(one));
    const put = (changes: Record<string, unknown>) =>
      as(manager(one), (session) =>
        updateCompany(session, {
          id: company.id,
          body: companyUpdateSchema.parse({
            entity: JSON.parse(JSON.stringify(company.entity)),
            domains: [],
            version: 1,
            ...changes,
          }),
        }),
      );
    await expect(put({ entity: { ...company.entity, name: 'Other' } })).rejects.toMatchObject({
      flags: { 'entity.name': 'differs from the stored value: update the entity itself' },
    });
    expect(await put({ domains: ['example.com'], status: 'Disabled' })).toMatchObject({
      domains: ['example.com'],
      status: 'Disabled',
      version: 2,
    });
    await expect(put({})).rejects.toMatchObject({ flags: { version: 'is not the latest' } });
  });
});

describe('whoever sees a party sees its entity, and no other', () => {
  test('a borrower that of its company, an investor its own and those of its funds', async () => {
    const company = await addCompany(manager(one));
    const ids = await as(SYSTEM, async ({ em }) => {
      const lp = em.create(LP, {
        id: newId(),
        managerId: one,
        title: 'Pension',
        entityId: addEntity(em, one, 'Pension'),
      });
      const fund = em.create(Fund, {
        id: newId(),
        managerId: one,
        title: 'A fund',
        type: 'SMA',
        strategy: 'ABL',
        currency: 'USD',
        targetSize: '1',
        hardCap: '1',
        entityId: addEntity(em, one, 'A fund LP'),
      });
      em.create(LPCommitment, {
        id: newId(),
        managerId: one,
        fundId: fund.id,
        investorKind: 'LP',
        investorLPId: lp.id,
        closingDate: '2026-01-31',
        currency: 'USD',
        maxCommitment: '10',
        activeCommitment: '10',
      });
      return { lp: lp.id, fund: fund.id };
    });
    const names = (actor: Actor) =>
      as(actor, async (session) => (await listEntities(session)).documents.map(({ name }) => name).sort());
    const borrower = testActor({ type: 'company', managerId: one, companyId: company.id });
    expect(await names(borrower)).toEqual(['Northwind']);
    expect((await as(borrower, (session) => getCompany(session, company.id))).entity.name).toBe('Northwind');

    const investor = testActor({
      type: 'LP',
      managerId: one,
      lpIds: [ids.lp],
      permissions: ['LPs/read', 'funds/read'],
    });
    expect(await names(investor)).toEqual(['A fund LP', 'Pension']);
    expect((await as(investor, (session) => getLP(session, ids.lp))).entity.name).toBe('Pension');
    expect((await as(investor, (session) => listLPs(session))).documents).toMatchObject([
      { entity: { name: 'Pension' } },
    ]);
    expect((await as(investor, (session) => listFunds(session))).documents).toMatchObject([
      { fund: { entity: { name: 'A fund LP' } } },
    ]);
    const stranger = await as(manager(two), (session) =>
      listEntities(session, { filter: { 'assoc.manager.id': one } }),
    );
    expect(stranger.documents).toEqual([]);
  });
});

describe('a service provider', () => {
  const provider = { title: 'Granite Administration', type: 'Administrator' };
  const add = (actor: Actor, body: Record<string, unknown>) =>
    as(actor, (session) => createServiceProvider(session, serviceProviderCreateSchema.parse(body)));

  test('is created, read, listed and updated with its entities', async () => {
    const company = await addCompany(manager(one));
    const created = await add(manager(one), {
      ...provider,
      entities: [company.entityId, { ...northwind, name: 'Granite' }],
    });
    expect(created).toMatchObject({ code: 1, entities: [{ name: 'Northwind' }, { name: 'Granite' }] });
    const update = (version: number) =>
      as(manager(one), (session) =>
        updateServiceProvider(session, {
          id: created.id,
          body: serviceProviderUpdateSchema.parse({ ...provider, title: 'Granite', entities: [], version }),
        }),
      );
    expect(await update(1)).toMatchObject({ title: 'Granite', entities: [], version: 2 });
    await expect(update(1)).rejects.toMatchObject({ flags: { version: 'is not the latest' } });
    expect(await as(manager(one), (session) => getServiceProvider(session, created.id))).toMatchObject({
      title: 'Granite',
    });
    expect((await as(manager(two), (session) => listServiceProviders(session))).total).toBe(0);
  });

  test('is created in lists of 500 with as many statements as one, and a refused item refuses all', async () => {
    const company = await addCompany(manager(one));
    const list = (count: number) =>
      Array.from({ length: count }, (_, n) =>
        serviceProviderCreateSchema.parse({
          ...provider,
          title: `Provider ${n}`,
          entities: [company.entityId, { ...northwind, name: `Entity of ${n}` }],
        }),
      );
    const createAll = (bodies: ReturnType<typeof list>) =>
      as(manager(one), (session) => createServiceProviders(session, bodies));
    const few = await countStatements(() => createAll(list(2)));
    let created: Awaited<ReturnType<typeof createAll>> = [];
    // The program inserts rows in batches of 300.
    expect(
      await countStatements(async () => {
        created = await createAll(list(500));
      }),
    ).toBeLessThanOrEqual(few + 2);
    expect(created[499]).toMatchObject({
      title: 'Provider 499',
      entities: [{ name: 'Northwind' }, { name: 'Entity of 499' }],
    });
    const before = (await as(manager(one), (session) => listServiceProviders(session))).total;
    const bodies = list(3);
    bodies[1]!.entities[0] = { kind: 'known', id: newId(), fields: {} };
    await expect(createAll(bodies)).rejects.toMatchObject({
      message: 'Item 2: The entity is not in the register of this manager',
      flags: { '1.entities.0': 'is not an entity of this manager' },
    });
    expect((await as(manager(one), (session) => listServiceProviders(session))).total).toBe(before);
  });

  test('needs funds/write, and entities of its own manager', async () => {
    await expect(add(without(one, 'funds/write'), provider)).rejects.toMatchObject({ code: 'forbidden' });
    const company = await addCompany(manager(two));
    await expect(add(manager(one), { ...provider, entities: [company.entityId] })).rejects.toMatchObject({
      flags: { 'entities.0': 'is not an entity of this manager' },
    });
    const around = as(manager(one), ({ query }) =>
      query(
        `insert into service_providers (id, manager_id, title, type, entity_ids) values ($1, $2, 'Granite', 'Auditor', array[$3]::text[])`,
        [newId(), one, company.entityId],
      ),
    );
    await expect(around).rejects.toThrow('an entity is not one of the manager');
  });
});
