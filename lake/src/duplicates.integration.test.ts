import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAX_BLOCK } from '@tapeline/domain/duplicates/rules.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TapeSource } from './asset-relation.ts';
import { type BookTape, findDuplicates } from './duplicates.ts';
import { type Lake, openLake, quoteText } from './lake.ts';

interface Row {
  id?: string | null;
  name?: string | null;
  borrower?: string | null;
  amount?: string | null;
  currency?: string;
  financed?: string | null;
  rate?: string | null;
  termDays?: number | null;
  balance?: string;
}

const LOAN = {
  id: 'A-1',
  name: 'San Jacinto Tacos',
  borrower: null,
  amount: '20000',
  currency: 'USD',
  financed: '2024-12-15',
  rate: '10.78',
  termDays: 1440,
  balance: '12000',
} satisfies Row;

let folder: string;
let lake: Lake;
let made = 0;

async function source(rows: readonly Row[]): Promise<TapeSource> {
  made += 1;
  const path = join(folder, `${made}.parquet`);
  const text = (value: string | number | null | undefined) =>
    value === null || value === undefined ? 'NULL' : quoteText(String(value));
  const values = rows.map((row, index) => {
    const { id, name, borrower, amount, currency, financed, rate, termDays, balance } = { ...LOAN, ...row };
    return `(${index + 2}, ${[id, name, borrower, amount, currency, financed, rate, termDays, balance].map(text).join(', ')})`;
  });
  await lake.connected((connection) =>
    connection.run(
      `COPY (SELECT r::INTEGER AS "row", id::VARCHAR AS "assetId", name::VARCHAR AS "customFields.borrowerName",
         borrower::VARCHAR AS "borrowerId", amount::DECIMAL(18,4) AS "sums.sum", currency::VARCHAR AS "sums.sum.currency",
         financed::DATE AS "dateFinanced", rate::DECIMAL(18,8) AS "interestRate", days::DOUBLE AS "term.days",
         balance::DECIMAL(18,4) AS "sums.outstandingSum", currency::VARCHAR AS "sums.outstandingSum.currency"
       FROM (VALUES ${values.join(', ')}) AS t(r, id, name, borrower, amount, currency, financed, rate, days, balance))
       TO ${quoteText(path)} (FORMAT parquet)`,
    ),
  );
  return {
    tapeId: String(made).padStart(24, '0'),
    companyId: String(made).padStart(24, 'c'),
    cutOffDate: '2026-10-31',
    managerId: 'b'.repeat(24),
    assetPrefix: String(made).padStart(16, '0'),
    mappingVersion: 1,
    paths: [path],
    columns: [
      ...['assetId', 'customFields.borrowerName', 'borrowerId', 'sums.sum', 'sums.sum.currency', 'dateFinanced'],
      ...['interestRate', 'term.days', 'sums.outstandingSum', 'sums.outstandingSum.currency'],
    ],
    customFields: [{ path: 'borrowerName', kind: 'text' }],
    borrowingBase: null,
  };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tapeline-duplicates-'));
  lake = await openLake({ threads: 1 });
});
afterAll(async () => {
  lake.close();
  await rm(folder, { recursive: true, force: true });
});

/** The certainty of the pair that the loan and another one on another tape are; null for none. */
async function found(other: Row, first: Row = {}): Promise<string | null> {
  const { pairs } = await findDuplicates(lake, [await source([first]), await source([{ id: 'B-2', ...other }])]);
  return pairs[0]?.certainty ?? null;
}

const OTHERS = { name: 'Another', financed: '2020-01-01', rate: '1', termDays: 30 };

describe('the same loan twice', () => {
  it.each([
    ['the same id and amount', { ...OTHERS, id: ' a-1 ' }, 'certain'],
    ['the same id and another amount', { ...OTHERS, id: 'A-1', amount: '20000.01' }, null],
    ['the same id and amount in another currency', { ...OTHERS, id: 'A-1', currency: 'EUR' }, null],
    ['the same obligor, amount, date, rate and term', {}, 'likely'],
    ['an amount 0.5 % lower', { amount: '19900' }, 'likely'],
    ['an amount just over 0.5 % lower', { amount: '19899.99' }, null],
    ['a larger amount, 0.5 % of it apart', { amount: '20100.5' }, 'likely'],
    ['an amount in another currency', { currency: 'EUR' }, null],
    ['a date 3 days later', { financed: '2024-12-18' }, 'likely'],
    ['a date 3 days earlier', { financed: '2024-12-12' }, 'likely'],
    ['a date 4 days later and the same rate and term', { financed: '2024-12-19' }, 'possible'],
    ['a date 4 days later and another rate', { financed: '2024-12-19', rate: '10.79' }, null],
    ['no date, and the same rate and term', { financed: null }, 'possible'],
    ['another rate and the same term', { rate: '10.79' }, 'likely'],
    ['another term and the same rate', { termDays: 1080 }, 'likely'],
    ['another rate and another term', { rate: '10.79', termDays: 1080 }, 'possible'],
    ['no rate and no term', { rate: null, termDays: null }, 'possible'],
    ['another obligor', { name: 'San Jacinto Bakery' }, null],
    ['no obligor', { name: null }, null],
    ['no amount', { amount: null }, null],
  ] satisfies [string, Row, string | null][])('compares %s', async (_, other, certainty) => {
    expect(await found(other)).toBe(certainty);
  });

  it.each([
    ['SAN JACINTO TACOS LLC', 'likely'],
    ['San Jacinto Tacos, L.L.C.', 'likely'],
    ['Tacos  San-Jacinto', 'likely'],
    ['Sán Jacinto Tacos', 'likely'],
    ['The San Jacinto Tacos Company', 'likely'],
    ['San Jacinto Tacos 2', null],
    ['San Jacintos Tacos', null],
  ])('compares the name %s', async (name, certainty) => {
    expect(await found({ name })).toBe(certainty);
  });

  it('compares the id of the borrower where the name differs, and never empty names', async () => {
    const ids = (one: string, other: string) => found({ name: 'Other', borrower: one }, { borrower: other });
    expect(await ids(' TX-4186 ', 'tx-4186')).toBe('likely');
    // What is left out of names tells ids apart.
    for (const [one, other] of [
      ['TX-4187', 'TX-4186'],
      ['TX-4186', 'TX 4186'],
      ['41-86', '86-41'],
      ['CO-7', '7'],
      [' ', ' '],
    ] as const) {
      expect(await ids(one, other), one).toBe(null);
    }
    expect(await found({ name: 'LLC' }, { name: 'Inc.' })).toBe(null);
  });

  it('compares the id of the borrower with a tape that has no names', async () => {
    const named = await source([{ borrower: 'TX-4186' }]);
    const nameless = await source([
      { id: 'B-2', name: null, borrower: 'tx-4186' },
      { id: 'B-3', name: null, borrower: 'TX-4187' },
    ]);
    const { pairs } = await findDuplicates(lake, [
      named,
      { ...nameless, columns: nameless.columns.filter((path) => !path.includes('borrowerName')), customFields: [] },
    ]);
    expect(pairs.map(({ certainty, loans }) => [certainty, ...loans.map(({ assetId }) => assetId)])).toEqual([
      ['likely', 'A-1', 'B-2'],
    ]);
    expect(pairs[0]?.loans.map(({ obligor, borrowerId }) => [obligor, borrowerId])).toEqual([
      ['San Jacinto Tacos', 'TX-4186'],
      [null, 'tx-4186'],
    ]);
  });

  it('compares within a tape too, but leaves the same id there to the checks of its mapping', async () => {
    const { pairs, loans } = await findDuplicates(lake, [await source([{}, { id: 'A-1' }, { id: 'A-9' }])]);
    expect(loans).toBe(3);
    expect(pairs.map(({ loans: [a, b] }) => [a.row, b.row])).toEqual([
      [2, 4],
      [3, 4],
    ]);
  });

  it('names both loans with what their tapes say, the largest balance in both first', async () => {
    const first = await source([{ balance: '100' }, { id: 'X', name: 'Lone Fork Hauling', balance: '5000' }]);
    const second = await source([
      { id: 'B-1', balance: '200' },
      { id: 'Y', name: 'LONE FORK HAULING', balance: '4000.5' },
    ]);
    const { pairs, found: count } = await findDuplicates(lake, [first, second]);
    expect(count).toBe(2);
    const few = await findDuplicates(lake, [first, second], undefined, 1);
    expect([few.found, few.pairs]).toEqual([2, pairs.slice(0, 1)]);
    expect(pairs.map(({ loans }) => loans.map(({ source: at, row, assetId }) => [at, row, assetId]))).toEqual([
      [
        [0, 3, 'X'],
        [1, 3, 'Y'],
      ],
      [
        [0, 2, 'A-1'],
        [1, 2, 'B-1'],
      ],
    ]);
    expect(pairs[0]?.loans[1]).toMatchObject({
      obligor: 'LONE FORK HAULING',
      originalAmount: '20000',
      currency: 'USD',
      financedOn: '2024-12-15',
      ratePercent: '10.78',
      balance: '4000.5',
      product: null,
    });
  });

  it('does not compare more loans with the same values than a block takes, and counts them', async () => {
    const block = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `A-${index}` }));
    const most = await findDuplicates(lake, [await source(block(MAX_BLOCK))]);
    expect([most.found, most.notCompared]).toEqual([(MAX_BLOCK * (MAX_BLOCK - 1)) / 2, 0]);
    const more = await findDuplicates(lake, [await source(block(MAX_BLOCK + 1))]);
    expect([more.found, more.notCompared]).toEqual([0, MAX_BLOCK + 1]);
  });

  describe('of a loan that has left its tapes', () => {
    const [alder, castelo] = ['a'.repeat(24), 'c'.repeat(24)] as const;
    const tape = async (companyId: string, cutOffDate: string, isEarlier: boolean, rows: readonly Row[]) => ({
      ...(await source(rows)),
      ...{ companyId, cutOffDate, isEarlier },
    });
    const other = { id: 'Z', name: 'Lone Fork Hauling' };
    const foundIn = async (...tapes: readonly BookTape[]) => {
      const { pairs, loans } = await findDuplicates(lake, tapes);
      return [
        loans,
        ...pairs.map(({ certainty, loans: [a, b] }) => `${certainty} ${a.leftAfter} ${b.leftAfter} ${a.row}/${b.row}`),
      ];
    };

    it('compares it with those of other borrowers, as the last tape has it', async () => {
      const earlier = [
        await tape(alder, '2026-08-31', true, [other, { name: 'Of August' }]),
        await tape(alder, '2026-09-30', true, [{}, other]),
      ];
      const latest = await tape(alder, '2026-10-31', false, [other]);
      const bought = await tape(castelo, '2026-10-31', false, [{ id: 'Y', name: 'SAN JACINTO TACOS' }]);
      const moved = await tape(castelo, '2026-10-31', false, [{ name: 'Of August' }]);
      expect(await foundIn(...earlier, latest, bought)).toEqual([2, 'likely 2026-09-30 null 2/2']);
      expect(await foundIn(...earlier, latest, moved)).toEqual([2, 'certain 2026-09-30 null 2/2']);
      // It is on the latest tape again.
      const back = await tape(alder, '2026-10-31', false, [{ id: ' a-1 ' }, other]);
      expect(await foundIn(...earlier, back, bought)).toEqual([3, 'likely null null 2/2']);
    });

    it('compares it with none of its own borrower, and none that has left as well', async () => {
      const earlier = await tape(alder, '2026-09-30', true, [{}]);
      const renumbered = await tape(alder, '2026-10-31', false, [{ id: 'B-1' }]);
      expect(await foundIn(earlier, renumbered)).toEqual([1]);
      const left = [
        await tape(castelo, '2026-09-30', true, [{}]),
        await tape(castelo, '2026-10-31', false, [{ ...other, id: 'Y', amount: '100' }]),
      ];
      expect(await foundIn(earlier, await tape(alder, '2026-10-31', false, [other]), ...left)).toEqual([2]);
    });

    it('names it after what is on two tapes now', async () => {
      const tapes = [
        await tape(alder, '2026-09-30', true, [{ balance: '9000' }]),
        await tape(alder, '2026-10-31', false, [other]),
        await tape(castelo, '2026-10-31', false, [{ balance: '9000' }, { ...other, id: 'X', balance: '1' }]),
      ];
      expect(await foundIn(...tapes)).toEqual([3, 'likely null null 2/3', 'certain 2026-09-30 null 2/2']);
    });
  });

  it('finds the pairs that comparing all with all finds', async () => {
    const loan = fc.record({
      id: fc.constantFrom('1', '2', '3', null),
      name: fc.constantFrom('Ann Lee', 'LEE, ANN', 'Bo Co', null),
      amount: fc.constantFrom('1000', '1004.9', '1005.1', '995', '994.9', '1000.5'),
      financed: fc.constantFrom('2024-01-01', '2024-01-03', '2024-01-04', '2024-01-05', '2024-01-08', null),
      rate: fc.constantFrom('5', '6', null),
      termDays: fc.constantFrom(30, 60, null),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(loan, { minLength: 1, maxLength: 12 }), fc.nat(12), async (loans, cut) => {
        const tapes = [loans.slice(0, cut), loans.slice(cut)].filter(({ length }) => length > 0);
        const { pairs } = await findDuplicates(lake, await Promise.all(tapes.map(source)));
        const all = tapes.flatMap((rows, tape) => rows.map((row, index) => ({ ...row, tape, row: index + 2 })));
        const expected = all.flatMap((a, at) =>
          all.slice(at + 1).flatMap((b) => {
            const certainty = certaintyOf(a, b);
            return certainty ? [`${a.tape}/${a.row} ${b.tape}/${b.row} ${certainty}`] : [];
          }),
        );
        expect(
          pairs.map(({ certainty, loans: [a, b] }) => `${a.source}/${a.row} ${b.source}/${b.row} ${certainty}`).sort(),
        ).toEqual(expected.sort());
      }),
      { numRuns: 60 },
    );
  });
});

interface Compared {
  id: string | null;
  name: string | null;
  amount: string;
  financed: string | null;
  rate: string | null;
  termDays: number | null;
  tape: number;
}

/** The rules, as one reads them. */
function certaintyOf(a: Compared, b: Compared): string | null {
  const same = <T>(x: T | null, y: T | null) => x !== null && x === y;
  const person = ({ name }: Compared) => name?.toLowerCase().replace(',', '').split(' ').sort().join(' ') ?? null;
  const [x, y] = [Number(a.amount), Number(b.amount)];
  if (a.tape !== b.tape && same(a.id, b.id) && x === y) return 'certain';
  if (a.tape === b.tape && same(a.id, b.id)) return null;
  if (!same(person(a), person(b)) || Math.abs(x - y) > Math.max(x, y) * 0.005) return null;
  const days = a.financed && b.financed ? Math.abs(Date.parse(a.financed) - Date.parse(b.financed)) / 86_400_000 : 99;
  const [rate, term] = [same(a.rate, b.rate), same(a.termDays, b.termDays)];
  if (days <= 3) return rate || term ? 'likely' : 'possible';
  return rate && term ? 'possible' : null;
}
