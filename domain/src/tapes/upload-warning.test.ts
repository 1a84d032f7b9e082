import { describe, expect, test } from 'vitest';
import { type TriedRow, uploadWarning } from './upload-warning.ts';

const fine: TriedRow = { cells: [{ warning: null }], errors: [] };
const failing = (value: string): TriedRow => ({
  cells: [{ warning: null }],
  errors: [{ column: 'Balance', reason: `"${value}" is not a number` }],
});
const odd: TriedRow = { cells: [{ warning: 'is outside the plausible range (0% to 100%)' }], errors: [] };
const rows = (count: number, row: TriedRow) => Array.from({ length: count }, () => row);

describe('before a tape is processed', () => {
  test('a mapping that fails on most of the first rows is told, with the commonest reasons', () => {
    expect(uploadWarning([...rows(50, fine), ...rows(50, failing('x'))], ['Rate'])).toBe(null);
    expect(uploadWarning([...rows(49, fine), ...rows(50, failing('x')), failing('y')], ['Rate'])).toBe(
      '51 of the first 100 rows would be errors with this mapping. For example Balance: "x" is not a number (51 rows)',
    );
  });

  test('and one that makes implausible values of most', () => {
    expect(uploadWarning([...rows(50, fine), ...rows(50, odd)], ['Rate'])).toBe(null);
    expect(uploadWarning(rows(2, odd), ['Rate'])).toBe(
      '2 of the first 2 rows would have warnings with this mapping. Rate is outside the plausible range (0% to 100%) (2 rows)',
    );
  });

  test('a file without rows is told elsewhere', () => expect(uploadWarning([], [])).toBe(null));
});
