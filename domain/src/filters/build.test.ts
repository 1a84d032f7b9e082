import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isRefusal } from '../errors/refusal.ts';
import { filterToRows, rowsToFilter, valueFromText, valueToText } from './build.ts';
import { createCatalog, type Field } from './catalog.ts';
import { operatorChoices } from './operator-choices.ts';
import { parseFilter } from './parse.ts';

const grade: Field = { path: 'grade', label: 'Grade', type: 'text' };
const fico: Field = { path: 'fico', label: 'FICO', type: 'number' };
const financed: Field = { path: 'financed', label: 'Financed', type: 'date' };
const sum: Field = { path: 'sum', label: 'Sum', type: 'decimal' };
const late: Field = { path: 'late', label: 'Late', type: 'boolean' };
const limit: Field = { path: 'limit', label: 'Credit limit', type: 'decimal' };
const cutOff: Field = { path: 'cutOff', label: 'Cut-off date', type: 'date' };
const catalog = { ...createCatalog([grade, fico, financed, sum, late, limit]), cutOff };

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

it('has no rows for a part that passes everything', () => {
  expect(filterToRows(parseFilter({ $or: [{ fico: 1 }, {}] }, catalog))).toBeNull();
});

it('shows groups by brackets', () => {
  const written = { fico: 1, $or: [{ late: true }, { fico: 2, $nor: [{ grade: 'A' }, { grade: 'B' }] }] };
  const shown = filterToRows(parseFilter(written, catalog))?.map(
    ({ join, open, path, value, close }) => `${join} ${open}${path} ${value}${close}`,
  );
  expect(shown).toEqual(['and fico 1', 'and (late true', 'or (fico 2', 'and not (grade A', 'or grade B)))']);
});

const conditionArbitrary = fc.constantFrom(
  { fico: 600 },
  { late: true },
  { grade: { in: ['A', 'B'] } },
  { sum: { gt: { $field: 'limit' } } },
  { financed: { lt: { $cutOff: '-3m' } } },
);
const filterArbitrary = fc.letrec<{ filter: object }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4 },
    conditionArbitrary,
    fc
      .tuple(fc.constantFrom('$and', '$or', '$nor'), fc.array(tie('filter'), { minLength: 1, maxLength: 3 }))
      .map(([key, parts]) => ({ [key]: parts })),
    tie('filter').map((inner) => ({ $not: inner })),
  ),
})).filter;

it('rebuilds any groups from their rows', () => {
  fc.assert(
    fc.property(filterArbitrary, (written) => {
      const filter = parseFilter(written, catalog);
      expect(rowsToFilter(filterToRows(filter) ?? [], catalog)).toEqual(filter);
    }),
  );
});

const ROW = { path: 'fico', operator: 'eq', value: 1 } as const;
it.each<[string[], number, string]>([
  [['a', 'and b', 'or c'], 2, 'Use brackets to group conditions: this line mixes “and” with “or”'],
  [['(a', 'or b'], 0, 'The bracket that opens here is not closed'],
  [['a', 'and b)'], 1, 'A bracket closes here that was not opened'],
  [[`${'('.repeat(17)}a${')'.repeat(17)}`], 0, 'Brackets are nested deeper than 16'],
])('refuses the brackets of %j', (lines, line, message) => {
  const rows = lines.map((text) => {
    const [, join, open = '', close = ''] = /^(?:(and|or) )?(\(*)[a-z](\)*)$/.exec(text) ?? [];
    return { join: join === 'or' ? ('or' as const) : ('and' as const), open, close, ...ROW };
  });
  const refused = () => rowsToFilter(rows, catalog);
  expect(refused).toThrow(`Condition ${line + 1}: ${message}`);
});

it('names every invalid row', () => {
  const rows = [
    { path: 'fico', operator: 'gte', value: 'high' },
    { path: 'grade', operator: 'eq', value: 'A' },
    { path: 'unknown', operator: 'eq', value: 1 },
  ] as const;
  try {
    rowsToFilter(rows, catalog);
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
  expect(valueFromText(field, operator, valueToText({ operator, value }))).toEqual(value);
});

it.each([
  [sum, '{Credit limit}', { $field: 'limit' }, '{Credit limit}'],
  [sum, ' { limit } ', { $field: 'limit' }, '{Credit limit}'],
  [sum, '{unknown}', { $field: 'unknown' }, '{unknown}'],
  [financed, 'cutOff - 90d', { $cutOff: '-90d' }, 'cutOff - 90d'],
  [financed, 'cutOff+1y', { $cutOff: '+1y' }, 'cutOff + 1y'],
  [financed, 'cutOff', { $cutOff: '0d' }, 'cutOff'],
  [grade, 'cutOff', 'cutOff', 'cutOff'],
  [grade, '"{A}"', '{A}', '"{A}"'],
  [grade, '""{A}""', '"{A}"', '""{A}""'],
] as const)('parses the operand typed for %j: %s', (field, text, value, shown) => {
  expect(valueFromText(field, 'gt', text, catalog.fields)).toEqual(value);
  expect(valueToText({ operator: 'gt', value }, catalog.fields)).toBe(shown);
});

it('reads every text as it was written', () => {
  const text = fc.string({ unit: fc.constantFrom('{', '}', '"', ' ', 'a', '%'), minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(fc.constantFrom('eq', 'gt', 'like', 'regex'), text, (operator, value) => {
      const written = valueToText({ operator, value }, catalog.fields);
      expect(valueFromText(grade, operator, written, catalog.fields)).toBe(value);
      const values = [value.trim() || 'b', 'c'];
      expect(valueFromText(grade, 'in', valueToText({ operator: 'in', value: values }))).toEqual(values);
    }),
  );
});
