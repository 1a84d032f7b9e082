import { expect, test } from 'vitest';
import { shownFieldValue } from './shown-field-value.ts';
import { customTargetField, findTargetField } from './target-schema.ts';

type Columns = Readonly<Record<string, string | number | boolean | null>>;
const shown = (path: string, columns: Columns) =>
  shownFieldValue(findTargetField(path) ?? customTargetField({ path, kind: 'text' }), (name) => columns[name] ?? null);

test.each<[string, Columns, string | null]>([
  ['sums.sum', { 'sums.sum': '1250000.5', 'sums.sum.currency': 'USD' }, '1,250,000.5 USD'],
  ['sums.sum', { 'sums.sum': null, 'sums.sum.currency': null }, null],
  ['sums.sum', { 'sums.sum': '0', 'sums.sum.currency': 'USD' }, '0 USD'],
  ['term', { term: 36, 'term.unit': 'months' }, '36 months'],
  ['interestRate', { interestRate: '11.49', 'interestRate.kind': 'fix' }, '11.49%'],
  ['dateFinanced', { dateFinanced: '2026-10-31' }, '31 Oct 2026'],
  ['isDelinquent', { isDelinquent: false }, 'no'],
  ['daysPastDue', { daysPastDue: Number.POSITIVE_INFINITY }, 'Infinity'],
  ['assetStatus', { assetStatus: 'chargedOff' }, 'Charged off'],
  ['address.state', { 'address.state': 'Bayern, Nord' }, 'Bayern, Nord'],
  ['customFields.note', { 'customFields.note': 'x'.repeat(100) }, 'x'.repeat(100)],
  ['customFields.note', { 'customFields.note': 'x'.repeat(101) }, `${'x'.repeat(99)}…`],
])('%s of %o is %s', (path, columns, text) => {
  expect(shown(path, columns)).toBe(text);
});
