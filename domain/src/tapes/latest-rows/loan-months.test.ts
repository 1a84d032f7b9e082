import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { latestRowsInWords, latestRowsName } from './in-words.ts';
import { LoanMonths, MAX_LEDGER_MONTHS, MAX_LOANS } from './loan-months.ts';

const COLUMNS = { idColumn: 'Loan', monthColumn: 'Month' };

function monthsOf(rows: readonly (readonly [loan: string, month: string])[]): LoanMonths {
  const found = new LoanMonths(COLUMNS);
  for (const [at, [loan, month]] of rows.entries()) {
    found.add(at + 2, found.loanOf(loan), found.monthOf({ tag: CellTag.text, value: month }));
  }
  return found;
}
const latestOf = (rows: Parameters<typeof monthsOf>[0], upTo: string | null = null) => {
  const { rowNumbers, counts } = monthsOf(rows).latest(upTo, 1900);
  return { rowNumbers: [...rowNumbers], counts };
};

const NONE_LEFT_OUT = { later: 0, withoutId: 0, withoutMonth: 0, lostLoans: 0, misfits: 0, tied: 0, behind: 0 };

describe('the latest row of each loan', () => {
  test('is of its latest month, however the rows are sorted', () => {
    const rows = [
      ['L2', '2024-03'],
      ['L1', '2024-01'],
      ['L1', '2024-03'],
      ['L2', '2024-01'],
      ['L2', '2024-02'],
    ] as const;
    expect(latestOf(rows)).toEqual({
      rowNumbers: [2, 4],
      counts: { ...NONE_LEFT_OUT, rows: 5, loans: 2, latestMonth: { text: '2024-03', date: '2024-03-31' } },
    });
  });

  test('is the last of several rows of that month, and such loans are counted', () => {
    const rows = [
      ['L1', '2024-01'],
      ['L1', '2024-01'],
      ['L1', '2024-02'],
      ['L2', '2024-02'],
      ['L2', '2024-01'],
      ['L2', '2024-02'],
    ] as const;
    expect(latestOf(rows)).toMatchObject({ rowNumbers: [4, 7], counts: { loans: 2, tied: 1 } });
  });

  test('ends with a day, and with the month that it is in', () => {
    const rows = [
      ['L1', '2024-01'],
      ['L1', '2024-02'],
      ['L2', '2024-02'],
      ['L2', '2024-03'],
      ['L3', '2024-03'],
    ] as const;
    expect(latestOf(rows, '2024-02-15')).toMatchObject({
      rowNumbers: [3, 4],
      counts: { rows: 5, loans: 2, later: 2, lostLoans: 0, latestMonth: { date: '2024-02-29' } },
    });
    expect(latestOf(rows, '2024-02-01').rowNumbers).toEqual([3, 4]);
    expect(latestOf(rows, '2024-01-31').rowNumbers).toEqual([2]);
    expect(() => latestOf(rows, '2023-12-31')).toThrow(
      /No row is of 31 Dec 2023 or earlier\. The first month is 1 Jan 2024/,
    );
    const days = [
      ['L1', '2024-02-29'],
      ['L1', '2024-03-31'],
      ['L2', '2024-02-29'],
    ] as const;
    expect(latestOf(days, '2024-03-30').rowNumbers).toEqual([2, 4]);
    expect(latestOf(days, '2024-03-31').rowNumbers).toEqual([3, 4]);
  });

  test('counts what it leaves out, and the loans that have no other row', () => {
    const found = monthsOf([
      ['L1', '2024-01'],
      ['L1', '2024-02'],
      ['L1', 'soon'],
      ['L2', ''],
      ['L3', '2024-01'],
      ['', '2024-02'],
      ['n/a', '2024-02'],
      [' 00123 ', '2024-02'],
      ['123', '2024-02'],
    ]);
    found.addMisfit();
    const { rowNumbers, counts } = found.latest(null, 1900);
    expect([...rowNumbers]).toEqual([3, 6, 9, 10]);
    expect(counts).toEqual({
      ...NONE_LEFT_OUT,
      rows: 10,
      loans: 4,
      withoutId: 2,
      withoutMonth: 2,
      lostLoans: 1,
      misfits: 1,
      behind: 1,
      latestMonth: { text: '2024-02', date: '2024-02-29' },
    });
    const words = latestRowsInWords(COLUMNS, counts);
    expect(words[0]).toMatch(/^4 of 10 rows remain: the latest of each “Loan”\. The latest “Month” is 2024-02 \(/);
    expect(words.slice(1)).toEqual([
      '1 loan has its latest row in an earlier month. Check whether it is repaid.',
      '2 rows are left out because “Month” is not a month that can be read, and with them 1 loan.',
      '2 rows are left out because “Loan” is blank.',
      '1 row is left out because of more fields than the header has.',
    ]);
  });

  test('is refused for columns that are not those of loans and months', () => {
    expect(() =>
      latestOf([
        ['L1', '2024-01'],
        ['L2', '2024-02'],
      ]),
    ).toThrow('Each “Loan” has one row only');
    const half = (months: string[]) => () => latestOf(months.map((month) => ['L1', month] as const));
    expect(half(['2024-01', '2024-02', 'x', 'y'])).toThrow('“Month” has no month in 2 of 4 rows');
    expect(half(['2024-01', '2024-02', '2024-03', 'x', 'y'])).not.toThrow();
    expect(half(['x', 'y'])).toThrow('“Month” has no month in 2 of 2 rows');
  });

  test('has a limit for the loans, and for different months', () => {
    const found = new LoanMonths(COLUMNS);
    for (let at = 0; at < MAX_LEDGER_MONTHS; at += 1) found.monthOf({ tag: CellTag.text, value: `m${at}` });
    expect(found.monthOf({ tag: CellTag.text, value: 'm0' })).toBe(0);
    expect(() => found.monthOf({ tag: CellTag.text, value: 'more' })).toThrow('more than 10,000 different values');
    for (let at = 0; at < MAX_LOANS; at += 1) found.loanOf(`l${at}`);
    expect(found.loanOf('l7')).toBe(7);
    expect(() => found.loanOf('more')).toThrow('more than 1,000,000 different values');
  });

  test('is that of a plain search, and every row is counted once', () => {
    const row = fc.tuple(
      fc.constantFrom('L1', 'L2', 'L3', 'L4', ''),
      fc.constantFrom('2024-01', '2024-02', '2024-03', 'x'),
    );
    fc.assert(
      fc.property(fc.array(row, { minLength: 4, maxLength: 60 }), (rows) => {
        let found: ReturnType<typeof latestOf>;
        try {
          found = latestOf(rows, '2024-02-29');
        } catch {
          return;
        }
        const dated = rows.flatMap(([loan, month], at) => (loan && month !== 'x' ? [{ loan, month, at }] : []));
        const kept = ['L1', 'L2', 'L3', 'L4'].flatMap((loan) => {
          const own = dated.filter((each) => each.loan === loan && each.month <= '2024-02');
          const last = own.toSorted((a, b) => (a.month === b.month ? a.at - b.at : a.month < b.month ? -1 : 1)).at(-1);
          return last ? [last.at + 2] : [];
        });
        expect(found.rowNumbers).toEqual(kept.sort((a, b) => a - b));
        const { later, withoutId, withoutMonth } = found.counts;
        expect(later).toBe(dated.filter(({ month }) => month === '2024-03').length);
        expect(dated.length + withoutId + withoutMonth).toBe(rows.length);
      }),
    );
  });
});

test('the name of the new file says what it is, and keeps within its limit', () => {
  expect(latestRowsName('ledger.xlsx', 'xlsx')).toBe('ledger, latest rows.xlsx');
  expect(latestRowsName('Ledger 2024.06.CSV', 'csv')).toBe('Ledger 2024.06, latest rows.csv');
  expect(latestRowsName(`${'x'.repeat(250)}.xlsx`, 'xlsx')).toHaveLength(250);
});
