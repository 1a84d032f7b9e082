import { emptyDraft } from '@tapeline/domain/importer/draft.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { User } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import { SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { fundsAndClasses, investorsOfFund, meantCodes, namedCodes } from './codes.ts';
import {
  changeImportDraft,
  createImportDraft,
  earlierColumns,
  getImportDraft,
  listImportDrafts,
  MAX_DRAFTS,
  removeImportDraft,
} from './drafts.ts';
import { acceptCheck } from './run-check.ts';

let database: TestDatabase;
let one: UserActor;
let colleague: UserActor;
let ofOther: UserActor;
let fundId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.store.as(SYSTEM, async (session) => {
    const { em, now } = session;
    const [first, second] = [await makeTenant(session), await makeTenant(session)];
    fundId = first.fundId;
    const makeUser = (managerId: string): UserActor => {
      const id = newId(now);
      const assoc = { manager: { id: managerId } };
      const person = { firstName: 'Mia', lastName: 'Holt', email: `${id}@example.test` };
      em.create(User, { id, ...person, type: 'manager', assoc, managerId });
      return { ...testActor({ type: 'manager', managerId }), userId: id };
    };
    one = makeUser(first.managerId);
    colleague = makeUser(first.managerId);
    ofOther = makeUser(second.managerId);
  });
});
afterAll(() => database.close());

const sheet = (headers: string[]) => ({
  fileId: 'a'.repeat(24),
  name: 'users.csv',
  bytes: 1,
  sheetName: null,
  headerRow: null,
  headers,
});
const draftOf = (headers: string[], mapping: Record<string, string> | null) => ({
  ...emptyDraft('users' as const, 'Pending' as const),
  sheet: sheet(headers),
  mapping,
});

test('a draft is its user’s own', async () => {
  const { id } = await database.store.as(one, (session) => createImportDraft(session, draftOf(['A'], null)));
  for (const actor of [colleague, ofOther, testActor({ type: 'admin' })]) {
    await expect(database.store.as(actor, (session) => getImportDraft(session, id))).rejects.toMatchObject({
      code: 'notFound',
    });
    expect((await database.store.as(actor, listImportDrafts)).map((draft) => draft.id)).not.toContain(id);
  }
  await database.store.as(one, (session) => removeImportDraft(session, id));
  await expect(database.store.as(one, (session) => getImportDraft(session, id))).rejects.toMatchObject({
    code: 'notFound',
  });
});

test('preparing an import needs the permission', async () => {
  const reader: UserActor = { ...one, permissions: ['importer/read'] };
  await expect(
    database.store.as(reader, (session) => createImportDraft(session, draftOf(['A'], null))),
  ).rejects.toMatchObject({ code: 'forbidden' });
});

test('a change of an outdated draft, or of one that was started, is refused', async () => {
  const change = (id: string, version: number, importId: string | null = null) =>
    database.store.as(one, (session) =>
      changeImportDraft(session, { id, version, content: draftOf(['B'], null), importId }),
    );
  const { id, version } = await database.store.as(one, (session) => createImportDraft(session, draftOf(['A'], null)));
  await change(id, version);
  await expect(change(id, version)).rejects.toMatchObject({ code: 'badRequest' });
  await change(id, version + 1, 'b'.repeat(24));
  await expect(change(id, version + 2)).rejects.toMatchObject({ message: 'This import was already started' });
  expect((await database.store.as(one, listImportDrafts)).map((draft) => draft.id)).not.toContain(id);
});

test('the latest mapping of a file with the same headers is found again', async () => {
  const find = (headers: string[]) =>
    database.store.as(one, (session) => earlierColumns(session, { kind: 'users', headers }));
  expect(await find(['First', 'Last'])).toEqual({ mapping: {} });
  const mapping = { firstName: 'A', lastName: 'B' };
  const chosen = { values: { LPCode: '12' }, written: { dayFirst: true, decimal: null } };
  await database.store.as(one, (session) =>
    createImportDraft(session, { ...draftOf(['First', 'Last'], mapping), ...chosen }),
  );
  expect(await find(['First', 'Last'])).toEqual({ mapping, turn: null, ...chosen });
  expect(await find(['Last', 'First'])).toEqual({ mapping: {} });
  await database.store.as(one, (session) => createImportDraft(session, draftOf(['Last', 'First'], mapping)));
  expect(await find(['Last', 'First'])).toStrictEqual({ mapping, turn: null });
});

test('a user has as many drafts as the limit, and no more', async () => {
  const fill = MAX_DRAFTS - (await database.store.as(colleague, listImportDrafts)).length;
  await database.store.as(colleague, async (session) => {
    for (let count = 0; count < fill; count += 1) await createImportDraft(session, draftOf(['A'], null));
  });
  await expect(
    database.store.as(colleague, (session) => createImportDraft(session, draftOf(['A'], null))),
  ).rejects.toMatchObject({ message: expect.stringMatching(/100 unfinished imports/) });
});

test('a number is taken for the only code that it can mean', async () => {
  const { LPs } = await database.store.as(one, (session) => namedCodes(session, 500));
  const [first, second] = LPs;
  if (!first || !second) throw new Error('too few LPs');
  for (const [from, to] of [
    [first.code, 4711],
    [second.code, 4811],
  ])
    await database.query('update lps set code = $2 where code = $1 and manager_id = $3', [from, to, one.managerId]);
  const meant = async (text: string, actor = one) =>
    (await database.store.as(actor, (session) => meantCodes(session, 'LPs', [text]))).get(text)?.code ?? null;
  expect(await meant(first.title)).toBeNull();
  for (const similar of ['471', '47111', '4712', '7411'])
    expect([similar, await meant(similar)]).toEqual([similar, 4711]);
  // Two codes differ from it by one digit, or none.
  for (const open of ['4911', '411', '99', '']) expect([open, await meant(open)]).toEqual([open, null]);
  expect(await meant('4712', ofOther)).toBeNull();
  expect((await database.store.as(one, (session) => meantCodes(session, 'mainFunds', ['Nobody', '9999']))).size).toBe(
    0,
  );
});

test('codes and owners are those that the user can see', async () => {
  const codes = await database.store.as(one, (session) => namedCodes(session, 500));
  expect(codes.funds).toHaveLength(1);
  expect(codes.LPs).toHaveLength(2);
  const funds = await database.store.as(one, (session) => fundsAndClasses(session, 10));
  expect(funds.map(({ id }) => id)).toContain(fundId);
  const investors = await database.store.as(one, (session) => investorsOfFund(session, { fundId, classKey: null }));
  expect(investors.length).toBeGreaterThan(0);
  expect(investors[0]?.cells).toMatchObject({ investorType: 'LP', fundCode: String(funds[0]?.code) });
  expect(await database.store.as(ofOther, (session) => investorsOfFund(session, { fundId, classKey: null }))).toEqual(
    [],
  );
});

test('a draft that the version before this one checked is checked again, with fewer rows', async () => {
  const { id, version } = await database.store.as(one, (session) => createImportDraft(session, draftOf(['A'], null)));
  await database.query(
    `update import_drafts set check_status = 'Completed', check_version = $2, check_total = 2, check_done = 2,
       check_attempts = 3, check_queued_at = now(), check_ended_at = now() where id = $1`,
    [id, version],
  );
  const input = { kind: 'users' as const, attachments: [], rows: [{ file: 0, row: 2, cells: {} }] };
  const accepted = await database.store.as(one, (session) => acceptCheck(session, { id, version, input }));
  expect(accepted).toMatchObject({ id, version, replaced: null });
  const stored = 'select check_status, check_total, check_done, check_attempts from import_drafts where id = $1';
  expect(await database.query(stored, [id])).toEqual([
    { check_status: 'Pending', check_total: 1, check_done: 0, check_attempts: 0 },
  ]);
});
