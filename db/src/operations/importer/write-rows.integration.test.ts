import { reason, textOf, type Why } from '@tapeline/domain/errors/reason.ts';
import { rewordAll } from '@tapeline/domain/errors/testing/reword.ts';
import type { ImportProblemKind, ImportRow } from '@tapeline/domain/importer/check.ts';
import type { ImportKind } from '@tapeline/domain/importer/kinds.ts';
import { PERMISSION_KEYS } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../ids.ts';
import { SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { writeRows } from './write-rows.ts';

let database: TestDatabase;
let one: TestTenant;
// Every text is another here: the importer knows codes, not texts.
let restoreTexts: () => void;
beforeAll(async () => {
  restoreTexts = rewordAll();
  database = await createTestDatabase();
  one = await database.store.as(SYSTEM, (session) => makeTenant(session));
});
afterAll(async () => {
  restoreTexts();
  await database.close();
});

const rowsOf = (list: readonly Record<string, string>[]): ImportRow[] =>
  list.map((cells, index) => ({ file: 0, row: index + 2, cells }));

const write = (kind: ImportKind, list: readonly Record<string, string>[], rollback = true, limits = {}) =>
  database.store.as(
    testActor({ type: 'manager', managerId: one.managerId, ...limits }),
    (session) => writeRows(session, { kind, rows: rowsOf(list), attachments: [] }, newId(session.now)),
    { rollback },
  );

const problemsOf = async (kind: ImportKind, list: readonly Record<string, string>[]) =>
  (await write(kind, list)).rows.flatMap(({ row, problems }) => problems.map((problem) => ({ row, ...problem })));

/** A problem as a check reports it. A reason is stored if a program may ask for it. */
const problemOf = (row: number, kind: ImportProblemKind, column: string, why: Why) => ({
  row,
  kind,
  column,
  message: textOf(why),
  ...(typeof why === 'string' ? {} : { reason: why }),
});

const NAV = { investorType: 'LP', investorCode: '1', fundCode: '1', currency: 'USD', callName: 'Q', defaultValue: '5' };
const day = (index: number) => new Date(Date.UTC(2026, 1, 1 + index)).toISOString().slice(0, 10);

test('3,000 rows with 60 errors: each is named with row, column and reason, and nothing is left behind', async () => {
  const rows = Array.from({ length: 3_000 }, (_, index) => ({
    ...NAV,
    investorCode: String(1 + (index % 2)),
    date: day(index >> 1),
  }));
  const planted: [Record<string, string>, ImportProblemKind, string, Why][] = [
    [{ investorCode: '99' }, 'reference', 'investorCode', 'is not the code of an LP'],
    [{ fundCode: '99' }, 'reference', 'fundCode', 'is not the code of a fund'],
    [{ currency: 'EUR' }, 'rule', 'currency', reason('fundCurrency', { currency: 'USD' })],
    [{ defaultValue: '1.005' }, 'rule', 'defaultValue', 'must have at most 2 decimals'],
    [{ date: '2026-02-30' }, 'value', 'date', 'Enter a date as YYYY-MM-DD, for example 2026-10-31'],
    [{ fundClassCode: 'A' }, 'reference', 'fundClassCode', reason('noClasses', { fund: 'A fund' })],
  ];
  const expected: unknown[] = [];
  for (let index = 0; index < 60; index++) {
    const [cells, kind, column, why] = planted[index % planted.length]!;
    rows[index * 50] = { ...rows[index * 50]!, ...cells };
    expected.push(problemOf(index * 50 + 2, kind, column, why));
  }
  const traces = () =>
    database.query(
      'select (select count(*) from navs) as navs, (select max(last) from document_codes) as codes, (select count(*) from history) as history',
    );
  const before = await traces();
  expect(await problemsOf('navs', rows)).toEqual(expected);
  expect(await traces()).toEqual(before);
});

test.each<[ImportKind, Record<string, string>, Record<string, string>, [ImportProblemKind, string, Why] | null]>([
  [
    'funds',
    {
      code: '71',
      title: 'Fund X',
      strategy: 'ABL',
      type: 'SMA',
      currency: 'USD',
      entityFormalId: 'F71',
      nationalityCountryCode: 'US',
    },
    { code: '1' },
    ['duplicate', 'code', 'is the code of A fund'],
  ],
  [
    'LPs',
    { code: '71', entityName: 'Pension', formalId: 'P71', country: 'NO' },
    { code: '1' },
    ['duplicate', 'code', 'is the code of Investor one'],
  ],
  [
    'users',
    { firstName: 'Ann', lastName: 'Berg', email: 'ann@fjord.example', LPCode: '1' },
    { LPCode: '99' },
    ['reference', 'LPCode', 'is not the code of an LP'],
  ],
  ['navs', { ...NAV, date: '2026-06-30' }, { date: '2026-03-31' }, null],
  [
    'contributions',
    { ...NAV, date: '2026-06-30', callName: '7' },
    { defaultValue: '50' },
    ['rule', 'defaultValue', 'leaves an unfunded commitment below zero'],
  ],
  [
    'distributions',
    { ...NAV, date: '2026-06-30', callName: '7' },
    { callName: '1' },
    ['duplicate', 'callName', reason('numberTaken', { noun: 'distribution' })],
  ],
])('one row of %s is written, and refused when it breaks a rule', async (kind, cells, broken, problem) => {
  const check = await write(kind, [cells]);
  expect(check.rows[0]!.problems).toEqual([]);
  const count = (totals: typeof check.before) => totals.reduce((sum, total) => sum + total.count, 0);
  expect(count(check.after)).toBe(count(check.before) + 1);
  if (problem) expect(await problemsOf(kind, [{ ...cells, ...broken }])).toEqual([problemOf(2, ...problem)]);
});

test.each<[ImportKind, 'funds' | 'lps', Record<string, string>]>([
  [
    'funds',
    'funds',
    {
      title: 'Fund X',
      strategy: 'ABL',
      type: 'SMA',
      currency: 'USD',
      entityFormalId: 'F72',
      nationalityCountryCode: 'US',
    },
  ],
  ['LPs', 'lps', { entityName: 'Pension', formalId: 'P72', country: 'NO' }],
])('a code of %s that a hidden document has is refused without its name', async (kind, table, cells) => {
  const [{ id } = { id: '' }] = await database.query<{ id: string }>(
    `select id from ${table} where manager_id = $1 and code = 1`,
    [one.managerId],
  );
  const check = await write(kind, [{ ...cells, code: '1' }], true, { blockedDocuments: [`${kind}/${id}`] });
  expect(check.rows[0]!.problems).toMatchObject([{ kind: 'duplicate', column: 'code', reason: reason('codeTaken') }]);
});

test('an import by who may not read such documents shows no totals of them', async () => {
  const permissions = PERMISSION_KEYS.filter((key) => key !== 'funds/read');
  const check = await write('navs', [{ ...NAV, date: '2026-06-30' }], true, { permissions });
  expect(check.rows[0]!.problems).toEqual([]);
  expect([check.before, check.after, check.funds]).toEqual([[], [], []]);
});

test('a check reports Active rows that somebody else would have to issue, by what is issued together', async () => {
  const { managerId } = await database.store.as(SYSTEM, (session) => makeTenant(session));
  const rules = {
    navs: { when: 'from', amount: { sum: '1000', currency: 'USD' } },
    calls: { when: 'always', amount: null },
  };
  await database.query('update managers set second_person = second_person || $2 where id = $1', [
    managerId,
    JSON.stringify(rules),
  ]);
  const checked = async (kind: ImportKind, list: readonly Record<string, string>[], status: 'Draft' | 'Active') => {
    const { rows } = await database.store.as(
      testActor({ type: 'manager', managerId }),
      (session) => writeRows(session, { kind, status, rows: rowsOf(list), attachments: [] }, newId(session.now)),
      { rollback: true },
    );
    return rows.map(({ problems }) => problems.map((problem) => [problem.kind, problem.column, problem.message]));
  };
  const ofDay = (date: string, second: string) => [
    { ...NAV, date, defaultValue: '500' },
    { ...NAV, date, defaultValue: second, investorCode: '2' },
  ];
  const problem = ['rule', null, textOf('Your firm requires a second person for this. Import it as Draft')];
  const navs = [...ofDay('2026-05-31', '500'), ...ofDay('2026-06-30', '499.99')];
  expect(await checked('navs', navs, 'Active')).toEqual([[problem], [problem], [], []]);
  expect(await checked('navs', navs, 'Draft')).toEqual([[], [], [], []]);
  const call = [{ ...NAV, date: '2026-06-30', callName: '7' }];
  expect(await checked('contributions', call, 'Active')).toEqual([[problem]]);
  expect(await checked('contributions', call, 'Draft')).toEqual([[]]);
});
