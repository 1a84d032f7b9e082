import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { PermissionKey, UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { User } from '../../entities/people.ts';
import { StoredFile } from '../../entities/records.ts';
import { newId } from '../../ids.ts';
import { seedFoundations } from '../../seed/seed-foundations.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { listReaders, readCounts, recordFileReads, recordReads } from '../activities/activities.ts';
import { filesOf } from '../entities/connections.ts';
import { readableFile } from '../files/readable-files.ts';
import { failureFor } from '../importer/import-content.ts';
import { getImport } from '../importer/imports.ts';
import { type FacilityDocumentKind, listFacilityDocuments } from './facility-documents.ts';
import { type DocumentScope, latestDocumentEvents, listFundDocuments } from './fund-documents.ts';

let database: TestDatabase;
let tenant: TestTenant;
let other: TestTenant;
let manager: UserActor;
/** Two people of the first investor, and one of the second. */
let ann: UserActor;
let ben: UserActor;
let cem: UserActor;
const calls: { id: string; fileId: string }[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  await database.store.as(SYSTEM, async (session) => {
    await seedFoundations(session);
    tenant = await makeTenant(session);
    other = await makeTenant(session);
    const { managerId } = tenant;
    const person = (lpId: string): UserActor => {
      const id = newId();
      const named = { firstName: 'Ann', lastName: 'Example', email: `${id}@example.test` };
      session.em.create(User, { id, type: 'LP', managerId, assoc: { LP: { id: lpId } }, LPs: [lpId], ...named });
      return testActor({ type: 'LP', managerId, userId: id, lpIds: [lpId] });
    };
    const [one, two] = tenant.lpIds as [string, string];
    [ann, ben, cem] = [person(one), person(one), person(two)];
    const named = { firstName: 'Mara', lastName: 'Holt', email: `${managerId}@example.test` };
    const userId = newId();
    session.em.create(User, {
      id: userId,
      type: 'manager',
      managerId,
      assoc: { manager: { id: managerId } },
      ...named,
    });
    manager = testActor({ type: 'manager', managerId, userId });
  });
  for (const lp of tenant.lpIds) {
    const [call] = await database.query<{ id: string }>('select id from contributions where investor_lp_id = $1', [lp]);
    const fileId = await addFile(tenant.managerId, { bucket: 'capitalCalls', key: newId() });
    await database.query('update contributions set file_id = $2 where id = $1', [call!.id, fileId]);
    calls.push({ id: call!.id, fileId });
  }
});
afterAll(() => database.close());

const as = <Result>(actor: UserActor | typeof SYSTEM, work: (session: Session) => Promise<Result>) =>
  database.store.as(actor, work);

const addFile = (
  managerId: string,
  file: { bucket: string; key: string; companyId?: string; createdByUserId?: string },
) =>
  as(SYSTEM, async ({ em, now }) => {
    const id = newId();
    const bytes = { name: 'A file.pdf', size: 1, type: 'application/pdf', checksum: 'none' };
    em.create(StoredFile, { id, managerId, ...bytes, status: 'Active', createdAt: now, ...file });
    return id;
  });

const page = { skip: 0, limit: 50 };
const listed = async (actor: UserActor, scope: DocumentScope) => {
  const { documents, total } = await as(actor, (session) => listFundDocuments(session, scope, page));
  expect(total).toBe(documents.length);
  return documents;
};

test('an investor’s documents are its own notices and statements, and the reports of its funds', async () => {
  const [one, two] = tenant.lpIds as [string, string];
  const own = await listed(ann, { investorIds: [one] });
  expect(own.map(({ kind, investor }) => `${kind} ${investor}`).sort()).toEqual([
    'call Investor one',
    'report null',
    'statement Investor one',
  ]);
  expect([...new Set(own.map(({ fund }) => fund === 'A fund'))]).toEqual([true]);
  expect(await listed(ann, { investorIds: [two] })).toEqual([]);
  expect(await listed(manager, { investorIds: [one] })).toEqual(own);
  expect(await listed(manager, { investorIds: [other.lpIds[0]!] })).toEqual([]);
  expect((await listed(ann, { fundId: tenant.fundId })).map(({ id }) => id)).not.toContain(calls[1]?.id);
});

test('the documents of all funds are those that the user can see', async () => {
  const all = await listed(manager, { isEverything: true });
  expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(['report', 'statement', 'call']));
  const ofFund = await listed(manager, { fundId: tenant.fundId });
  expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining(ofFund.map(({ id }) => id)));
  const [hidden] = all.filter(({ kind }) => kind === 'call');
  const blocked = { ...manager, blockedDocuments: [`contributions/${hidden!.id}`] };
  // Nor is it counted among those of its call.
  const left = all.flatMap((one) => {
    if (one.id === hidden!.id) return [];
    const isBeside = one.event.key === hidden!.event.key;
    return [{ ...one, event: { ...one.event, count: one.event.count - (isBeside ? 1 : 0) } }];
  });
  expect(await listed(blocked, { isEverything: true })).toEqual(left);
  const theirs = await listed(testActor({ type: 'manager', managerId: other.managerId }), { isEverything: true });
  expect(theirs.filter(({ id }) => all.some((one) => one.id === id))).toEqual([]);
  // Without a scope there is nothing.
  expect(await listed(manager, {})).toEqual([]);
});

test('documents of one event follow one another and say how many they are', async () => {
  const notices = await listed(manager, { fundId: tenant.fundId });
  const [first, second] = calls.map(({ id }) => notices.find((one) => one.id === id));
  expect(first?.event).toEqual({ key: expect.stringMatching(/^call [0-9a-f]{24} 2026-03-31$/), number: '1', count: 2 });
  expect(second?.event).toEqual(first?.event);
  expect(Math.abs(notices.indexOf(first!) - notices.indexOf(second!))).toBe(1);
  const statements = notices.filter(({ kind }) => kind === 'statement');
  expect(new Set(statements.map(({ event }) => event.count))).toEqual(new Set([statements.length]));
  // A page counts those on other pages too.
  const { documents } = await as(manager, (session) =>
    listFundDocuments(session, { fundId: tenant.fundId }, { skip: 0, limit: 1, kind: 'statement' }),
  );
  expect(documents.map(({ event }) => event.count)).toEqual([statements.length]);
  // An investor counts its own.
  const own = await listed(ann, { fundId: tenant.fundId });
  expect(new Set(own.map(({ event }) => event.count))).toEqual(new Set([1]));
});

test('a file is read by those who can see the document that it belongs to', async () => {
  const [call] = calls as [(typeof calls)[0]];
  const opened = (actor: UserActor) =>
    as(actor, (session) => readableFile(session, call.fileId)).then(
      ({ id }) => id,
      (error) => (error instanceof Refusal ? error.code : error),
    );
  expect([await opened(manager), await opened(ann)]).toEqual([call.fileId, call.fileId]);
  expect(await opened(cem)).toBe('notFound');
  expect(await opened({ ...manager, permissions: ['funds/read'] })).toBe('notFound');
  expect(await opened({ ...manager, blockedDocuments: [`contributions/${call.id}`] })).toBe('notFound');
  expect(await opened({ ...ann, blockedDocuments: [`contributions/${call.id}`] })).toBe('notFound');
  // A file that no document names yet belongs to its people.
  const loose = await addFile(tenant.managerId, { bucket: 'announcements', key: newId() });
  expect((await as(manager, (session) => readableFile(session, loose))).id).toBe(loose);
});

test('a file of a tape or a draw is read by those who can see one of them', async () => {
  const { managerId, companies } = tenant;
  const [{ id: companyId, tapeId }] = companies as [(typeof companies)[0]];
  const [draw] = await database.query<{ id: string }>('select id from draws where company_id = $1', [companyId]);
  const key = newId();
  const file = await addFile(managerId, { bucket: 'loanTapes', key, companyId });
  const named = [{ bucket: 'loanTapes', key, name: 'A file.pdf', size: 1, type: 'application/pdf', checksum: null }];
  const opened = (blockedDocuments: string[] = []) =>
    as({ ...manager, blockedDocuments }, (session) => readableFile(session, file)).then(
      ({ id }) => id,
      (error) => (error instanceof Refusal ? error.code : error),
    );
  const blocks = { tape: `loanTapes/${tapeId}`, draw: `draws/${draw!.id}` };
  expect(await opened(Object.values(blocks))).toBe(file);
  await database.query('update loan_tapes set other_attachments = $2 where id = $1', [tapeId, JSON.stringify(named)]);
  expect([await opened(), await opened([blocks.draw]), await opened([blocks.tape])]).toEqual([file, file, 'notFound']);
  await database.query('update draws set attachments = $2 where id = $1', [draw!.id, JSON.stringify(named)]);
  expect([await opened([blocks.tape]), await opened(Object.values(blocks))]).toEqual([file, 'notFound']);
});

test('the file of an import, and why it failed, are for its author and for others from whom nothing is hidden', async () => {
  const key = newId();
  const file = await addFile(tenant.managerId, { bucket: 'importerFiles', key });
  const [{ id }] = (await database.query<{ id: string }>('select id from imports where manager_id = $1', [
    tenant.managerId,
  ])) as [{ id: string }];
  const failure = 'Row 2, LP code: is the code of Oak Pension';
  await database.query(
    `update imports set kind = 'LPs', user_id = $2, failure = $3, attachments = $4, status = 'Pending', uploaded_count = 0 where id = $1`,
    [id, manager.userId, failure, JSON.stringify([{ bucket: 'importerFiles', key, name: 'investors.csv' }])],
  );
  const shown = (actor: UserActor) =>
    as(actor, async (session) => [
      failureFor(session.actor, await getImport(session, id)),
      await readableFile(session, file).then(
        (one) => one.id,
        (error) => (error instanceof Refusal ? error.code : error),
      ),
    ]);
  const colleague = testActor({ type: 'manager', managerId: tenant.managerId });
  const blockedDocuments = [`LPs/${tenant.lpIds[0]}`];
  const all = [failure, file];
  const nothing = ['Nothing was imported. Whoever started this import can see why', 'notFound'];
  expect([await shown(manager), await shown({ ...manager, blockedDocuments })]).toEqual([all, all]);
  expect([await shown(colleague), await shown({ ...colleague, blockedDocuments })]).toEqual([all, nothing]);
  expect(await shown({ ...colleague, permissions: ['importer/read', 'funds/read'] })).toEqual(nothing);

  // No import has it yet, so nobody knows whom it names.
  const uploaded = await addFile(tenant.managerId, {
    bucket: 'importerFiles',
    key: newId(),
    createdByUserId: manager.userId,
  });
  const opened = (actor: UserActor) => as(actor, (session) => readableFile(session, uploaded));
  expect((await opened(manager)).id).toBe(uploaded);
  await expect(opened(colleague)).rejects.toMatchObject({ code: 'notFound' });
});

test('a read is recorded once for each person and document, and only managers see it', async () => {
  const [first, second] = calls as [(typeof calls)[0], (typeof calls)[0]];
  for (const actor of [ann, ann, cem]) await as(actor, (session) => recordFileReads(session, [first.fileId, newId()]));
  const about = { resource: 'contributions', documentId: first.id };
  const readers = (actor: UserActor) => as(actor, (session) => listReaders(session, about, { limit: 10 }));
  const seen = await readers(manager);
  // The second investor cannot see the notice, so it has not read it either.
  expect([seen.total, ...seen.readers.map(({ userId }) => userId)]).toEqual([1, ann.userId]);
  for (const actor of [ann, ben, cem]) {
    expect(await readers(actor)).toEqual({ readers: [], total: 0 });
    expect(await as(actor, (session) => readCounts(session, [first.id]))).toBeNull();
  }
  const counts = await as(manager, (session) => readCounts(session, [first.id, second.id]));
  expect(counts && Object.fromEntries(counts)).toEqual({
    [first.id]: { people: 2, read: 1 },
    [second.id]: { people: 1, read: 0 },
  });
  expect(await readers(testActor({ type: 'manager', managerId: other.managerId }))).toEqual({ readers: [], total: 0 });

  const rows = (actor: UserActor) =>
    as(actor, (session) =>
      session.query<{ user: string }>('select user_id as user from activities where document_id = $1', [first.id]),
    );
  expect(await rows(ann)).toEqual([{ user: ann.userId }]);
  expect([await rows(ben), await rows(cem)]).toEqual([[], []]);
});

test('a report is for the people of all investors of the fund', async () => {
  const [report] = (await listed(ann, { fundId: tenant.fundId })).filter(({ kind }) => kind === 'report');
  const id = report?.id ?? '';
  for (const actor of [ann, cem, manager]) {
    await as(actor, (session) => recordReads(session, [{ resource: 'reports', documentId: id }]));
  }
  const counts = await as(manager, (session) => readCounts(session, [id]));
  // The manager's own read does not count.
  expect(counts?.get(id)).toEqual({ people: 3, read: 2 });
});

test('an investor finds what it has not read first, and only kinds of which there is a document', async () => {
  const [one] = tenant.lpIds as [string];
  const list = (actor: UserActor, unreadFirst: boolean, kind: 'call' | null = null) =>
    as(actor, (session) => listFundDocuments(session, { investorIds: [one] }, { ...page, kind, unreadFirst }));
  const latest = await list(ann, false);
  const [newest] = latest.documents;
  await database.query('delete from activities where user_id = $1', [ann.userId]);
  const fileOf = async (id: string) => {
    const file = await addFile(tenant.managerId, { bucket: 'capitalAccounts', key: newId() });
    for (const table of ['reports', 'capital_accounts', 'contributions']) {
      await database.query(`update ${table} set file_id = $2 where id = $1`, [id, file]);
    }
    return file;
  };
  const files = new Map<string, string>();
  for (const { id } of latest.documents) files.set(id, await fileOf(id));
  expect((await list(ann, true)).unread).toBe(latest.total);
  await as(ann, (session) => recordFileReads(session, [files.get(newest!.id)!]));
  const sorted = await list(ann, true);
  expect(sorted.documents.map(({ id }) => id)).toEqual([...latest.documents.slice(1).map(({ id }) => id), newest!.id]);
  expect([sorted.unread, sorted.total]).toEqual([latest.total - 1, latest.total]);
  // What a colleague has read is still unread.
  expect((await list(ben, true)).unread).toBe(latest.total);
  expect(sorted.kinds).toEqual(['report', 'statement', 'call']);
  expect(await list(ann, true, 'call')).toMatchObject({ total: 1, kinds: ['report', 'statement', 'call'] });
});

test('a facility’s documents are the files of its draws and tapes, its certificates and its contracts', async () => {
  const [company] = tenant.companies as [(typeof tenant.companies)[0]];
  const { managerId } = tenant;
  const [draw] = await database.query<{ id: string; transaction: string }>(
    'select id, transaction_id as transaction from draws where company_id = $1',
    [company.id],
  );
  const file = (key: string) => ({
    bucket: 'loanTapes',
    key,
    name: key,
    size: 1,
    type: 'application/pdf',
    checksum: null,
  });
  await addFile(managerId, { bucket: 'loanTapes', key: 'draws/agreement.pdf', companyId: company.id });
  await addFile(managerId, { bucket: 'loanTapes', key: 'tape.csv', companyId: company.id });
  await database.query('update draws set attachments = $2 where id = $1', [
    draw!.id,
    // The second one was never stored.
    JSON.stringify([file('draws/agreement.pdf'), file('draws/missing.pdf')]),
  ]);
  await database.query('update loan_tapes set attachment = $2 where id = $1', [
    company.tapeId,
    JSON.stringify(file('tape.csv')),
  ]);
  await database.query('update loan_tapes set other_attachments = $2 where id = $1', [company.tapeId, '[]']);
  const kindsOf = async (
    actor: UserActor,
    kind: FacilityDocumentKind | null = null,
    transactionId: string | null = draw!.transaction,
  ) => {
    const scope = { transactionId };
    const { documents, total } = await as(actor, (session) => listFacilityDocuments(session, scope, { ...page, kind }));
    expect(total).toBe(documents.length);
    return documents.map((one) => one.kind).sort();
  };
  const borrower = (companyId: string, permissions: PermissionKey[]) =>
    testActor({ type: 'company', managerId, companyId, permissions });
  const own = borrower(company.id, ['transactionDraw/read', 'assets/read']);
  expect(await kindsOf(own)).toEqual(['draw', 'tape']);
  const all = borrower(company.id, [...own.permissions, 'borrowingBase/read', 'transactions/read']);
  await database.query(`update contracts set status = 'Draft', activated_at = null where company_id = $1`, [
    company.id,
  ]);
  expect([await kindsOf(manager), await kindsOf(all)]).toEqual([
    ['base', 'draw', 'tape'],
    ['base', 'draw', 'tape'],
  ]);
  await database.query(`update contracts set status = 'Active', activated_at = now() where company_id = $1`, [
    company.id,
  ]);
  expect(await kindsOf(all)).toEqual(['base', 'contract', 'draw', 'tape']);
  expect([await kindsOf(all, 'contract'), await kindsOf(all, 'base')]).toEqual([['contract'], ['base']]);
  // Whoever may not read some kinds sees the others.
  const readable = { draw: 'transactionDraw/read', tape: 'assets/read', base: 'borrowingBase/read' } as const;
  for (const [kind, permission] of Object.entries(readable)) {
    const some = borrower(company.id, [permission, 'transactions/read']);
    expect(await kindsOf(some)).toEqual(['contract', kind].sort());
  }
  const [base] = await database.query<{ id: string }>(
    `select id from borrowing_bases where company_id = $1 and status = 'Active'`,
    [company.id],
  );
  expect(await kindsOf({ ...all, blockedDocuments: [`borrowingBases/${base!.id}`] })).toEqual([
    'contract',
    'draw',
    'tape',
  ]);
  // The other documents of a tape are among them.
  await addFile(managerId, { bucket: 'loanTapes', key: 'notes.pdf', companyId: company.id });
  await database.query('update loan_tapes set other_attachments = $2 where id = $1', [
    company.tapeId,
    JSON.stringify([file('notes.pdf')]),
  ]);
  expect(await kindsOf(own, 'tape')).toEqual(['tape', 'tape']);
  await database.query('update loan_tapes set other_attachments = $2 where id = $1', [company.tapeId, '[]']);
  expect(await kindsOf(own, 'draw')).toEqual(['draw']);
  expect(await kindsOf(borrower(company.id, ['assets/read']))).toEqual(['tape']);
  expect(await kindsOf(borrower(company.id, []))).toEqual([]);
  expect(await kindsOf(borrower(tenant.companies[1]!.id, ['transactionDraw/read', 'assets/read']))).toEqual([]);
  expect(await kindsOf(testActor({ type: 'manager', managerId: other.managerId }))).toEqual([]);
  expect(await kindsOf(ann)).toEqual([]);
  // Of all facilities.
  expect(await kindsOf(own, null, null)).toEqual(['draw', 'tape']);
  expect(await kindsOf(manager, 'tape', null)).toEqual(['tape']);
  expect(await kindsOf(borrower(tenant.companies[1]!.id, ['transactionDraw/read', 'assets/read']), null, null)).toEqual(
    [],
  );
  const idsOf = async (managerId: string) =>
    (
      await as(testActor({ type: 'manager', managerId }), (session) =>
        listFacilityDocuments(session, { transactionId: null }, page),
      )
    ).documents.map(({ documentId }) => documentId);
  const [ours, theirs] = [await idsOf(managerId), await idsOf(other.managerId)];
  expect([ours.length > 0, theirs.length > 0, theirs.filter((id) => ours.includes(id))]).toEqual([true, true, []]);
  expect(await kindsOf(ann, null, null)).toEqual([]);
});

test('where two kinds of documents share a bucket, each file needs the permission of the document that it belongs to', async () => {
  const { managerId, fundId, lpIds, companies } = tenant;
  const [company] = companies as [(typeof companies)[0]];
  const kinds = {
    'contributions/read': { bucket: 'capitalCalls', table: 'contributions', column: 'file_id' },
    'distributions/read': { bucket: 'capitalCalls', table: 'distributions', column: 'file_id' },
    'assets/read': { bucket: 'loanTapes', table: 'loan_tapes', column: 'other_attachments' },
    'transactionDraw/read': { bucket: 'loanTapes', table: 'draws', column: 'attachments' },
  } as const;
  const fileOf = new Map<string, string>();
  for (const [permission, { bucket, table, column }] of Object.entries(kinds)) {
    const isCapital = bucket === 'capitalCalls';
    const key = `${permission}/${newId()}`;
    const file = await addFile(managerId, { bucket, key, ...(isCapital ? {} : { companyId: company.id }) });
    const attached = JSON.stringify([
      { bucket, key, name: 'A file.pdf', size: 1, type: 'application/pdf', checksum: null },
    ]);
    const [owner, value] = isCapital ? [`fund_id = '${fundId}'`, file] : [`company_id = '${company.id}'`, attached];
    await database.query(
      `update ${table} set ${column} = $1 where id = (select id from ${table} where ${owner} and status <> 'Removed' order by id limit 1)`,
      [value],
    );
    fileOf.set(permission, file);
  }
  // A withdrawn distribution keeps its file for those who may read distributions.
  const withdrawn = await addFile(managerId, { bucket: 'capitalCalls', key: newId() });
  await database.query(
    `update distributions set file_id = $1, status = 'Removed' where id = (select id from distributions
       where fund_id = $2 and status <> 'Removed' and file_id is null order by id limit 1)`,
    [withdrawn, fundId],
  );
  const everywhere: PermissionKey[] = ['funds/read', 'LPs/read', 'companies/read'];
  for (const permission of Object.keys(kinds) as PermissionKey[]) {
    const reader = { ...manager, permissions: [...everywhere, permission] };
    const opened: string[] = [];
    for (const [one, file] of fileOf) {
      await as(reader, (session) => readableFile(session, file)).then(
        () => opened.push(one),
        (error) => expect(error).toMatchObject({ code: 'notFound' }),
      );
    }
    expect(opened).toEqual([permission]);
    const kept = await as(reader, (session) => readableFile(session, withdrawn)).then(
      () => true,
      () => false,
    );
    expect(kept).toBe(permission === 'distributions/read');
    const owners = [{ kind: 'manager', id: managerId } as const, { kind: 'company', id: company.id } as const];
    const shown = await Promise.all(owners.map((owner) => as(reader, (session) => filesOf(session, owner))));
    const ids = new Set(shown.flatMap(({ rows }) => rows.map(({ id }) => id)));
    expect([...fileOf].filter(([, id]) => ids.has(id)).map(([one]) => one)).toEqual([permission]);
    const notices = (await listed(reader, { fundId, investorIds: lpIds })).map(({ kind }) => kind);
    expect(['call', 'distribution'].filter((kind) => notices.includes(kind as never))).toEqual(
      { 'contributions/read': ['call'], 'distributions/read': ['distribution'] }[permission as string] ?? [],
    );
  }
});

test('the notices of one day are one event, and an investor counts its own only', async () => {
  const events = (actor: UserActor, limit = 10) =>
    as(actor, (session) => latestDocumentEvents(session, { fundId: tenant.fundId }, { limit }));
  const all = await events(manager);
  const notices = all.events.filter(({ kind }) => kind === 'call');
  expect(notices).toMatchObject([{ count: 2, fileId: null }]);
  expect(all.total).toBe(all.events.reduce((total, { count }) => total + count, 0));
  expect((await events(manager, 1)).total).toBe(all.total);
  const own = (await events(ann)).events.filter(({ kind }) => kind === 'call');
  const [call] = await database.query<{ fileId: string }>(
    'select file_id as "fileId" from contributions where id = $1',
    [calls[0]!.id],
  );
  expect(own).toMatchObject([{ count: 1, fileId: call!.fileId }]);
  expect(
    (await as(manager, (session) => latestDocumentEvents(session, { fundId: other.fundId }, { limit: 10 }))).total,
  ).toBe(0);
});
