import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Role, User } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import { seedFoundations } from '../../seed/seed-foundations.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { undoImport } from './imports.ts';
import { checkInRequest, importInRequest, limitAtOnce, MAX_AT_ONCE } from './in-request.ts';
import { acceptImport, failImport, importsInProgress, MAX_IN_PROGRESS, writeImport } from './run-import.ts';

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
      permissions: ['importer/write', 'LPs/write', 'entities/write'],
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
      await checkInRequest(session, { ...INPUT, rows: [{ file: 0, row: 2, cells: {} }] });
      await whileChecking(others, work);
    },
    { rollback: true },
  );
}
const check = (actor: UserActor) =>
  database.store.as(actor, (session) => checkInRequest(session, INPUT), { rollback: true });

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

test('an import in a request is limited by itself: one of a user, and four of a tenant', async () => {
  const inputOf = (code: number) => ({
    ...INPUT,
    rows: [{ file: 0, row: 2, cells: { ...INPUT.rows[0]?.cells, code: String(code), formalId: `P-${code}` } }],
  });
  const run = (actor: UserActor, code: number) =>
    database.store.as(actor, async (session) => (await importInRequest(session, inputOf(code))).record, {
      rollback: true,
    });
  const whileImporting = async (actors: readonly UserActor[], work: () => Promise<void>): Promise<void> => {
    const [actor, ...others] = actors;
    if (!actor) return work();
    const importing = async (session: Session) => {
      await limitAtOnce(session, 'import');
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

test('a user has ten imports in progress', async () => {
  const accept = (actor: UserActor) => database.store.as(actor, (session) => acceptImport(session, INPUT));
  const [first, second] = users;
  if (!first || !second) throw new Error('no users');
  // Those of the fixture are over.
  await database.query(`update imports set status = 'Pending', failure = 'No'`);
  const own: string[] = [];
  for (let count = 0; count < MAX_IN_PROGRESS; count += 1) own.push((await accept(first)).id);
  await expect(accept(first)).rejects.toMatchObject({
    code: 'tooMany',
    message: 'You have 10 imports in progress, which is the limit. Start this one when one of them has ended.',
  });
  const { id: ofColleague } = await accept(second);
  const { id: other } = await accept(ofOther);
  const [page, rest] = [
    await importsInProgress(database.store, { after: null, limit: 10 }),
    await importsInProgress(database.store, { after: own[9] ?? null, limit: 10 }),
  ];
  expect([...page, ...rest].map(({ id }) => id)).toEqual([...own, ofColleague, other]);
  expect(rest[1]?.managerId).toBe(ofOther.managerId);
  await database.store.as(SYSTEM, (session) => failImport(session, { id: own[0] ?? '', failure: 'No' }));
  expect((await accept(first)).id).not.toBe(own[0]);
});

test('an import that is cancelled while its worker writes it stores nothing, although nobody told the worker', async () => {
  const { id } = await database.store.as(ofOther, (session) => acceptImport(session, INPUT));
  const cancel = async () => void (await database.store.as(ofOther, (session) => undoImport(session, id)));
  await expect(writeImport(database.store, id, cancel)).rejects.toMatchObject({
    message: 'The import was cancelled. Nothing was imported.',
  });
  await database.store.as(SYSTEM, (session) => failImport(session, { id, failure: 'No' }));
  expect(await database.query('select status, uploaded_count, failure from imports where id = $1', [id])).toEqual([
    { status: 'Removed', uploaded_count: 0, failure: null },
  ]);
  const stored = `select 1 from lps where metadata ->> 'bulkActionCode' = $1`;
  expect(await database.query(stored, [id])).toEqual([]);
  // One that is over is left alone.
  await writeImport(database.store, id, cancel);
  expect(await database.query(stored, [id])).toEqual([]);
});
