import { fundUpdateSchema } from '@tapeline/domain/funds/fund.schema.ts';
import type { ImportInput, ImportRow } from '@tapeline/domain/importer/check.ts';
import {
  FILE_BUCKETS,
  type ImportKind,
  MAX_ROWS,
  RECORD_KINDS,
  type RecordKind,
} from '@tapeline/domain/importer/kinds.ts';
import { lpUpdateSchema } from '@tapeline/domain/investors/lp.schema.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LP, User } from '../../entities/people.ts';
import { StoredFile } from '../../entities/records.ts';
import { newId } from '../../ids.ts';
import { seedFoundations } from '../../seed/seed-foundations.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { changeContributions } from '../capital/contributions.ts';
import { changeDistributions } from '../capital/distributions.ts';
import { changeNavs } from '../capital/navs.ts';
import { changeReports } from '../capital/reports.ts';
import { changeCapitalAccounts } from '../capital/statements.ts';
import { updateCommitments } from '../commitments/change-commitments.ts';
import { fileMetadata } from '../files/files.ts';
import { updateFund } from '../funds/change-funds.ts';
import { createMagicLink } from '../identity/magic-links.ts';
import { updateLP } from '../investors/investors.ts';
import { updateUsers } from '../users/change-users.ts';
import { checkImport, importRows, undoImport } from './imports.ts';
import { IMPORTED_TABLES } from './totals.ts';

type Cells = Record<string, string>;

let database: TestDatabase;
let actor: UserActor;
const pdfs: Record<string, ImportInput['files']> = {};

const SHEET = { bucket: 'importerFiles', key: 'x/y.csv', name: 'y.csv', size: 1, type: 'text/csv', checksum: null };
const contentOf = (kind: ImportKind, list: readonly Cells[], more: Partial<ImportInput> = {}): ImportInput => ({
  kind,
  rows: list.map((cells, index): ImportRow => ({ file: 0, row: index + 2, cells })),
  attachments: [SHEET],
  files: pdfs[kind] ?? [],
  ...more,
});
const check = (kind: ImportKind, list: readonly Cells[]) =>
  database.store.as(actor, (session) => checkImport(session, contentOf(kind, list)), { rollback: true });
const run = (kind: ImportKind, list: readonly Cells[], more: Partial<ImportInput> = {}) =>
  database.store.as(actor, (session) => importRows(session, contentOf(kind, list, more)));
const undo = (id: string) => database.store.as(actor, (session) => undoImport(session, id));

const ERRORS = 60;
const INVESTORS = 150;
const FIRST_LP = 2_001;
const investorCode = (index: number) => String(FIRST_LP + (index % INVESTORS));
const round = (index: number) => Math.floor(index / INVESTORS);
const day = (index: number) => new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10);
const inFund = (fundCode: string, index: number): Cells => ({
  investorType: 'LP',
  investorCode: investorCode(index),
  fundCode,
  currency: 'USD',
  date: day(round(index)),
});
const fund = (code: number): Cells => ({
  code: String(code),
  title: `Fund ${code}`,
  strategy: 'ABL',
  type: 'SMA',
  classes: 'A: Class A; B: Class B',
  currency: 'USD',
  targetSize: '1000.50',
  hardCap: '2000',
  entityFormalId: `F-${code}`,
  nationalityCountryCode: 'US',
});
const lp = (code: number): Cells => ({
  code: String(code),
  entityName: `Pension ${code}`,
  formalId: `P-${code}`,
  country: 'NO',
  'bank.title': 'Main account',
  'bank.accountNumber': '4417123456',
  'bank.address': '1 Market Street',
  'bank.type': 'Business',
});

/** One row of each kind by its place in the largest file. Later kinds refer to the funds 900 and 901 and their investors. */
const ROWS: Readonly<Record<RecordKind, (index: number) => Cells>> = {
  funds: (index) => fund(10_001 + index),
  LPs: (index) => lp(10_001 + index),
  LPCommitments: (index) => ({
    ...inFund('901', index),
    callName: `Closing ${round(index) + 1}`,
    defaultValue: '100.25',
  }),
  contributions: (index) => ({
    ...inFund('900', index),
    callName: String(round(index) + 1),
    defaultValue: '100',
    'keyValues.investments': '90',
    'keyValues.managementFee': '10',
  }),
  distributions: (index) => ({
    ...inFund('900', index),
    callName: String(round(index) + 1),
    'keyValues.principal': '10',
    'keyValues.INTEREST': '5.5',
    'keyValues.INTEREST TAX': '0.5',
  }),
  navs: (index) => ({ ...inFund('900', index), callName: 'Q', defaultValue: '95.5', 'keyValues.gross': '97' }),
  users: (index) => ({
    firstName: 'Ann',
    lastName: 'Berg',
    email: `ann.${index}@largest.example`,
    LPCode: investorCode(index),
  }),
  capitalAccounts: (index) => ({
    investorType: 'LP',
    investorCode: investorCode(index),
    fundCode: '900',
    date: '2026-09-30',
    fileName: `Statement ${index}.pdf`,
  }),
  reports: (index) => ({ fundCode: '900', date: day(index), fileName: `Report ${index}.pdf` }),
};

/** `#` stands for a number that differs from error to error. */
type Planted = readonly [cells: Cells, column: string, message: string];

const NO_FUND: Planted = [{ fundCode: '9999' }, 'fundCode', 'is not the code of a fund'];
const NO_LP: Planted = [{ investorCode: '90#' }, 'investorCode', 'is not the code of an LP'];
const NO_DATE: Planted = [{ date: '2026-02-30' }, 'date', 'Enter a date as YYYY-MM-DD, for example 2026-10-31'];
const NO_CLASSES: Planted = [{ fundClassCode: 'A' }, 'fundClassCode', 'must be empty: Fund 900 has no classes'];
const NO_NUMBER = 'Enter a number, for example 1250000.50';
const EUROS: Planted = [{ currency: 'EUR' }, 'currency', 'must be in USD, the currency of the fund'];

/** What is planted in turn: of cells, references, repeated rows and the rules of the records. */
const PLANTED: Readonly<Record<RecordKind, readonly Planted[]>> = {
  funds: [
    [{ code: '9#' }, 'code', 'is the code of Fund 9#'],
    [{ currency: 'US$' }, 'currency', 'Use a currency code of ISO 4217, for example USD'],
    [{ title: 'F' }, 'title', 'At least 2 characters'],
    [{ strategy: 'Luck' }, 'strategy', 'must be one of ALF, ABL, GL, FF'],
    [{ classes: 'A: One; A: Two' }, 'classes', 'has two classes with the same key'],
    [{ hardCap: '-1' }, 'hardCap', 'must be at least 0'],
    [{ mainFund: '9999' }, 'mainFund', 'is not the code of a main fund'],
    [{ entityFormalId: '' }, 'entityFormalId', 'is required'],
    [
      { 'bank.title': 'Main', 'bank.accountNumber': '44', 'bank.address': 'Here', 'bank.type': 'Secret' },
      'bank.type',
      'Choose Private or Business',
    ],
  ],
  LPs: [
    [{ code: '20#' }, 'code', 'is the code of Pension 20#'],
    [{ code: 'abc' }, 'code', 'must be a whole number'],
    [{ country: '' }, 'country', 'is required'],
    [{ entityName: 'P' }, 'entityName', 'At least 2 characters'],
    [{ formalId: 'P-20#' }, 'formalId', 'is the formal id of Pension 20#. Use its name, or another formal id'],
    [{ 'bank.IBAN': 'GB00NWBK60161331926819' }, 'bank.IBAN', 'This is not a valid IBAN. Check its digits and length.'],
  ],
  LPCommitments: [
    NO_FUND,
    NO_LP,
    NO_DATE,
    EUROS,
    [{ fundClassCode: 'A' }, 'fundClassCode', 'must be empty: Fund 901 has no classes'],
    [{ defaultValue: 'ten' }, 'defaultValue', NO_NUMBER],
    [{ defaultValue: '' }, 'defaultValue', 'is required'],
    [{ investorType: 'bank' }, 'investorType', 'must be one of fund, LP'],
  ],
  contributions: [
    NO_FUND,
    NO_LP,
    NO_DATE,
    NO_CLASSES,
    EUROS,
    [{ defaultValue: '101' }, 'defaultValue', 'must be 100, the sum of the purposes: the file has 1 more'],
    [
      { defaultValue: '1000000000', 'keyValues.investments': '999999990' },
      'defaultValue',
      'leaves an unfunded commitment below zero',
    ],
    [{ callName: '' }, 'callName', 'is required'],
    [{ callName: '77#' }, 'callName', 'is the number of another call of this fund'],
  ],
  distributions: [
    NO_FUND,
    NO_LP,
    NO_DATE,
    NO_CLASSES,
    EUROS,
    [
      { defaultValue: '16' },
      'defaultValue',
      'must be 15, principal, interest and capital gains less fees and taxes: the file has 1 more',
    ],
    [{ 'keyValues.INTEREST': '-1' }, 'keyValues.INTEREST', 'must be at least 0'],
    [{ callName: '77#' }, 'callName', 'is the number of another distribution of this fund'],
  ],
  navs: [
    NO_FUND,
    NO_LP,
    NO_DATE,
    NO_CLASSES,
    EUROS,
    [{ defaultValue: '1.005' }, 'defaultValue', 'must have at most 2 decimals'],
    [{ 'keyValues.gross': 'x' }, 'keyValues.gross', NO_NUMBER],
    [{ 'keyValues.net': '95' }, 'defaultValue', 'must be 95, the net value: the file has 0.5 more'],
  ],
  users: [
    [{ LPCode: '9999' }, 'LPCode', 'is not the code of an LP'],
    [{ email: 'ann.berg' }, 'email', 'Enter an email address, for example ann@example.com'],
    [{ email: 'taken.#@largest.example' }, 'email', 'is already used by another user'],
    [{ firstName: 'A' }, 'firstName', 'At least 2 characters'],
    [{ lastName: '' }, 'lastName', 'is required'],
  ],
  capitalAccounts: [
    NO_FUND,
    NO_LP,
    NO_DATE,
    NO_CLASSES,
    [{ fileName: 'Other #.pdf' }, 'fileName', 'is not the name of an uploaded PDF'],
    [{ fundCode: '901' }, 'investorCode', 'has no commitment to this fund'],
  ],
  reports: [
    NO_FUND,
    NO_DATE,
    NO_CLASSES,
    [{ fileName: 'Other #.pdf' }, 'fileName', 'is not the name of an uploaded PDF'],
    [{ fileName: '' }, 'fileName', 'is required'],
  ],
};

beforeAll(async () => {
  database = await createTestDatabase();
  await database.store.as(SYSTEM, async (session) => {
    await seedFoundations(session);
    const { managerId } = await makeTenant(session);
    const person = (email: string) => {
      const id = newId(session.now);
      const fields = {
        firstName: 'Mia',
        lastName: 'Holt',
        email,
        type: 'manager',
        assoc: { manager: { id: managerId } },
      };
      session.em.create(User, { id, ...fields, type: 'manager', managerId });
      return id;
    };
    actor = { ...testActor({ type: 'manager', managerId }), userId: person('mia@largest.example') };
    for (let count = 10; count < 70; count += 1) person(`taken.${count}@largest.example`);
    for (const kind of ['capitalAccounts', 'reports'] as const) {
      const files = Array.from({ length: MAX_ROWS[kind] }, (_, index) =>
        session.em.create(StoredFile, {
          id: newId(session.now),
          bucket: FILE_BUCKETS[kind],
          key: newId(session.now),
          name: `${kind === 'reports' ? 'Report' : 'Statement'} ${index}.pdf`,
          size: 1,
          type: 'application/pdf',
          checksum: 'none',
          status: 'Active',
          managerId,
          createdAt: session.now,
        }),
      );
      pdfs[kind] = files.map(fileMetadata);
    }
  });
  await run(
    'funds',
    Array.from({ length: 70 }, (_, index) => ({ ...fund(900 + index), classes: '' })),
  );
  const investors = Array.from({ length: INVESTORS }, (_, index) => index);
  await run(
    'LPs',
    investors.map((index) => lp(FIRST_LP + index)),
  );
  await run(
    'LPCommitments',
    investors.map((index) => ({
      ...inFund('900', index),
      date: '2025-06-30',
      callName: 'Closing',
      defaultValue: '1000000',
    })),
    { status: 'Active' },
  );
  // Numbers that are taken.
  const taken = Array.from({ length: ERRORS }, (_, count) => ({
    ...inFund('900', 0),
    date: '2025-12-31',
    callName: `77${count + 10}`,
    defaultValue: '1',
  }));
  await run('contributions', taken);
  await run('distributions', taken);
});
afterAll(() => database.close());

/** The rows of every table, and the last code of each. */
async function traces() {
  const counts = await database.query(
    `select table_name, (xpath('//count/text()', query_to_xml(format('select count(*) from %I', table_name), false, true, '')))[1]::text as count
     from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  );
  return { counts, codes: await database.query('select * from document_codes order by 1, 2') };
}

let columns: Promise<{ table: string; numbers: string[] | null }[]> | undefined;
/** The tables whose rows have a status, with their number columns. */
const tablesWithStatus = () => {
  columns ??= database.query(
    `select c.table_name as table, array_agg(c.column_name::text order by 1) filter (where c.data_type = 'numeric') as numbers
     from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
     group by 1 having bool_or(c.column_name = 'status' and c.data_type = 'text') order by 1`,
  );
  return columns;
};

/** The documents of every collection that are not removed, with the sum of each number column. */
async function inForce() {
  const sums = (await tablesWithStatus())
    .filter(({ table }) => table !== 'imports' && table !== 'document_counts')
    .map(({ table, numbers }) => {
      const all = ['count(*)', ...(numbers ?? []).map((column) => `sum("${column}")`)];
      return `select '${table}' as name, jsonb_build_array(${all.join(', ')}) as figures from "${table}" where status <> 'Removed'`;
    });
  return database.query(`${sums.join(' union all ')} order by name`);
}

// The thousands of funds come last: they slow down what is added after them.
test.each([...RECORD_KINDS].reverse())(
  'the largest file of %s with 60 errors: each is named; the corrected file imports, and undoing it restores everything',
  { timeout: 600_000 },
  async (kind) => {
    const good = Array.from({ length: MAX_ROWS[kind] }, (_, index) => ROWS[kind](index));
    const step = MAX_ROWS[kind] / ERRORS;
    const bad = good.slice();
    const expected: unknown[] = [];
    for (let count = 0; count < ERRORS; count += 1) {
      const index = Math.floor(count * step);
      const [cells, column, message] = PLANTED[kind][count % PLANTED[kind].length]!;
      const numbered = (text: string) => text.replaceAll('#', String(count + 10));
      const changed = Object.entries(cells).map(([key, text]) => [key, numbered(text)]);
      bad[index] = { ...good[index], ...Object.fromEntries(changed) };
      expected.push([index + 2, column, numbered(message)]);
    }
    const before = await traces();
    const standing = await inForce();
    const found = await check(kind, bad);
    expect(
      found.rows.flatMap(({ row, problems }) => problems.map(({ column, message }) => [row, column, message])),
    ).toEqual(expected);
    expect(found.readyCount).toBeGreaterThan(0);
    expect(await traces()).toEqual(before);
    const { id, uploadedCount } = await run(kind, good);
    expect(uploadedCount).toBe(good.length);
    expect(await inForce()).not.toEqual(standing);
    await undo(id);
    expect(await inForce()).toEqual(standing);
  },
);

interface One {
  /** In its codes and names. */
  readonly number: number;
  readonly id: string;
  readonly version: number;
}
const by = (work: (session: Session) => Promise<unknown>) => database.store.as(actor, work);
const issued = ({ id, version }: One) => [{ id, version, status: 'Active' as const }];
const CHANGED = 'Changed or issued since: ';

/** What happens to the record of an import, and what the refusal to undo it names. `#` is the code of the record, `%` its number. */
const AFTERWARDS: readonly [kind: RecordKind, what: string, work: (one: One) => Promise<unknown>, named: string][] = [
  [
    'users',
    'changed',
    (one) => by((s) => updateUsers(s, [{ id: one.id, version: one.version, lastName: 'Holm' }])),
    `${CHANGED}Ann Holm.`,
  ],
  [
    'users',
    'invited',
    ({ id }) => createMagicLink(database.store, actor, { userId: id, now: new Date() }),
    `${CHANGED}Ann Berg.`,
  ],
  [
    'LPs',
    'changed',
    ({ id, version }) =>
      by(async (s) => {
        const { entityId: entity } = await s.em.findOneOrFail(LP, { id });
        await updateLP(s, { id, body: lpUpdateSchema.parse({ version, title: 'Other name', entity, domains: [] }) });
      }),
    `${CHANGED}Other name.`,
  ],
  [
    'LPs',
    'referenced',
    ({ number }) => run('users', [{ ...ROWS.users(number), LPCode: String(number) }]),
    'Used since: Pension % (user Ann Berg).',
  ],
  [
    'funds',
    'changed',
    ({ id, version }) =>
      by((s) =>
        updateFund(s, {
          id,
          body: fundUpdateSchema.parse({
            version,
            title: 'Other name',
            type: 'SMA',
            strategy: 'ABL',
            targetSize: { sum: 1, currency: 'USD' },
            hardCap: { sum: 1, currency: 'USD' },
            classes: [],
          }),
        }),
      ),
    `${CHANGED}Other name.`,
  ],
  [
    'funds',
    'referenced',
    ({ number }) => run('LPCommitments', [{ ...ROWS.LPCommitments(0), fundCode: String(number), fundClassCode: 'A' }]),
    'Used since: Fund % (commitment ',
  ],
  ['LPCommitments', 'changed', (one) => by((s) => updateCommitments(s, issued(one))), `${CHANGED}Commitment #.`],
  [
    'LPCommitments',
    'referenced',
    ({ number }) =>
      run('navs', [{ ...ROWS.navs(0), fundCode: '901', investorCode: String(FIRST_LP + (number % INVESTORS)) }]),
    'Used since: Commitment # (NAV ',
  ],
  ['contributions', 'issued', (one) => by((s) => changeContributions(s, issued(one))), `${CHANGED}Contribution #.`],
  ['distributions', 'issued', (one) => by((s) => changeDistributions(s, issued(one))), `${CHANGED}Distribution #.`],
  ['navs', 'issued', (one) => by((s) => changeNavs(s, issued(one))), `${CHANGED}NAV #.`],
  [
    'capitalAccounts',
    'issued',
    (one) => by((s) => changeCapitalAccounts(s, issued(one))),
    `${CHANGED}Capital account #.`,
  ],
  ['reports', 'issued', (one) => by((s) => changeReports(s, issued(one))), `${CHANGED}Report #.`],
];

test.each(AFTERWARDS)('an import of %s is not undone once a record was %s', async (kind, what, work, named) => {
  const number = 5_000 + AFTERWARDS.findIndex((one) => one[0] === kind && one[1] === what);
  const own: Partial<Record<ImportKind, Cells>> = {
    funds: fund(number),
    LPs: lp(number),
    users: { ...ROWS.users(0), email: `ann.${number}@undo.example` },
    LPCommitments: { ...ROWS.LPCommitments(0), investorCode: String(FIRST_LP + (number % INVESTORS)) },
  };
  // A NAV needs a commitment in force.
  const status = kind === 'LPCommitments' && what === 'referenced' ? { status: 'Active' as const } : {};
  const record = await run(kind, [own[kind] ?? ROWS[kind](0)], status);
  const [one] = await database.query<Omit<One, 'number'> & { code: number }>(
    `select id, version, code from ${IMPORTED_TABLES[kind]} where metadata ->> 'bulkActionCode' = $1`,
    [record.id],
  );
  await work({ ...one!, number });
  await expect(undo(record.id)).rejects.toMatchObject({
    code: 'badRequest',
    message: expect.stringContaining(
      `This import cannot be undone. ${named.replaceAll('#', String(one?.code)).replaceAll('%', String(number))}`,
    ),
  });
});
