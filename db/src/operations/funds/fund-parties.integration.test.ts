import { commitmentCreateSchema } from '@tapeline/domain/commitments/commitment.schema.ts';
import { entityUpdateSchema } from '@tapeline/domain/entities/entity.schema.ts';
import { fundCreateSchema } from '@tapeline/domain/funds/fund.schema.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../ids.ts';
import { SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { createCommitment, updateCommitment } from '../commitments/change-commitments.ts';
import { getEntity, updateEntity } from '../entities/entities.ts';
import { createdMetadata } from '../metadata.ts';
import { createFund } from './change-funds.ts';
import { getFundView, listCommitments } from './funds.ts';

let database: TestDatabase;
let tenant: TestTenant;
beforeAll(async () => {
  database = await createTestDatabase();
  tenant = await database.store.as(SYSTEM, makeTenant);
});
afterAll(() => database.close());

const manager = () => testActor({ type: 'manager', managerId: tenant.managerId });
const investor = (index: number) =>
  testActor({ type: 'LP', managerId: tenant.managerId, lpIds: [tenant.lpIds[index]!] });

const partner = {
  name: 'Harbour GP LLC',
  formalId: 'GP-1',
  nationality: { country: 'US' },
  contacts: [{ name: 'Ada King' }],
  banks: [{ title: 'Main account', accountNumber: '20445566', address: '1 High Street', type: 'Business' }],
};

test('an investor reads the names of the parties of its funds, and nothing else of them', async () => {
  const { fund, commitment } = await database.store.as(manager(), async (session) => {
    const terms = { title: 'With parties', type: 'SMA', strategy: 'ABL', currency: 'USD', targetSize: 1, hardCap: 1 };
    const body = { ...terms, GPs: [partner], managementCompany: { ...partner, name: 'Harbour Management' } };
    const { fund } = await createFund(session, fundCreateSchema.parse(body));
    const commitment = await createCommitment(
      session,
      commitmentCreateSchema.parse({
        fund: fund.id,
        investor: { id: tenant.lpIds[0], kind: 'LP' },
        closingDate: '2026-01-31',
        maxCommitment: 10,
        status: 'Draft',
      }),
    );
    return { fund, commitment };
  });
  const [gpId = ''] = fund.gpIds;
  const seen = (index: number) =>
    database.store.as(investor(index), (session) => getFundView(session, fund.id).then((view) => view.fund));

  // Neither a draft nor its fund is shown to the investor.
  await expect(seen(0)).rejects.toMatchObject({ code: 'notFound' });
  await database.store.as(manager(), (session) =>
    updateCommitment(session, {
      id: commitment.id,
      body: {
        version: commitment.version,
        closingDate: '2026-01-31',
        maxCommitment: { sum: '10', currency: null },
        deltas: [],
        fees: {},
        status: 'Active',
      },
    }),
  );
  const view = await seen(0);
  expect(Object.values(view.partyNames).sort()).toEqual(['Harbour GP LLC', 'Harbour Management']);
  expect([view.GPs, view.managementCompany]).toEqual([[], null]);
  expect(JSON.stringify(view)).not.toMatch(/20445566|High Street|Ada King/);
  await expect(seen(1)).rejects.toMatchObject({ code: 'notFound' });
  await database.store.as(investor(0), async (session) => {
    await expect(getEntity(session, gpId)).rejects.toMatchObject({ code: 'notFound' });
    expect(await session.query('select banks from entities where id = $1', [gpId])).toEqual([]);
    expect((await listCommitments(session, { filter: { fund: fund.id } })).total).toBe(1);
  });

  await database.store.as(manager(), async (session) => {
    const entity = await getEntity(session, gpId);
    const body = entityUpdateSchema.parse({ ...partner, name: 'Renamed GP LLC', version: entity.version });
    await updateEntity(session, { id: gpId, body });
  });
  expect(Object.values((await seen(0)).partyNames).sort()).toEqual(['Harbour Management', 'Renamed GP LLC']);
});

test('parties that are stored before their entities get their names, and the parties of others keep theirs', async () => {
  const names = ['Late fund Ltd.', 'Late investor Ltd.', 'Late partner Ltd.'];
  const read = await database.store.as(SYSTEM, async (session) => {
    const [fundEntity, investorEntity, partnerEntity] = names.map(() => newId(session.now)) as [string, string, string];
    const [fundId, lpId] = [newId(session.now), newId(session.now)];
    const metadata = createdMetadata(session);
    const { managerId } = tenant;
    await session.query(
      `insert into lps (id, status, metadata, manager_id, title, entity_id, domains)
       values ($1, 'Active', $2, $3, 'Late investor', $4, '[]')`,
      [lpId, metadata, managerId, investorEntity],
    );
    await session.query(
      `insert into funds (id, status, metadata, manager_id, title, type, strategy, currency, target_size, hard_cap, entity_id, gp_ids)
       values ($1, 'Active', $2, $3, 'Late fund', 'SMA', 'ABL', 'USD', 1, 1, $4, array[$5])`,
      [fundId, metadata, managerId, fundEntity, partnerEntity],
    );
    await session.query(
      `insert into entities (id, status, metadata, manager_id, name, formal_id, nationality, contacts, banks)
       select one.id, 'Active', $3, $4, one.name, one.name, '{"country": "NO"}', '[]', '[]' from unnest($1::text[], $2::text[]) as one (id, name)`,
      [[fundEntity, investorEntity, partnerEntity], names, metadata, managerId],
    );
    const others = await session.query<{ name: string }>('select name from lps where id = $1', [tenant.lpIds[0]]);
    const [own] = await session.query<{ fund: string; partners: object; investor: string; country: string }>(
      `select f.name as fund, f.party_names as partners, l.name as investor, l.country from funds f, lps l where f.id = $1 and l.id = $2`,
      [fundId, lpId],
    );
    return { own, others, partnerEntity };
  });
  expect(read.own).toEqual({
    fund: names[0],
    investor: names[1],
    country: 'NO',
    partners: { [read.partnerEntity]: names[2] },
  });
  expect(names).not.toContain(read.others[0]!.name);
});
