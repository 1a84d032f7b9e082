import { reason } from '@tapeline/domain/errors/reason.ts';
import { reworded } from '@tapeline/domain/errors/testing/reword.ts';
import type { ImportInput, ImportRow } from '@tapeline/domain/importer/check.ts';
import { IMPORT_STATUSES, type ImportKind } from '@tapeline/domain/importer/kinds.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { User } from '../../entities/people.ts';
import { StoredFile } from '../../entities/records.ts';
import { newId } from '../../ids.ts';
import { seedFoundations } from '../../seed/seed-foundations.ts';
import { SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { recordReads } from '../activities/activities.ts';
import { changeContributions } from '../capital/contributions.ts';
import { fileMetadata } from '../files/files.ts';
import { tell } from '../outbox/tell.ts';
import { createdBy, publishImported, unpublishedCount } from './created.ts';
import { checkImport, importRows, undoImport } from './imports.ts';

let database: TestDatabase;
let actor: UserActor;
let managerId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.store.as(SYSTEM, async (session) => {
    await seedFoundations(session);
    ({ managerId } = await makeTenant(session));
    const id = newId(session.now);
    const person = { firstName: 'Mia', lastName: 'Holt', email: `${id}@example.test` };
    session.em.create(User, { id, ...person, type: 'manager', assoc: { manager: { id: managerId } }, managerId });
    actor = { ...testActor({ type: 'manager', managerId }), userId: id };
  });
});
afterAll(() => database.close());

const SHEET = { bucket: 'importerFiles', key: 'x/y.csv', name: 'y.csv', size: 1, type: 'text/csv', checksum: null };

const contentOf = (kind: ImportKind, cells: readonly Record<string, string>[]) => ({
  kind,
  rows: cells.map((own, at): ImportRow => ({ file: 0, row: at + 2, cells: own })),
  attachments: [SHEET],
  // Capital is called from commitments in force.
  status: kind === 'LPCommitments' ? ('Active' as const) : IMPORT_STATUSES[kind][0],
});
const check = (kind: ImportKind, cells: readonly Record<string, string>[]) =>
  database.store.as(actor, (session) => checkImport(session, contentOf(kind, cells)), { rollback: true });
const run = (kind: ImportKind, cells: readonly Record<string, string>[], more: Pick<ImportInput, 'status'> = {}) =>
  database.store.as(actor, (session) => importRows(session, { ...contentOf(kind, cells), ...more }));
const undo = (id: string) => database.store.as(actor, (session) => undoImport(session, id));

const FUND = {
  code: '701',
  title: 'Moved Fund',
  strategy: 'ABL',
  type: 'ComingleFund',
  classes: 'A: Class A; B: Class B',
  currency: 'USD',
  targetSize: '1000',
  hardCap: '2000',
  entityFormalId: 'MF-1',
  nationalityCountryCode: 'US',
};
const LP = { code: '801', entityName: 'Moved Pension', formalId: 'MP-1', country: 'NO' };
const IN_FUND = { investorType: 'LP', investorCode: '801', fundCode: '701', fundClassCode: 'A', currency: 'USD' };
const COMMITMENT = { ...IN_FUND, date: '2026-01-15', callName: 'First closing', defaultValue: '1000' };
const CALL = { ...IN_FUND, date: '2026-02-01', callName: '1', defaultValue: '400' };
const DISTRIBUTION = { ...IN_FUND, date: '2026-05-01', callName: '1', defaultValue: '50' };
const NAV = { ...IN_FUND, date: '2026-06-30', callName: 'Q2', defaultValue: '390' };
const USER = { firstName: 'Ann', lastName: 'Berg', email: 'ann.berg@moved.example', LPCode: '801' };

const STEPS: readonly [ImportKind, Record<string, string>, Record<string, string>][] = [
  ['funds', FUND, { ...FUND, code: '702', currency: 'US$' }],
  ['LPs', LP, { ...LP, code: '802', formalId: 'MP-2', country: '' }],
  ['LPCommitments', COMMITMENT, { ...COMMITMENT, investorCode: '899' }],
  ['contributions', CALL, { ...CALL, callName: '2', fundClassCode: 'C' }],
  ['distributions', DISTRIBUTION, { ...DISTRIBUTION, callName: '2', date: '2026-02-30' }],
  ['navs', NAV, { ...NAV, date: '2026-07-31', defaultValue: 'x' }],
  ['users', USER, { ...USER, email: 'ann.berg' }],
];

test('each kind is checked without a trace, imported, and undone in reverse order', async () => {
  const imports: string[] = [];
  const before: unknown[] = [];
  for (const [kind, good, bad] of STEPS) {
    const checked = await check(kind, [good, bad]);
    expect([kind, checked.rows.map(({ row, problems }) => [row, problems.length])]).toEqual([
      kind,
      [
        [2, 0],
        [3, 1],
      ],
    ]);
    expect(checked.readyCount).toBe(1);
    before.push(checked.before);
    // The check left nothing behind.
    expect((await check(kind, [good])).before).toEqual(checked.before);
    expect((await check(kind, [good])).after).not.toEqual(checked.before);
    await expect(run(kind, [good, bad])).rejects.toMatchObject({
      code: 'badRequest',
      message: expect.stringMatching(/^Nothing was imported\.\nRow 3/),
    });
    const { id, uploadedCount } = await run(kind, [good]);
    expect(uploadedCount).toBe(1);
    imports.push(id);
    const { records, total } = await database.store.as(actor, (session) =>
      createdBy(session, { importId: id, kind, most: 10 }),
    );
    expect([kind, total, records[0]?.count]).toEqual([kind, 1, 1]);
  }
  // A row that looks like a mistake can be imported, and is named.
  const future = await check('navs', [{ ...NAV, date: '2150-06-30', callName: 'Later' }]);
  expect([future.readyCount, future.warnings]).toEqual([
    1,
    [{ file: 0, row: 2, message: 'The NAV of 30 Jun 2150 is in the future.' }],
  ]);
  // What others refer to is not removed.
  await expect(undo(imports[0]!)).rejects.toMatchObject({ code: 'badRequest' });
  await expect(undo(imports[1]!)).rejects.toMatchObject({ code: 'badRequest' });
  for (const [index, [kind, good]] of [...STEPS.entries()].toReversed()) {
    await undo(imports[index]!);
    const again = await check(kind, [good]);
    expect([kind, again.before]).toEqual([kind, before[index]]);
    await expect(undo(imports[index]!)).rejects.toMatchObject({ message: 'This import was already undone' });
  }
  // A code is not used again.
  expect((await check('LPs', [LP])).rows[0]?.problems).toMatchObject([{ kind: 'duplicate', column: 'code' }]);
});

test('an import is not undone once one of its documents was published', async () => {
  const again = {
    fund: { ...FUND, code: '711', entityFormalId: 'MF-2' },
    lp: { ...LP, code: '811', formalId: 'MP-3' },
  };
  await run('funds', [again.fund]);
  await run('LPs', [again.lp]);
  const codes = { fundCode: '711', investorCode: '811' };
  await run('LPCommitments', [{ ...COMMITMENT, ...codes }]);
  const { id } = await run('contributions', [{ ...CALL, ...codes }]);
  await database.store.as(actor, async (session) => {
    const [part] = await session.query<{ id: string; version: number }>(
      `select id, version from contributions where metadata ->> 'bulkActionCode' = $1`,
      [id],
    );
    await changeContributions(session, [{ id: part!.id, version: part!.version, status: 'Active' }]);
  });
  await expect(undo(id)).rejects.toMatchObject({
    message: expect.stringMatching(/cannot be undone\. Changed or issued since: Contribution \d+/),
  });
});

test('an Active import is undone until an investor was told of a document or has read it', async () => {
  const own = { fund: { ...FUND, code: '731', entityFormalId: 'MF-4' }, lp: { ...LP, code: '831', formalId: 'MP-5' } };
  await run('funds', [own.fund]);
  await run('LPs', [own.lp]);
  await run('users', [{ ...USER, email: 'reader@told.example', LPCode: '831' }]);
  const [reader] = await database.query<{ id: string; lp: string }>(
    `update users set status = 'Active' where email = 'reader@told.example' returning id, lp_id as lp`,
  );
  const codes = { fundCode: '731', investorCode: '831' };
  await run('LPCommitments', [{ ...COMMITMENT, ...codes }], { status: 'Active' });
  const importCall = async (callName: string) => {
    const { id } = await run('contributions', [{ ...CALL, ...codes, callName }], { status: 'Active' });
    const [part] = await database.query<{ id: string; code: number }>(
      `select id, code from contributions where metadata ->> 'bulkActionCode' = $1`,
      [id],
    );
    return { id, documentId: part!.id, code: part!.code };
  };
  const investor = { ...testActor({ type: 'LP', managerId, lpIds: [reader!.lp] }), userId: reader!.id };
  const unread = await importCall('1');
  await undo(unread.id);
  const read = await importCall('2');
  const aRead = [{ resource: 'contributions', documentId: read.documentId }];
  // What the manager's own people read does not count.
  await database.store.as(actor, (session) => recordReads(session, aRead));
  await database.store.as(investor, (session) => recordReads(session, aRead));
  const told = await importCall('3');
  await database.store.as(SYSTEM, (session) =>
    tell(session, {
      kind: 'callIssued',
      resource: 'contributions',
      documentId: told.documentId,
      key: `test/${told.id}`,
      to: { users: [reader!.id] },
      subject: 'A call',
      lines: ['A call was issued.'],
      page: '/capital/calls',
      pageTitle: 'Open',
    }),
  );
  for (const { id, code } of [read, told]) {
    await expect(undo(id)).rejects.toMatchObject({
      code: 'badRequest',
      message: `This import cannot be undone. Investors were told of: Contribution ${code} (${USER.firstName} ${USER.lastName}).`,
    });
  }
});

test('statements of an import are published together, and then the import is not undone', async () => {
  const own = { fund: { ...FUND, code: '721', entityFormalId: 'MF-3' }, lp: { ...LP, code: '821', formalId: 'MP-4' } };
  await run('funds', [own.fund]);
  await run('LPs', [own.lp]);
  const codes = { investorType: 'LP', investorCode: '821', fundCode: '721', fundClassCode: 'A' };
  await run('LPCommitments', [{ ...COMMITMENT, ...codes }]);
  const names = ['Q1.pdf', 'Q2.pdf'];
  const files = await database.store.as(SYSTEM, async (session) =>
    names.map((name) =>
      fileMetadata(
        session.em.create(StoredFile, {
          id: newId(session.now),
          bucket: 'capitalAccounts',
          key: newId(session.now),
          name,
          size: 1,
          type: 'application/pdf',
          checksum: 'none',
          status: 'Active',
          managerId,
          createdAt: session.now,
        }),
      ),
    ),
  );
  const content = contentOf(
    'capitalAccounts',
    names.map((fileName, index) => ({ ...codes, date: `2026-0${3 * index + 3}-30`, fileName })),
  );
  const { id, kind } = await database.store.as(actor, (session) => importRows(session, { ...content, files }));
  expect(await database.store.as(actor, (session) => unpublishedCount(session, { id, kind }))).toBe(2);
  expect(await database.store.as(actor, (session) => publishImported(session, { id, kind }))).toBe(2);
  expect(await database.store.as(actor, (session) => unpublishedCount(session, { id, kind }))).toBe(0);
  const statuses = await database.query(
    `select status from capital_accounts where metadata ->> 'bulkActionCode' = $1`,
    [id],
  );
  expect(statuses).toEqual([{ status: 'Active' }, { status: 'Active' }]);
  await expect(undo(id)).rejects.toMatchObject({
    message: expect.stringMatching(/since: Capital account \d+, Capital account \d+\./),
  });
  await expect(
    database.store.as(actor, (session) => publishImported(session, { id, kind: 'funds' })),
  ).rejects.toMatchObject({ code: 'badRequest' });
});

test('an import that publishes warns of each investor of whom nobody is told, also in its check', async () => {
  const own = { fund: { ...FUND, code: '761', entityFormalId: 'MF-9' }, lp: { ...LP, code: '861', formalId: 'MP-10' } };
  await run('funds', [own.fund]);
  await run('LPs', [own.lp, { ...own.lp, code: '862', formalId: 'MP-11', entityName: 'Reached Pension' }]);
  await run('users', [{ ...USER, email: 'reached@told.example', LPCode: '862' }]);
  const codes = [861, 862].map((code) => ({ fundCode: '761', investorCode: String(code) }));
  await run(
    'LPCommitments',
    codes.map((of) => ({ ...COMMITMENT, ...of })),
    { status: 'Active' },
  );
  const nobody = [
    {
      file: 0,
      row: 2,
      message: 'No one is notified: Moved Pension. Invite a user of each, or add a contact with an email to its entity',
    },
  ];
  await run(
    'contributions',
    codes.map((of) => ({ ...CALL, ...of })),
    { status: 'Active' },
  );
  const calls = codes.map((of) => ({ ...CALL, ...of, callName: '2', date: '2150-06-30' }));
  const distributions = codes.map((of) => ({ ...DISTRIBUTION, ...of, date: '2150-06-30' }));
  const names = ['First.pdf', 'Second.pdf'];
  const statements = codes.map(({ fundCode, investorCode }, index) => ({
    investorType: 'LP',
    investorCode,
    fundCode,
    fundClassCode: 'A',
    date: new Date().toISOString().slice(0, 10),
    fileName: names[index]!,
  }));
  const files = await database.store.as(SYSTEM, async (session) =>
    names.map((name) =>
      fileMetadata(
        session.em.create(StoredFile, {
          id: newId(session.now),
          bucket: 'capitalAccounts',
          key: newId(session.now),
          name,
          size: 1,
          type: 'application/pdf',
          checksum: 'none',
          status: 'Active',
          managerId,
          createdAt: session.now,
        }),
      ),
    ),
  );
  for (const content of [
    contentOf('contributions', calls),
    contentOf('distributions', distributions),
    { ...contentOf('capitalAccounts', statements), files },
  ]) {
    const checkAs = (status: 'Draft' | 'Active') =>
      database.store.as(actor, (session) => checkImport(session, { ...content, status }), { rollback: true });
    const active = await checkAs('Active');
    expect([content.kind, active.rows.flatMap(({ problems }) => problems)]).toEqual([content.kind, []]);
    expect([content.kind, active.warnings]).toEqual([content.kind, nobody]);
    expect([content.kind, (await checkAs('Draft')).warnings]).toEqual([content.kind, []]);
  }
  // What is past is history, of which nobody expects to be told.
  const past = contentOf('contributions', [{ ...calls[0]!, date: '2020-06-30' }]);
  const checkedPast = await database.store.as(actor, (session) => checkImport(session, { ...past, status: 'Active' }), {
    rollback: true,
  });
  expect(checkedPast.warnings).toEqual([]);
});

test('an investor whose commitment is a draft is told from one without a commitment', async () => {
  const own = { fund: { ...FUND, code: '741', entityFormalId: 'MF-5' }, lp: { ...LP, code: '841', formalId: 'MP-6' } };
  await run('funds', [own.fund]);
  await run('LPs', [own.lp, { ...own.lp, code: '842', formalId: 'MP-7', entityName: 'Other Pension' }]);
  const codes = { fundCode: '741', investorCode: '841' };
  await run('LPCommitments', [{ ...COMMITMENT, ...codes }], { status: 'Draft' });
  const calls = [codes, { ...codes, investorCode: '842' }].map((of) => ({ ...CALL, ...of }));
  const { rows } = await reworded(() => check('contributions', calls));
  expect(rows.map(({ problems }) => problems.map((problem) => [problem.column, problem.reason]))).toEqual([
    [['investorCode', reason('draftCommitment')]],
    [['investorCode', reason('noCommitment')]],
  ]);
});

test('a check tells what it adds to each fund, with the changes of commitments', async () => {
  const own = { fund: { ...FUND, code: '751', entityFormalId: 'MF-7' }, lp: { ...LP, code: '851', formalId: 'MP-8' } };
  await run('funds', [own.fund]);
  await run('LPs', [own.lp]);
  const codes = { fundCode: '751', investorCode: '851' };
  const closing = { ...COMMITMENT, ...codes };
  const increase = { ...closing, date: '2026-03-01', callName: 'Increase', defaultValue: '250.5' };
  const { funds } = await check('LPCommitments', [closing, increase]);
  expect(funds).toMatchObject([
    { title: 'Moved Fund', classKey: 'A', currency: 'USD', before: { count: 0, sum: '0' }, after: { count: 1 } },
  ]);
  expect(Number(funds?.[0]?.after.sum)).toBe(1250.5);
  await run('LPCommitments', [closing]);
  const other = { ...closing, fundClassCode: 'B', defaultValue: '7' };
  expect(
    (await check('LPCommitments', [other])).funds?.map(({ classKey, before, after }) => [classKey, before, after]),
  ).toEqual([
    [
      'A',
      { count: 1, sum: expect.stringMatching(/^1000(\.0+)?$/) },
      { count: 1, sum: expect.stringMatching(/^1000(\.0+)?$/) },
    ],
    ['B', { count: 0, sum: '0' }, { count: 1, sum: expect.stringMatching(/^7(\.0+)?$/) }],
  ]);
});

test('importing needs the permission', async () => {
  const reader: UserActor = { ...actor, permissions: actor.permissions.filter((key) => key !== 'importer/write') };
  await expect(
    database.store.as(reader, (session) => importRows(session, contentOf('LPs', [LP]))),
  ).rejects.toMatchObject({ code: 'forbidden' });
});
