import { calculateReference } from '@tapeline/domain/borrowing-base/testing/reference.ts';
import {
  WORKED_CASE_ASSETS,
  WORKED_CASE_CONTRACT,
  WORKED_CASE_TAPE,
} from '@tapeline/domain/borrowing-base/testing/worked-case.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { transactionContractSchema } from '@tapeline/domain/facilities/contract.schema.ts';
import type { Actor, UserActor } from '@tapeline/domain/people/actor.ts';
import type { ScenarioChange } from '@tapeline/domain/scenarios/scenario.schema.ts';
import { assetCatalog } from '@tapeline/domain/tapes/target-schema.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { BorrowingBase } from '../../entities/lending.ts';
import { seedFoundations } from '../../seed/seed-foundations.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { listBorrowingBases, saveBorrowingBase } from '../borrowing-bases/borrowing-bases.ts';
import { createScenario, getScenario, removeScenario, scenariosOf, updateScenario } from './scenarios.ts';

let database: TestDatabase;
let tenant: TestTenant;
let ada: UserActor;
let base: BorrowingBase;

const NOW = new Date('2026-11-10T12:00:00Z');
const as = <T>(actor: Actor, work: (session: Session) => Promise<T>) => database.store.as(actor, work, { now: NOW });
const asSystem = <T>(work: (session: Session) => Promise<T>) => as(SYSTEM, work);
const result = calculateReference({
  assets: WORKED_CASE_ASSETS,
  tape: WORKED_CASE_TAPE,
  contract: transactionContractSchema.parse(WORKED_CASE_CONTRACT),
  catalog: assetCatalog(),
}).result;

/** The borrowing base calculated again, which replaces the one before. */
async function calculate(): Promise<BorrowingBase> {
  const { tapeId } = tenant.companies[0]!;
  return asSystem(async (session) => {
    const { documents } = await listBorrowingBases(session, { filter: { loanTape: tapeId } });
    const { generationId, contractId, resultKey } = documents[0]!;
    return saveBorrowingBase(session, {
      ...{ tapeId, generationId, contractId, currency: 'USD', netBB: '689.53', firstBB: '855.00' },
      resultKey: resultKey ?? 'generations/result.parquet',
      result: { ...result, inputsHash: `${Math.random()}` },
    });
  });
}

beforeAll(async () => {
  database = await createTestDatabase();
  await asSystem(seedFoundations);
  tenant = await asSystem(makeTenant);
  ada = testActor({ type: 'manager', managerId: tenant.managerId });
});
afterAll(() => database.close());
beforeEach(async () => {
  base = await calculate();
});

const CHANGES: ScenarioChange[] = [{ kind: 'rate', rule: -1, ratePercent: 70 }];
let titles = 0;
const create = (body: { title?: string; changes?: ScenarioChange[] } = {}, actor: Actor = ada) => {
  titles += 1;
  const scenario = { title: `Scenario ${titles}`, borrowingBase: base.id, changes: CHANGES, ...body };
  return as(actor, (session) => createScenario(session, scenario));
};
const refusal = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!isRefusal(error)) throw error;
  return { code: error.code, flags: error.flags };
};

test('a scenario is kept, and follows its certificate when that is calculated again', async () => {
  const created = await create({ title: 'Lower rate' });
  expect(created).toMatchObject({
    title: 'Lower rate',
    baseId: base.id,
    cutOffDate: base.cutOffDate,
    changes: CHANGES,
  });
  const again = await calculate();
  expect(again.id).not.toBe(base.id);
  expect(await as(ada, (session) => getScenario(session, created.id))).toMatchObject({ baseId: again.id });
  const listed = await as(ada, (session) => scenariosOf(session, again));
  expect(listed.map(({ id }) => id)).toContain(created.id);
});

test('it is changed by its version, and removed', async () => {
  const { id, version } = await create();
  const body = { title: 'Renamed', changes: CHANGES, version };
  const updated = await as(ada, (session) => updateScenario(session, { id, body }));
  expect(updated).toMatchObject({ title: 'Renamed', version: version + 1 });
  expect(await refusal(as(ada, (session) => updateScenario(session, { id, body })))).toMatchObject({
    code: 'badRequest',
  });
  await as(ada, (session) => removeScenario(session, id));
  expect(await as(ada, (session) => scenariosOf(session, base))).not.toContainEqual(expect.objectContaining({ id }));
});

test('a title is taken once, in any letter case', async () => {
  await create({ title: 'Stress' });
  expect(await refusal(create({ title: 'stress' }))).toMatchObject({
    flags: { title: 'is the title of another scenario of this borrowing base' },
  });
});

test('no change, and two changes of the same, are refused whoever calls', async () => {
  expect(await refusal(create({ changes: [] }))).toMatchObject({ flags: { changes: 'Add at least one change' } });
  expect(await refusal(create({ changes: [...CHANGES, ...CHANGES] }))).toMatchObject({
    flags: { 'changes.1.kind': 'repeats an earlier change' },
  });
});

test('changes that do not fit the certificate are refused', async () => {
  expect(await refusal(create({ changes: [{ kind: 'rate', rule: 150, ratePercent: 70 }] }))).toMatchObject({
    flags: { 'changes.0.rule': 'is not an advance rate of the contract' },
  });
  const other = tenant.companies[1]!;
  const [contract] = await database.query<{ id: string }>('select id from contracts where company_id = $1', [other.id]);
  expect(
    await refusal(create({ changes: [{ kind: 'contract', contractId: contract!.id }, ...CHANGES] })),
  ).toMatchObject({ code: 'badRequest' });
});

test('the borrower, another manager and whoever may only read cannot keep one', async () => {
  const { id } = await create();
  const { managerId } = tenant;
  const { id: companyId, userId } = tenant.companies[0]!;
  const borrower = testActor({ type: 'company', managerId, companyId, userId });
  expect(await refusal(as(borrower, (session) => getScenario(session, id)))).toMatchObject({ code: 'notFound' });
  expect(await refusal(create({}, borrower))).toMatchObject({ code: 'forbidden' });
  const stranger = testActor({ type: 'manager', managerId: (await asSystem(makeTenant)).managerId });
  expect(await refusal(as(stranger, (session) => getScenario(session, id)))).toMatchObject({ code: 'notFound' });
  expect(await refusal(create({}, stranger))).toMatchObject({ code: 'notFound' });
  const reader = { ...ada, permissions: ['borrowingBase/read', 'transactions/read'] as const };
  expect(await refusal(create({}, reader))).toMatchObject({ code: 'forbidden' });
});

test('whoever does not see the borrowing base does not see the scenario', async () => {
  const { id } = await create();
  const blocked = { ...ada, blockedDocuments: [`borrowingBases/${base.id}`] };
  const seen = await as(blocked, (session) => getScenario(session, id)).then(
    () => 'seen',
    (error: unknown) => (isRefusal(error) ? error.code : error),
  );
  expect(seen).toBe('notFound');
});

test.each([
  ['an unknown kind', '[{"kind": "other"}]'],
  ['another contract after other changes', '[{"kind": "rate"}, {"kind": "contract"}]'],
  ['no change', '[]'],
])('the database refuses %s', async (_, changes) => {
  const { id } = await create();
  await expect(
    asSystem((session) => session.query('update scenarios set changes = $2::jsonb where id = $1', [id, changes])),
  ).rejects.toThrow();
});

test('a certificate has at most 50 scenarios, in the database as well', async () => {
  const { id } = await create();
  const copies = (count: number) =>
    asSystem((session) =>
      session.query(
        `insert into scenarios (id, manager_id, company_id, tape_id, contract_id, transaction_id, note_id, title, changes)
         select left(md5(id || n || random()), 24), manager_id, company_id, tape_id, contract_id, transaction_id, note_id, 'Copy ' || n || random(), changes
         from scenarios, generate_series(1, $2::int) n where id = $1`,
        [id, count],
      ),
    );
  const [{ count }] = (await asSystem((session) =>
    session.query(`select count(*)::int from scenarios where tape_id = $1 and status <> 'Removed'`, [base.tapeId]),
  )) as [{ count: number }];
  await copies(49 - count);
  await create();
  expect(await refusal(create())).toMatchObject({ code: 'badRequest' });
  await expect(copies(1)).rejects.toThrow();
});
