import { describe, expect, test } from 'vitest';
import type { SampleCell } from './column-summary.ts';
import { otherSheet, otherSheetInWords } from './sheet-kind.ts';
import { suggestMapping } from './suggest-mapping.ts';

const cell = (value: string | number): SampleCell => ({ tag: typeof value === 'number' ? 1 : 2, value: String(value) });
const sheet = (headers: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  headers.map((header, column) => ({ header, cells: rows.map((row) => cell(row[column]!)) }));

const BOOKINGS = [-250, -100.5, 40, 3.1, 12.55, 40];
const balances = BOOKINGS.map((_, row) => BOOKINGS.slice(0, row + 1).reduce((sum, amount) => sum + amount, 1000));
const lines = BOOKINGS.map((amount, row) => [`2026-01-0${row + 1}`, 'Booking', amount, balances[row]!.toFixed(2)]);
const STATEMENT = ['Date', 'Text', 'Amount', 'Saldo'];

describe('the statement of an account', () => {
  test('is recognized by a balance that adds up the amounts, in either order of its rows', () => {
    const found = { kind: 'statement', amounts: ['Amount'], balance: 'Saldo' } as const;
    expect(otherSheet(sheet(STATEMENT, lines))).toEqual(found);
    expect(otherSheet(sheet(STATEMENT, lines.toReversed()))).toEqual(found);
    expect(otherSheetInWords(found)).toContain('each “Saldo” is the previous one changed by the “Amount” of its row');
  });

  test('is recognized with what goes out and what comes in in two columns', () => {
    const parted = lines.map(([day, text, amount, balance]) => {
      const out = Number(amount) < 0;
      return [day!, text!, out ? -Number(amount) : '', out ? '' : amount!, balance!];
    });
    const found = otherSheet(sheet(['Datum', 'Text', 'Soll', 'Haben', 'Saldo'], parted));
    expect(found).toEqual({ kind: 'statement', amounts: ['Haben', 'Soll'], balance: 'Saldo' });
  });

  test('is found by its first rows, whatever rows from the rest of the sheet follow', () => {
    const amounts = Array.from({ length: 80 }, (_, row) => (row % 7 ? 10.5 + row : -200));
    const long = amounts.map((amount, row) => [
      amount,
      amounts.slice(0, row + 1).reduce((sum, each) => sum + each, 5_000),
    ]);
    const sampled = [...long, ...long.filter((_, row) => row % 9 === 0)];
    expect(otherSheet(sheet(['Amount', 'Balance'], sampled))).toMatchObject({ kind: 'statement' });
  });

  test('is none with balances that do not change, or with few rows', () => {
    const still = lines.map(([day, text, amount]) => [day!, text!, amount!, 1000]);
    expect(otherSheet(sheet(STATEMENT, still))).toBeNull();
    expect(otherSheet(sheet(STATEMENT, lines.slice(0, 4)))).toBeNull();
  });

  test('has no current balance that is on', () => {
    const columns = sheet(
      ['Account Number', 'Date', 'Amount', 'Balance'],
      lines.map(([day, , amount, balance], row) => [`A${row}`, day!, amount!, balance!]),
    );
    const found = suggestMapping({ columns }).find(({ rule }) => rule.originCol === 'Balance');
    expect(found).toMatchObject({ isOn: false, rule: { targetCol: 'sums.outstandingSum' } });
    expect(found?.reason).toContain('it adds up "Amount" from row to row, as an account statement');
  });
});

const MONTHS = [202601, 202602, 202603];
const LOANS = ['L1', 'L2', 'L3', 'L4'];
const perMonth = LOANS.flatMap((loan, at) => MONTHS.map((month, step) => [loan, month, 1000 * (at + 1) - 37 * step]));

describe('a row for each loan and month', () => {
  const found = { kind: 'rowPerMonth', id: 'Loan', month: 'Period', months: ['202601', '202603'] } as const;

  test('is recognized by ids that repeat in each month once, however the rows are sorted', () => {
    expect(otherSheet(sheet(['Loan', 'Period', 'Balance'], perMonth))).toEqual(found);
    const byMonth = perMonth.toSorted((a, b) => Number(a[1]) - Number(b[1]));
    expect(otherSheet(sheet(['Loan', 'Period', 'Balance'], byMonth))).toEqual(found);
    expect(otherSheetInWords(found)).toContain(
      'use the latest row of each loan, or keep only the rows of one month, such as 202603',
    );
  });

  test('is recognized by months as texts, whose first and last are named whatever else is in the column', () => {
    const texts = perMonth.map(([loan, month, balance]) => [loan!, `2026-0${String(month).at(-1)}`, balance!]);
    expect(otherSheet(sheet(['Loan', 'Period', 'Balance'], texts))).toMatchObject({ months: ['2026-01', '2026-03'] });
    const years = LOANS.flatMap((loan) =>
      [3, 12, 1, 2, 11].map((month, step) => [
        loan,
        `${month < 10 ? '0' : ''}${month}/202${month < 10 ? 6 : 5}`,
        900 - step,
      ]),
    );
    expect(otherSheet(sheet(['Loan', 'Period', 'Balance'], years))).toMatchObject({ months: ['11/2025', '03/2026'] });
  });

  test('is none where a loan is twice in a month, or most loans are once in the sheet', () => {
    const twice = [...perMonth.slice(1), perMonth[1]!];
    expect(otherSheet(sheet(['Loan', 'Period', 'Balance'], twice))).toBeNull();
    const once = perMonth.map(([, month, balance], row) => [`L${row}`, month!, balance!]);
    expect(otherSheet(sheet(['Loan', 'Period', 'Balance'], once))).toBeNull();
  });

  test('says the latest month in time, however months are written', () => {
    const named = perMonth.map(([loan, month, balance]) => [
      loan!,
      `${['Dec-2025', 'Jan-2026', 'Feb-2026'][Number(month) - 202601]}`,
      balance!,
    ]);
    expect(otherSheet(sheet(['Loan', 'Period', 'Balance'], named))).toMatchObject({ months: ['Dec-2025', 'Feb-2026'] });
    const surveyed = sheet(['Loan', 'Period', 'Balance'], named).map((column) =>
      column.header === 'Period' ? { ...column, words: [{ value: 'Mar-2026', count: 4 }] } : column,
    );
    expect(otherSheet(surveyed)).toMatchObject({ months: ['Dec-2025', 'Mar-2026'] });
  });

  test('is recognized with loans that start and end in different months, unless something numbers the rows', () => {
    const some = Array.from({ length: 30 }, (_, loan) => loan).flatMap((loan) =>
      [202601, 202602, 202603, 202604, 202605, 202606].flatMap((month, at) =>
        at >= loan % 4 ? [[`L${loan}`, month, 900 - at]] : [],
      ),
    );
    expect(otherSheet(sheet(['Loan', 'Period', 'Balance'], some))).toMatchObject({ kind: 'rowPerMonth', id: 'Loan' });
    const daily = some.map(([loan, , balance], at) => [loan!, `2026-0${1 + (at % 6)}-${10 + (at % 19)}`, balance!]);
    expect(otherSheet(sheet(['Loan', 'Period', 'Balance'], daily))).toBeNull();
    const numbered = some.map((row, at) => [...row, `R${at}`]);
    expect(otherSheet(sheet(['Customer', 'Month', 'Balance', 'Invoice'], numbered))).toBeNull();
  });
});

describe('a pivot', () => {
  test('is recognized by a column for each period, or by what spreadsheets write', () => {
    const rows = ['North', 'South', 'West'].map((region, at) => [region, 100 + at, 110 + at, 120 + at]);
    const periods = otherSheet(sheet(['Region', 'Jan-24', 'Feb-24', 'Mar-24'], rows));
    expect(periods).toEqual({ kind: 'pivot', labels: 'Region', periods: ['Jan-24', 'Mar-24'] });
    expect(otherSheetInWords(periods!)).toContain('a column for each period from “Jan-24” to “Mar-24”');
    const german = otherSheet(sheet(['Region', 'Okt. 24', 'Dez. 24', 'März 25'], rows));
    expect(german).toEqual({ kind: 'pivot', labels: 'Region', periods: ['Okt. 24', 'März 25'] });
    const made = otherSheet(sheet(['Row Labels', 'Sum of Balance', 'Grand Total'], [['A', 1, 2]]));
    expect(made).toEqual({ kind: 'pivot', labels: 'Row Labels', periods: null });
    expect(otherSheetInWords(made!)).toContain('Upload the rows that the summary is calculated from');
  });

  test('is none where headers only begin like months', () => {
    const rows = [['L1', 1, 2, 3]];
    expect(otherSheet(sheet(['Loan', 'Margin', 'Decline', 'Marketing'], rows))).toBeNull();
  });

  test('is none where a tape has a payment history, or buckets of days', () => {
    const history = sheet(
      ['Loan ID', 'Balance', 'Rate', 'Status', 'Term', 'Jan-24', 'Feb-24', 'Mar-24'],
      [['L1', 1, 2, 'C', 3, 0, 0, 0]],
    );
    expect(otherSheet(history)).toBeNull();
    const aging = sheet(['Customer', 'Current', '1-30', '31-60', '61-90', 'Total'], [['A', 1, 2, 3, 4, 10]]);
    expect(otherSheet(aging)).toBeNull();
  });
});

describe('a rent roll, and tables below each other', () => {
  test('is recognized by units with tenants and rents', () => {
    const found = otherSheet(
      sheet(['Unit', 'Tenant Name', 'Lease To', 'Monthly Rent'], [['101', 'Ada', '2026-12-31', 1200]]),
    );
    expect(found).toEqual({ kind: 'rentRoll', unit: 'Unit', tenant: 'Tenant Name', rent: 'Monthly Rent' });
    expect(otherSheetInWords(found!)).toContain('This looks like a rent roll, not a loan tape');
    expect(
      otherSheet(sheet(['Lease No', 'Lessee', 'Unit Type', 'Monthly Rent'], [['1', 'Ada', 'Crane', 900]])),
    ).toBeNull();
  });

  test('are recognized by a header that repeats', () => {
    const header = ['Loan', 'Balance', 'Rate'];
    const found = otherSheet(sheet(header, [['L1', 1, 2], ['Building B', '', ''], header, ['L2', 3, 4]]));
    expect(found).toEqual({ kind: 'blocks', headerRows: [2] });
    expect(otherSheetInWords(found!)).toContain('The header repeats once below the first rows');
    expect(
      otherSheet(
        sheet(header, [
          ['L1', 1, 2],
          ['Loan', 3, 4],
        ]),
      ),
    ).toBeNull();
  });
});

test('a sheet of more columns than a statement or a summary has is not examined', () => {
  const wide = Array.from({ length: 301 }, (_, at) => ({
    header: `C${at}`,
    cells: lines.map((line) => cell(line[at % 4]!)),
  }));
  expect(otherSheet(wide.slice(0, 4))).toMatchObject({ kind: 'statement' });
  expect(otherSheet(wide)).toBeNull();
});
