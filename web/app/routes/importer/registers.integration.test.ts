import { fileURLToPath } from 'node:url';
import { createFund } from '@tapeline/db/operations/funds/change-funds.ts';
import { checkImport, importRows } from '@tapeline/db/operations/importer/imports.ts';
import { candidatesFor, rememberNames } from '@tapeline/db/operations/importer/names.ts';
import { createLP } from '@tapeline/db/operations/investors/investors.ts';
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
  const turn = suggestTurn(kind, sheet);
  const table = turn ? turned(kind, sheet, turn) : sheet;
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
    totalsOf(opened).map((total) => [total.label, total.column?.key, total.own, agrees(total), total.currencies]),
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
    { kind: 'managementFee', sum: '15000.00' },
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
  expect(totalsOf(opened).map(({ label, own, sum, difference }) => [label, own, sum, difference])).toEqual([
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
