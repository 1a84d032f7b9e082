import { expect, test } from 'vitest';
import { createCatalog } from './catalog.ts';
import { parseListQuery } from './list-query.schema.ts';
import { groupRows, pageRows, type RowReader } from './query-rows.ts';

interface Row {
  id: string;
  name: string;
  sum: string | null;
  currency: string | null;
  percent: string | null;
}

const catalog = createCatalog([
  { path: 'name', label: 'Name', type: 'text' },
  { path: 'sum', label: 'Sum', type: 'decimal' },
  { path: 'percent', label: 'Percent', type: 'decimal' },
]);
const reader: RowReader<Row> = {
  value: (row, { path }) => row[path as 'name' | 'sum' | 'percent'],
  currency: (row, { path }) => (path === 'sum' ? row.currency : undefined),
  id: ({ id }) => id,
};
const rows: Row[] = [
  { id: 'a', name: 'x', sum: '9', currency: 'USD', percent: '10' },
  { id: 'b', name: 'x', sum: '10', currency: 'USD', percent: null },
  { id: 'c', name: 'y', sum: '100.01', currency: 'EUR', percent: '30' },
  { id: 'd', name: 'y', sum: null, currency: null, percent: '20' },
];
const page = (query: object) => {
  const { rows: found, total } = pageRows(rows, parseListQuery(query, catalog), reader);
  return [found.map(({ id }) => id).join(''), total];
};
const group = (query: object) => {
  const parsed = parseListQuery(query, catalog);
  return groupRows(rows, { ...parsed, groupBy: parsed.groupBy! }, reader);
};

test('filters, sorts numbers as numbers with missing ones last, and pages', () => {
  expect(page({})).toEqual(['abcd', 4]);
  expect(page({ skip: 1, limit: 2 })).toEqual(['bc', 4]);
  expect(page({ filter: { sum: { gte: '10' } } })).toEqual(['bc', 2]);
  expect(page({ sort: { sum: 1 } })).toEqual(['abcd', 4]);
  expect(page({ sort: { sum: -1 } })).toEqual(['cbad', 4]);
  expect(page({ sort: { name: -1, percent: -1 } })).toEqual(['cdab', 4]);
  expect(page({ filter: { sum: { gt: '1000' } } })).toEqual(['', 0]);
});

test('groups count rows, and add amounts up by currency', () => {
  expect(group({ groupBy: { accumulator: '$sum', by: 'name' } })).toEqual({
    total: 2,
    groups: [
      { key: 'x', value: '2', count: 2 },
      { key: 'y', value: '2', count: 2 },
    ],
  });
  const euros = { currency: 'EUR', value: '100.01', count: 1 };
  const dollars = { currency: 'USD', value: '19', count: 2 };
  expect(group({ groupBy: { accumulator: '$sum', field: 'sum' }, preseveDocsIds: true }).groups).toEqual([
    { key: null, value: null, count: 4, ids: ['a', 'b', 'c', 'd'], byCurrency: [euros, dollars] },
  ]);
  expect(group({ groupBy: { accumulator: '$sum', field: 'sum', by: 'name' }, skip: 1 })).toEqual({
    total: 2,
    groups: [{ key: 'x', value: '19', count: 2, byCurrency: [dollars] }],
  });
});

test('averages leave out what is missing, and weights are of one currency each', () => {
  expect(group({ groupBy: { accumulator: '$avg', field: 'percent' } }).groups).toEqual([
    { key: null, value: '20', count: 4 },
  ]);
  const weighed = { accumulator: '$wAvg', field: 'percent', weightedField: 'sum' };
  expect(group({ groupBy: weighed }).groups).toEqual([
    {
      key: null,
      value: null,
      count: 4,
      byCurrency: [
        { currency: 'EUR', value: '30', count: 1 },
        { currency: 'USD', value: '10', count: 1 },
      ],
    },
  ]);
});
