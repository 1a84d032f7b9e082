import { ABSENT, ids, testLimits, text } from '../documents/testing/limits.ts';
import { EXAMPLES } from '../specification/example-bodies.ts';
import { groupFilterCreateSchema, groupFilterUpdateSchema } from './group-filter.schema.ts';

const EMPTY = 'One of the fields must be defined and should contain at least one';

testLimits('a saved filter', groupFilterCreateSchema, EXAMPLES.groupFilter, [
  ['title', text(2), text(1), 'At least 2 characters'],
  ['title', text(150), text(151), 'At most 150 characters'],
  ['filters', { funds: ids(1) }, {}, EMPTY],
  ['filters', { investors: ids(1) }, { funds: [], investors: [] }, EMPTY],
  ['filters.funds', ids(1_000), ids(1_001), 'At most 1000 funds'],
  ['filters.investors', ids(1_000), ids(1_001), 'At most 1000 investors'],
  ['filters.funds', ids(1), ['x'], 'Ids are exactly 24 characters', 'filters.funds.0'],
]);

testLimits('an updated saved filter', groupFilterUpdateSchema, { ...EXAMPLES.groupFilter, version: 1 }, [
  ['version', 1, ABSENT, 'is required'],
]);
