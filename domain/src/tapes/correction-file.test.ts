import { expect, test } from 'vitest';
import { correctionColumns, withoutGuard } from './correction-file.ts';

test('a corrected workbook has the rows numbers under one head, and the headers of the tape', () => {
  const found = correctionColumns(['Loan tape', 'Sheet row', 'Reasons', 'Loan', 'Reasons', 'origin.x']);
  expect(found?.row).toBe(1);
  expect([...(found?.headers ?? [])]).toEqual([
    [3, 'Loan'],
    [4, 'Reasons'],
    [5, 'origin.x'],
  ]);
});

test('a corrected .csv file has the names of programs, and prefixed headers', () => {
  const found = correctionColumns(['loanTape', 'row', 'errors', 'origin.Loan', 'origin.row']);
  expect([...(found?.headers ?? [])]).toEqual([
    [3, 'Loan'],
    [4, 'row'],
  ]);
});

test('without the rows numbers it is no corrected file', () => {
  expect(correctionColumns(['Loan', 'Balance'])).toBeNull();
});

test.each([
  ["'-12.5", '-12.5'],
  ["'=A1", '=A1'],
  ["'tis", "'tis"],
  ['12', '12'],
])('the guard of a formula is taken off: %j', (text, bare) => {
  expect(withoutGuard(text)).toBe(bare);
});
