import { expect, it } from 'vitest';
import { ABSENT, testLimits, text, times } from '../documents/testing/limits.ts';
import { EXAMPLES } from '../specification/example-bodies.ts';
import { importRequestSchema } from './import.schema.ts';
import { fundImportSchema, lpImportSchema, timeSeriesImportSchema, userImportSchema } from './payload.schema.ts';

const file = { key: 'x' };
const item = { date: '2026-10-01', callName: '7', defaultValue: 1 };
const class_ = { name: 'A', uniqueKey: 'A' };

testLimits('an import', importRequestSchema, EXAMPLES.import, [
  ['kind', 'navs', 'assets', /^must be one of funds, contributions/],
  ['attachments', [file], [], 'Choose at least one file'],
  ['attachments', times(310, file), times(311, file), 'At most 310 files'],
  ['status', ABSENT, 'Closed', 'must be one of Draft, Active, Pending'],
]);

testLimits('dated entries of an import', timeSeriesImportSchema, EXAMPLES.timeSeriesImport, [
  ['investorType', 'fund', 'bank', 'must be one of fund, LP'],
  ['investorCode', 1, 0, 'must be at least 1'],
  ['fundClassCode', text(100), text(101), 'At most 100 characters'],
  ['currency', 'EUR', 'XXY', 'Use a currency code of ISO 4217, for example USD'],
  ['timeSeriesItems', [item], [], 'must have 1 to 3000 items'],
  ['timeSeriesItems', times(3_000, item), times(3_001, item), 'must have 1 to 3000 items'],
  ['timeSeriesItems.0.callName', text(100), text(101), 'At most 100 characters'],
  [
    'timeSeriesItems.0.keyValues',
    times(30, { key: 'other', value: 1 }),
    times(31, { key: 'other', value: 1 }),
    'At most 30 key values',
  ],
  ['timeSeriesItems.0.keyValues', ABSENT, [{ key: '', value: 1 }], 'is required', 'timeSeriesItems.0.keyValues.0.key'],
]);

testLimits('an imported fund', fundImportSchema, EXAMPLES.fundImport, [
  ['title', text(2), text(1), 'At least 2 characters'],
  ['title', text(150), text(151), 'At most 150 characters'],
  ['description', text(100), text(101), 'At most 100 characters'],
  ['classes', times(10, class_), times(11, class_), 'At most 10 classes'],
  ['entityFormalId', text(100), '', 'is required'],
  ['nationalityCountryCode', text(2), text(1), 'At least 2 characters'],
  ['hardCap', 0, -1, 'must be at least 0'],
]);

it('sizes an imported fund at 0 if the file has no sizes', () => {
  expect(fundImportSchema.parse(EXAMPLES.fundImport)).toMatchObject({ hardCap: '0', targetSize: '0' });
});

testLimits('an imported investor', lpImportSchema, EXAMPLES.lpImport, [
  ['entityName', text(250), text(251), 'At most 250 characters'],
  ['country', text(30), text(31), 'At most 30 characters'],
  ['code', 1, 1.5, 'must be a whole number'],
]);

testLimits('an imported user', userImportSchema, EXAMPLES.userImport, [
  ['firstName', text(2), text(1), 'At least 2 characters'],
  ['lastName', text(30), text(31), 'At most 30 characters'],
  ['email', 'a@example.com', 'a', 'Enter an email address, for example ann@example.com'],
]);
