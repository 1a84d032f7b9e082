import { describe, expect, it } from 'vitest';
import { ABSENT, changed, errorsOf, ids, type Limit, testLimits, text, times } from '../documents/testing/limits.ts';
import { EXAMPLES } from '../specification/example-bodies.ts';
import { regenerateFilesSchema, removalReasonSchema } from './capital-document.ts';
import { contributionChangeSchema, contributionCreateSchema } from './contribution.schema.ts';
import { distributionChangeSchema, distributionCreateSchema } from './distribution.schema.ts';
import { navChangeSchema, navCreateSchema } from './nav.schema.ts';
import {
  capitalAccountCreateSchema,
  mainFundCapitalAccountSchema,
  mainFundReportSchema,
  reportCreateSchema,
  statementChangeSchema,
} from './statement.schema.ts';
import { writeOffChangeSchema, writeOffCreateSchema } from './write-off.schema.ts';

const ID = EXAMPLES.contribution.fund;
const usd = (sum: number) => ({ sum, currency: 'USD' });
const DATE = 'Enter a date as YYYY-MM-DD, for example 2026-10-31';
const IDS = 'Ids are exactly 24 characters';
const CHANGE = { id: ID, version: 1 };
const purpose = { title: 'Facility', kind: 'investments', amount: 0 };
const component = { title: 'Interest', actionType: 'INTEREST', amount: usd(1) };

/** What all capital documents share. */
const shared: readonly Limit[] = [
  ['fund', ID, ID.slice(1), IDS],
  ['fund', ID, ABSENT, 'is required'],
  ['Class', text(100), text(101), 'At most 100 characters'],
  ['Class', null, '', 'is required'],
  ['cutOffDate', '2026-01-31', '2026-01-32', DATE],
  ['status', 'Active', 'Closed', 'must be one of Draft, Active'],
];
const timezone: readonly Limit[] = [
  ['timezoneOffset', -840, -841, 'must be at least -840'],
  ['timezoneOffset', 840, 841, 'must be at most 840'],
];

testLimits('a capital call', contributionCreateSchema, EXAMPLES.contribution, [
  ...shared,
  ...timezone,
  ['dueDate', '2026-10-01', '2026-09-30', 'must not be before the cut-off date'],
  ['callNumber', '7', '', 'is required'],
  ['callNumber', text(100), text(101), 'At most 100 characters'],
  ['investor', { id: ID, kind: 'fund' }, { id: ID, kind: 'bank' }, 'must be one of fund, LP', 'investor.kind'],
  ['callPurposes.0.title', text(150), text(151), 'At most 150 characters'],
  ['callPurposes.0.kind', 'other', 'others', /^must be one of investments, /],
  ['callPurposes.0.amount', 9_750_000, -1, 'must be at least 0'],
  ['callPurposes', EXAMPLES.contribution.callPurposes, [], 'Enter at least one purpose'],
  ['trailingDescription', text(4000), text(4001), 'At most 4000 characters'],
  [
    'callPurposes.1.amount',
    250_000,
    250_000.01,
    'The purposes add up to 10000000.01, not 10000000 (difference -0.01)',
    'callPurposes',
  ],
]);

testLimits(
  'a call by percentage',
  contributionCreateSchema,
  { ...EXAMPLES.contribution, amount: null, percentage: 5 },
  [
    ['percentage', 0.01, 0, 'must be above 0'],
    ['percentage', 100, 100.01, 'must be at most 100'],
    ['percentage', 10, null, 'Enter an amount or a percentage', 'amount'],
    ['amount', null, usd(10_000_000), 'Enter an amount or a percentage'],
    ['callPurposes', times(60, purpose), times(61, purpose), 'At most 60 purposes'],
  ],
);

testLimits('a changed contribution', contributionChangeSchema, CHANGE, [
  ['version', 1, 0, 'is required'],
  ['status', 'Closed', 'Removed', 'must be one of Draft, Active, Closed'],
  ['callNumber', 'x', '', 'is required'],
  ['callPurposes', [purpose], [], 'Enter at least one purpose'],
]);

testLimits('a distribution', distributionCreateSchema, EXAMPLES.distribution, [
  ...shared,
  ...timezone,
  ['callNumber', 'x', ' ', 'is required'],
  ['distributionKind', 'SPV', 'Spv', /^must be one of Interest, /],
  ['principal', usd(0), usd(-0.01), 'must be at least 0', 'principal.sum'],
  ['components', times(60, component), times(61, component), 'At most 60 components'],
  ['components.0.title', text(150), text(151), 'At most 150 characters'],
  ['components.0.actionType', 'CG TAX', 'CG_TAX', /^must be one of INTEREST, /],
  ['components.0.amount', usd(0), usd(-1), 'must be at least 0', 'components.0.amount.sum'],
  ['components.0.amount.currency', 'USD', 'EUR', 'must be in the currency of the principal', 'components'],
  ['callPurposes', times(60, purpose), times(61, purpose), 'At most 60 purposes'],
  ['pdfOptions.vat', 100, 100.1, 'must be at most 100'],
  ['pdfOptions.vat', 0, -0.1, 'must be at least 0'],
  ['trailingDescription', text(4000), text(4001), 'At most 4000 characters'],
]);

testLimits(
  'a distribution of interest',
  distributionCreateSchema,
  { ...EXAMPLES.distribution, distributionKind: 'Interest', principal: usd(0) },
  [['principal', usd(0), usd(0.01), 'A distribution of interest has no principal']],
);

testLimits(
  'a distribution of principal',
  distributionCreateSchema,
  { ...EXAMPLES.distribution, distributionKind: 'Principal Only', components: [] },
  [['components', [], [component], 'A distribution of principal only has no components']],
);

testLimits('a changed distribution', distributionChangeSchema, CHANGE, [
  ['components', times(60, component), times(61, component), 'At most 60 components'],
  ['status', 'Active', 'Pending', 'must be one of Draft, Active, Closed'],
]);

testLimits('a NAV', navCreateSchema, EXAMPLES.nav, [
  ...shared,
  ['investor', { id: ID, kind: 'LP' }, ABSENT, 'is required'],
  ['gross', -1.5, 'much', 'Enter a number, for example 1250000.50'],
  ['net', '0', '', 'is required'],
  ['currency', 'EUR', 'EURO', 'Use a currency code of ISO 4217, for example USD'],
]);
testLimits('a changed NAV', navChangeSchema, CHANGE, [['net', 1, {}, 'Enter a number, for example 1250000.50']]);

testLimits('a write-off', writeOffCreateSchema, EXAMPLES.writeOff, [
  ...shared,
  ['amount', usd(0.01), usd(0), 'must be above 0', 'amount.sum'],
]);
testLimits('a changed write-off', writeOffChangeSchema, CHANGE, [
  ['amount', usd(0.01), usd(-1), 'must be above 0', 'amount.sum'],
]);

const fileMetadata = { key: text(1024) };
testLimits('a capital account', capitalAccountCreateSchema, EXAMPLES.capitalAccount, [
  ...shared,
  ...timezone,
  ['investor', { id: ID, kind: 'LP' }, ABSENT, 'is required'],
  ['mainFund', ID, 'main', IDS],
  ['fileMetadata', fileMetadata, { key: '' }, 'is required', 'fileMetadata.key'],
]);
testLimits('a capital account of a main fund', mainFundCapitalAccountSchema, EXAMPLES.capitalAccount, [
  ['investor', { id: ID, kind: 'LP' }, ABSENT, 'is required'],
]);

testLimits('a report', reportCreateSchema, EXAMPLES.report, [
  ...timezone,
  ['cutOffDate', '2026-01-31', ABSENT, 'is required'],
  ['fileMetadata', fileMetadata, ABSENT, 'is required'],
  ['mainFund', null, ID, 'Choose a fund or a main fund', 'fund'],
]);
testLimits('a report on a main fund', mainFundReportSchema, EXAMPLES.report, [
  ['fileMetadata.key', 'x', text(1025), 'must have at most 1024 characters'],
]);
testLimits('a changed statement', statementChangeSchema, CHANGE, [
  ['fileMetadata', fileMetadata, {}, 'is required', 'fileMetadata.key'],
]);

describe('capital documents together', () => {
  it('have 1 to 500 notices generated again', () => {
    const message = 'must name 1 to 500 documents';
    expect(errorsOf(regenerateFilesSchema, { ids: ids(500) })).toEqual({});
    expect(errorsOf(regenerateFilesSchema, { ids: ids(501) })).toEqual({ ids: message });
    expect(errorsOf(regenerateFilesSchema, { ids: [] })).toEqual({ ids: message });
  });

  it('are removed with a reason of at most 500 characters', () => {
    expect(errorsOf(removalReasonSchema, text(500))).toEqual({});
    expect(errorsOf(removalReasonSchema, text(501))).toEqual({ '': 'At most 500 characters' });
  });

  it('take sums as numbers, text or exact decimals', () => {
    const parsed = contributionCreateSchema.parse(changed(EXAMPLES.contribution, 'amount.sum', '10000000.00'));
    expect(parsed.amount).toEqual({ sum: '10000000', currency: 'USD' });
  });
});
