import { describe, expect, test } from 'vitest';
import { sheetWithOtherDate } from './sheet-name.ts';

describe('a sheet whose name has another date', () => {
  test.each([
    ['Oct-24 Tape', 'Nov-24 Tape'],
    ['Oct 2024', 'December 2024'],
    ['Tape 2024-10-31', 'Tape 2024-11-30'],
    ['Leases 10.2024', 'Leases 11.2024'],
    ['Loans_202410', 'Loans_202411'],
    ['Pool 31.10.24', 'Pool 30.11.24'],
    ['Q3 2024 Pool', 'Q4 2024 Pool'],
    ["Sept '24 LOANS", "Oct '24 Loans"],
    ['Tape 2024', 'Tape 2025'],
    ['31 October 2024 - tape', '30 November 2024 - tape'],
    ['October 31, 2024', 'November 30, 2024'],
    ['Tape Oct', 'Tape Nov 24'],
  ])('%s is %s', (wanted, sheet) => {
    expect(sheetWithOtherDate(wanted, ['Summary', sheet, 'Notes 2'])).toBe(sheet);
  });

  test.each([
    ['Loans', 'Loans Nov-24'],
    ['Oct-24 Tape', 'Nov-24 Summary'],
    ['Oct-24 Tape', 'Tape'],
    ['Maypole 1', 'Maypole 2'],
    ['Pool 1', 'Pool 2'],
    ['March Bank', 'Marching Bank'],
    ['Tape v1.2', 'Tape v2.1a'],
  ])('%s is not %s', (wanted, sheet) => {
    expect(sheetWithOtherDate(wanted, [sheet])).toBeNull();
  });

  test('is not guessed if two sheets match', () => {
    expect(sheetWithOtherDate('Sep-24 Tape', ['Oct-24 Tape', 'Nov-24 Tape'])).toBeNull();
  });
});
