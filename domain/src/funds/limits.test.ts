import { ABSENT, ids, testLimits, text, times } from '../documents/testing/limits.ts';
import { EXAMPLES } from '../specification/example-bodies.ts';
import { fundCreateSchema, fundFigureQuerySchema, fundUpdateSchema } from './fund.schema.ts';
import { mainFundCreateSchema, mainFundMembersSchema, mainFundUpdateSchema } from './main-fund.schema.ts';

const entry = { title: 'First closing', planned: '2026-03-31' };
const classes = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `Class ${index}` }));
const usd = { sum: 1, currency: 'USD' };
const eur = { sum: 1, currency: 'EUR' };

testLimits('a fund', fundCreateSchema, EXAMPLES.fund, [
  ['title', text(2), text(1), 'At least 2 characters'],
  ['title', text(150), text(151), 'At most 150 characters'],
  ['description', text(100), text(101), 'At most 100 characters'],
  ['type', 'Co-Invest SPV', 'CoInvest', /^must be one of SMA, ComingleFund/],
  ['strategy', 'FF', 'XX', 'must be one of ALF, ABL, GL, FF'],
  ['currency', 'EUR', ABSENT, 'is required'],
  ['targetSize', 0, -1, 'must be at least 0'],
  ['targetSize', '0', ' ', 'is required'],
  ['hardCap', '300000000.55', 'large', 'Enter a number, for example 1250000.50'],
  ['targetSize', usd, eur, 'must be in USD, the currency of the fund'],
  ['hardCap', usd, eur, 'must be in USD, the currency of the fund'],
  ['classes', classes(10), classes(11), 'At most 10 classes'],
  ['classes.1.uniqueKey', 'C', 'A', 'Two classes have the same key', 'classes'],
  ['classes.0.name', text(150), text(151), 'At most 150 characters'],
  ['GPs', ids(20), ids(21), 'At most 20 general partners'],
  ['serviceProviders', ids(20), ids(21), 'At most 20 service providers'],
  ['timeline', times(100, entry), times(101, entry), 'At most 100 timeline entries'],
  ['timeline.0.title', text(2), text(1), 'At least 2 characters'],
  ['timeline.0.title', text(150), text(151), 'At most 150 characters'],
  ['timeline.0.planned', '2026-01-01', ABSENT, 'is required'],
  ['timeline.0.endTime', '2026-03-31', '2026-03-30', 'must not be before the planned start'],
  ['timeline.0.description', text(4000), text(4001), 'At most 4000 characters'],
  ['nonRecyclable', null, { fromBeginning: true }, 'is required', 'nonRecyclable.declerationDate'],
  ['entity', EXAMPLES.entity, { name: 'x' }, 'At least 2 characters', 'entity.name'],
]);

testLimits('an updated fund', fundUpdateSchema, { ...EXAMPLES.fund, version: 1 }, [
  ['GPs', ids(10), ids(11), 'At most 10 general partners'],
  ['serviceProviders', ids(10), ids(11), 'At most 10 service providers'],
  ['targetSize', usd, { sum: -1, currency: 'USD' }, 'must be at least 0'],
  ['version', 1, ABSENT, 'is required'],
]);

testLimits('a main fund', mainFundCreateSchema, EXAMPLES.mainFund, [
  ['title', text(2), text(1), 'At least 2 characters'],
  ['title', text(150), text(151), 'At most 150 characters'],
  ['description', text(100), text(101), 'At most 100 characters'],
  ['targetSize', usd, eur, 'must be in USD, the currency of the fund'],
  ['classMembers', ids(100), ids(101), 'At most 100 funds'],
  ['classMembers', ids(2), [...ids(1), ...ids(1)], 'Each fund can be a member once'],
]);
testLimits('an updated main fund', mainFundUpdateSchema, { ...EXAMPLES.mainFund, version: 1 }, [
  ['version', 1, 0, 'is required'],
  ['hardCap', 0, -1, 'must be at least 0'],
]);
testLimits('the members of a main fund', mainFundMembersSchema, { classMembers: [] }, [
  ['classMembers', ids(100), ids(101), 'At most 100 funds'],
]);

testLimits('the figures of funds', fundFigureQuerySchema, {}, [
  ['fundId', ids(1)[0], 'x', 'Ids are exactly 24 characters'],
  ['cutOffDate', '2026-10-31', 'today', 'Enter a date as YYYY-MM-DD, for example 2026-10-31'],
  ['currency', 'EUR', 'EURO', 'Use a currency code of ISO 4217, for example USD'],
]);
