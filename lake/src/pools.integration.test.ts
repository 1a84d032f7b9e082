import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluateFilter } from '@tapeline/domain/filters/evaluate.ts';
import { EVERYTHING } from '@tapeline/domain/filters/filter.ts';
import { parseFilter } from '@tapeline/domain/filters/parse.ts';
import { multiply, sum } from '@tapeline/domain/money/decimal.ts';
import { bandOf, parseEdges } from '@tapeline/domain/pools/bands.ts';
import { stratify, stratumFilter } from '@tapeline/domain/pools/stratification.ts';
import { bucketOf } from '@tapeline/domain/pools/testing/bucket-of.ts';
import { fateOf } from '@tapeline/domain/pools/testing/fate-of.ts';
import { type LoanObservation, livesFromDates, livesFromTapes } from '@tapeline/domain/pools/testing/plain-lives.ts';
import { type PaydownLoan, paydownCells } from '@tapeline/domain/pools/testing/plain-paydown.ts';
import { type RollAsset, rollMoves } from '@tapeline/domain/pools/testing/roll-moves.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assetListCatalog, type TapeSource } from './asset-relation.ts';
import { type Lake, openLake, quoteName, quoteText } from './lake.ts';
import { livesOfOneTape, livesOverTapes } from './loan-lives.ts';
import { paydown } from './paydown.ts';
import { poolSums } from './pool-sums.ts';
import { rolledAssets, rollRates } from './roll-rates.ts';
import { stratifyTape } from './stratification.ts';

/** Random tapes as untidy as real ones, in the lake and in memory: both must give the same results. */
const COLUMNS = [
  ['assetId', 'VARCHAR'],
  ['assetStatus', 'VARCHAR'],
  ['daysPastDue', 'DOUBLE'],
  ['dateFinanced', 'DATE'],
  ['dates.defaultDate', 'DATE'],
  ['dates.chargeOffDate', 'DATE'],
  ['dates.lastPaymentDate', 'DATE'],
  ['dates.maturityDate', 'DATE'],
  ['dates.nextPaymentDate', 'DATE'],
  ['sums.sum', 'DECIMAL(18,4)'],
  ['sums.sum.currency', 'VARCHAR'],
  ['sums.outstandingSum', 'DECIMAL(18,4)'],
  ['sums.outstandingSum.currency', 'VARCHAR'],
  ['sums.scheduledPayment', 'DECIMAL(18,4)'],
  ['sums.scheduledPayment.currency', 'VARCHAR'],
  ['interestRate', 'DECIMAL(18,8)'],
  ['interestRate.kind', 'VARCHAR'],
  ['remainingTerm', 'DOUBLE'],
  ['remainingTerm.unit', 'VARCHAR'],
  ['remainingTerm.days', 'DOUBLE'],
  ['creditScores.origination', 'DOUBLE'],
  ['address.state', 'VARCHAR'],
  ['isDelinquent', 'BOOLEAN'],
] as const;

type Name = (typeof COLUMNS)[number][0];

type Cells = Partial<Record<Name, string | number | boolean | null>>;

const MONTHS = ['2026-06-30', '2026-07-31', '2026-08-31', '2026-09-30', '2026-10-31', '2026-11-30'] as const;
const CUT_OFFS = ['2026-08-31', '2026-09-30', '2026-10-31'] as const;
const POOL = { currency: 'USD', rates: { EUR: '0.8', JPY: '150' } };

const money = (most: number) =>
  fc
    .integer({ min: 0, max: most * 10_000 })
    .map((units) => `${Math.floor(units / 10_000)}.${String(units % 10_000).padStart(4, '0')}`);

const date = fc
  .integer({ min: 0, max: 1100 })
  .map((days) => new Date(Date.UTC(2024, 0, 1) + days * 86_400_000).toISOString().slice(0, 10));

/** Days around the cut-off dates, where month boundaries and order matter. */
const near = fc.constantFrom(
  '2026-07-20',
  '2026-08-31',
  '2026-09-02',
  '2026-09-30',
  '2026-10-01',
  '2026-10-31',
  '2026-11-15',
  '2027-10-05',
);

const currency = fc.constantFrom('USD', 'USD', 'USD', 'USD', 'USD', 'EUR', 'JPY');
const cells: fc.Arbitrary<Cells> = fc
  .record({
    id: fc.option(fc.integer({ min: 1, max: 9 }), { freq: 12 }),
    status: fc.option(
      fc.constantFrom(
        'current',
        'current',
        'current',
        'delinquent',
        'default',
        'chargedOff',
        'paid',
        'paid',
        'prePaid',
      ),
      { freq: 6 },
    ),
    days: fc.option(fc.constantFrom(0, 0, 0.5, 1, 1, 15, 29.5, 30, 59, 75, 100, 119.9, 120, 400), { freq: 6 }),
    financed: fc.option(fc.oneof(date, near), { freq: 8 }),
    defaulted: fc.oneof({ weight: 8, arbitrary: fc.constant(null) }, near),
    chargedOff: fc.oneof({ weight: 8, arbitrary: fc.constant(null) }, near),
    lastPaid: fc.option(near),
    maturity: fc.option(near),
    next: fc.option(near),
    original: fc.option(money(50_000), { freq: 6 }),
    outstanding: fc.option(fc.oneof(money(20_000), money(20_000), fc.constant('0')), { freq: 6 }),
    payment: fc.option(money(900)),
    code: currency,
    paidIn: currency,
    rate: fc.option(fc.integer({ min: 0, max: 3_600_000 }).map((units) => (units / 100_000).toFixed(5))),
    months: fc.option(fc.integer({ min: 0, max: 60 })),
    score: fc.option(fc.integer({ min: 300, max: 850 })),
    state: fc.option(fc.constantFrom('CA', 'TX', 'NY', 'FL', 'Ōsaka')),
    late: fc.option(fc.boolean()),
    // Most loans of a real tape pay; with those every small difference shows.
    calm: fc.option(
      fc.record({
        status: fc.constantFrom('current', 'current', 'current', 'paid'),
        days: fc.constantFrom(0, 0.5, 1),
        rate: fc.constantFrom('0', '9.99', '12.345'),
        payment: fc.option(money(300)),
        code: fc.constant('USD'),
        paidIn: fc.constant('USD'),
        outstanding: money(20_000),
        defaulted: fc.constant(null),
        chargedOff: fc.constant(null),
      }),
      { freq: 2 },
    ),
  })
  .map(({ calm, ...one }) => ({ ...one, ...calm }))
  .map((one) => ({
    assetId: one.id === null ? null : `L${one.id}`,
    assetStatus: one.status,
    daysPastDue: one.days,
    dateFinanced: one.financed,
    'dates.defaultDate': one.defaulted,
    'dates.chargeOffDate': one.chargedOff,
    'dates.lastPaymentDate': one.lastPaid,
    'dates.maturityDate': one.maturity,
    'dates.nextPaymentDate': one.next,
    'sums.sum': one.original,
    'sums.sum.currency': one.original === null ? null : one.code,
    'sums.outstandingSum': one.outstanding,
    'sums.outstandingSum.currency': one.outstanding === null ? null : one.code,
    'sums.scheduledPayment': one.payment,
    'sums.scheduledPayment.currency': one.payment === null ? null : one.paidIn,
    interestRate: one.rate,
    'interestRate.kind': one.rate === null ? null : 'fix',
    remainingTerm: one.months,
    'remainingTerm.unit': one.months === null ? null : 'months',
    'remainingTerm.days': one.months === null ? null : one.months * 30.4375,
    'creditScores.origination': one.score,
    'address.state': one.state,
    isDelinquent: one.late,
  }));

// Large by default: tapes of few rows would seldom have an id in common.
const tape = fc.array(cells, { maxLength: 30, size: 'max' });

/** A tape seldom has every column. */
const dropped = fc.subarray([
  'dates.defaultDate',
  'dates.chargeOffDate',
  'dates.lastPaymentDate',
  'dates.maturityDate',
  'dates.nextPaymentDate',
] as Name[]);

let folder: string;
let lake: Lake;
let files = 0;

async function write(rows: readonly Cells[], cutOffDate: string, without: readonly Name[] = []): Promise<TapeSource> {
  files += 1;
  const path = join(folder, `${files}.parquet`);
  const held = COLUMNS.filter(([name]) => !without.includes(name));
  const literal = (value: unknown) => (value === null || value === undefined ? 'NULL' : quoteText(String(value)));
  const values = rows.map((row, index) => `(${index + 2}, ${held.map(([name]) => literal(row[name])).join(', ')})`);
  const none = `(NULL, ${held.map(() => 'NULL').join(', ')})`;
  const select = held.map(([name, type], index) => `CAST(c${index} AS ${type}) AS ${quoteName(name)}`);
  await lake.connected((connection) =>
    connection.run(
      `COPY (SELECT "row"::INTEGER AS "row", ("row" - 2)::INTEGER AS "sequenceIndex", ${select.join(', ')}
       FROM (VALUES ${values.length > 0 ? values.join(', ') : none}) AS t("row", ${held.map((_, index) => `c${index}`).join(', ')})
       WHERE "row" IS NOT NULL) TO ${quoteText(path)} (FORMAT parquet)`,
    ),
  );
  return {
    tapeId: String(files).padStart(24, '0'),
    companyId: 'c'.repeat(24),
    cutOffDate,
    managerId: 'b'.repeat(24),
    assetPrefix: String(files).padStart(16, '0'),
    mappingVersion: 1,
    paths: [path],
    columns: held.map(([name]) => name),
    customFields: [],
    borrowingBase: null,
  };
}

/** A row as the plain functions take it, without the columns that the tape lacks. */
function facts(row: Cells, index: number, without: readonly Name[] = []): RollAsset & LoanObservation & PaydownLoan {
  const text = (name: Name) => (without.includes(name) ? null : ((row[name] ?? null) as string | null));
  const amount = (name: 'sums.sum' | 'sums.outstandingSum' | 'sums.scheduledPayment') => {
    const found = text(name);
    return found === null ? null : { sum: found, currency: text(`${name}.currency`)! };
  };
  return {
    assetId: text('assetId'),
    row: index + 2,
    assetStatus: text('assetStatus'),
    daysPastDue: (row.daysPastDue ?? null) as number | null,
    dateFinanced: text('dateFinanced'),
    defaultDate: text('dates.defaultDate'),
    chargeOffDate: text('dates.chargeOffDate'),
    lastPaymentDate: text('dates.lastPaymentDate'),
    maturityDate: text('dates.maturityDate'),
    nextPaymentDate: text('dates.nextPaymentDate'),
    original: amount('sums.sum'),
    outstanding: amount('sums.outstandingSum'),
    principal: amount('sums.outstandingSum'),
    payment: amount('sums.scheduledPayment'),
    ratePoints: text('interestRate'),
    remainingDays: (row['remainingTerm.days'] ?? null) as number | null,
  };
}

const all = (rows: readonly Cells[], without: readonly Name[] = []) =>
  rows.map((row, index) => facts(row, index, without));

/** Sums without padding zeros, lines in a fixed order, so that equal results compare as equal. */
const tidy = <Line extends object>(lines: readonly Line[], sums: readonly (keyof Line)[]): string[] =>
  lines
    .map((line) =>
      JSON.stringify(
        Object.entries({
          ...line,
          ...Object.fromEntries(sums.map((name) => [name, line[name] === null ? null : sum([String(line[name])])])),
        }).sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
    )
    .sort();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tapeline-pools-'));
  lake = await openLake({ threads: 2 });
});
afterAll(async () => {
  lake.close();
  await rm(folder, { recursive: true, force: true });
});

const RUNS = { numRuns: 50 };

describe('on random tapes the lake matches the plain functions', () => {
  it('for the roll from bucket to bucket, and the assets behind each cell', async () => {
    await fc.assert(
      fc.asyncProperty(tape, tape, dropped, async (before, after, without) => {
        const pair = { before: await write(before, CUT_OFFS[1], without), after: await write(after, CUT_OFFS[2]) };
        const found = (await rollRates(lake, pair))!;
        const plain = rollMoves(
          { cutOffDate: CUT_OFFS[1], assets: all(before, without) },
          { cutOffDate: CUT_OFFS[2], assets: all(after) },
        );
        expect(tidy(found, ['opening'])).toEqual(tidy(plain, ['opening']));
        for (const { from, to } of plain.slice(0, 3)) {
          const own = plain.filter((move) => move.from === from && move.to === to);
          const listed = await rolledAssets(lake, pair, { from, to, limit: 100 });
          expect(listed.total).toBe(own.reduce((total, { count }) => total + count, 0));
          expect(listed.assets).toHaveLength(listed.total);
          for (const asset of listed.assets) {
            const row = before[asset.beforeRow - 2]!;
            expect(asset.assetId).toBe(row.assetId);
            expect(bucketOf(facts(row, 0, without), CUT_OFFS[1])).toBe(from);
            expect(asset.daysBefore).toBe(row.daysPastDue);
            if (to === 'vanished') expect(asset.afterRow).toBeNull();
            else expect(bucketOf(facts(after[asset.afterRow! - 2]!, 0), CUT_OFFS[2])).toBe(to);
          }
        }
      }),
      RUNS,
    );
  });

  it('for the lives of loans over several tapes, and from the dates of one', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(tape, { minLength: 3, maxLength: 6 }),
        dropped,
        fc.nat(3),
        async (rows, without, seen) => {
          const sources = await Promise.all(rows.map((some, index) => write(some, MONTHS[index]!, without)));
          const plain = rows.map((some, index) => ({ cutOffDate: MONTHS[index]!, loans: all(some, without) }));
          // The earlier months may be cached already.
          await livesOverTapes(lake, sources.slice(0, seen));
          const read: number[] = [];
          const overTapes = await livesOverTapes(lake, sources, (done) => read.push(done));
          expect(read).toEqual(rows.map((_, index) => index).slice(seen));
          const expected = livesFromTapes(plain);
          expect(overTapes.leftOut).toEqual(expected.leftOut);
          expect(tidy(overTapes.cells, ['original'])).toEqual(tidy(expected.cells, ['original']));
          const ofOne = await livesOfOneTape(lake, sources[2]!);
          const dated = livesFromDates(plain[2]!);
          expect(ofOne.leftOut).toEqual(dated.leftOut);
          expect(tidy(ofOne.cells, ['original'])).toEqual(tidy(dated.cells, ['original']));
        },
      ),
      RUNS,
    );
  });

  it('for the lives of loans, also when the cache is full', async () => {
    const cramped = await openLake({ threads: 1, rowFileBytes: 1, spillFolder: join(folder, 'cramped') });
    const [rows] = fc.sample(fc.tuple(tape, tape), { numRuns: 1, seed: 11 });
    const sources = await Promise.all(rows!.map((some, index) => write(some, CUT_OFFS[index]!)));
    const expected = livesFromTapes(rows!.map((some, index) => ({ cutOffDate: CUT_OFFS[index]!, loans: all(some) })));
    for (let look = 0; look < 2; look += 1) {
      const read: number[] = [];
      const found = await livesOverTapes(cramped, sources, (done) => read.push(done));
      expect(read).toEqual([0, 1]);
      expect(found.leftOut).toEqual(expected.leftOut);
      expect(tidy(found.cells, ['original'])).toEqual(tidy(expected.cells, ['original']));
    }
    await expect.poll(() => readdir(join(folder, 'cramped')), { timeout: 60_000 }).toEqual([]);
    cramped.close();
  });

  it('for what loans paid and owed between two tapes, to the cent', async () => {
    const months = fc.constantFrom(1, 1, 2, 6);
    await fc.assert(
      fc.asyncProperty(tape, tape, dropped, months, async (before, after, without, apart) => {
        const pair = {
          before: await write(before, CUT_OFFS[1], without),
          after: await write(after, CUT_OFFS[2], without),
        };
        const found = (await paydown(lake, pair, apart))!;
        const plain = paydownCells(
          { cutOffDate: CUT_OFFS[1], loans: all(before, without) },
          { cutOffDate: CUT_OFFS[2], loans: all(after, without) },
          apart,
        );
        const sums = ['opening', 'scheduled', 'prepaid'] as const;
        expect(tidy(found, sums)).toEqual(tidy(plain, sums));
      }),
      RUNS,
    );
  });

  it('for the sums of assets by state, whose balance below zero counts as zero', async () => {
    await fc.assert(
      fc.asyncProperty(tape, dropped, async (rows, without) => {
        const below: Cells = {
          ...{ assetStatus: 'current', daysPastDue: 0, interestRate: '7.5' },
          ...{ 'sums.outstandingSum': '-12.5', 'sums.outstandingSum.currency': 'USD' },
        };
        const withCredit = [...rows, below];
        const found = (await poolSums(lake, await write(withCredit, CUT_OFFS[2], without)))!;
        const known = all(withCredit, without).filter(({ outstanding }) => outstanding !== null);
        const states = Map.groupBy(known, (one) =>
          [bucketOf(one, CUT_OFFS[2]), fateOf(one, CUT_OFFS[2])?.fate === 'default', one.outstanding?.currency].join(),
        );
        const plain = [...states.values()].map((members) => {
          const [first] = members as [(typeof members)[number]];
          const balances = members.map(({ outstanding, ratePoints }) => {
            const balance = outstanding!.sum.startsWith('-') ? '0' : outstanding!.sum;
            return {
              balance,
              rated: ratePoints === null ? '0' : balance,
              weighed: multiply(balance, ratePoints ?? '0'),
            };
          });
          return {
            bucket: bucketOf(first, CUT_OFFS[2]),
            isDefault: fateOf(first, CUT_OFFS[2])?.fate === 'default',
            currency: first.outstanding!.currency,
            balance: sum(balances.map(({ balance }) => balance)),
            rated: sum(balances.map(({ rated }) => rated)),
            weighed: sum(balances.map(({ weighed }) => weighed)),
          };
        });
        const sums = ['balance', 'rated', 'weighed'] as const;
        expect(tidy(found, sums)).toEqual(tidy(plain, sums));
      }),
      RUNS,
    );
  });

  it('for the bands of any column: they partition the assets, and their filters list exactly theirs', async () => {
    const cuts = fc.constantFrom(
      ['interestRate', '5,10.5,20,36'],
      ['daysPastDue', '1,30,60,90,120'],
      ['sums.outstandingSum', '0.0001,5000,10000'],
      ['dateFinanced', '2024-06-01,2025-01-01,2026-01-01'],
      ['creditScores.origination', '500'],
      ['address.state', null],
      ['isDelinquent', null],
      ['assetStatus', null],
    ) as fc.Arbitrary<[Name, string | null]>;
    await fc.assert(
      fc.asyncProperty(tape, cuts, fc.integer({ min: 1, max: 3 }), async (rows, [path, bands], top) => {
        const source = await write(rows, CUT_OFFS[2]);
        const catalog = assetListCatalog([source]);
        const resolved = catalog.resolve(path);
        if (!('field' in resolved)) throw new Error(path);
        const { field } = resolved;
        const edges = bands === null ? null : parseEdges(bands, field);
        const strata = await stratifyTape(lake, source, { field, edges, top, filter: EVERYTHING }, POOL);
        const told = stratify(strata.keys, strata.sums, POOL);
        expect(told.total.count).toBe(rows.length);
        expect(told.strata.reduce((total, { count }) => total + count, 0)).toBe(rows.length);
        if (rows.length > 0) expect(sum(told.strata.map(({ countShare }) => countShare))).toBe('1');
        const values = told.strata.flatMap(({ key }) => (key.kind === 'value' ? [key.value] : []));
        for (const { key, count, averages } of told.strata) {
          const filter = parseFilter(
            stratumFilter(path, key, values, field.type === 'number' || field.type === 'decimal'),
            catalog,
          );
          const own = rows.filter((row) => evaluateFilter(filter, () => row[path]) === true);
          expect(own).toHaveLength(count);
          if (key.kind === 'band' && edges) {
            expect(own.map((row) => bandOf(String(row[path]), edges, field))).toEqual(Array(count).fill(key.index));
          }
          const inDollars = (row: Cells) =>
            Number(row['sums.outstandingSum']) /
            ({ USD: 1, EUR: 0.8, JPY: 150 }[String(row['sums.outstandingSum.currency'])] ?? 1);
          const weighed = own.filter((row) => row['sums.outstandingSum'] !== null && row.interestRate !== null);
          const weight = weighed.reduce((total, row) => total + inDollars(row), 0);
          if (weight === 0) expect(averages.rate).toBeNull();
          else {
            const rate = weighed.reduce((total, row) => total + inDollars(row) * Number(row.interestRate), 0) / weight;
            expect(Math.abs(Number(averages.rate) - rate)).toBeLessThan(1e-5);
          }
        }
        const exact = (code: string) =>
          sum(
            rows.flatMap((row) =>
              row['sums.outstandingSum.currency'] === code ? [String(row['sums.outstandingSum'])] : [],
            ),
          );
        for (const code of ['USD', 'EUR', 'JPY']) {
          const held = strata.sums.flatMap((one) => (one.currency === code ? (one.balance ?? []) : []));
          expect(sum(held)).toBe(exact(code));
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('a tape that lacks a column', () => {
  it('is not compared without ids, days or balances: unknown, never zero', async () => {
    const row: Cells = { assetId: 'A', assetStatus: 'current', daysPastDue: 0, 'sums.outstandingSum': '1' };
    const whole = await write([row], CUT_OFFS[2]);
    const without = async (name: Name) => ({ before: await write([row], CUT_OFFS[1], [name]), after: whole });
    expect(await rollRates(lake, await without('assetId'))).toBeNull();
    expect(await rollRates(lake, await without('daysPastDue'))).toBeNull();
    expect(await paydown(lake, await without('sums.outstandingSum'), 1)).toBeNull();
    expect(await poolSums(lake, (await without('sums.outstandingSum')).before)).toBeNull();
    expect(await rollRates(lake, await without('assetStatus'))).toHaveLength(1);
  });

  it('has no balance and no averages, but still a count', async () => {
    const row: Cells = { assetId: 'A', 'address.state': 'CA', interestRate: '5' };
    const source = await write([row, row], CUT_OFFS[2], [
      'sums.outstandingSum',
      'sums.outstandingSum.currency',
      'remainingTerm.days',
    ]);
    const resolved = assetListCatalog([source]).resolve('address.state');
    if (!('field' in resolved)) throw new Error('state');
    const { keys, sums, measures } = await stratifyTape(
      lake,
      source,
      { field: resolved.field, edges: null, top: 5, filter: EVERYTHING },
      POOL,
    );
    const [only] = stratify(keys, sums, POOL).strata;
    expect(only).toMatchObject({ count: 2, balance: null, balanceShare: null, averages: { rate: null, term: null } });
    expect(measures).toEqual({ rate: 'interestRate', term: null, score: 'creditScores.origination' });
  });
});

describe('a stratification', () => {
  const many = (count: number): Cells[] =>
    Array.from({ length: count }, (_, index) => ({
      assetId: `L${index}`,
      'address.state': ['CA', 'CA', 'CA', 'TX', 'NY', null][index % 6] ?? null,
      interestRate: String(5 + (index % 30)),
      'sums.outstandingSum': index % 6 === 4 ? '900.00' : '100.00',
      'sums.outstandingSum.currency': index % 6 === 3 ? 'EUR' : 'USD',
    }));

  it('puts the largest values by balance in the pool currency first, the others together, the missing last', async () => {
    const source = await write(many(60), CUT_OFFS[2]);
    const resolved = assetListCatalog([source]).resolve('address.state');
    if (!('field' in resolved)) throw new Error('state');
    const { keys, sums } = await stratifyTape(
      lake,
      source,
      { field: resolved.field, edges: null, top: 2, filter: EVERYTHING },
      POOL,
    );
    const { strata } = stratify(keys, sums, POOL);
    expect(
      strata.map(({ key, count, balance }) => [key.kind === 'value' ? key.value : key.kind, count, balance]),
    ).toEqual([
      ['NY', 10, '9000'],
      ['CA', 30, '3000'],
      ['other', 10, multiply('1000', '1.25')],
      ['missing', 10, '1000'],
    ]);
    expect(keys.find(({ kind }) => kind === 'other')).toMatchObject({ values: 1 });
  });

  it('suggests bands where most values lie, and applies a filter', async () => {
    const source = await write(many(300), CUT_OFFS[2]);
    const catalog = assetListCatalog([source]);
    const resolved = catalog.resolve('interestRate');
    if (!('field' in resolved)) throw new Error('rate');
    const filter = parseFilter({ 'address.state': 'CA' }, catalog);
    const { edges, sums } = await stratifyTape(
      lake,
      source,
      { field: resolved.field, edges: null, top: 5, filter },
      POOL,
    );
    expect(edges).toEqual(['10', '15', '20', '25', '30']);
    expect(sums.reduce((total, { count }) => total + count, 0)).toBe(150);
  });
});
