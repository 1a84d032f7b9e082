import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMapping, saveMappingVersion } from '@tapeline/db/operations/mappings/mappings.ts';
import { MAX_DICTIONARY_TAPES } from '@tapeline/db/operations/tapes/dictionary-tapes.ts';
import { beginGeneration, publishGeneration } from '@tapeline/db/operations/tapes/generations.ts';
import { createTape, removeTape } from '@tapeline/db/operations/tapes/tapes.ts';
import { type Session, SYSTEM } from '@tapeline/db/store.ts';
import { testActor } from '@tapeline/db/testing/actors.ts';
import { makeTenant, type TestTenant } from '@tapeline/db/testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '@tapeline/db/testing/test-store.ts';
import { PERMISSION_KEYS, type UserActor } from '@tapeline/domain/people/actor.ts';
import type { DictionaryLine } from '@tapeline/domain/tapes/data-dictionary.ts';
import type { SheetShape } from '@tapeline/domain/tapes/generation.ts';
import { parseMapping } from '@tapeline/domain/tapes/mapping.schema.ts';
import type { RuleInput } from '@tapeline/domain/tapes/rule.schema.ts';
import { describeSteps } from '@tapeline/domain/tapes/rule-words.ts';
import { type Lake, openLake, quoteText } from '@tapeline/lake/lake.ts';
import { openFileStore } from '@tapeline/lake/storage/file-store.ts';
import type { ObjectStore } from '@tapeline/lake/storage/object-store.ts';
import { keepSheetShape } from '@tapeline/lake/storage/sheet-shape.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dataDictionary } from './data-dictionary.server.ts';

let folder: string;
let database: TestDatabase;
let objects: ObjectStore;
let lake: Lake;
let tenant: TestTenant;
let other: TestTenant;

const asSystem = <T>(work: (session: Session) => Promise<T>) => database.store.as(SYSTEM, work);
const manager = (fields: Partial<UserActor> = {}) =>
  testActor({ type: 'manager', managerId: tenant.managerId, ...fields });

const RULES: readonly RuleInput[] = [
  { originCol: 'Loan ID', targetCol: 'assetId', checks: ['Mandatory', 'Unique'], serializations: [{ type: 'text' }] },
  { originCol: 'Saldo', targetCol: 'sums.outstandingSum', serializations: [{ type: 'SerializedSum' }] },
  { originCol: 'Days', targetCol: 'daysPastDue', onUnreadable: 'empty', serializations: [{ type: 'number' }] },
  {
    originCol: null,
    targetCol: 'ratio',
    serializations: [{ type: 'calculate', formula: 'Days / [Allowed days]' }],
  },
  {
    originCol: null,
    targetCol: 'lender',
    // biome-ignore lint/suspicious/noThenProperty: `then` is part of the contract
    serializations: [{ type: 'ifStatement', filter: {}, then: 'Alder' }, { type: 'text' }],
  },
];
const NEXT_RULES = RULES.map((rule) => (rule.originCol === 'Saldo' ? { ...rule, originCol: 'Balance' } : rule));
const body = (rules: readonly RuleInput[]) =>
  parseMapping({ rules, loanTapeSheetName: 'Loans', primaryCurrency: 'EUR' });

/** The assets of a tape as SQL, with the columns that `RULES` make: 4 of them, 3 with a balance, none with a ratio. */
const ASSETS = `SELECT i::INTEGER AS "row", (i - 2)::INTEGER AS "sequenceIndex", 'L-' || i AS "assetId",
    CASE WHEN i > 2 THEN 1000.5 + i END::DECIMAL(18,4) AS "sums.outstandingSum",
    CASE WHEN i > 2 THEN 'EUR' END AS "sums.outstandingSum.currency", 0::DOUBLE AS "daysPastDue",
    NULL::DOUBLE AS "customFields.ratio", 'Alder' AS "customFields.lender" FROM range(2, 6) AS given (i)`;
const COLUMNS = [
  ...['row', 'sequenceIndex', 'assetId', 'sums.outstandingSum', 'sums.outstandingSum.currency', 'daysPastDue'],
  ...['customFields.ratio', 'customFields.lender'],
];
const CUSTOM_FIELDS = [
  { path: 'ratio', kind: 'number' },
  { path: 'lender', kind: 'text' },
] as const;

interface TapeGiven {
  readonly companyId: string;
  readonly mappingId: string;
  readonly cutOffDate: string;
  readonly name: string;
  /** Null for a tape whose shape is not stored. */
  readonly columns: readonly string[] | null;
}

async function publish({ companyId, mappingId, cutOffDate, name, columns }: TapeGiven): Promise<string> {
  const { tapeId, attempt } = await asSystem(async (session) => {
    const attachment = { bucket: 'loanTapes', key: name, name, size: 1, type: 'text/csv', checksum: null } as const;
    const money = { mainCurrency: 'EUR', exchangeRates: { EUR: '1' }, calculateBB: false };
    const tape = await createTape(session, { companyId, cutOffDate, mappingId, attachment, ...money });
    return { tapeId: tape.id, attempt: await beginGeneration(session, { tapeId: tape.id }) };
  });
  const file = join(folder, `${tapeId}.parquet`);
  await lake.connected((connection) => connection.run(`COPY (${ASSETS}) TO ${quoteText(file)} (FORMAT parquet)`));
  const assets = `${attempt.objectPrefix}assets.parquet`;
  await objects.putFile(assets, file);
  if (columns) {
    const shape: SheetShape = { sheetName: 'Loans', headerRow: 1, epoch: 1900, batchRows: 10, columns: [...columns] };
    await keepSheetShape(objects, attempt, shape);
  }
  await asSystem((session) =>
    publishGeneration(session, {
      ...attempt,
      tapeId,
      manifest: { assets: [assets], errored: [], columns: COLUMNS, customFields: [...CUSTOM_FIELDS] },
      counts: { dataRows: 4, assets: 4, errored: 0, discarded: 0, blankRows: 0 },
      statistics: { assetsStatuses: [], sum: [], outstandingSum: [] },
    }),
  );
  return tapeId;
}

let companyId: string;
let mappings: { first: string; second: string };
const tapes: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dictionary-'));
  database = await createTestDatabase();
  objects = await openFileStore({ home: folder, appSecret: 'only for tests', publicUrl: 'http://localhost' });
  lake = await openLake({ threads: 1 });
  [tenant, other] = await asSystem(async (session) => [await makeTenant(session), await makeTenant(session)]);
  companyId = tenant.companies[0]!.id;
  // The tenant's own tape was published without a sheet.
  await asSystem((session) => removeTape(session, { id: tenant.companies[0]!.tapeId }));
  mappings = await asSystem(async (session) => {
    const first = await createMapping(session, { companyId, body: body(RULES) });
    const changed = { id: first.id, mappingVersion: 1, body: body(NEXT_RULES) };
    return { first: first.id, second: (await saveMappingVersion(session, changed)).id };
  });
  const months = [
    { cutOffDate: '2026-08-31', name: 'august.xlsx', mappingId: mappings.first, columns: ['Loan ID', 'Saldo', 'Memo'] },
    { cutOffDate: '2026-09-30', name: 'september.xlsx', mappingId: mappings.second, columns: ['LOAN id', 'Balance'] },
    {
      ...{ cutOffDate: '2026-10-31', name: 'october.xlsx', mappingId: mappings.second },
      columns: ['Loan id', 'Balance', 'Allowed days', 'Branch', 'Days'],
    },
  ];
  for (const month of months) tapes.push(await publish({ companyId, ...month }));
});
afterAll(async () => {
  lake?.close();
  await objects?.close();
  await database?.close();
  await rm(folder, { recursive: true, force: true });
});

const ask = (actor: UserActor, of = companyId) =>
  dataDictionary(
    {
      context: { lake, objects },
      db: (work) => database.store.as(actor, work),
      signal: new AbortController().signal,
    },
    of,
  );

/** The lines with what a reader looks for first. */
const linesOf = async (actor: UserActor) =>
  (await ask(actor)).lines.map(({ column, use, field, onLastTape, mapping, first, last }) =>
    [
      column ?? '(none)',
      use,
      field?.path ?? '-',
      onLastTape ? `${onLastTape.filled}/${onLastTape.assets} ${onLastTape.example}` : '?',
      `v${mapping.version}`,
      first ? `${first.name} to ${last?.name}` : '-',
    ].join(' | '),
  );

test('Two versions and three tapes, with renamed and added columns', async () => {
  const { company, tapes: counted, lines } = await ask(manager());
  expect(company).toEqual({ id: companyId, name: 'A company' });
  expect(counted).toEqual({ all: 3, read: 3 });
  expect(await linesOf(manager())).toEqual([
    'Loan id | field | assetId | 4/4 L-2 | v2 | august.xlsx to october.xlsx',
    'Balance | field | sums.outstandingSum | 3/4 1003.5 EUR | v2 | september.xlsx to october.xlsx',
    'Allowed days | input | customFields.ratio | 0/4 null | v2 | october.xlsx to october.xlsx',
    'Branch | unused | - | ? | v2 | october.xlsx to october.xlsx',
    'Days | field | daysPastDue | 4/4 0 | v2 | october.xlsx to october.xlsx',
    'Days | input | customFields.ratio | 0/4 null | v2 | october.xlsx to october.xlsx',
    'Saldo | field | sums.outstandingSum | ? | v1 | august.xlsx to august.xlsx',
    'Memo | unused | - | ? | v1 | august.xlsx to august.xlsx',
    '(none) | calculated | customFields.lender | 4/4 Alder | v2 | -',
  ]);
  expect(lines.map(({ rule }) => rule && describeSteps(rule))).toContain('Calculate (Days divided by Allowed days)');
});

test('A tape, a version or a company that the reader cannot see is not there', async () => {
  const hidden = (...documents: string[]) => linesOf(manager({ blockedDocuments: documents }));
  const withoutOctober = await hidden(`loanTapes/${tapes[2]}`);
  expect(withoutOctober).toEqual([
    'LOAN id | field | assetId | 4/4 L-2 | v2 | august.xlsx to september.xlsx',
    'Balance | field | sums.outstandingSum | 3/4 1003.5 EUR | v2 | september.xlsx to september.xlsx',
    'Saldo | field | sums.outstandingSum | ? | v1 | august.xlsx to august.xlsx',
    'Memo | unused | - | ? | v1 | august.xlsx to august.xlsx',
    'Days | field | daysPastDue | ? | v2 | -',
    'Days | input | customFields.ratio | ? | v2 | -',
    'Allowed days | input | customFields.ratio | ? | v2 | -',
    '(none) | calculated | customFields.lender | 4/4 Alder | v2 | -',
  ]);
  const withoutFirst = await hidden(`assetsETLs/${mappings.first}`);
  expect(withoutFirst.join()).not.toMatch(/Saldo|Memo|august/);
  expect(withoutFirst[0]).toBe('Loan id | field | assetId | 4/4 L-2 | v2 | september.xlsx to october.xlsx');
  const missing = { code: 'notFound' };
  await expect(ask(manager({ blockedDocuments: [`companies/${companyId}`] }))).rejects.toMatchObject(missing);
  await expect(ask(manager({ managerId: other.managerId }))).rejects.toMatchObject(missing);
});

test.each(['assets/read', 'assets/ETL/read'] as const)('Without %s it is refused', async (missing) => {
  const permissions = PERMISSION_KEYS.filter((key) => key !== missing);
  await expect(ask(manager({ permissions }))).rejects.toMatchObject({ code: 'forbidden' });
});

test('A company without a tape has the columns that its mapping was made with', async () => {
  const of = tenant.companies[1]!;
  await asSystem((session) => removeTape(session, { id: of.tapeId }));
  const { tapes: counted, lines } = await ask(manager(), of.id);
  expect(counted).toEqual({ all: 0, read: 0 });
  const balance = lines.find(({ column }) => column === 'Principal Balance');
  expect(balance).toMatchObject({
    use: 'field',
    field: { path: 'sums.outstandingSum' },
    onLastTape: null,
    first: null,
  });
});

test('A tape without its sheet is counted and not read, and the last tapes stay within the limit', async () => {
  const of = other.companies[0]!.id;
  const actor = testActor({ type: 'manager', managerId: other.managerId });
  expect((await ask(actor, of)).tapes).toEqual({ all: 1, read: 0 });
  const mapping = await asSystem((session) => createMapping(session, { companyId: of, body: body(RULES) }));
  const add = (cutOffDate: string, name: string) =>
    publish({ companyId: of, mappingId: mapping.id, cutOffDate, name, columns: ['Loan ID', 'Saldo'] });
  await add('2001-01-31', 'the oldest.xlsx');
  const firstOf = (lines: readonly DictionaryLine[]) => lines.find(({ column }) => column === 'Saldo')?.first?.name;
  expect(firstOf((await ask(actor, of)).lines)).toBe('the oldest.xlsx');
  const id = await add('2026-12-31', 'the latest.xlsx');
  // Copies of the latest tape without objects of their own, all of them later than the oldest.
  const copies = `generate_series(1, ${MAX_DICTIONARY_TAPES}) as copy (number),
    lateral (select lpad(number::text, 24, 'd') as id, date '2002-01-01' + number as day) as made`;
  await database.query(
    `insert into loan_tapes select (jsonb_populate_record(t, jsonb_build_object('id', made.id, 'code', 100000 + number,
       'cut_off_date', day, 'asset_prefix', lpad(number::text, 16, 'd'), 'generation_id', null, 'published_at', null, 'process_status', 'Pending'))).*
     from loan_tapes t, ${copies} where t.id = $1`,
    [id],
  );
  await database.query(
    `insert into tape_generations select (jsonb_populate_record(g, jsonb_build_object('id', made.id, 'tape_id', made.id))).*
     from tape_generations g, ${copies} where g.tape_id = $1`,
    [id],
  );
  await database.query(
    `update loan_tapes set generation_id = id, published_at = now(), process_status = 'Completed' where id like 'ddd%'`,
  );
  const limited = await ask(actor, of);
  expect(limited.tapes).toEqual({ all: MAX_DICTIONARY_TAPES + 3, read: 1 });
  expect(firstOf(limited.lines)).toBe('the latest.xlsx');
});
