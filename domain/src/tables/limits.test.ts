import { expect, it } from 'vitest';
import { ABSENT, testLimits, text } from '../documents/testing/limits.ts';
import { EXAMPLES } from '../specification/example-bodies.ts';
import { tableCreateSchema, tableUpdateSchema } from './table.schema.ts';

const titles = (count: number) => Array.from({ length: count }, (_, index) => `Value ${index}`);
const fixing = (date: string, more = {}) => ({ title: 'SOFR', date, rate: 4.31, ...more });

testLimits('an option list', tableCreateSchema, EXAMPLES.table, [
  ['name', text(2), text(1), 'At least 2 characters'],
  ['name', text(100), text(101), 'At most 100 characters'],
  ['values', titles(10_000), titles(10_001), 'At most 10000 values'],
  ['values', ['Upfront', 'Unused'], ['Upfront', { title: 'upfront' }], 'Each value can be listed once'],
  ['values.0.title', text(150), text(151), 'At most 150 characters'],
  ['values.0.date', null, '2026-10-31', 'is only for the list Base rates'],
  ['values.0.rate', null, 4.31, 'is only for the list Base rates'],
]);

testLimits('base rates', tableCreateSchema, { name: 'Base rates', values: [fixing('2026-10-30')] }, [
  [
    'values',
    [fixing('2026-10-30'), fixing('2026-10-31'), fixing('2026-10-31', { title: 'SONIA' })],
    [fixing('2026-10-31'), fixing('2026-10-31')],
    'Each value can be listed once',
  ],
  ['values.0.title', 'LABOR', 'EURIBOR', 'must be one of SOFR, SONIA, LABOR'],
  ['values.0.date', '2026-02-28', '2026-02-29', 'Enter a date as YYYY-MM-DD, for example 2026-10-31'],
  ['values.0.date', '2026-02-28', ABSENT, 'is required'],
  ['values.0.rate', -0.5, 'high', 'Enter a number, for example 1250000.50'],
  ['values.0.rate', 0, ABSENT, 'is required'],
  ['values.0.rate', -10, -10.01, 'must be from -10 to 100 percent'],
  ['values.0.rate', 100, 100.01, 'must be from -10 to 100 percent'],
  ['values.0.rate', '4.31234567', '4.312345678', 'must have at most 8 decimals'],
  ['values.0.isRetired', false, true, 'A fixing cannot be retired'],
]);

testLimits('an updated option list', tableUpdateSchema, { ...EXAMPLES.table, version: 1 }, [
  ['version', 1, ABSENT, 'is required'],
]);

it('takes a value as its title alone', () => {
  expect(tableCreateSchema.parse({ name: 'Industries', values: ['Consumer'] }).values).toEqual([
    { title: 'Consumer', isRetired: false, date: null, rate: null },
  ]);
});
