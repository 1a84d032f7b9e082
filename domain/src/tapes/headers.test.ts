import { numberRepeated } from '@tapeline/sheets/repeated-headers.ts';
import { describe, expect, test } from 'vitest';
import { checkHeaders, describeHeaderProblems } from './headers.ts';

const told = (reads: readonly string[], sheet: readonly string[]) =>
  describeHeaderProblems(checkHeaders({ headers: reads }, sheet), sheet);

describe('headers that stand over several columns', () => {
  test('get a number each, in the order of the sheet, and single ones stay as they are', () => {
    expect(numberRepeated(['Id', 'Margin', 'margin', 'Margin', '', ''])).toEqual([
      'Id',
      'Margin (1)',
      'margin',
      'Margin (2)',
      '',
      '',
    ]);
  });

  test('pass over a number that another header has', () => {
    expect(numberRepeated(['Margin', 'Margin (2)', 'Margin'])).toEqual(['Margin (1)', 'Margin (2)', 'Margin (3)']);
  });

  test('are read by a rule that says which, and by no rule that does not', () => {
    const sheet = numberRepeated(['Id', 'Margin', 'Margin']);
    expect([...checkHeaders({ headers: ['Id', 'margin  (2)'] }, sheet).indexOf.values()]).toEqual([0, 2]);
    expect(told(['Id', 'margin (1)'], sheet)).toBeNull();
    expect(told(['Margin'], sheet)).toBe(
      '"Margin" is the header of more than one column. Specify the column in the mapping: "Margin (1)", "Margin (2)".',
    );
  });

  test('that differ by case alone are read as written, and refused as neither is', () => {
    const sheet = ['Rate', 'rate'];
    expect(told(['rate'], sheet)).toBeNull();
    expect(told(['RATE'], sheet)).toBe(
      '"RATE" is the header of more than one column. Specify the column in the mapping: "Rate", "rate".',
    );
  });

  test('one header with a number in brackets is just that', () => {
    expect(told(['LTV'], ['LTV (1)', 'Id'])).toContain('The sheet lacks "LTV"');
    expect(told(['LTV'], ['LTV', 'LTV (1)', 'LTV (2)'])).toBeNull();
  });
});
