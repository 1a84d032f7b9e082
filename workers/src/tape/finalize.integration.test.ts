import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { add } from '@tapeline/domain/money/decimal.ts';
import { parseMapping } from '@tapeline/domain/tapes/mapping.schema.ts';
import type { CellProblem } from '@tapeline/domain/tapes/tape.schema.ts';
import type { TapeFiles } from '@tapeline/lake/asset-relation.ts';
import { type Lake, openLake, readParquet } from '@tapeline/lake/lake.ts';
import { tapeStatistics } from '@tapeline/lake/statistics.ts';
import { fromLake, type LakeValue } from '@tapeline/lake/values.ts';
import { writeBatchFile } from '@tapeline/sheets/batch-file.ts';
import { inspectSheetFile } from '@tapeline/sheets/inspect-sheet.ts';
import { readSheetBatches } from '@tapeline/sheets/read-sheet.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LOAN_MAPPING, type Loan, writeLoans } from '../testing/tape-file.ts';
import { compileMapping } from './compile/compile.ts';
import { finalize } from './finalize.ts';
import { MappingEngines } from './mapping-engines.ts';
import { transformPart } from './parts.ts';

let root = '';
let jobs = 0;
let lake: Lake;
let engines: MappingEngines;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'finalize-'));
  lake = await openLake({ threads: 2 });
  engines = new MappingEngines(root);
});
afterAll(async () => {
  lake.close();
  engines.close();
  await rm(root, { recursive: true });
});

const FIRST_ROW = 2;
const LOANS = parseMapping(LOAN_MAPPING);
const facts = { cutOffDate: '2024-06-30', primaryCurrency: 'USD' } as const;

interface Published {
  assets: Record<string, LakeValue>[];
  errored: { row: number; origin: Record<string, unknown>; errors: CellProblem[] }[];
  counts: { assets: number; errored: number };
  /** Staged batch files that finalizing opened. */
  opened: number[];
  tape: TapeFiles;
  statistics: Awaited<ReturnType<typeof tapeStatistics>>;
}

/** Processes loans with the functions that the activities call, with this many rows per batch. */
async function publish(
  loans: readonly Loan[],
  batchRows: number,
  earlier: TapeFiles | null = null,
  mapping = LOANS,
): Promise<Published> {
  jobs += 1;
  const folder = join(root, String(jobs));
  await mkdir(folder);
  const workbook = join(folder, 'tape.xlsx');
  await writeLoans(workbook, loans);
  const head = await inspectSheetFile(workbook);
  const compiled = compileMapping(
    mapping,
    { headers: head.columns.map(({ header }) => header), epoch: head.epoch },
    facts,
  );
  const parts: { staged: string; assets: string; errored: string }[] = [];
  for await (const batch of readSheetBatches(workbook, { headerRow: head.headerRow, batchRows })) {
    const at = (kind: string) => join(folder, `${kind}-${batch.index}`);
    const part = { staged: at('staged'), assets: at('assets'), errored: at('errored') };
    await writeBatchFile(batch, part.staged);
    await engines.use((engine) => transformPart(engine, compiled, part.staged, part));
    parts.push(part);
  }
  const files = { assets: join(folder, 'assets.parquet'), errored: join(folder, 'errored.parquet') };
  const opened: number[] = [];
  const counts = await finalize(lake, {
    assetsPaths: parts.map(({ assets }) => assets),
    erroredPaths: parts.map(({ errored }) => errored),
    stagedPath: async (index) => {
      opened.push(index);
      return parts[index]!.staged;
    },
    originJson: compiled.originJson,
    columns: compiled.columns,
    unique: compiled.uniqueTargets,
    consistent: compiled.consistentTargets,
    earlier,
    folder,
    assetsFile: files.assets,
    erroredFile: files.errored,
  });
  const columns = compiled.columns.map(({ name }) => name);
  return lake.connected(async (connection) => {
    const assets = await connection.runAndReadAll(`FROM ${readParquet([files.assets])}`);
    const names = assets.columnNames();
    const errored = await connection.runAndReadAll(
      `SELECT "row", origin, CAST(to_json(errors) AS VARCHAR) FROM ${readParquet([files.errored])}`,
    );
    return {
      assets: assets.getRows().map((row) => Object.fromEntries(row.map((value, at) => [names[at], fromLake(value)]))),
      errored: errored.getRows().map(([row, origin, errors]) => ({
        row: Number(row),
        origin: JSON.parse(String(origin)),
        errors: JSON.parse(String(errors)),
      })),
      counts,
      opened: opened.sort((a, b) => a - b),
      tape: { cutOffDate: '2024-05-31', paths: [files.assets], columns },
      statistics: await tapeStatistics(connection, readParquet([files.assets]), new Set(columns)),
    };
  });
}

/**
 * The expected result of publishing, computed row by row in plain TypeScript: the sheet rows of assets, and the reasons
 * by errored row.
 */
function expected(loans: readonly Loan[], earlier: ReadonlyMap<string, number> | null) {
  const inconsistent = (loan: Loan): string[] => {
    const before = earlier?.get(loan.id);
    const now = loan.original ?? 25_000;
    return before === undefined || before === now
      ? []
      : [`Original principal was ${before} USD on the tape of 31 May 2024 and is now ${now} USD`];
  };
  const isWrong = (loan: Loan) => typeof loan.balance === 'string';
  const holders = new Map<string, number>();
  for (const [at, loan] of loans.entries()) {
    const mayHold = !isWrong(loan) && inconsistent(loan).length === 0;
    if (mayHold && !holders.has(loan.id)) holders.set(loan.id, at + FIRST_ROW);
  }
  const assets: { row: number; loan: Loan }[] = [];
  const reasons = new Map<number, string[]>();
  for (const [at, loan] of loans.entries()) {
    const row = at + FIRST_ROW;
    const holder = holders.get(loan.id);
    const duplicate =
      holder === undefined || holder === row ? [] : [`Asset id ${loan.id} is already used by row ${holder}`];
    const all = [...(isWrong(loan) ? ['sums.outstandingSum'] : []), ...duplicate, ...inconsistent(loan)];
    if (all.length > 0) reasons.set(row, all);
    else assets.push({ row, loan });
  }
  return { assets, reasons };
}

function expectPublished(
  published: Published,
  loans: readonly Loan[],
  earlier: ReadonlyMap<string, number> | null = null,
) {
  const { assets, reasons } = expected(loans, earlier);
  const codes = new Map<string, number>();
  expect(
    published.assets.map((asset) => [
      asset.row,
      asset.sequenceIndex,
      asset.assetId,
      asset['address.state'],
      asset['code:address.state'],
    ]),
  ).toEqual(
    assets.map(({ row, loan }, index) => {
      const state = loan.state === undefined ? 'CA' : loan.state;
      if (state !== null && !codes.has(state)) codes.set(state, codes.size);
      return [row, index, loan.id, state, state === null ? null : codes.get(state)];
    }),
  );
  // Unique columns get no codes.
  expect(published.assets.filter((asset) => 'code:assetId' in asset)).toEqual([]);
  expect(published.errored.map(({ row }) => row)).toEqual([...reasons.keys()]);
  for (const { row, origin, errors } of published.errored) {
    expect(origin.Loan).toBe(loans[row - FIRST_ROW]!.id);
    expect(errors.map(({ target, reason }) => (target === 'sums.outstandingSum' ? target : reason))).toEqual(
      reasons.get(row),
    );
  }
  expect(published.counts).toEqual({ assets: assets.length, errored: reasons.size });
  const [financed] = published.statistics.sum;
  expect(published.statistics.assetsStatuses).toEqual(
    assets.length > 0 ? [{ name: 'current', value: assets.length }] : [],
  );
  expect(financed?.amount.sum).toBe(
    assets.length === 0
      ? undefined
      : `${assets.reduce((sum, { loan }) => add(sum, String(loan.original ?? 25_000)), '0')}.0000`,
  );
}

/** The mapping whose ids are numbered where they are equal. */
const NUMBERED = parseMapping({
  ...LOAN_MAPPING,
  rules: LOAN_MAPPING.rules.map((rule) =>
    rule.targetCol === 'assetId' ? { ...rule, checks: ['Mandatory', 'Unique'], onDuplicate: 'numbered' } : rule,
  ),
});

const loan = (at: number, change: Partial<Loan> = {}): Loan => ({ id: `L${at}`, balance: 100 + at, ...change });

describe('equal ids that are numbered', () => {
  const idsOf = ({ assets }: Published) => assets.map(({ row, assetId }) => [row, assetId]);

  test('keep every row, with the number of its occurrence in the order of the sheet', async () => {
    const loans = ['A', 'B', 'A', 'C', 'A', 'B'].map((id, at) => loan(at, { id }));
    const published = await publish(loans, 2, null, NUMBERED);
    expect(idsOf(published)).toEqual([
      [2, 'A'],
      [3, 'B'],
      [4, 'A (2)'],
      [5, 'C'],
      [6, 'A (3)'],
      [7, 'B (2)'],
    ]);
    expect(published.assets.map(({ sequenceIndex }) => sequenceIndex)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(published.errored).toEqual([]);
    expect(published.statistics.assetsStatuses).toEqual([{ name: 'current', value: 6 }]);
  });

  test('count the errored rows between them, and do not take an id that another row has', async () => {
    const ids = ['A', 'A', 'A', 'B (2)', 'B', 'B'];
    const loans = ids.map((id, at) => loan(at, { id, ...(at === 1 ? { balance: 'unknown' } : {}) }));
    const published = await publish(loans, 3, null, NUMBERED);
    expect(idsOf(published)).toEqual([
      [2, 'A'],
      [4, 'A (3)'],
      [5, 'B (2)'],
      [6, 'B'],
    ]);
    expect(published.errored.map(({ row, errors }) => [row, errors.at(-1)?.reason])).toEqual([
      [3, '"unknown" is not a number'],
      [7, 'Asset id B (2) is already used by row 5'],
    ]);
  });

  test('are compared with the earlier tape by their numbers', async () => {
    const twice = (...originals: number[]) => originals.map((original, at) => loan(at, { id: 'A', original }));
    const earlier = await publish(twice(100, 200), 2, null, NUMBERED);
    const published = await publish(twice(100, 250), 2, earlier.tape, NUMBERED);
    expect(published.errored.map(({ row, errors }) => [row, errors.map(({ reason }) => reason)])).toEqual([
      [3, ['Original principal was 200 USD on the tape of 31 May 2024 and is now 250 USD']],
    ]);
  });
});

describe('settling', () => {
  test.each([
    ['fail a rule', (at: number) => loan(at, at % 50 === 0 ? {} : { balance: 'unknown' })],
    ['repeat an id', (at: number) => loan(at % 40)],
  ])('keeps the row order where most rows of a range %s', async (_, failing) => {
    const loans = Array.from({ length: 6_000 }, (_each, at) => (at < 2_100 ? failing(at) : loan(at)));
    expectPublished(await publish(loans, 10_000), loans);
  });

  test('takes parts as they stand where no row turns out to be errored, and opens no batch again', async () => {
    const loans = Array.from({ length: 50 }, (_, at) =>
      loan(at, { state: ['CA', null, 'NY', 'TX'][at % 4] as string | null }),
    );
    const published = await publish(loans, 7);
    expectPublished(published, loans);
    expect(published.opened).toEqual([]);
  });

  test('writes only the parts again that hold a late error', async () => {
    const loans = Array.from({ length: 50 }, (_, at) => loan(at));
    loans[3] = loan(3, { balance: 'see notes' });
    loans[20] = loan(0);
    loans[48] = loan(20, { state: 'NY' });
    loans[49] = loan(0);
    const published = await publish(loans, 10);
    expectPublished(published, loans);
    expect(published.opened).toEqual([2, 4]);
  });

  test('shows all reasons of a row that failed another rule, which holds no value itself', async () => {
    const earlier = await publish([loan(0), loan(1), loan(2)], 10);
    const loans = [
      loan(0, { balance: 'TBD', original: 26_000 }),
      loan(0),
      loan(1, { original: 26_000 }),
      loan(1),
      loan(2, { balance: 'TBD' }),
      loan(3, { balance: 'TBD' }),
      loan(3, { balance: 'TBD' }),
    ];
    const said = new Map(['L0', 'L1', 'L2'].map((id) => [id, 25_000]));
    const published = await publish(loans, 3, earlier.tape);
    expectPublished(published, loans, said);
    expect(published.assets.map(({ row }) => row)).toEqual([3, 5]);
    expect(published.errored.map(({ row, errors }) => [row, ...errors.map(({ target }) => target)])).toEqual([
      [2, 'sums.outstandingSum', 'assetId', 'sums.sum'],
      [4, 'assetId', 'sums.sum'],
      [6, 'sums.outstandingSum'],
      [7, 'sums.outstandingSum'],
      [8, 'sums.outstandingSum'],
    ]);
  });

  test('takes an amount of another currency, or a term of another unit, for another value', async () => {
    const mapping = parseMapping({
      ...LOAN_MAPPING,
      rules: [
        ...LOAN_MAPPING.rules.filter(({ targetCol }) => !['sums.outstandingSum', 'address.state'].includes(targetCol)),
        {
          originCol: 'Balance',
          targetCol: 'sums.outstandingSum',
          serializations: [{ type: 'SerializedSum', currencyColumn: 'State' }],
          checks: ['Unique'],
        },
      ],
    });
    const loans = ['USD', 'EUR', 'USD', null, 'EUR', null].map((state, at) => loan(at, { balance: 100, state }));
    loans[5] = loan(5, { balance: 100.5, state: 'USD' });
    const published = await publish(loans, 2, null, mapping);
    expect(published.assets.map((asset) => asset.assetId)).toEqual(['L0', 'L1', 'L5']);
    // A blank currency means the mapping's own currency.
    expect(published.errored.map(({ row, errors }) => [row, errors[0]?.reason])).toEqual([
      [4, 'Current balance 100 USD is already used by row 2'],
      [5, 'Current balance 100 USD is already used by row 2'],
      [6, 'Current balance 100 EUR is already used by row 3'],
    ]);
  });

  test('gives more texts than a list holds their codes by first appearance too', async () => {
    const loans = Array.from({ length: 400 }, (_, at) => loan(at, { state: `S${(at * 7) % 150}` }));
    expectPublished(await publish(loans, 90), loans);
  });

  test('leaves a tape without a single asset whole', async () => {
    const loans = Array.from({ length: 5 }, (_, at) => loan(at, { balance: 'unknown' }));
    expectPublished(await publish(loans, 2), loans);
  });

  test('is what a plain reading of the rows says, whatever repeats, lacks or contradicts, however the sheet is cut', async () => {
    const loans = fc.array(
      fc.record({
        id: fc.integer({ min: 0, max: 60 }).map((at) => `L${at}`),
        balance: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 0, max: 9999 }) }, fc.constant('none')),
        original: fc.constantFrom(25_000, 26_000),
        state: fc.option(fc.constantFrom('CA', 'NY', "O'Brien", 'Ü', ' x '), { nil: null }),
      }),
      { minLength: 1, maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(
        loans,
        fc.option(loans, { nil: null }),
        fc.integer({ min: 4, max: 30 }),
        async (now, before, batchRows) => {
          const earlier = before === null ? null : await publish(before, 25);
          const said =
            earlier && new Map(earlier.assets.map((asset) => [String(asset.assetId), Number(asset['sums.sum'])]));
          expectPublished(await publish(now, batchRows, earlier?.tape ?? null), now, said);
        },
      ),
      { numRuns: 12 },
    );
  });
});
