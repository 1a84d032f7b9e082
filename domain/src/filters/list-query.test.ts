import { expect, it } from 'vitest';
import { isRefusal } from '../errors/refusal.ts';
import { createCatalog, type Field } from './catalog.ts';
import { parseListQuery } from './list-query.schema.ts';
import { filterToJson } from './print.ts';

const fund: Field = { path: 'fund', label: 'Fund', type: 'text' };
const amount: Field = { path: 'amount.sum', label: 'Amount', type: 'decimal' };
const weight: Field = { path: 'weight', label: 'Weight', type: 'number' };
const catalog = createCatalog([fund, amount, weight]);

it('fills in defaults', () => {
  expect(parseListQuery({}, catalog)).toEqual({
    filter: { kind: 'and', filters: [] },
    skip: 0,
    limit: 50,
    sort: [],
    groupBy: null,
    preseveDocsIds: false,
  });
});

it('reads a query string', () => {
  const query = parseListQuery(
    {
      filter: '{"fund":"a"}',
      skip: '20',
      limit: '1000',
      sort: '{"amount.sum":-1,"fund":1}',
      groupBy: '{"accumulator":"$wAvg","field":"sum","by":"fund","weightedField":"weight"}',
      preseveDocsIds: 'true',
      status: 'Active',
    },
    catalog,
  );
  expect(filterToJson(query.filter)).toEqual({ fund: 'a' });
  expect(query).toMatchObject({
    skip: 20,
    limit: 1000,
    sort: [
      { field: amount, direction: -1 },
      { field: fund, direction: 1 },
    ],
    groupBy: { accumulator: '$wAvg', field: amount, by: fund, weightedField: weight },
    preseveDocsIds: true,
  });
});

it.each([
  [{ limit: '1001' }, 'limit', 'must be at most 1000'],
  [{ limit: '0' }, 'limit', 'must be at least 1'],
  [{ limit: 'all' }, 'limit', 'must be a whole number'],
  [{ skip: '-1' }, 'skip', 'must be a whole number'],
  [{ skip: 1.5 }, 'skip', 'must be a whole number'],
  [{ filter: ['{}', '{}'] }, 'filter', 'must be a JSON filter'],
  [
    { filter: '{"fund":{"foo":1}}' },
    'filter.fund.foo',
    'is not an operator; use one of in, nin, eq, neq, lt, lte, gt, gte, like, exists, regex',
  ],
  [{ sort: 'fund' }, 'sort', 'must be a JSON object'],
  [{ sort: '{"fund":"up"}' }, 'sort.fund', 'must be 1 (ascending) or -1 (descending)'],
  [{ sort: '{"nope":1}' }, 'sort.nope', 'is not a field of this list'],
  [{ groupBy: '{"accumulator":"$max"}' }, 'groupBy.accumulator', 'must be one of $sum, $avg, $wAvg'],
  [{ groupBy: '{"accumulator":"$avg"}' }, 'groupBy.field', 'is required by $avg'],
  [{ groupBy: '{"accumulator":"$wAvg","field":"sum"}' }, 'groupBy.weightedField', 'is required by $wAvg'],
  [
    { groupBy: '{"accumulator":"$sum","field":"sum","weightedField":"weight"}' },
    'groupBy.weightedField',
    'is only allowed with $wAvg',
  ],
  [{ groupBy: '{"accumulator":"$sum","field":"fund"}' }, 'groupBy.field', 'must be a numeric field'],
  [{ preseveDocsIds: 'maybe' }, 'preseveDocsIds', 'must be true or false'],
])('rejects %j', (input, path, reason) => {
  try {
    parseListQuery(input, catalog);
    expect.unreachable();
  } catch (error) {
    expect(isRefusal(error) && error.code).toBe('badRequest');
    expect(isRefusal(error) && error.flags).toMatchObject({ [path]: reason });
  }
});
