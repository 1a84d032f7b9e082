import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  absolute,
  add,
  compare,
  type DecimalText,
  multiply,
  negate,
  subtract,
  sum,
} from '@tapeline/domain/money/decimal.ts';
import { CHANGE_KINDS, type LoanChange } from '@tapeline/domain/pools/changes.ts';
import {
  convertedRoll,
  DEPARTURES,
  type Departed,
  ROLL_LINES,
  type RollChange,
  type RollForward,
  rollForwardOf,
} from '@tapeline/domain/pools/roll-forward.ts';
import {
  type PlainAsset,
  type PlainRoll,
  type PlainTape,
  plainChanges,
  plainRoll,
} from '@tapeline/domain/pools/testing/plain-roll.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TapeSource } from './asset-relation.ts';
import { exportList } from './exports/export-list.ts';
import type { ExportTable } from './exports/export-table.ts';
import { type Lake, openLake, quoteName, quoteText } from './lake.ts';
import { paymentProof, unprovedExport, unprovedLoans } from './payment-proof.ts';
import {
  assetsOfRoll,
  changedAssets,
  departedAmong,
  foundChanges,
  type PairedTapes,
  pairedTapes,
  rollCells,
} from './roll-forward.ts';
import { changedExport, rolledExport } from './roll-forward-export.ts';

const COLUMNS = [
  ['assetId', 'VARCHAR'],
  ['borrowerId', 'VARCHAR'],
  ['assetStatus', 'VARCHAR'],
  ['daysPastDue', 'DOUBLE'],
  ['dateFinanced', 'DATE'],
  ['dates.chargeOffDate', 'DATE'],
  ['dates.maturityDate', 'DATE'],
  ['term', 'DOUBLE'],
  ['term.unit', 'VARCHAR'],
  ['term.days', 'DOUBLE'],
  ['sums.sum', 'DECIMAL(18,4)'],
  ['sums.sum.currency', 'VARCHAR'],
  ['sums.outstandingSum', 'DECIMAL(18,4)'],
  ['sums.outstandingSum.currency', 'VARCHAR'],
] as const;
type Name = (typeof COLUMNS)[number][0];

const EARLIER = '2026-09-30';
const LATER = '2026-10-31';

let folder: string;
let lake: Lake;
let files = 0;

const cellsOf = (asset: PlainAsset): Record<Name, string | number | null> => ({
  assetId: asset.assetId,
  borrowerId: asset.borrowerId,
  assetStatus: asset.assetStatus,
  daysPastDue: asset.daysPastDue,
  dateFinanced: asset.dateFinanced,
  'dates.chargeOffDate': asset.chargeOffDate,
  'dates.maturityDate': asset.maturityDate,
  term: asset.termDays === null ? null : asset.termDays / 30,
  'term.unit': asset.termDays === null ? null : 'months',
  'term.days': asset.termDays,
  'sums.sum': asset.original?.sum ?? null,
  'sums.sum.currency': asset.original?.currency ?? null,
  'sums.outstandingSum': asset.balance?.sum ?? null,
  'sums.outstandingSum.currency': asset.balance?.currency ?? null,
});

async function write({ cutOffDate, assets }: PlainTape, without: readonly Name[] = []): Promise<TapeSource> {
  files += 1;
  const path = join(folder, `${files}.parquet`);
  const held = COLUMNS.filter(([name]) => !without.includes(name));
  const literal = (value: string | number | null) => (value === null ? 'NULL' : quoteText(String(value)));
  const values = assets.map((asset, index) => {
    const cells = cellsOf(asset);
    return `(${index + 2}, ${held.map(([name]) => literal(cells[name])).join(', ')})`;
  });
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
    managerId: 'b'.repeat(24),
    cutOffDate,
    assetPrefix: String(files).padStart(16, '0'),
    mappingVersion: 1,
    paths: [path],
    columns: held.map(([name]) => name),
    customFields: [],
    borrowingBase: null,
  };
}

async function paired(before: PlainTape, after: PlainTape, departed: readonly Departed[] = []): Promise<PairedTapes> {
  const pair = await pairedTapes(lake, { before: await write(before), after: await write(after) }, departed);
  if (!pair) throw new Error('the tapes cannot be compared');
  return pair;
}

const money = fc.constantFrom('0', '0.0001', '100', '100.1', '250.55', '999.9999', '-20');
const currency = fc.constantFrom('USD', 'USD', 'USD', 'EUR', 'JPY');
const amount = fc.option(fc.record({ sum: money, currency }), { freq: 6 });
const date = fc.option(fc.constantFrom('2024-01-15', '2026-09-30', '2026-10-01', '2026-10-31', '2028-02-29'), {
  freq: 6,
});

/** Rows as untidy as real ones: ids that are missing or listed twice, and values that are missing or have changed. */
const asset: fc.Arbitrary<PlainAsset> = fc.record({
  assetId: fc.option(
    fc.integer({ min: 1, max: 25 }).map((n) => `L${n}`),
    { freq: 8 },
  ),
  assetStatus: fc.option(fc.constantFrom('current', 'current', 'delinquent', 'chargedOff', 'paid', 'prePaid'), {
    freq: 6,
  }),
  daysPastDue: fc.option(fc.constantFrom(0, 0, 0.5, 1, 29, 31, 32, 90, 400), { freq: 6 }),
  chargeOffDate: fc.oneof(
    { weight: 8, arbitrary: fc.constant(null) },
    fc.constantFrom(EARLIER, '2026-10-15', '2026-11-15'),
  ),
  balance: amount,
  original: amount,
  dateFinanced: date,
  maturityDate: date,
  termDays: fc.option(fc.constantFrom(360, 720), { freq: 6 }),
  borrowerId: fc.option(fc.constantFrom('B1', 'B2'), { freq: 6 }),
});
const assets = fc.array(asset, { maxLength: 25, size: 'max' });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tapeline-roll-'));
  lake = await openLake({ threads: 2 });
});
afterAll(async () => {
  lake.close();
  await rm(folder, { recursive: true, force: true });
});

const changeOf = (changes: readonly RollChange[]) => sum(changes.map(({ change }) => change));
const countOf = (changes: readonly RollChange[], side: 'before' | 'after') =>
  changes.reduce((total, change) => total + change[side], 0);
const known = (tape: PlainTape, code: string): DecimalText[] =>
  tape.assets.flatMap(({ balance }) => (balance?.currency === code ? [balance.sum] : []));

/** The laws of a roll-forward: opening and all changes are closing, by currency and by part, in amount and count. */
function expectToAddUp({ currencies, lines, opening, closing }: RollForward, earlier: PlainTape, later: PlainTape) {
  expect([opening.count, closing.count]).toEqual([earlier.assets.length, later.assets.length]);
  expect(lines.reduce((total, { before }) => total + before, 0)).toBe(opening.count);
  expect(lines.reduce((total, { after }) => total + after, 0)).toBe(closing.count);
  const hasBalance = ({ assets: some }: PlainTape) => some.filter(({ balance }) => balance !== null).length;
  expect([opening.known, closing.known]).toEqual([hasBalance(earlier), hasBalance(later)]);
  const codes = [...earlier.assets, ...later.assets].flatMap(({ balance }) => balance?.currency ?? []);
  expect(currencies.map((roll) => roll.currency)).toEqual([...new Set(codes)].sort());
  for (const roll of currencies) {
    const [first, last] = [known(earlier, roll.currency), known(later, roll.currency)];
    expect(roll.opening).toEqual({ count: first.length, balance: sum(first) });
    expect(roll.closing).toEqual({ count: last.length, balance: sum(last) });
    expect(add(roll.opening.balance, changeOf(roll.changes))).toBe(roll.closing.balance);
    expect([countOf(roll.changes, 'before'), countOf(roll.changes, 'after')]).toEqual([first.length, last.length]);
    for (const part of roll.parts) {
      const moved = [changeOf(part.changes), part.movedIn.balance, `-${part.movedOut.balance}`.replace('--', '')];
      expect(sum([part.opening.balance, ...moved])).toBe(part.closing.balance);
      expect(
        part.opening.count -
          countOf(part.changes, 'before') +
          countOf(part.changes, 'after') +
          part.movedIn.count -
          part.movedOut.count,
      ).toBe(part.closing.count);
    }
    expect(sum(roll.parts.map((part) => part.opening.balance))).toBe(roll.opening.balance);
    expect(sum(roll.parts.map((part) => part.closing.balance))).toBe(roll.closing.balance);
    expect(sum(roll.parts.map((part) => changeOf(part.changes)))).toBe(changeOf(roll.changes));
    for (const direction of ['movedIn', 'movedOut'] as const) {
      expect(sum(roll.parts.map((part) => part[direction].balance))).toBe(
        sum(roll.moves.map(({ balance }) => balance)),
      );
    }
  }
}

/** What a list of assets is compared by. */
const namesOf = (rolls: readonly { assetId: string | null; was: DecimalText | null; is: DecimalText | null }[]) =>
  rolls.map(({ assetId, was, is }) => JSON.stringify([assetId, was, is])).sort();
const plainName = ({ before, after }: PlainRoll) => ({
  assetId: (before ?? after)!.assetId,
  was: before?.balance ? sum([before.balance.sum]) : null,
  is: after?.balance ? sum([after.balance.sum]) : null,
});
const tidied = (text: DecimalText | null | undefined) => (text === null || text === undefined ? null : sum([text]));

/** What was said of loans, also of ones that are still there, and of one twice. */
const statements = fc.array(
  fc.record({
    kind: fc.constantFrom(...DEPARTURES),
    assetIds: fc.uniqueArray(
      fc.integer({ min: 1, max: 30 }).map((n) => `L${n}`),
      { minLength: 1, maxLength: 12 },
    ),
  }),
  { maxLength: 4 },
);

describe('between two random, untidy tapes', () => {
  it('every row is in one line, the lines add up by currency and part, and each has its assets', async () => {
    await fc.assert(
      fc.asyncProperty(assets, assets, statements, async (first, second, departed) => {
        const [earlier, later] = [
          { cutOffDate: EARLIER, assets: first },
          { cutOffDate: LATER, assets: second },
        ];
        const pair = await paired(earlier, later, departed);
        const forward = rollForwardOf(await rollCells(lake, pair));
        expectToAddUp(forward, earlier, later);
        const plain = plainRoll(earlier, later, departed);
        const left = plain.filter(({ line }) => line === 'left' || (DEPARTURES as readonly string[]).includes(line));
        const ids = left.map(({ before }) => before!.assetId!);
        expect((await departedAmong(lake, pair, [...ids, 'nobody'])).sort()).toEqual([...ids].sort());
        for (const line of ROLL_LINES) {
          const own = plain.filter((roll) => roll.line === line);
          const { assets: listed, total } = await assetsOfRoll(lake, pair, { line }, { skip: 0, limit: 100 });
          expect(total).toBe(own.length);
          expect(
            namesOf(
              listed.map(({ assetId, before, after }) => ({
                assetId,
                was: tidied(before?.balance),
                is: tidied(after?.balance),
              })),
            ),
          ).toEqual(namesOf(own.map(plainName)));
        }
      }),
      { numRuns: 20 },
    );
  });

  it('in one currency, exchange is what the rates changed of the closing balance, and the total adds up', async () => {
    const rates = { before: { EUR: '0.8', JPY: '150' }, after: { EUR: '0.9', JPY: '147.3' } };
    await fc.assert(
      fc.asyncProperty(assets, assets, async (first, second) => {
        const pair = await paired({ cutOffDate: EARLIER, assets: first }, { cutOffDate: LATER, assets: second });
        const forward = rollForwardOf(await rollCells(lake, pair));
        const total = convertedRoll(forward, 'USD', rates);
        expect(total.leftOut).toEqual([]);
        expect(sum([total.opening, ...total.changes.map(({ change }) => change), total.exchange])).toBe(total.closing);
        const noYen = convertedRoll(forward, 'USD', { ...rates, after: { EUR: '0.9' } });
        const codes = forward.currencies.map((roll) => roll.currency);
        expect(noYen.leftOut).toEqual(codes.filter((code) => code === 'JPY'));
        if (codes.every((code) => code === 'USD')) expect(total.exchange).toBe('0');
      }),
      { numRuns: 20 },
    );
  });

  it('what cannot be is found of exactly the assets of which it is true', async () => {
    await fc.assert(
      fc.asyncProperty(assets, assets, async (first, second) => {
        const [earlier, later] = [
          { cutOffDate: EARLIER, assets: first },
          { cutOffDate: LATER, assets: second },
        ];
        const pair = await paired(earlier, later);
        const plain = plainRoll(earlier, later);
        const expected = (kind: LoanChange) =>
          plain.filter((roll) => plainChanges(roll, earlier, later).includes(kind));
        const { matched, changed, changes } = await foundChanges(lake, pair);
        expect(changed).toBe(plain.filter((roll) => plainChanges(roll, earlier, later).length > 0).length);
        expect(matched).toBe(plain.filter(({ before, after }) => before && after).length);
        expect(changes.map(({ kind, count }) => [kind, count])).toEqual(
          CHANGE_KINDS.map((kind) => [kind, expected(kind).length]),
        );
        for (const kind of CHANGE_KINDS) {
          const { assets: listed, total } = await changedAssets(lake, pair, kind, { skip: 0, limit: 100 });
          expect(total).toBe(expected(kind).length);
          expect(listed.map(({ assetId }) => assetId).sort()).toEqual(
            expected(kind)
              .map(({ before }) => before!.assetId)
              .sort(),
          );
          expect(listed.filter(({ was, is }) => !was || !is)).toEqual([]);
        }
      }),
      { numRuns: 20 },
    );
  });
});

const LOAN: PlainAsset = {
  assetId: 'A',
  assetStatus: 'current',
  daysPastDue: 0,
  chargeOffDate: null,
  balance: { sum: '100', currency: 'USD' },
  original: { sum: '200', currency: 'USD' },
  dateFinanced: '2024-01-15',
  maturityDate: '2028-02-29',
  termDays: 720,
  borrowerId: 'B1',
};

describe('between two tapes', () => {
  it.each([
    ['31 days more in 31 days is possible', { daysPastDue: 31 }, []],
    ['32 days more in 31 days is not', { daysPastDue: 32 }, ['jumped']],
    ['a balance may stay', {}, []],
    ['a balance may not grow', { balance: { sum: '100.0001', currency: 'USD' } }, ['grew']],
    [
      'unless the original principal grew by as much',
      { balance: { sum: '150', currency: 'USD' }, original: { sum: '250', currency: 'USD' } },
      ['originalPrincipal'],
    ],
    [
      'and not by less',
      { balance: { sum: '150', currency: 'USD' }, original: { sum: '249.99', currency: 'USD' } },
      ['originalPrincipal', 'grew'],
    ],
    ['an unknown date has not changed', { dateFinanced: null, maturityDate: null, termDays: null }, []],
    [
      'another principal of another day is another loan, which is listed once',
      { original: { sum: '900', currency: 'USD' }, dateFinanced: '2026-10-01', termDays: 360, borrowerId: 'B2' },
      ['otherLoan'],
    ],
  ] satisfies [string, Partial<PlainAsset>, LoanChange[]][])('%s', async (_, changed, kinds) => {
    const pair = await paired(
      { cutOffDate: EARLIER, assets: [LOAN] },
      { cutOffDate: LATER, assets: [{ ...LOAN, ...changed }] },
    );
    const { changes } = await foundChanges(lake, pair);
    expect(changes.flatMap(({ kind, count }) => (count === 0 ? [] : [kind]))).toEqual(kinds);
  });

  it('a kind whose fields a tape lacks is not checked: unknown, never none', async () => {
    const tape = { cutOffDate: EARLIER, assets: [LOAN] };
    const before = await write(tape, ['dateFinanced', 'daysPastDue']);
    const pair = (await pairedTapes(lake, { before, after: await write({ ...tape, cutOffDate: LATER }) }))!;
    const { changes } = await foundChanges(lake, pair);
    expect(changes.flatMap(({ kind, count }) => (count === null ? [kind] : []))).toEqual([
      'otherLoan',
      'originationDate',
      'jumped',
    ]);
    expect(await changedAssets(lake, pair, 'jumped', { skip: 0, limit: 1 })).toEqual({ assets: [], total: 0 });
  });

  it('nothing is followed on a tape without ids or balances', async () => {
    const tape = { cutOffDate: EARLIER, assets: [LOAN] };
    const after = await write({ ...tape, cutOffDate: LATER });
    for (const name of ['assetId', 'sums.outstandingSum'] as const) {
      expect(await pairedTapes(lake, { before: await write(tape, [name]), after })).toBeNull();
      expect(await pairedTapes(lake, { before: after, after: await write(tape, [name]) })).toBeNull();
    }
  });

  it('assets are listed in pages, by currency and by part', async () => {
    const before = { cutOffDate: EARLIER, assets: [] };
    const after = {
      cutOffDate: LATER,
      assets: ['1', '2', '3', '4'].map((id) => ({
        ...LOAN,
        assetId: id,
        balance: { sum: id, currency: id === '4' ? 'EUR' : 'USD' },
        daysPastDue: id === '1' ? 30 : 0,
      })),
    };
    const pair = await paired(before, after);
    const page = async (choice: Parameters<typeof assetsOfRoll>[2], skip: number, limit: number) => {
      const { assets: listed, total } = await assetsOfRoll(lake, pair, choice, { skip, limit });
      return [listed.map(({ assetId }) => assetId), total];
    };
    expect(await page({ line: 'addedLate' }, 0, 2)).toEqual([['4', '3'], 4]);
    expect(await page({ line: 'addedLate' }, 2, 2)).toEqual([['2', '1'], 4]);
    expect(await page({ line: 'addedLate' }, 4, 2)).toEqual([[], 4]);
    expect(await page({ line: 'addedLate', currency: 'USD' }, 0, 9)).toEqual([['3', '2', '1'], 3]);
    expect(await page({ line: 'addedLate', currency: 'USD', to: 'pastDue' }, 0, 9)).toEqual([['1'], 1]);
    expect(await page({ line: 'addedLate', from: 'current' }, 0, 9)).toEqual([[], 0]);
  });
});

/** The lines of a table as CSV. */
const text = async (table: ExportTable) => {
  const pieces: Uint8Array[] = [];
  for await (const piece of exportList(lake, table, 'csv', { sheetName: 'Assets' })) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8').trim().split(/\r?\n/);
};

describe('files', () => {
  it('list every row of both tapes once, and every change with both values', async () => {
    await fc.assert(
      fc.asyncProperty(assets, assets, async (first, second) => {
        const [earlier, later] = [
          { cutOffDate: EARLIER, assets: first },
          { cutOffDate: LATER, assets: second },
        ];
        const pair = await paired(earlier, later);
        const plain = plainRoll(earlier, later);
        const forward = rollForwardOf(await rollCells(lake, pair));
        expect(await text(await rolledExport(lake, pair, forward))).toHaveLength(plain.length + 1);
        const left = plain.filter(({ line }) => line === 'left');
        expect(await text(await rolledExport(lake, pair, forward, 'left'))).toHaveLength(left.length + 1);
        const found = await foundChanges(lake, pair);
        const kinds = plain.flatMap((roll) => plainChanges(roll, earlier, later));
        expect(await text(await changedExport(lake, pair, found))).toHaveLength(kinds.length + 1);
        const grew = kinds.filter((kind) => kind === 'grew');
        expect(await text(await changedExport(lake, pair, found, 'grew'))).toHaveLength(grew.length + 1);
      }),
      { numRuns: 15 },
    );
  });

  it('are read in slices where they are long', async () => {
    // More rows than one query returns: new, gone, and on both tapes.
    const many = async (from: number, cutOffDate: string): Promise<TapeSource> => {
      const source = await write({ cutOffDate, assets: [] });
      const rows = `SELECT n::INTEGER AS "row", n::INTEGER AS "sequenceIndex", concat('L', n + ${from}) AS "assetId",
        ${from + 1}::DECIMAL(18,4) AS "sums.outstandingSum", 'USD' AS "sums.outstandingSum.currency" FROM range(120000) t(n)`;
      await lake.connected((connection) =>
        connection.run(`COPY (${rows}) TO ${quoteText(source.paths[0]!)} (FORMAT parquet)`),
      );
      return { ...source, columns: ['assetId', 'sums.outstandingSum', 'sums.outstandingSum.currency'] };
    };
    const pair = (await pairedTapes(lake, { before: await many(0, EARLIER), after: await many(100_000, LATER) }))!;
    const forward = rollForwardOf(await rollCells(lake, pair));
    const table = await rolledExport(lake, pair, forward);
    expect([table.rows, table.queries.length]).toEqual([220_000, 4]);
    const lines = await text(table);
    expect(lines).toHaveLength(220_001);
    expect(new Set(lines).size).toBe(220_001);
  });
});

describe('a proof with payments', () => {
  const paid = fc.record({
    assetId: fc.option(
      fc.integer({ min: 1, max: 30 }).map((n) => `L${n}`),
      { freq: 8 },
    ),
    currency: fc.option(fc.constantFrom('USD', 'EUR'), { freq: 1 }),
    principal: money,
    advance: money,
    writtenOff: money,
  });

  it('adds up in each currency, names every loan that is not proved, and loses no payment', async () => {
    await fc.assert(
      fc.asyncProperty(assets, assets, fc.array(paid, { maxLength: 20 }), async (first, second, payments) => {
        const [earlier, later] = [
          { cutOffDate: EARLIER, assets: first },
          { cutOffDate: LATER, assets: second },
        ];
        const pair = await paired(earlier, later);
        const proof = await paymentProof(lake, pair, payments);
        const listed = await unprovedLoans(lake, pair, payments, { skip: 0, limit: 100 });
        for (const one of proof.currencies) {
          const { opening, advance, principal, writtenOff, unexplained, closing } = one;
          expect(sum([opening, advance, negate(principal), negate(writtenOff), unexplained])).toBe(closing);
          const own = listed.loans.filter((loan) => loan.currency === one.currency);
          expect(own.length + one.proved).toBe(one.loans);
          expect(sum(own.map(({ difference }) => absolute(difference)))).toBe(one.differences);
          // What is proved is within a cent each, so the differences of the others are all but that.
          const rest = subtract(unexplained, sum(own.map(({ difference }) => difference)));
          expect(compare(absolute(rest), multiply(String(one.proved), '0.01')) <= 0).toBe(true);
          const balances = known(earlier, one.currency);
          expect(add(opening, one.notProvable.balance)).toBe(sum(balances));
          expect(one.loans + one.notProvable.count).toBe(balances.length);
        }
        for (const part of ['principal', 'advance', 'writtenOff'] as const) {
          const counted = [...proof.currencies, ...proof.unmatched].map((one) => one[part]);
          expect(sum(counted)).toBe(sum(payments.map((payment) => payment[part])));
        }
        expect(listed.total).toBe(listed.loans.length);
        expect(await text(unprovedExport(pair, payments, listed.total))).toHaveLength(listed.total + 1);
      }),
      { numRuns: 25 },
    );
  });

  it.each([
    ['exact', '40', 1, []],
    ['a cent off', '39.99', 1, []],
    ['more than a cent off', '39.9899', 0, ['-0.0101']],
  ])('%s', async (_, principal, proved, differences) => {
    const pair = await paired(
      { cutOffDate: EARLIER, assets: [LOAN] },
      { cutOffDate: LATER, assets: [{ ...LOAN, balance: { sum: '60', currency: 'USD' } }] },
    );
    const payments = [{ assetId: 'A', currency: null, principal, advance: '0', writtenOff: '0' }];
    expect((await paymentProof(lake, pair, payments)).currencies[0]?.proved).toBe(proved);
    const { loans } = await unprovedLoans(lake, pair, payments, { skip: 0, limit: 9 });
    expect(loans.map(({ difference }) => difference)).toEqual(differences);
  });
});
