import { fileURLToPath } from 'node:url';
import { Role, User } from '@tapeline/db/entities/people.ts';
import { newId } from '@tapeline/db/ids.ts';
import { createFund } from '@tapeline/db/operations/funds/change-funds.ts';
import { checkImport, importRows } from '@tapeline/db/operations/importer/imports.ts';
import { candidatesFor, forgetName, rememberNames } from '@tapeline/db/operations/importer/names.ts';
import { acceptImport, writeImport } from '@tapeline/db/operations/importer/run-import.ts';
import { createLP } from '@tapeline/db/operations/investors/investors.ts';
import { seedFoundations } from '@tapeline/db/seed/seed-foundations.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import { testActor } from '@tapeline/db/testing/actors.ts';
import { makeTenant } from '@tapeline/db/testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '@tapeline/db/testing/test-store.ts';
import { fundCreateSchema } from '@tapeline/domain/funds/fund.schema.ts';
import { emptyDraft, type ImportDraft } from '@tapeline/domain/importer/draft.ts';
import { IMPORT_STATUSES, type ImportKind } from '@tapeline/domain/importer/kinds.ts';
import { readDraft } from '@tapeline/domain/importer/read-draft.ts';
import {
  headersOf,
  mappingProblems,
  suggestColumns,
  suggestValues,
} from '@tapeline/domain/importer/suggest-columns.ts';
import { agrees, fileTotalsOf } from '@tapeline/domain/importer/total-rows.ts';
import { suggestTurn, turned } from '@tapeline/domain/importer/turn-columns.ts';
import { lpCreateSchema } from '@tapeline/domain/investors/lp.schema.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { readImportSheet } from '@tapeline/lake/imports/read-import-file.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

let database: TestDatabase;
let actor: UserActor;
let managerId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.store.as(SYSTEM, seedFoundations);
});
afterAll(() => database.close());

const CLASSES = [
  { name: 'Class A', uniqueKey: 'A' },
  { name: 'Class B', uniqueKey: 'B' },
];
const addFund = (title: string, currency: string, fields = {}) =>
  database.store.as(actor, (session) =>
    createFund(
      session,
      fundCreateSchema.parse({
        title,
        currency,
        type: 'ComingleFund',
        strategy: 'ABL',
        targetSize: '0',
        hardCap: '0',
        ...fields,
      }),
    ),
  );
const addInvestor = (title: string, externalCode: string | null = null) =>
  database.store.as(actor, (session) =>
    createLP(
      session,
      lpCreateSchema.parse({
        title,
        externalCode,
        entity: { name: title, formalId: `F-${title}`, nationality: { country: 'DE' } },
      }),
    ),
  );

beforeEach(async () => {
  const tenant = await database.store.as(SYSTEM, (session) => makeTenant(session));
  managerId = tenant.managerId;
  actor = testActor({ type: 'manager', managerId, userId: tenant.companies[0]!.userId });
});

/** Reads a file as the pages propose it, with what a person adds. */
async function open(path: string, kind: ImportKind, more: Partial<ImportDraft> = {}) {
  const sheet = await readImportSheet(path, kind);
  const turn = more.turn ?? suggestTurn(kind, sheet);
  const table = turned(kind, sheet, turn);
  const { mapping } = suggestColumns(kind, headersOf(table), {}, turn);
  const values = { ...suggestValues(kind, mapping), ...more.values };
  const content: ImportDraft = {
    ...emptyDraft(kind, IMPORT_STATUSES[kind][0]),
    turn,
    ...more,
    mapping: { ...mapping, ...more.mapping },
    values,
  };
  const known = new Set(table.columns.map(({ letters }) => letters));
  return {
    ...readDraft(sheet, content),
    content,
    missing: mappingProblems(kind, content.mapping ?? {}, known, {
      ...values,
      ...Object.fromEntries(Object.keys(more.valuesBy ?? {}).map((key) => [key, 'given'])),
    }),
  };
}
type Opened = Awaited<ReturnType<typeof open>>;

const inputOf = ({ content, rows }: Opened) => ({ kind: content.kind, status: content.status, rows, attachments: [] });
const check = (opened: Opened) =>
  database.store.as(actor, (session) => checkImport(session, inputOf(opened)), { rollback: true });
const problemsOf = async (opened: Opened) =>
  (await check(opened)).rows.flatMap(({ row, problems }) =>
    problems.map(({ column, message }) => [row, column, message]),
  );
const totalsOf = ({ content, rows, totalRows }: Opened) =>
  fileTotalsOf(content.kind, { rows, totalRows, mapping: content.mapping ?? {} });

const ATTACHMENT = {
  bucket: 'importerFiles',
  key: 'k',
  name: 'n',
  size: 1,
  type: 'text/csv',
  checksum: null,
} as const;
const importAll = async (opened: Opened): Promise<string> =>
  (await database.store.as(actor, (session) => importRows(session, { ...inputOf(opened), attachments: [ATTACHMENT] })))
    .id;

const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

async function marshLane() {
  await addFund('Marsh Lane Credit Fund II', 'EUR', { classes: CLASSES, externalCode: 'MLC-2E' });
  await addFund('Marsh Lane Credit Fund II (USD)', 'USD', { classes: CLASSES, externalCode: 'MLC-2U' });
  await addInvestor('Tern Pension Fund', 'TPF-01');
  await addInvestor('Müller, Frey & Co.', 'MFC-07');
  await addInvestor('Oak & Ash Family Office');
}

test('a register of commitments in two currencies and classes, with subtotals', async () => {
  await marshLane();
  const opened = await open(fixture('register-of-commitments.xlsx'), 'LPCommitments', {
    values: { currentDate: '2026-09-30' },
    valuesBy: { fundCode: { letters: 'C', values: { EUR: 'MLC-2E', USD: 'Marsh Lane Credit Fund II (USD)' } } },
  });
  expect(opened.missing).toEqual({});
  expect(await problemsOf(opened)).toEqual([]);
  expect(
    totalsOf(opened).map((total) => [total.label, total.column?.key, total.stated, agrees(total), total.currencies]),
  ).toEqual([
    ['Total Class A', 'defaultValue', '5250000.25', true, ['EUR']],
    ['Total Class A', 'currentCommitment', '5750000.25', true, ['EUR']],
    ['Total Class B', 'defaultValue', '1750000', true, ['USD']],
    ['Total Class B', 'currentCommitment', '1750000', true, ['USD']],
    ['Grand total', 'defaultValue', '7000000.25', true, ['EUR', 'USD']],
    ['Grand total', 'currentCommitment', '7500000.25', true, ['EUR', 'USD']],
  ]);
  const id = await importAll(opened);
  const stored = await database.query(
    `select l.title, c.class, c.currency, c.closing_date::text as closing, c.active_commitment::text as original, c.deltas
     from lp_commitments c join lps l on l.id = c.investor_lp_id where c.metadata ->> 'bulkActionCode' = $1 order by c.code`,
    [id],
  );
  expect(stored).toMatchObject([
    {
      title: 'Tern Pension Fund',
      class: 'A',
      currency: 'EUR',
      closing: '2025-03-31',
      original: '5000000',
      deltas: [{ date: '2026-09-30', amount: '500000' }],
    },
    {
      title: 'Müller, Frey & Co.',
      class: 'A',
      currency: 'EUR',
      closing: '2025-03-31',
      original: '250000.25',
      deltas: [],
    },
    { title: 'Tern Pension Fund', class: 'B', currency: 'USD', closing: '2025-06-30', original: '1000000', deltas: [] },
    { title: 'Oak & Ash Family Office', class: 'B', currency: 'USD', closing: '2025-06-30', original: '750000' },
  ]);
});

async function committed() {
  await addFund('Marsh Lane Credit Fund II', 'USD', { externalCode: 'MLC-2' });
  await addInvestor('Tern Pension Fund', 'TPF-01');
  await addInvestor('Müller, Frey & Co.', 'MFC-07');
  await addInvestor('Oak & Ash Family Office');
  const rows = ['Tern Pension Fund', 'MFC-07', 'oak & ash  family office'].map((investorCode, index) => ({
    file: 0,
    row: index + 2,
    cells: {
      investorType: 'LP',
      investorCode,
      fundCode: 'MLC-2',
      currency: 'USD',
      date: '2025-01-31',
      defaultValue: '5000000',
    },
  }));
  await database.store.as(actor, (session) =>
    importRows(session, { kind: 'LPCommitments', status: 'Active', rows, attachments: [ATTACHMENT] }),
  );
}

test('NAVs with one column for each quarter', async () => {
  await committed();
  const opened = await open(fixture('nav-by-quarter.xlsx'), 'navs', {
    values: { fundCode: 'Marsh Lane Credit Fund II', currency: 'USD' },
  });
  expect(opened.missing).toEqual({});
  expect(opened.rows.map(({ source, cells }) => [source, cells.investorCode, cells.date, cells.defaultValue])).toEqual([
    ['B3', 'Tern Pension Fund', '2026-03-31', '4810250.1'],
    ['C3', 'Tern Pension Fund', '2026-06-30', '4925000'],
    ['D3', 'Tern Pension Fund', '2026-09-30', '5010000.45'],
    ['C4', 'Oak & Ash Family Office', '2026-06-30', '702000.5'],
    ['D4', 'Oak & Ash Family Office', '2026-09-30', '-1250.00'],
  ]);
  expect(await problemsOf(opened)).toEqual([]);
  expect(totalsOf(opened).map(({ of, difference, source }) => [source, of, difference])).toEqual([
    ['B5', '2026-03-31', '0'],
    ['C5', '2026-06-30', '0'],
    ['D5', '2026-09-30', '1250'],
  ]);
  const id = await importAll(opened);
  expect(
    await database.query(
      `select cut_off_date::text as date, sum(net)::text as sum, count(*)::int as count from navs
       where metadata ->> 'bulkActionCode' = $1 group by 1 order by 1`,
      [id],
    ),
  ).toEqual([
    { date: '2026-03-31', sum: '4810250.1', count: 1 },
    { date: '2026-06-30', sum: '5627000.5', count: 2 },
    { date: '2026-09-30', sum: '5008750.45', count: 2 },
  ]);
});

test('calls with one column for each purpose, and a name that is confirmed once', async () => {
  await committed();
  const read = () =>
    open(fixture('capital-calls.csv'), 'contributions', { values: { fundCode: 'MLC-2', currency: 'USD' } });
  const opened = await read();
  expect(opened.missing).toEqual({});
  expect(
    (await check(opened)).rows.flatMap(({ row, problems }) =>
      problems.map(({ column, reason }) => [row, column, reason?.code]),
    ),
  ).toEqual([[3, 'investorCode', 'uncertainName']]);
  const text = 'Müller Frey & Co';
  const candidates = await database.store.as(actor, (session) =>
    candidatesFor(session, { managerId, collection: 'LPs', texts: [text] }),
  );
  const [likely] = candidates.get(text) ?? [];
  expect(likely).toMatchObject({ title: 'Müller, Frey & Co.', externalCode: 'MFC-07' });
  await database.store.as(actor, (session) =>
    rememberNames(session, [{ collection: 'LPs', text, code: likely?.code ?? 0 }]),
  );
  const again = await read();
  const checked = await check(again);
  expect(checked.rows.flatMap(({ problems }) => problems)).toEqual([]);
  expect(checked.references).toContainEqual(
    expect.objectContaining({ code: text, title: 'Müller, Frey & Co.', isRemembered: true }),
  );
  const id = await importAll(again);
  expect(
    await database.query(
      `select count(*)::int as count, sum(amount)::text as total, min(cut_off_date)::text as "cutOff", max(due_date)::text as due
       from contributions where metadata ->> 'bulkActionCode' = $1`,
      [id],
    ),
  ).toEqual([{ count: 3, total: '135372.43', cutOff: '2026-09-01', due: '2026-09-15' }]);
  expect(
    await database.query(
      `select p ->> 'kind' as kind, sum((p ->> 'amount')::numeric)::text as sum from contributions, jsonb_array_elements(purposes) p
       where metadata ->> 'bulkActionCode' = $1 group by 1 order by 1`,
      [id],
    ),
  ).toEqual([
    { kind: 'fundExpenses', sum: '372.30' },
    { kind: 'investments', sum: '120000.13' },
    { kind: 'managementFee', sum: '15000' },
  ]);
});

test('investors with their bank accounts: one row has two errors, and the others are right', async () => {
  const opened = await open(fixture('investors-and-banks.csv'), 'LPs', {
    valuesBy: {
      formalId: {
        letters: 'B',
        values: {
          'Tern Pension Fund': 'HRB 1',
          "Prairie Teachers' Retirement (Plan B)": '47-1',
          'Sjö Kapital AB': '556-1',
          'Maison Bleue': 'CHE-1',
        },
      },
    },
  });
  expect(opened.missing).toEqual({});
  expect(totalsOf(opened).map(({ label, stated, sum, difference }) => [label, stated, sum, difference])).toEqual([
    ['Count: 4', '4', '4', '0'],
  ]);
  expect(await problemsOf(opened)).toEqual([
    [6, 'contact.email', 'Write an email address'],
    [6, 'bank.ibanOrAccount', 'This is not a valid IBAN. Check its digits and length.'],
  ]);
  const id = await importAll({
    ...opened,
    rows: opened.rows.map((row) =>
      row.row === 6
        ? {
            ...row,
            cells: {
              ...row.cells,
              'contact.email': 'x@bleue.example',
              'bank.ibanOrAccount': 'CH93 0076 2011 6238 5295 7',
            },
          }
        : row,
    ),
  });
  expect(
    await database.query(
      `select l.title, e.country, e.banks -> 0 ->> 'IBAN' as iban, e.banks -> 0 ->> 'accountNumber' as account, l.code
       from lps l join entities e on e.id = l.entity_id where l.metadata ->> 'bulkActionCode' = $1 order by l.code`,
      [id],
    ),
  ).toMatchObject([
    { country: 'DE', iban: 'DE89370400440532013000' },
    { country: 'US', iban: null, account: '000123456789' },
    { country: 'SE', iban: 'SE4550000000058398257466' },
    { country: 'CH', iban: 'CH9300762011623852957' },
  ]);
});

/** A fund in each currency, its classes, and the investors; with commitments to both if they are asked for. */
async function harbour({ isCommitted = true, classes = [] as typeof CLASSES } = {}) {
  await addFund('Harbour EUR', 'EUR', { externalCode: 'H-EUR', classes });
  await addFund('Harbour USD', 'USD', { externalCode: 'H-USD', classes });
  await addInvestor('Tern Pension Fund', 'TPF-01');
  await addInvestor('Müller, Frey & Co.', 'MFC-07');
  await addInvestor('Oak & Ash Family Office');
  if (!isCommitted) return;
  const keys = classes.length === 0 ? [''] : classes.map(({ uniqueKey }) => uniqueKey);
  const rows = ['EUR', 'USD'].flatMap((currency) =>
    ['TPF-01', 'MFC-07', 'Oak & Ash Family Office'].flatMap((investorCode) =>
      keys.map((fundClassCode) => ({ investorCode, fundClassCode, currency, fundCode: `H-${currency}` })),
    ),
  );
  await database.store.as(actor, (session) =>
    importRows(session, {
      kind: 'LPCommitments',
      status: 'Active',
      rows: rows.map((cells, index) => ({
        file: 0,
        row: index + 2,
        cells: { ...cells, investorType: 'LP', date: '2025-01-31', defaultValue: '1000000' },
      })),
      attachments: [ATTACHMENT],
    }),
  );
}
const storedBy = (id: string, sql: string) =>
  database.query(`${sql} where t.metadata ->> 'bulkActionCode' = $1 order by t.code`, [id]);
const OF_LP = 'join lps l on l.id = t.investor_lp_id';
const differences = (opened: Opened) => totalsOf(opened).map(({ label, difference }) => [label, difference]);

test('a German register: title, classes, subtotals and decimal commas', async () => {
  await harbour({ isCommitted: false, classes: CLASSES });
  const opened = await open(fixture('zeichnungsregister.csv'), 'LPCommitments', { values: { fundCode: 'H-EUR' } });
  expect(opened.missing).toEqual({});
  expect(differences(opened)).toEqual([
    ['Zwischensumme Klasse A', '0'],
    ['Zwischensumme Klasse B', '0'],
    ['Gesamt', '0'],
  ]);
  expect(await problemsOf(opened)).toEqual([]);
  const id = await importAll(opened);
  expect(
    await storedBy(
      id,
      `select l.title, t.class, t.closing_date::text as date, t.active_commitment::text as sum from lp_commitments t ${OF_LP}`,
    ),
  ).toEqual([
    { title: 'Tern Pension Fund', class: 'A', date: '2025-03-31', sum: '1250000.5' },
    { title: 'Müller, Frey & Co.', class: 'A', date: '2025-04-30', sum: '250000' },
    { title: 'Oak & Ash Family Office', class: 'B', date: '2025-06-30', sum: '99999.5' },
  ]);
});

test('a French call, whose grand total is wrong by ten centimes', async () => {
  await harbour();
  const opened = await open(fixture('appel-de-fonds.csv'), 'contributions', {
    values: { fundCode: 'Harbour EUR', currency: 'EUR' },
    written: { dayFirst: true, decimal: ',' },
  });
  expect(opened.missing).toEqual({});
  expect(await problemsOf(opened)).toEqual([]);
  expect(totalsOf(opened).map(({ column, difference }) => [column?.key, difference])).toEqual([
    ['defaultValue', '-0.1'],
    ['keyValues.investments', '0'],
    ['keyValues.managementFee', '0'],
  ]);
  const id = await importAll(opened);
  expect(
    await storedBy(
      id,
      `select l.title, t.amount::text as sum, t.cut_off_date::text as date, t.due_date::text as due from contributions t ${OF_LP}`,
    ),
  ).toEqual([
    { title: 'Tern Pension Fund', sum: '1125.1', date: '2026-09-01', due: '2026-09-15' },
    { title: 'Oak & Ash Family Office', sum: '2250', date: '2026-09-01', due: '2026-09-15' },
  ]);
});

test('a Spanish register of values with one column for each quarter', async () => {
  await harbour();
  const opened = await open(fixture('valor-trimestral.csv'), 'navs', {
    values: { fundCode: 'H-EUR', currency: 'EUR' },
  });
  expect(opened.missing).toEqual({});
  expect(await problemsOf(opened)).toEqual([]);
  expect(totalsOf(opened).map(({ of, difference }) => [of, difference])).toEqual([
    ['2026-03-31', '0'],
    ['2026-06-30', '0'],
    ['2026-09-30', '0'],
  ]);
  const id = await importAll(opened);
  expect(await storedBy(id, `select t.cut_off_date::text as date, t.net::text as net from navs t`)).toEqual([
    { date: '2026-03-31', net: '100.25' },
    { date: '2026-09-30', net: '-7.25' },
    { date: '2026-03-31', net: '200' },
    { date: '2026-06-30', net: '210' },
    { date: '2026-09-30', net: '220.5' },
  ]);
});

test('people by their full names, with their organizations and roles by name', async () => {
  await harbour({ isCommitted: false });
  await database.store.as(SYSTEM, async ({ em }) => {
    em.create(Role, { id: newId(), managerId, title: 'Investor', level: 20, permissions: [] });
  });
  const opened = await open(fixture('people.csv'), 'users');
  expect(opened.missing).toEqual({});
  expect(await problemsOf(opened)).toEqual([]);
  const id = await importAll(opened);
  expect(
    await storedBy(
      id,
      `select t.first_name as first, t.last_name as last, l.title, r.title as role from users t join lps l on l.id = t.lp_id left join roles r on r.id = t.role_id`,
    ),
  ).toEqual([
    { first: 'Ann', last: 'Berg', title: 'Tern Pension Fund', role: 'Investor' },
    { first: 'Bo', last: 'Lind', title: 'Tern Pension Fund', role: 'Investor' },
    { first: 'Cleo Maria', last: 'van der Oak', title: 'Oak & Ash Family Office', role: 'Investor' },
  ]);
  const wrong = await open(fixture('people.csv'), 'users', { mapping: { role: 'A' } });
  expect((await problemsOf(wrong)).map(([row, column]) => [row, column])).toContainEqual([2, 'role']);
});

test('one column for each class', async () => {
  await harbour({ classes: CLASSES });
  const opened = await open(fixture('nav-by-class.csv'), 'navs', {
    turn: { letters: ['C', 'D'], head: 'fundClassCode' },
    values: { fundCode: 'H-EUR', currency: 'EUR' },
  });
  expect(opened.missing).toEqual({});
  expect(await problemsOf(opened)).toEqual([]);
  expect(totalsOf(opened).map(({ of, difference }) => [of, difference])).toEqual([
    ['Class A', '0'],
    ['Class B', '0'],
  ]);
  const id = await importAll(opened);
  expect(await storedBy(id, 'select t.class, t.cut_off_date::text as date, t.net::text as net from navs t')).toEqual([
    { class: 'A', date: '2026-06-30', net: '10.5' },
    { class: 'B', date: '2026-06-30', net: '20' },
    { class: 'A', date: '2026-09-30', net: '11' },
  ]);
});

test('one column for each investor, by external code and by name', async () => {
  await harbour();
  const opened = await open(fixture('nav-by-investor.csv'), 'navs', {
    turn: { letters: ['B', 'C'], head: 'investorCode' },
    values: { fundCode: 'H-USD', currency: 'USD' },
  });
  expect(opened.missing).toEqual({});
  expect(await problemsOf(opened)).toEqual([]);
  const id = await importAll(opened);
  expect(await storedBy(id, `select l.title, t.net::text as net from navs t ${OF_LP}`)).toEqual([
    { title: 'Tern Pension Fund', net: '100' },
    { title: 'Oak & Ash Family Office', net: '200' },
    { title: 'Tern Pension Fund', net: '110' },
    { title: 'Oak & Ash Family Office', net: '195.75' },
  ]);
});

test('distributions in two currencies with a total for each at the end', async () => {
  await harbour();
  const opened = await open(fixture('distributions.csv'), 'distributions', {
    mapping: { callName: 'A' },
    valuesBy: { fundCode: { letters: 'C', values: { EUR: 'H-EUR', USD: 'H-USD' } } },
  });
  expect(opened.missing).toEqual({});
  expect(await problemsOf(opened)).toEqual([]);
  expect(totalsOf(opened).map(({ label, column, difference }) => [label, column?.key, difference])).toEqual([
    ['Total EUR', 'defaultValue', '0'],
    ['Total EUR', 'keyValues.principal', '0'],
    ['Total EUR', 'keyValues.INTEREST', '0'],
    ['Total USD', 'defaultValue', '10'],
    ['Total USD', 'keyValues.principal', '0'],
  ]);
  const id = await importAll(opened);
  expect(
    await storedBy(id, `select l.title, t.currency, t.total_distributed::text as sum from distributions t ${OF_LP}`),
  ).toEqual([
    { title: 'Tern Pension Fund', currency: 'EUR', sum: '1050.5' },
    { title: 'Müller, Frey & Co.', currency: 'EUR', sum: '250' },
    { title: 'Oak & Ash Family Office', currency: 'USD', sum: '500' },
  ]);
});

test('investors without codes of their own, with ABA numbers and external codes; the count of the file is wrong', async () => {
  const opened = await open(fixture('us-investors.csv'), 'LPs');
  expect(opened.missing).toEqual({});
  expect(await problemsOf(opened)).toEqual([]);
  expect(differences(opened)).toEqual([['Number of investors: 3', '1']]);
  const id = await importAll(opened);
  expect(
    await storedBy(
      id,
      `select t.title, t.external_code as external, e.banks -> 0 ->> 'accountNumber' as account, e.banks -> 0 ->> 'abaOrRouting' as aba,
         e.contacts -> 0 ->> 'email' as email from lps t join entities e on e.id = t.entity_id`,
    ),
  ).toEqual([
    {
      title: 'Cedar Retirement System',
      external: 'CRS-1',
      account: '0000998877',
      aba: '021000021',
      email: 'ops@cedar.example',
    },
    { title: 'Birch Trust', external: 'BT-2', account: '5544', aba: '011000015', email: null },
  ]);
});

test('headings between the investors are no records, and a subtotal that is wrong is named', async () => {
  await harbour({ isCommitted: false, classes: CLASSES });
  const opened = await open(fixture('register-with-headings.csv'), 'LPCommitments', { values: { fundCode: 'H-EUR' } });
  expect(opened.headings).toEqual([2, 5]);
  expect(differences(opened)).toEqual([
    ['Total Class A', '0'],
    ['Total Class B', '5'],
    ['Grand total', '5'],
  ]);
  expect(await problemsOf(opened)).toEqual([]);
  const id = await importAll(opened);
  expect(await storedBy(id, 'select t.class, t.active_commitment::text as sum from lp_commitments t')).toEqual([
    { class: 'A', sum: '100' },
    { class: 'B', sum: '50' },
  ]);
});

test('an amount of a register is not taken for the commitment by its name', async () => {
  const opened = await open(fixture('amount-of-what.csv'), 'LPCommitments', { values: { fundCode: '1' } });
  expect(opened.missing).toEqual({ defaultValue: 'is required: choose the column of the file' });
});

test('two identifications that mean two investors are refused, and a code that names nothing does not give way to a name', async () => {
  await harbour({ isCommitted: false });
  const row = (cells: Record<string, string>) => ({
    file: 0,
    row: 2,
    cells: { investorType: 'LP', fundCode: 'H-EUR', currency: 'EUR', date: '2025-01-31', defaultValue: '1', ...cells },
  });
  const problems = async (cells: Record<string, string>) => {
    const input = { kind: 'LPCommitments' as const, rows: [row(cells)], attachments: [] };
    const { rows } = await database.store.as(actor, (session) => checkImport(session, input), { rollback: true });
    return rows.flatMap((one) => one.problems.map(({ column, message }) => [column, message]));
  };
  expect(await problems({ investorCode: 'Oak & Ash Family Office', investorAlso: 'TPF-01' })).toEqual([
    ['investorAlso', 'is the code of Tern Pension Fund, and not of Oak & Ash Family Office'],
  ]);
  expect(await problems({ investorCode: '99', investorAlso: 'Tern Pension Fund' })).toEqual([
    ['investorCode', 'is not the code of an LP'],
  ]);
  expect(await problems({ investorCode: 'Tern Pensions', investorAlso: 'tpf-01' })).toEqual([]);
  expect(await problems({ investorAlso: 'F-Tern Pension Fund' })).toEqual([]);
  await database.store.as(actor, (session) =>
    createLP(
      session,
      lpCreateSchema.parse({
        title: 'Tern Pension Fund',
        externalCode: 'TPF-02',
        entity: { name: 'Tern Pension Fund', formalId: 'F-2', nationality: { country: 'DK' } },
      }),
    ),
  );
  expect(await problems({ investorCode: 'Tern Pension Fund', investorAlso: 'TPF-02' })).toEqual([]);
  expect(await problems({ investorCode: 'Tern Pension Fund', investorAlso: 'MFC-07' })).toEqual([
    ['investorAlso', 'is the code of Müller, Frey & Co., and not of Tern Pension Fund'],
  ]);
});

test('a name that two investors have is asked for, and another manager’s answer is not used', async () => {
  await harbour({ isCommitted: false });
  const twin = await database.store.as(actor, (session) =>
    createLP(
      session,
      lpCreateSchema.parse({
        title: 'Tern Pension Fund',
        entity: { name: 'Tern Pension Fund', formalId: 'F-2', nationality: { country: 'DK' } },
      }),
    ),
  );
  const cells = {
    investorType: 'LP',
    investorCode: 'Tern Pension Fund',
    fundCode: 'H-EUR',
    currency: 'EUR',
    date: '2025-01-31',
    defaultValue: '1',
  };
  const codes = async () => {
    const input = { kind: 'LPCommitments' as const, rows: [{ file: 0, row: 2, cells }], attachments: [] };
    const { rows, references } = await database.store.as(actor, (session) => checkImport(session, input), {
      rollback: true,
    });
    const named = references.find(({ column }) => column === 'investorCode');
    return [rows[0]?.problems.map(({ reason }) => reason?.code), named?.id ?? null];
  };
  expect(await codes()).toEqual([['severalNamed'], null]);
  const match = { collection: 'LPs', text: '  TERN pension  fund', code: twin.code } as const;
  const others = await database.store.as(SYSTEM, (session) => makeTenant(session));
  const stranger = testActor({ type: 'manager', managerId: others.managerId });
  await expect(database.store.as(stranger, (session) => rememberNames(session, [match]))).rejects.toMatchObject({
    message: expect.stringContaining('is not the code of an LP'),
  });
  await database.store.as(stranger, (session) => rememberNames(session, [{ ...match, code: 1 }]));
  expect(await codes()).toEqual([['severalNamed'], null]);
  await database.store.as(actor, (session) => rememberNames(session, [match]));
  expect(await codes()).toEqual([[], twin.id]);
  await database.store.as(actor, (session) => forgetName(session, match));
  expect(await codes()).toEqual([['severalNamed'], null]);
});

test('a name is found as it is stored, also with letters and spaces that are compared as others', async () => {
  const title = 'FONDO Nº 5  Ärzte';
  await addFund(title, 'EUR');
  await harbour({ isCommitted: false });
  const row = (fundCode: string) => ({
    file: 0,
    row: 2,
    cells: {
      investorType: 'LP',
      investorCode: 'TPF-01',
      fundCode,
      currency: 'EUR',
      date: '2025-01-31',
      defaultValue: '1',
    },
  });
  const input = { kind: 'LPCommitments' as const, rows: [row(title), row(title.toLowerCase())], attachments: [] };
  const { references } = await database.store.as(actor, (session) => checkImport(session, input), { rollback: true });
  expect(references.filter(({ column }) => column === 'fundCode').map((one) => [one.code, one.title])).toEqual([
    [title, title],
    [title.toLowerCase(), title],
  ]);
});

test('the last answer for a name is remembered, and names that are too many, too long or empty are refused', async () => {
  await harbour({ isCommitted: false });
  const remember = (matches: Parameters<typeof rememberNames>[1]) =>
    database.store.as(actor, (session) => rememberNames(session, matches));
  const lps = await database.query<{ code: number; title: string }>(
    'select code, title from lps where manager_id = $1 order by code',
    [managerId],
  );
  const [first, second] = lps.slice(-2).map(({ code }) => code);
  if (first === undefined || second === undefined) throw new Error('no investors');
  const of = (count: number, code: number) =>
    Array.from({ length: count }, (_, index) => ({ collection: 'LPs' as const, text: `Name ${index}`, code }));
  await remember([...of(49, first), { collection: 'LPs', text: 'name 0 ', code: second }]);
  await remember(of(3, second).slice(1));
  const stored = await database.query(
    `select l.code, count(*)::int as count from import_names n join lps l on l.id = n.lp_id
     where n.manager_id = $1 group by l.code order by l.code`,
    [managerId],
  );
  expect(stored).toEqual([
    { code: first, count: 46 },
    { code: second, count: 3 },
  ]);
  await expect(remember(of(51, first))).rejects.toMatchObject({ message: 'Match at most 50 names at once' });
  // One letter that is compared as eighteen.
  for (const text of [' ', '\ufdfa'.repeat(1_000)])
    await expect(remember([{ collection: 'LPs', text, code: first }])).rejects.toMatchObject({
      message: 'A name has 1 to 1000 characters',
    });
});

test('a blocked investor is neither a candidate nor named in a refusal, and a colleague’s match to it is replaced', async () => {
  await harbour({ isCommitted: false });
  const [tern] = await database.query<{ id: string; code: number }>(
    `select id, code from lps where external_code = 'TPF-01' and manager_id = $1`,
    [managerId],
  );
  if (!tern) throw new Error('no investor');
  const text = 'Tern Pensions';
  const match = { collection: 'LPs', text, code: tern.code } as const;
  await database.store.as(actor, (session) => rememberNames(session, [match]));
  const colleague = testActor({
    type: 'manager',
    managerId,
    userId: actor.userId,
    blockedDocuments: [`LPs/${tern.id}`],
  });
  const checkAs = async (named: Record<string, string>) => {
    const cells = { investorType: 'LP', fundCode: 'H-EUR', currency: 'EUR', date: '2025-01-31', defaultValue: '1' };
    const rows = [{ file: 0, row: 2, cells: { ...cells, ...named } }];
    const input = { kind: 'LPCommitments' as const, rows, attachments: [] };
    return JSON.stringify(
      await database.store.as(colleague, (session) => checkImport(session, input), { rollback: true }),
    );
  };
  for (const name of [text, 'Tern Pension Fund', 'TPF-01', 'F-Tern Pension Fund', String(tern.code)]) {
    const answer = await checkAs({ investorCode: name, investorAlso: 'MFC-07' });
    expect([name, answer.includes('Tern Pension Fund'), answer.includes(tern.id)]).toEqual([name, false, false]);
  }
  const texts = [text, 'TPF-01', 'Tern Pension Fund'];
  const found = await database.store.as(colleague, (session) =>
    candidatesFor(session, { managerId, collection: 'LPs', texts }),
  );
  expect([...found.values()].flat().filter(({ title }) => title === 'Tern Pension Fund')).toEqual([]);
  await expect(database.store.as(colleague, (session) => rememberNames(session, [match]))).rejects.toMatchObject({
    message: `${tern.code} is not the code of an LP`,
  });
  const [other] = await database.query<{ code: number }>(
    `select code from lps where external_code = 'MFC-07' and manager_id = $1`,
    [managerId],
  );
  await database.store.as(colleague, (session) => rememberNames(session, [{ ...match, code: other?.code ?? 0 }]));
  expect(await checkAs({ investorCode: text })).toContain('"isRemembered":true');
});

test('an import that was accepted keeps the codes that its names stood for', async () => {
  await harbour({ isCommitted: false });
  const opened = await open(fixture('us-investors.csv'), 'LPs');
  expect(opened.rows).toHaveLength(2);
  const rows = [
    {
      file: 0,
      row: 2,
      cells: {
        investorType: 'LP',
        investorCode: 'MFC-07',
        fundCode: 'harbour eur',
        currency: 'EUR',
        date: '2025-01-31',
        defaultValue: '1',
      },
    },
  ];
  const input = { kind: 'LPCommitments' as const, rows, attachments: [ATTACHMENT] };
  const { id } = await database.store.as(actor, (session) => acceptImport(session, input));
  const [stored] = await database.query<{ cells: Record<string, string> }>(
    `select rows -> 0 -> 'cells' as cells from imports where id = $1`,
    [id],
  );
  expect(stored?.cells.investorCode).toMatch(/^\d+$/);
  expect(stored?.cells.fundCode).toMatch(/^\d+$/);
  const unclear = { ...input, rows: [{ ...rows[0]!, cells: { ...rows[0]!.cells, investorCode: 'Mueller' } }] };
  await expect(database.store.as(actor, (session) => acceptImport(session, unclear))).rejects.toMatchObject({
    message: expect.stringContaining('is not exactly the name of an LP'),
  });
});

test('an accepted code is not read as the external code of another record', async () => {
  await harbour({ isCommitted: false });
  const roleId = newId();
  const userId = newId();
  const assoc = { manager: { id: managerId } };
  const person = { firstName: 'Mia', lastName: 'Holt', email: `${userId}@example.test`, status: 'Active' };
  await database.store.as(SYSTEM, async ({ em }) => {
    em.create(Role, {
      id: roleId,
      managerId,
      title: 'Operations',
      level: 4,
      permissions: ['importer/write', 'LPs/commitments/write'],
    });
    em.create(User, { ...person, id: userId, type: 'manager', assoc, managerId, roleId });
  });
  const [tern] = await database.query<{ code: number }>(
    `select code from lps where external_code = 'TPF-01' and manager_id = $1`,
    [managerId],
  );
  const code = String(tern?.code);
  const birch = await addInvestor('Birch Trust', code);
  await database.store.as(actor, (session) =>
    rememberNames(session, [{ collection: 'LPs', text: code, code: birch.code }]),
  );
  const cells = {
    investorType: 'LP',
    investorCode: 'Tern Pension Fund',
    fundCode: 'H-EUR',
    currency: 'EUR',
    date: '2025-01-31',
    defaultValue: '1',
  };
  const input = { kind: 'LPCommitments' as const, rows: [{ file: 0, row: 2, cells }], attachments: [ATTACHMENT] };
  const { id } = await database.store.as({ ...actor, userId }, (session) => acceptImport(session, input));
  await writeImport(database.store, id, async () => undefined);
  expect(await storedBy(id, `select l.title from lp_commitments t ${OF_LP}`)).toEqual([{ title: 'Tern Pension Fund' }]);
});

test('among thousands of investors, a name is compared with those that have a word like it', async () => {
  await addInvestor('Müller, Frey & Co.', 'MFC-07');
  await database.store.as(SYSTEM, ({ query }) =>
    query(
      `insert into lps (id, manager_id, title, entity_id)
       select lpad(to_hex(n), 24, '0'), $1::text, 'Fjord Pension Scheme ' || n, (select entity_id from lps where manager_id = $1::text order by code limit 1)
       from generate_series(1, 2100) n`,
      [managerId],
    ),
  );
  const texts = ['Mueller Frey', 'Müller Frey & Co', 'mfc-07', 'Fjord Pensions Scheme 2099'];
  const found = await database.store.as(actor, (session) =>
    candidatesFor(session, { managerId, collection: 'LPs', texts }),
  );
  expect(texts.slice(0, 3).map((text) => found.get(text)?.[0]?.title)).toEqual([
    'Müller, Frey & Co.',
    'Müller, Frey & Co.',
    'Müller, Frey & Co.',
  ]);
  expect(found.get('Fjord Pensions Scheme 2099')?.length).toBe(5);
});
