import { describe, expect, test } from 'vitest';
import type { SampleCell } from './column-summary.ts';
import { otherSheet, otherSheetInWords } from './sheet-kind.ts';

const cell = (value: string | number): SampleCell => ({ tag: typeof value === 'number' ? 1 : 2, value: String(value) });
const sheet = (headers: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  headers.map((header, column) => ({ header, cells: rows.map((row) => cell(row[column]!)) }));

const BOOKINGS = [-250, -100.5, 40, 3.1, 12.55, 40];
const balances = BOOKINGS.map((_, row) => BOOKINGS.slice(0, row + 1).reduce((sum, amount) => sum + amount, 1000));
const lines = BOOKINGS.map((amount, row) => [`2026-01-0${row + 1}`, 'Booking', amount, balances[row]!.toFixed(2)]);
const STATEMENT = ['Date', 'Text', 'Amount', 'Saldo'];

describe('the statement of an account', () => {
  test('is recognized by a balance that adds up the amounts, in either order of its rows', () => {
    const found = { kind: 'statement', amounts: 'Amount', balance: 'Saldo' } as const;
    expect(otherSheet(sheet(STATEMENT, lines))).toEqual(found);
    expect(otherSheet(sheet(STATEMENT, lines.toReversed()))).toEqual(found);
    expect(otherSheetInWords(found)).toContain('each “Saldo” is the one before it and the “Amount” of its row');
  });

  test('with amounts out and in, each in a column, is not recognized, nor are balances that do not change', () => {
    expect(
      otherSheet(
        sheet(
          STATEMENT,
          lines.map(([day, text, amount]) => [day!, text!, amount!, 1000]),
        ),
      ),
    ).toBeNull();
    expect(otherSheet(sheet(STATEMENT, lines.slice(0, 4)))).toBeNull();
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
    expect(otherSheetInWords(found)).toContain('keep the rows of its month, 202603 for the latest');
  });

  test('is none where a loan is twice in a month, or most loans are once in the sheet', () => {
    const twice = [...perMonth.slice(1), perMonth[1]!];
    expect(otherSheet(sheet(['Loan', 'Period', 'Balance'], twice))).toBeNull();
    const once = perMonth.map(([, month, balance], row) => [`L${row}`, month!, balance!]);
    expect(otherSheet(sheet(['Loan', 'Period', 'Balance'], once))).toBeNull();
  });
});
