import { emptyDraft } from '@tapeline/domain/importer/draft.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Role, User } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import { seedFoundations } from '../../seed/seed-foundations.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { createImportDraft } from './drafts.ts';
import { importAlone } from './imports.ts';
import { MAX_AT_ONCE, takePlace } from './places.ts';
import { checkAlone, draftCheck, listDueChecks, queueCheck, runCheck } from './queued-checks.ts';
import { listDueImports, MAX_QUEUED, queueImport } from './queued-imports.ts';

let database: TestDatabase;
let users: UserActor[];
let ofOther: UserActor;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.store.as(SYSTEM, async (session) => {
    await seedFoundations(session);
    const { em, now } = session;
    const [first, second] = [await makeTenant(session), await makeTenant(session)];
    const roleId = newId(now);
    em.create(Role, {
      id: roleId,
      managerId: null,
      title: 'Operations',
      level: 4,
      permissions: ['importer/write', 'LPs/write'],
    });
    const makeUser = (managerId: string): UserActor => {
      const id = newId(now);
      const assoc = { manager: { id: managerId } };
      const person = { firstName: 'Mia', lastName: 'Holt', email: `${id}@example.test` };
      em.create(User, { id, ...person, type: 'manager', assoc, managerId, roleId, status: 'Active' });
      return { ...testActor({ type: 'manager', managerId }), userId: id };
    };
    users = Array.from({ length: MAX_AT_ONCE + 1 }, () => makeUser(first.managerId));
    ofOther = makeUser(second.managerId);
  });
});
afterAll(() => database.close());

const SHEET = { bucket: 'importerFiles', key: 'x/y.csv', name: 'y.csv', size: 1, type: 'text/csv', checksum: null };
const INPUT = {
  kind: 'LPs' as const,
  rows: [{ file: 0, row: 2, cells: { code: '7001', entityName: 'Pension', formalId: 'P-7001', country: 'NO' } }],
  attachments: [SHEET],
};

/** Checks as each of the users, and does some work while these checks are in progress. */
async function whileChecking(actors: readonly UserActor[], work: () => Promise<void>): Promise<void> {
  const [actor, ...others] = actors;
  if (!actor) return work();
  await database.store.as(
    actor,
    async (session) => {
      await checkAlone(session, { ...INPUT, rows: [{ file: 0, row: 2, cells: {} }] });
      await whileChecking(others, work);
    },
    { rollback: true },
  );
}
const check = (actor: UserActor) =>
  database.store.as(actor, (session) => checkAlone(session, INPUT), { rollback: true });

test('a user has one check in progress, and a tenant has four', async () => {
  const [one, ...others] = users;
  const last = others.at(-1);
  if (!one || !last) throw new Error('no users');
  await whileChecking(users.slice(0, MAX_AT_ONCE - 1), async () => {
    expect(await check(last)).toMatchObject({ readyCount: 1 });
    await expect(check(one)).rejects.toMatchObject({
      code: 'tooMany',
      message: 'You have another import check in progress. Try again when it has ended.',
      retryAfterSeconds: 5,
    });
  });
  await whileChecking(users.slice(0, MAX_AT_ONCE), async () => {
    await expect(check(last)).rejects.toMatchObject({
      code: 'tooMany',
      message:
        'Your organization has 4 import checks in progress, which is the limit. Try again when one of them has ended.',
      retryAfterSeconds: 5,
    });
    expect(await check(ofOther)).toMatchObject({ readyCount: 1 });
  });
  expect(await check(last)).toMatchObject({ readyCount: 1 });
});

test('checks that wait are listed once for each user, by turns of the tenants, and wait while too many run', async () => {
  const queue = (actor: UserActor) =>
    database.store.as(actor, async (session) => {
      const { id, version } = await createImportDraft(session, emptyDraft('LPs', 'Active'));
      await queueCheck(session, { id, version, input: INPUT });
      return { id, version };
    });
  const [first, second, , , last] = users;
  if (!first || !second || !last) throw new Error('no users');
  const own = [await queue(last), await queue(second)];
  await queue(second);
  const other = await queue(ofOther);
  const due = await listDueChecks(database.store);
  expect(due).toEqual([own[0], other, own[1]]);
  const [waiting] = own;
  if (!waiting) throw new Error('no check');
  await whileChecking(users.slice(0, MAX_AT_ONCE), async () => {
    expect(await runCheck(database.store, waiting)).toBe('busy');
    expect(await runCheck(database.store, other)).toBe('checked');
  });
  const checkOf = () => database.store.as(last, (session) => draftCheck(session, waiting));
  expect(await checkOf()).toMatchObject({ result: null, failure: null });
  expect(await runCheck(database.store, waiting)).toBe('checked');
  expect(await checkOf()).toMatchObject({ status: 'Completed', result: { totalCount: 1 } });
});

test('an import of a request has a place of its own: one of a user, and four of a tenant', async () => {
  const inputOf = (code: number) => ({
    ...INPUT,
    rows: [{ file: 0, row: 2, cells: { ...INPUT.rows[0]?.cells, code: String(code), formalId: `P-${code}` } }],
  });
  const run = (actor: UserActor, code: number) =>
    database.store.as(actor, async (session) => (await importAlone(session, inputOf(code))).record, { rollback: true });
  const whileImporting = async (actors: readonly UserActor[], work: () => Promise<void>): Promise<void> => {
    const [actor, ...others] = actors;
    if (!actor) return work();
    const importing = async (session: Session) => {
      await takePlace(session, 'import');
      await whileImporting(others, work);
    };
    await database.store.as(actor, importing, { rollback: true });
  };
  const [one, ...others] = users;
  const last = others.at(-1);
  if (!one || !last) throw new Error('no users');
  await whileImporting(users.slice(0, MAX_AT_ONCE - 1), async () => {
    expect(await run(last, 7101)).toMatchObject({ uploadedCount: 1 });
    // Checks do not wait for imports.
    expect(await check(one)).toMatchObject({ readyCount: 1 });
    await expect(run(one, 7102)).rejects.toMatchObject({
      code: 'tooMany',
      message: 'You have another import in progress. Try again when it has ended.',
    });
  });
  await whileImporting(users.slice(0, MAX_AT_ONCE), async () => {
    await expect(run(last, 7103)).rejects.toMatchObject({
      code: 'tooMany',
      message: 'Your organization has 4 imports in progress, which is the limit. Try again when one of them has ended.',
    });
    expect(await run(ofOther, 7104)).toMatchObject({ uploadedCount: 1 });
  });
});

test('the tenants take turns, and a user has ten imports in progress', async () => {
  const queue = (actor: UserActor) => database.store.as(actor, (session) => queueImport(session, INPUT));
  const [first, second] = users;
  if (!first || !second) throw new Error('no users');
  // Those of the fixture are over.
  await database.query(`update imports set status = 'Pending', failure = 'No'`);
  const own: string[] = [];
  for (let count = 0; count < MAX_QUEUED; count += 1) own.push((await queue(first)).id);
  await expect(queue(first)).rejects.toMatchObject({
    code: 'tooMany',
    message: 'You have 10 imports in progress, which is the limit. Start this one when one of them has ended.',
  });
  const { id: ofColleague } = await queue(second);
  const { id: other } = await queue(ofOther);
  expect(await listDueImports(database.store)).toEqual([own[0], other, ...own.slice(1), ofColleague]);
  await database.query(`update imports set status = 'Pending', failure = 'No' where id = $1`, [own[0]]);
  expect((await queue(first)).id).not.toBe(own[0]);
});
