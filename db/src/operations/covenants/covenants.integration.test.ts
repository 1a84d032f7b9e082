import type { BorrowingBaseResult } from '@tapeline/domain/borrowing-base/result.ts';
import {
  type CovenantCreate,
  covenantCreateSchema,
  covenantUpdateSchema,
} from '@tapeline/domain/covenants/covenant.schema.ts';
import { MAX_COVENANTS_PER_NOTE } from '@tapeline/domain/covenants/covenant-labels.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { transactionContractSchema } from '@tapeline/domain/facilities/contract.schema.ts';
import { VALUE_POOLS } from '@tapeline/domain/facilities/pools.ts';
import { transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import { facilityFigureCreateSchema } from '@tapeline/domain/facility-figures/facility-figure.schema.ts';
import type { Actor, UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Role, User } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import { seedFoundations } from '../../seed/seed-foundations.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { findApproval } from '../approvals/approvals.ts';
import { listBorrowingBases, saveBorrowingBase } from '../borrowing-bases/borrowing-bases.ts';
import { listCalendarEvents } from '../calendar/calendar-events.ts';
import { runChecks } from '../draws/run-checks.ts';
import { closeTransaction, getTransaction, updateTransaction } from '../transactions/transactions.ts';
import {
  approveWaiver,
  declineWaiver,
  listWaivers,
  recordCure,
  requestWaiver,
  testAgain,
  withdrawWaiver,
} from './breaches.ts';
import { breachedRate, covenantsForDraws } from './consequences.ts';
import {
  covenantStandings,
  createCovenant,
  getCovenant,
  listCovenants,
  removeCovenant,
  resultsOfCovenant,
  updateCovenant,
} from './covenants.ts';
import { dilutionsOf } from './dilutions.ts';
import {
  createFacilityFigure,
  createFacilityFigures,
  listFacilityFigures,
  removeFacilityFigure,
  reviewFacilityFigure,
  updateFacilityFigure,
} from './facility-figures.ts';
import { borrowersWithCovenants, testDueCovenants } from './test-due-covenants.ts';
import { urgentCovenants } from './urgent-covenants.ts';

let database: TestDatabase;
let tenant: TestTenant;
let ada: UserActor;
let ben: UserActor;
let reader: UserActor;
let borrower: UserActor;
let otherBorrower: UserActor;
let note: { transactionId: string; noteId: string };

const TODAY = new Date('2026-11-10T12:00:00Z');
const as = <T>(actor: Actor, work: (session: Session) => Promise<T>, now = TODAY) =>
  database.store.as(actor, work, { now });
const asSystem = <T>(work: (session: Session) => Promise<T>, now = TODAY) => as(SYSTEM, work, now);

beforeAll(async () => {
  database = await createTestDatabase();
  await asSystem(seedFoundations);
  tenant = await asSystem(makeTenant);
  const { managerId } = tenant;
  ada = testActor({ type: 'manager', managerId });
  ben = testActor({ type: 'manager', managerId });
  reader = testActor({ type: 'manager', managerId, permissions: ['transactions/read'] });
  const ofCompany = (index: number) =>
    testActor({ type: 'company', managerId, companyId: tenant.companies[index]!.id });
  borrower = ofCompany(0);
  otherBorrower = ofCompany(1);
  const [stored] = await database.query<{ transactionId: string; noteId: string }>(
    `select id as "transactionId", notes #>> '{0,id}' as "noteId" from transactions where company_id = $1`,
    [tenant.companies[0]!.id],
  );
  note = stored!;
});
afterAll(() => database.close());
async function addUser({ userId: id, type, managerId, companyId }: UserActor) {
  await asSystem(async ({ em }) => {
    const roleId = newId();
    em.create(Role, {
      id: roleId,
      title: `Lending ${roleId.slice(-8)}`,
      level: 12,
      permissions: ['transactions/read'],
    });
    const assoc = companyId ? { company: { id: companyId } } : { manager: { id: managerId! } };
    const person = { firstName: 'Ann', lastName: 'Example', email: `${id}@example.test` };
    em.create(User, { id, ...person, roleId, type, managerId, ...(companyId && { companyId }), assoc });
  });
}

beforeEach(async () => {
  await database.query(`update covenants set status = 'Removed' where status <> 'Removed'`);
  await database.query(`update facility_figures set status = 'Removed' where status <> 'Removed'`);
});

const refusalOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (found: unknown) => found,
  );
  if (!isRefusal(error)) throw error ?? new Error('nothing was refused');
  return [error.code, Object.keys(error.flags ?? {})[0] ?? error.message];
};

const covenantOf = (changes: object = {}): CovenantCreate =>
  covenantCreateSchema.parse({
    transaction: note.transactionId,
    note: note.noteId,
    title: 'Tangible net worth',
    formula: '[Tangible net worth]',
    unit: 'money',
    currency: 'USD',
    bound: 'atLeast',
    steps: [{ from: '2026-09-30', limit: 20_000_000 }],
    frequency: 'quarterly',
    firstTest: '2026-09-30',
    cureDays: 10,
    consequence: 'drawStop',
    ...changes,
  });
const create = (changes: object = {}, actor: Actor = ada) =>
  as(actor, (session) => createCovenant(session, covenantOf(changes)));

const figureOf = (changes: object = {}) =>
  facilityFigureCreateSchema.parse({
    company: tenant.companies[0]!.id,
    title: 'Tangible net worth',
    date: '2026-09-30',
    value: 18_400_000,
    currency: 'USD',
    ...changes,
  });
const enter = (changes: object = {}, actor: Actor = ada) =>
  as(actor, (session) => createFacilityFigure(session, figureOf(changes)));
async function reviewed(changes: object = {}) {
  const { id } = await enter(changes);
  return as(ben, (session) => reviewFacilityFigure(session, id));
}
/** A covenant whose test of 30 September is breached by 1.6 million. */
async function breached(changes: object = {}) {
  await reviewed();
  return create(changes);
}

test('a figure counts once somebody else has reviewed it, and the test that lacked it is made then', async () => {
  const covenant = await create();
  expect([covenant.state, covenant.results, covenant.nextTest]).toEqual(['notTested', [], '2026-12-31']);
  const late = await as(ada, (session) => getCovenant(session, covenant.id), new Date('2026-11-15T12:00:00Z'));
  expect(late.state).toBe('unknown');

  const { id } = await enter();
  expect((await as(ada, (session) => getCovenant(session, covenant.id))).results).toEqual([]);
  expect(await refusalOf(as(ada, (session) => reviewFacilityFigure(session, id)))).toEqual([
    'badRequest',
    'You entered this figure, so someone else must review it',
  ]);
  await as(ben, (session) => reviewFacilityFigure(session, id));
  const tested = await as(ada, (session) => getCovenant(session, covenant.id));
  expect(tested).toMatchObject({
    state: 'breached',
    limit: '20000000',
    results: [
      {
        testDate: '2026-09-30',
        outcome: 'breached',
        value: '18400000',
        headroom: '-1600000',
        cureUntil: '2026-11-24',
        periods: [{ after: '2026-06-30', to: '2026-09-30', figures: [{ name: 'Tangible net worth', source: { id } }] }],
      },
    ],
  });
});

test('a breach is told once to the people of the manager and of the borrower who may read it', async () => {
  for (const user of [ada, ben, borrower, otherBorrower]) await addUser(user);
  const told = () =>
    database.query<{ subject: string; count: number }>(
      `select title as subject, count(*)::int as count from notifications where kind = 'covenantBreached' group by 1`,
    );
  const before = (await told()).length;
  const { title, id } = await breached({ title: 'Told once' });
  await asSystem((session) => testDueCovenants(session, { id }));
  const after = (await told()).filter(({ subject }) => subject.startsWith(title));
  // Two people of the manager and one of the borrower.
  expect(after).toMatchObject([{ subject: expect.stringContaining(' was breached'), count: 3 }]);
  expect((await told()).length).toBe(before + 1);
  await breachedQuietly();
  expect((await told()).length).toBe(before + 1);
});
const breachedQuietly = () => create({ title: 'Not told', consequence: 'none' });

test('a result stays as it was found when a figure of its day arrives later, until somebody tests it again', async () => {
  const covenant = await breached();
  const [wrong] = await database.query<{ id: string }>(`select id from facility_figures where status = 'Reviewed'`);
  await as(ada, (session) => removeFacilityFigure(session, wrong!.id));
  await reviewed({ value: 21_000_000 });
  const kept = await as(ada, (session) => getCovenant(session, covenant.id));
  expect(kept).toMatchObject({ state: 'breached', results: [{ value: '18400000' }] });
  const again = await as(ada, (session) => testAgain(session, covenant.id));
  expect(again).toMatchObject({ state: 'met', results: [{ value: '21000000', headroom: '1000000' }] });
  expect(await as(ada, (session) => resultsOfCovenant(session, covenant.id))).toMatchObject([
    { status: 'Active', value: '21000000' },
    { status: 'Superseded', value: '18400000' },
  ]);
});

test('a test that cannot be made again keeps its result', async () => {
  const covenant = await breached();
  const [figure] = await database.query<{ id: string }>(`select id from facility_figures where status = 'Reviewed'`);
  await as(ada, (session) => removeFacilityFigure(session, figure!.id));
  expect((await refusalOf(as(ada, (session) => testAgain(session, covenant.id))))[1]).toContain(
    'are not known any more',
  );
  expect((await as(ada, (session) => getCovenant(session, covenant.id))).state).toBe('breached');
});

const draw = (dueDate = '2026-11-20') => ({
  cutOffDate: '2026-11-10',
  dueDate,
  draws: [{ type: 'Regular' as const, amounts: [{ sum: '1', currency: 'USD' }] }],
});
const exceptionsOf = async (dueDate?: string, now = TODAY) =>
  asSystem(async (session) => {
    const { notes } = await getTransaction(session, note.transactionId);
    const stored = notes.find(({ id }) => id === note.noteId)!;
    const found = await runChecks(session, { request: draw(dueDate), note: stored, drawId: null, stage: 'request' });
    return found.exceptions.filter(({ rule }) => rule === 'covenant' || rule === 'availabilityPeriod');
  }, now);

test('a breached draw stop is an exception of draws until it is waived by a second person, and again after', async () => {
  const { id } = await breached();
  expect(await exceptionsOf()).toMatchObject([
    { message: 'Covenant breached', exceededBy: '1600000', covenant: { id, testDate: '2026-09-30', stops: true } },
  ]);
  const body = { until: '2026-12-30', reason: 'Capital was raised in October' };
  const asked = await as(ada, (session) => requestWaiver(session, { covenantId: id, body }));
  expect(await exceptionsOf()).toHaveLength(1);
  expect(await refusalOf(as(ben, (session) => requestWaiver(session, { covenantId: id, body })))).toEqual([
    'badRequest',
    'A waiver of this breach already waits for a decision',
  ]);
  expect(await refusalOf(as(ada, (session) => approveWaiver(session, asked.id)))).toEqual([
    'badRequest',
    'You entered this waiver, so someone else must decide',
  ]);
  await as(ben, (session) => approveWaiver(session, asked.id));
  expect(await as(ada, (session) => getCovenant(session, id))).toMatchObject({
    state: 'waived',
    results: [{ waivedUntil: '2026-12-30' }],
  });
  expect(await exceptionsOf()).toEqual([]);
  expect(await exceptionsOf('2027-01-05', new Date('2026-12-31T12:00:00Z'))).toHaveLength(1);
  expect((await refusalOf(as(ben, (session) => declineWaiver(session, { id: asked.id, reason: 'Too late' }))))[1]).toBe(
    'This waiver was already approved. Reload the page',
  );
});

test('a waiver of a breach that was tested again, or cured, cannot be approved', async () => {
  const replaced = ['badRequest', 'A later test or a cure has replaced this breach. Decline the waiver'];
  const body = { until: '2026-12-30', reason: 'Capital was raised in October' };
  const { id } = await breached();
  const first = await as(ada, (session) => requestWaiver(session, { covenantId: id, body }));
  await as(ada, (session) => testAgain(session, id));
  expect(await refusalOf(as(ben, (session) => approveWaiver(session, first.id)))).toEqual(replaced);
  expect((await as(ada, (session) => getCovenant(session, id))).state).toBe('breached');
  await as(ben, (session) => declineWaiver(session, { id: first.id, reason: 'It was tested again' }));
  const second = await as(ada, (session) => requestWaiver(session, { covenantId: id, body }));
  expect(await as(ben, (session) => approveWaiver(session, second.id))).toMatchObject({ status: 'Approved' });
  const third = await as(ada, (session) => requestWaiver(session, { covenantId: id, body }));
  await as(ada, (session) => recordCure(session, { covenantId: id, body: { reason: body.reason } }));
  expect(await refusalOf(as(ben, (session) => approveWaiver(session, third.id)))).toEqual(replaced);
});

test('a note has at most 100 covenants', async () => {
  const { id: first } = await create({ title: 'Covenant 1' });
  await database.query(
    `insert into covenants select (jsonb_populate_record(c, jsonb_build_object(
       'id', substr(md5(number::text), 1, 24), 'code', number + 1000, 'title', 'Covenant ' || number))).*
     from covenants c, generate_series(2, $2) number where c.id = $1`,
    [first, MAX_COVENANTS_PER_NOTE - 1],
  );
  const { id } = await create({ title: 'The last' });
  expect(await refusalOf(create({ title: 'One more' }))).toEqual([
    'badRequest',
    'A note has at most 100 covenants. Remove one first',
  ]);
  await as(ada, (session) => removeCovenant(session, id));
  expect((await create({ title: 'One more' })).title).toBe('One more');
  const own = await as(ada, (session) =>
    covenantStandings(session, { companyId: tenant.companies[0]!.id, consequences: ['drawStop'] }),
  );
  expect(own).toHaveLength(MAX_COVENANTS_PER_NOTE);
  expect(await as(ada, (session) => covenantStandings(session, { companyId: newId(TODAY) }))).toEqual([]);
});

test('the database refuses a waiver that the same person approves, or that changes after it was asked for', async () => {
  const { id } = await breached();
  const body = { until: '2026-12-30', reason: 'Capital was raised in October' };
  const { id: waiver } = await as(ada, (session) => requestWaiver(session, { covenantId: id, body }));
  const change = (sql: string) => database.query(`update covenant_waivers set ${sql} where id = $1`, [waiver]);
  await expect(change(`status = 'Approved', decided_by = entered_by, decided_at = now()`)).rejects.toThrow(/second/);
  await expect(change(`waived_until = '2027-10-01'`)).rejects.toThrow('what was entered stays');
  await as(ada, (session) => withdrawWaiver(session, waiver));
  await expect(change(`status = 'Requested', decided_by = null, decided_at = null`)).rejects.toThrow('is decided');
  await expect(database.query(`update covenant_results set value = 1 where covenant_id = $1`, [id])).rejects.toThrow(
    'a result stays as it was found',
  );
});

test('a covenant of another note or that has ended has no consequence for a draw', async () => {
  const other = await database.query<{ id: string; note: string; company: string }>(
    `select id, notes #>> '{0,id}' as note, company_id as company from transactions where company_id = $1`,
    [tenant.companies[1]!.id],
  );
  const { id: figure } = await enter({ company: other[0]!.company });
  await as(ben, (session) => reviewFacilityFigure(session, figure));
  const { state } = await create({ transaction: other[0]!.id, note: other[0]!.note });
  expect([state, await exceptionsOf()]).toEqual(['breached', []]);
  const { id, version } = await breached();
  expect(await exceptionsOf()).toHaveLength(1);
  const body = covenantUpdateSchema.parse({ ...covenantOf(), status: 'Disabled', version });
  await as(ada, (session) => updateCovenant(session, { id, body }));
  expect(await exceptionsOf()).toEqual([]);
});

test('a note with covenants is not removed, and closing a facility ends its covenants', async () => {
  await database.query(
    `update transactions set notes = notes || jsonb_build_array(notes -> 0 || '{"id": "a0a0a0a0a0a0a0a0a0a0a0a0", "title": "Junior"}') where id = $1`,
    [note.transactionId],
  );
  const { id } = await create({ note: 'a0a0a0a0a0a0a0a0a0a0a0a0' });
  const stored = await as(ada, (session) => getTransaction(session, note.transactionId));
  const { version, notes } = stored;
  const without = { ...stored, notes: notes.filter(({ title }) => title !== 'Junior') };
  const document = transactionSchema.parse(JSON.parse(JSON.stringify(without)));
  const drop = () => as(ada, (session) => updateTransaction(session, { id: note.transactionId, version, document }));
  expect(await refusalOf(drop())).toEqual(['badRequest', 'notes']);
  const closed = as(ada, async (session) => {
    await closeTransaction(session, { id: note.transactionId, version });
    const [row] = await session.query<{ status: string }>('select status from covenants where id = $1', [id]);
    throw new Error(`undo ${row?.status}`);
  });
  await expect(closed).rejects.toThrow('undo Disabled');
  await as(ada, (session) => removeCovenant(session, id));
  expect((await drop()).notes).toHaveLength(notes.length - 1);
});

test('a waiver lasts from today to a year, and needs a breach', async () => {
  const { id } = await breached();
  const ask = (until: string) =>
    as(ada, (session) => requestWaiver(session, { covenantId: id, body: { until, reason: 'Agreed by the lenders' } }));
  expect(await refusalOf(ask('2026-11-09'))).toEqual(['badRequest', 'until']);
  expect(await refusalOf(ask('2027-11-12'))).toEqual(['badRequest', 'until']);
  const { id: waiver } = await ask('2026-11-10');
  await as(ada, (session) => withdrawWaiver(session, waiver));
  await ask('2027-11-11');
  const met = await create({ title: 'Met', steps: [{ from: '2026-09-30', limit: 1 }] });
  const none = as(ada, (session) =>
    requestWaiver(session, { covenantId: met.id, body: { until: '2026-12-01', reason: 'Nothing to waive' } }),
  );
  expect((await refusalOf(none))[1]).toContain('is not breached');
});

test('a breach is cured within its days, and then has no consequences', async () => {
  const { id } = await breached();
  const cure = (now: string) =>
    as(
      ada,
      (session) => recordCure(session, { covenantId: id, body: { reason: 'Capital was paid in' } }),
      new Date(`${now}T12:00:00Z`),
    );
  expect((await refusalOf(cure('2026-11-25')))[1]).toContain('have passed');
  expect(await cure('2026-11-24')).toMatchObject({ state: 'cured', results: [{ curedOn: '2026-11-24' }] });
  expect(await exceptionsOf()).toEqual([]);
  expect((await refusalOf(cure('2026-11-24')))[1]).toContain('is not breached');
  const without = await create({ title: 'Without days', cureDays: 0 });
  const late = as(ada, (session) => recordCure(session, { covenantId: without.id, body: { reason: 'Paid in' } }));
  expect((await refusalOf(late))[1]).toContain('gives no days to cure');
});

test('figures that are missing after their day make a draw stop missing data', async () => {
  const { id } = await create();
  expect(await exceptionsOf()).toEqual([]);
  const found = await exceptionsOf(undefined, new Date('2026-11-15T12:00:00Z'));
  expect(found).toMatchObject([{ message: 'Missing data', covenant: { id, testDate: '2026-09-30' } }]);
});

test('a breach begins the amortisation, and sets the default rate, only with that consequence', async () => {
  await breached({ consequence: 'amortisation' });
  // Found on 10 November.
  expect(await exceptionsOf('2026-11-10')).toEqual([]);
  expect(await exceptionsOf('2026-11-11')).toMatchObject([{ message: 'Availability period ended', exceededBy: '1' }]);
  const rate = () => asSystem((session) => breachedRate(session, note.noteId));
  expect(await rate()).toBe(null);
  await create({ title: 'Rate', consequence: 'defaultRate', defaultRate: 70 });
  await create({ title: 'Lower rate', consequence: 'defaultRate', defaultRate: 60.5 });
  expect(await rate()).toEqual({ ratePercent: 60.5, covenant: 'Lower rate', testDate: '2026-09-30' });
});

const USD = (sum: string) => ({ sum, currency: 'USD' });
/** Stores a certificate of the borrower's tape, whose pool is 1,000. */
async function certificate(past: string) {
  const { tapeId } = tenant.companies[0]!;
  const pool = { count: 1, amount: USD('1000.00') };
  const result = {
    inputsHash: `${past} ${Math.random()}`,
    totals: {
      assets: 1,
      netBB: USD('800.00'),
      firstBB: USD('800.00'),
      pools: Object.fromEntries(VALUE_POOLS.map((name) => [name, pool])),
      values: [{ title: '60+ days', pool: 'relevant', value: past, currency: 'USD', count: 1, unknown: pool }],
    },
  } as unknown as BorrowingBaseResult;
  return asSystem(async (session) => {
    const { documents } = await listBorrowingBases(session, { filter: { loanTape: tapeId } });
    const { generationId, contractId } = documents[0]!;
    const base = { tapeId, generationId, contractId, currency: 'USD', netBB: '800.00', firstBB: '800.00' };
    return saveBorrowingBase(session, { ...base, result, resultKey: null });
  });
}

test('a certificate is tested when it is calculated, and a later one of the same tape does not change the result', async () => {
  const base = await certificate('10.00');
  const { id } = await create({
    title: '60+ days past due',
    formula: '[60+ days] / [Relevant pool] * 100',
    unit: 'percent',
    currency: undefined,
    bound: 'atMost',
    steps: [{ from: '2026-01-31', limit: 5 }],
    frequency: 'monthly',
    firstTest: `${base.cutOffDate.slice(0, 8)}31`,
  });
  const state = () => as(ada, (session) => getCovenant(session, id));
  const [first] = (await state()).results;
  expect(first).toMatchObject({ outcome: 'met', value: '1', headroom: '4' });
  const bases = { ...reader, permissions: ['transactions/read', 'borrowingBase/read'] } as UserActor;
  const named = async (actor: Actor) =>
    (await as(actor, (session) => getCovenant(session, id))).results[0]?.periods[0]?.figures.map(({ name }) => name);
  expect(await named(bases)).toEqual(['60+ days', 'Relevant pool']);
  expect(await named(reader)).toEqual([]);
  await certificate('60.00');
  expect((await state()).results[0]).toEqual(first);
  await as(ada, (session) => testAgain(session, id));
  expect((await state()).results[0]).toMatchObject({ outcome: 'breached', value: '6' });
});

test('two that report at once make a test once', async () => {
  const { id } = await create();
  const { id: figure } = await enter();
  await database.query(
    `update facility_figures set status = 'Reviewed', reviewed_by = '{"id": "x", "name": "X"}', reviewed_at = now() where id = $1`,
    [figure],
  );
  const test = () => asSystem((session) => testDueCovenants(session, { companyId: tenant.companies[0]!.id }));
  const made = await Promise.all([test(), test(), test()]);
  expect(made.map((results) => results.length).sort()).toEqual([0, 0, 1]);
  expect(await asSystem(borrowersWithCovenants)).toEqual([tenant.companies[0]!.id]);
  expect((await as(ada, (session) => getCovenant(session, id))).results).toHaveLength(1);
});

test('who may change covenants, and who sees them', async () => {
  const { id, version } = await breached();
  expect(await refusalOf(create({}, reader))).toEqual([
    'forbidden',
    'You do not have enough permissions to perform this action',
  ]);
  const may = { ...borrower, permissions: ['transactions/read', 'transactions/write'] } as UserActor;
  expect(await refusalOf(create({ title: 'By the borrower' }, may))).toEqual([
    'forbidden',
    'Only the manager can change covenants',
  ]);
  const titles = async (actor: Actor) =>
    (await as(actor, (session) => listCovenants(session))).documents.map(({ title }) => title);
  expect(await titles(reader)).toEqual(['Tangible net worth']);
  expect(await titles(borrower)).toEqual(['Tangible net worth']);
  expect(await titles(otherBorrower)).toEqual([]);
  for (const blocked of [`transactions/${note.transactionId}`, `companies/${tenant.companies[0]!.id}`]) {
    const actor = { ...reader, blockedDocuments: [blocked] };
    expect(await titles(actor)).toEqual([]);
    expect((await refusalOf(as(actor, (session) => listWaivers(session, id))))[0]).toBe('notFound');
    expect(await as(actor, (session) => resultsOfCovenant(session, id))).toEqual([]);
  }
  const body = { until: '2026-12-30', reason: 'Capital was raised in October' };
  const asked = await as(ada, (session) => requestWaiver(session, { covenantId: id, body }));
  const seen = async (actor: Actor) => (await as(actor, (session) => listWaivers(session, id))).length;
  expect([await seen(reader), await seen(borrower)]).toEqual([1, 0]);
  await as(ben, (session) => approveWaiver(session, asked.id));
  expect(await seen(borrower)).toBe(1);
  const change = covenantUpdateSchema.parse({ ...covenantOf(), title: 'Net worth', version });
  expect(await as(ada, (session) => updateCovenant(session, { id, body: change }))).toMatchObject({
    title: 'Net worth',
  });
  expect((await refusalOf(as(ada, (session) => updateCovenant(session, { id, body: change }))))[0]).toBe('badRequest');
  expect(await refusalOf(create({ title: 'NET WORTH' }))).toEqual(['badRequest', 'title']);
  await as(ada, (session) => removeCovenant(session, id));
  expect(await asSystem((session) => covenantsForDraws(session, note.noteId))).toEqual([]);
});

test('a figure has a name and a day of its own, no day in the future, and the decimals of its currency', async () => {
  const { id, version } = await enter();
  expect((await refusalOf(enter({ title: 'tangible NET worth' })))[1]).toContain(
    'already has the figure tangible NET worth for 30 Sep 2026',
  );
  expect(await refusalOf(enter({ title: 'Net borrowing base' }))).toEqual(['badRequest', 'title']);
  expect(await refusalOf(enter({ date: '2026-11-11' }))).toEqual(['badRequest', 'date']);
  await enter({ date: '2026-11-10' });
  expect(await refusalOf(enter({ title: 'Cash', value: 1.001 }))).toEqual(['badRequest', 'value']);
  await enter({ title: 'Leverage', value: 1.001, currency: null });
  const body = { ...figureOf({ value: 19_000_000 }), version };
  expect(await as(ada, (session) => updateFacilityFigure(session, { id, body }))).toMatchObject({ value: '19000000' });
  await as(ben, (session) => reviewFacilityFigure(session, id));
  const again = as(ada, (session) => updateFacilityFigure(session, { id, body: { ...body, version: version + 2 } }));
  expect((await refusalOf(again))[1]).toContain('was reviewed');
});

test('several figures are entered at once, all or none', async () => {
  const line = (number: number, title: string, more: object = {}) => ({
    ...{ line: number, title, date: '2026-09-30', value: '1.5', currency: null, remark: '', ...more },
  });
  const pasted = (...lines: ReturnType<typeof line>[]) =>
    as(ada, (session) => createFacilityFigures(session, { company: tenant.companies[0]!.id, lines }));
  const stored = async () => (await as(ada, (session) => listFacilityFigures(session))).total;
  const before = await stored();
  await enter({ title: 'Liquidity' });
  for (const [wrong, refused] of [
    [line(4, 'Availability'), 'Line 4, name: is a figure of every certificate. Use another name'],
    [line(4, 'Debt', { date: '2026-11-11' }), 'Line 4, date: must not be in the future'],
    [line(4, 'LIQUIDITY'), 'already has the figure LIQUIDITY for 30 Sep 2026'],
  ] as const) {
    await expect(pasted(line(3, 'Sales'), wrong)).rejects.toSatisfy((error: Error & { flags?: object }) =>
      JSON.stringify([error.message, error.flags]).includes(refused),
    );
  }
  expect(await stored()).toBe(before + 1);
  await pasted(line(1, 'Sales'), line(2, 'Debt'));
  expect(await stored()).toBe(before + 3);
});

test('Home names the breaches and what is unknown, as the page of covenants does', async () => {
  await breached({ title: 'Breached' });
  await breachedButWaived();
  await create({ title: 'Met', steps: [{ from: '2026-09-30', limit: 1 }] });
  await create({ title: 'No figure', formula: '[Cash]', bound: 'atLeast' });
  await create({ title: 'Later', formula: '[Cash]', firstTest: '2026-12-31' });
  for (const day of [
    '2026-11-10',
    '2026-11-14',
    '2026-11-15',
    '2027-02-14',
    '2027-02-15',
    '2027-03-31',
    '2028-02-29',
  ]) {
    const now = new Date(`${day}T12:00:00Z`);
    const { documents } = await as(ada, (session) => listCovenants(session), now);
    const expected = documents.filter(({ state }) => state === 'breached' || state === 'unknown');
    const found = await as(ada, (session) => urgentCovenants(session, { limit: 50 }), now);
    expect(found.covenants.map(({ title, state }) => `${title} ${state}`).sort()).toEqual(
      expected.map(({ title, state }) => `${title} ${state}`).sort(),
    );
    expect(found.breached + found.unknown).toBe(expected.length);
  }
  const blocked = { ...reader, blockedDocuments: [`transactions/${note.transactionId}`] };
  expect(await as(blocked, (session) => urgentCovenants(session, { limit: 50 }))).toEqual({
    covenants: [],
    breached: 0,
    unknown: 0,
  });
});
async function breachedButWaived() {
  const { id } = await create({ title: 'Waived' });
  const body = { until: '2026-12-30', reason: 'Capital was raised in October' };
  const asked = await as(ada, (session) => requestWaiver(session, { covenantId: id, body }));
  await as(ben, (session) => approveWaiver(session, asked.id));
}

test('the calendar has every test and the last day to cure', async () => {
  await breached({ frequency: 'monthly', firstTest: '2026-09-30' });
  const { events } = await as(reader, (session) =>
    listCalendarEvents(session, { from: '2026-09-01', to: '2027-02-28', kind: 'covenant', limit: 50 }),
  );
  expect(events.map(({ day, part }) => `${day} ${part}`)).toEqual([
    '2026-09-30 test',
    '2026-10-31 test',
    '2026-11-24 cure',
    '2026-11-30 test',
    '2026-12-31 test',
    '2027-01-31 test',
    '2027-02-28 test',
  ]);
});

test('who decides waivers finds them in Approvals, and who asked sees that it waits', async () => {
  const { id } = await breached();
  const body = { until: '2026-12-30', reason: 'Capital was raised in October' };
  const asked = await as(ada, (session) => requestWaiver(session, { covenantId: id, body }));
  const tabOf = async (actor: Actor) =>
    (await as(actor, (session) => findApproval(session, { kind: 'waiver', id: asked.id })))?.tab ?? null;
  expect([await tabOf(ada), await tabOf(ben), await tabOf(reader), await tabOf(borrower)]).toEqual([
    'others',
    'mine',
    null,
    null,
  ]);
  const blocked = { ...ben, blockedDocuments: [`transactions/${note.transactionId}`] };
  expect(await tabOf(blocked)).toBe(null);
  await as(ben, (session) => declineWaiver(session, { id: asked.id, reason: 'No capital was raised' }));
  expect(await tabOf(ada)).toBe('decided');
});

test('a dilution reserve reads twelve months of both figures, or it is unknown', async () => {
  const company = tenant.companies[0]!.id;
  const months = Array.from({ length: 12 }, (_, index) =>
    new Date(Date.UTC(2025, 11 + index, 0)).toISOString().slice(0, 10),
  );
  const figure = (title: string, date: string, value: number, currency = 'USD') =>
    reviewed({ title, date, value, currency });
  for (const date of months.slice(1)) await figure('Credits', date, 10.01);
  for (const date of months) await figure('Gross sales', date, 100);
  const reserve = {
    title: 'Dilution',
    kind: 'dilution',
    percent: 5,
    credits: 'credits',
    sales: 'Gross Sales',
  } as const;
  const read = (frequency: 'monthly' | 'quarterly' = 'monthly', cutOffDate = months.at(-1)!) =>
    asSystem((session) => {
      const { reserves = [] } = transactionContractSchema.parse({
        ...{ cutOffDate: '2026-01-01', assetsETL: company, advanceRate: { defaultRate: 80 } },
        reserves: [
          { title: 'Legal', kind: 'amount', amount: 1 },
          { ...reserve, frequency },
        ],
      });
      return dilutionsOf(session, { companyId: company, reserves, cutOffDate });
    });
  expect(await read()).toEqual([]);
  const last = await figure('Credits', months[0]!, 10.01);
  expect(await read()).toEqual([{ rule: 1, credits: '120.12', sales: '1200' }]);
  expect([await read('quarterly'), await read('monthly', '2026-09-30')]).toEqual([[], []]);
  await as(ada, (session) => removeFacilityFigure(session, last.id));
  await figure('Credits', months[0]!, 10, 'EUR');
  expect(await read()).toEqual([]);
});
