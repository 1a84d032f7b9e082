import { describe, expect, it, test } from 'vitest';
import type { ImportRow } from './check.ts';
import { IMPORT_COLUMNS } from './columns.ts';
import { IMPORT_KINDS, type ImportKind, MAX_ROWS } from './kinds.ts';
import { MAX_CELL, readRows, repeatedRows, timeSeriesOf } from './read-rows.ts';

const rowOf = (cells: ImportRow['cells'], row = 2): ImportRow => ({ file: 0, row, cells });

/** The example row of a kind's template. */
const exampleOf = (kind: ImportKind): Record<string, string> =>
  Object.fromEntries(IMPORT_COLUMNS[kind].map(({ key, example }) => [key, example]));

const problemsOf = (kind: ImportKind, cells: Record<string, string>) =>
  readRows(kind, [rowOf({ ...exampleOf(kind), ...cells })])[0]!.problems.map(({ column, message }) => [
    column,
    message,
  ]);

describe.each(IMPORT_KINDS)('the columns of %s', (kind) => {
  test('have distinct keys and labels, and their examples are one row without a problem', () => {
    const columns = IMPORT_COLUMNS[kind];
    expect(new Set(columns.map(({ key }) => key)).size).toBe(columns.length);
    expect(new Set(columns.map(({ label }) => label.toLowerCase())).size).toBe(columns.length);
    expect(readRows(kind, [rowOf(exampleOf(kind))])).toEqual([{ payload: expect.anything(), problems: [] }]);
  });

  test('report every required cell that is empty', () => {
    const required = IMPORT_COLUMNS[kind].filter(({ isRequired }) => isRequired).map(({ key }) => [key, 'is required']);
    const [read] = readRows(kind, [rowOf({})]);
    const reported = read!.problems.map(({ column, message }) => [column, message]);
    expect(reported).toEqual(expect.arrayContaining(required));
    expect([...new Set(reported.map(([, message]) => message === 'is required'))]).toEqual([true]);
  });

  test('are read for as many rows as an import may have, and not for one more', () => {
    const rows = Array.from({ length: MAX_ROWS[kind] }, (_, index) => rowOf({}, index + 2));
    expect(readRows(kind, rows)).toHaveLength(MAX_ROWS[kind]);
    expect(() => readRows(kind, [...rows, rowOf({})])).toThrow(RangeError);
  });
});

it.each<[string, ImportKind, Record<string, string>, (string | null)[][]]>([
  ['a code that is no number', 'LPs', { code: 'twelve' }, [['code', 'must be a whole number']]],
  ['a code that Excel wrote as a decimal', 'LPs', { code: '12.0' }, []],
  ['a code of zero', 'LPs', { code: '0' }, [['code', 'must be at least 1']]],
  [
    'a day that does not exist',
    'navs',
    { date: '2026-02-30' },
    [['date', 'Enter a date as YYYY-MM-DD, for example 2026-10-31']],
  ],
  [
    'an unknown currency',
    'navs',
    { currency: 'XXY' },
    [['currency', 'Use a currency code of ISO 4217, for example USD']],
  ],
  ['a currency in lower case', 'navs', { currency: 'usd' }, []],
  ['an unknown strategy', 'funds', { strategy: 'XYZ' }, [['strategy', 'must be one of ALF, ABL, GL, FF']]],
  ['a strategy in lower case', 'funds', { strategy: 'abl' }, []],
  ['a negative hard cap', 'funds', { hardCap: '-1' }, [['hardCap', 'must be at least 0']]],
  [
    'classes with the same key',
    'funds',
    { classes: 'A: One; A: Two' },
    [['classes', 'has two classes with the same key']],
  ],
  ['a bank account without its address', 'LPs', { 'bank.address': '' }, []],
  [
    'an IBAN with wrong check digits',
    'LPs',
    { 'bank.IBAN': 'GB00NWBK60161331926819' },
    [['bank.IBAN', 'This is not a valid IBAN. Check its digits and length.']],
  ],
  [
    'a broken address',
    'users',
    { email: 'ann', firstName: 'A' },
    [
      ['firstName', 'At least 2 characters'],
      ['email', 'Enter an email address, for example ann@example.com'],
    ],
  ],
  ['a number with commas between thousands', 'contributions', { defaultValue: '500,000.00' }, []],
  [
    'a number with misplaced commas',
    'contributions',
    { defaultValue: '5,00' },
    [['defaultValue', 'Enter a number, for example 1250000.50']],
  ],
  [
    'purposes that do not add up',
    'contributions',
    { defaultValue: '500001' },
    [['defaultValue', 'must be 500000, the sum of the purposes: the file has 1 more']],
  ],
  [
    'a purpose that is no number',
    'contributions',
    { 'keyValues.other': 'ten' },
    [['keyValues.other', 'Enter a number, for example 1250000.50']],
  ],
  ['purposes without a total', 'contributions', { defaultValue: '' }, []],
  ['fees, which are subtracted', 'distributions', { 'keyValues.INTEREST FEES': '1000', defaultValue: '499000' }, []],
  [
    'a distribution that does not add up',
    'distributions',
    { 'keyValues.CG TAX': '1000' },
    [
      [
        'defaultValue',
        'must be 499000, principal, interest and capital gains less fees and taxes: the file has 1000 more',
      ],
    ],
  ],
  [
    'a NAV that is not its net value',
    'navs',
    { 'keyValues.net': '1' },
    [['defaultValue', 'must be 1, the net value: the file has 499999 more']],
  ],
  ['a gross value beside the net value', 'navs', { 'keyValues.gross': '600000' }, []],
  [
    'a cell beyond the limit',
    'reports',
    { fileName: 'x'.repeat(MAX_CELL + 1) },
    [['fileName', `must have at most ${MAX_CELL} characters`]],
  ],
])('%s', (_, kind, cells, expected) => {
  expect(problemsOf(kind, cells)).toEqual(expected);
});

test('a total follows from the purposes', () => {
  const [read] = readRows('contributions', [rowOf({ ...exampleOf('contributions'), defaultValue: '' })]);
  expect(read!.payload).toMatchObject({ defaultValue: '500000' });
});

test('a row that repeats an earlier one is found, whatever the case of its email', () => {
  const user = exampleOf('users');
  const read = readRows('users', [
    rowOf(user),
    rowOf({ ...user, email: 'other@fjord.example' }),
    rowOf({ ...user, email: user.email!.toUpperCase() }),
  ]);
  expect([...repeatedRows('users', read)]).toEqual([[2, [{ column: 'email', of: 0 }]]]);
});

test('rows of one investor, fund and class are one time series, by date', () => {
  const nav = exampleOf('navs');
  const rows = ['2026-09-30', '2026-06-30', '2026-03-31'].map((date, index) =>
    rowOf({ ...nav, date, investorCode: index === 2 ? '13' : '12' }),
  );
  const series = timeSeriesOf(
    readRows('navs', rows).flatMap(({ payload }, index) => (payload ? [{ index, payload }] : [])),
  );
  expect(series.map(({ indexes, payload }) => [payload.investorCode, indexes])).toEqual([
    [12, [1, 0]],
    [13, [2]],
  ]);
});
