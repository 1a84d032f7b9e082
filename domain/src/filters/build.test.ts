import { expect, it } from 'vitest';
import { isRefusal } from '../errors/refusal.ts';
import { filterToRows, operatorChoices, rowsToFilter, valueFromText, valueToText } from './build.ts';
import { createCatalog, type Field } from './catalog.ts';
import { parseFilter } from './parse.ts';

const grade: Field = { path: 'grade', label: 'Grade', type: 'text' };
const fico: Field = { path: 'fico', label: 'FICO', type: 'number' };
const financed: Field = { path: 'financed', label: 'Financed', type: 'date' };
const sum: Field = { path: 'sum', label: 'Sum', type: 'decimal' };
const late: Field = { path: 'late', label: 'Late', type: 'boolean' };
const catalog = createCatalog([grade, fico, financed, sum, late]);

it('offers the operators that suit a field, in the words of its type', () => {
  expect(operatorChoices(fico)).toContainEqual({ operator: 'gte', label: 'Greater than equal', words: 'is at least' });
  expect(operatorChoices(financed)).toContainEqual({
    operator: 'gte',
    label: 'Greater than equal',
    words: 'is on or after',
  });
  expect(operatorChoices(late).map((choice) => choice.operator)).toEqual(['eq', 'neq', 'in', 'nin', 'exists']);
});

it.each([
  {},
  { fico: 600 },
  { fico: { gte: 600, lt: 700 }, grade: { in: ['A', 'B'] }, sum: { gt: 0.1 } },
  { $or: [{ grade: { like: 'A' } }, { late: { exists: false } }, { grade: { regex: 'a', options: 'i' } }] },
])('rebuilds the filter %j from its rows', (written) => {
  const filter = parseFilter(written, catalog);
  const rows = filterToRows(filter);
  expect(rows && rowsToFilter(rows, catalog)).toEqual(filter);
});

it.each([{ $not: { fico: 1 } }, { fico: 1, $or: [{ late: true }, { fico: 2 }] }])('has no rows for %j', (written) => {
  expect(filterToRows(parseFilter(written, catalog))).toBeNull();
});

it('names every invalid row', () => {
  const rows = [
    { path: 'fico', operator: 'gte', value: 'high' },
    { path: 'grade', operator: 'eq', value: 'A' },
    { path: 'unknown', operator: 'eq', value: 1 },
  ] as const;
  try {
    rowsToFilter({ join: 'and', rows }, catalog);
    expect.unreachable();
  } catch (error) {
    expect(isRefusal(error) && error.message).toBe('Condition 1 must be a number, not "high"');
    expect(isRefusal(error) && error.flags).toEqual({
      'rows.0': 'must be a number, not "high"',
      'rows.2': 'is not a field that can be filtered by',
    });
  }
});

it.each([
  [fico, 'gte', '1,250.5', 1250.5],
  [fico, 'gte', 'high', 'high'],
  [sum, 'eq', '12345678901234567.89', '12345678901234567.89'],
  [late, 'eq', 'Yes', true],
  [late, 'exists', 'false', false],
  [grade, 'in', 'A, B,', ['A', 'B']],
  [grade, 'in', 'A, B\nC', ['A, B', 'C']],
  [grade, 'like', ' a ', ' a '],
  [financed, 'lt', ' 2026-10-31 ', '2026-10-31'],
] as const)('parses the text typed for %j %s: %j', (field, operator, text, value) => {
  expect(valueFromText(field, operator, text)).toEqual(value);
  expect(valueFromText(field, operator, valueToText(value))).toEqual(value);
});
