import { expect, it } from 'vitest';
import { createCatalog, type Field } from './catalog.ts';
import { filterToDuckDb } from './duckdb.ts';
import { parseFilter } from './parse.ts';
import { filterToPostgres } from './postgres.ts';

const catalog = createCatalog([
  { path: 'state', label: 'State', type: 'text' },
  { path: 'fico', label: 'FICO', type: 'number' },
  { path: 'rate', label: 'Rate', type: 'decimal' },
]);
const quoted = (field: Field) => `"${field.path}"`;

it('binds every literal and casts it by its field for DuckDB', () => {
  const filter = parseFilter({ state: { in: ['CA', "x' OR 1=1"] }, fico: { gte: 600 }, rate: { lt: 5.25 } }, catalog);
  expect(filterToDuckDb(filter, quoted)).toEqual({
    sql: '(("state" = CAST($1 AS VARCHAR) OR "state" = CAST($2 AS VARCHAR)) AND ("fico" >= CAST($3 AS DOUBLE)) AND ("rate" < CAST($4 AS DECIMAL(3, 2))))',
    values: ['CA', "x' OR 1=1", '600', '5.25'],
  });
});

it('counts parameters from a given number, and encloses an expression, for PostgreSQL', () => {
  const filter = parseFilter({ $not: { state: { lt: 'M', like: 'n%' } } }, catalog);
  expect(filterToPostgres(filter, () => "doc ->> 'state'", 3)).toEqual({
    sql: `(NOT (((doc ->> 'state') COLLATE "C" < CAST($3 AS text)) AND ((doc ->> 'state') COLLATE "C" ~ CAST($4 AS text))))`,
    values: ['M', '^[Nn]'],
  });
});

it('asks for one element of a list, or that none is the value, and knows nothing about an empty one', () => {
  const lists = createCatalog([{ path: 'kind', label: 'Kind', type: 'text', isList: true }]);
  const sqlOf = (filter: object) => filterToPostgres(parseFilter(filter, lists), () => 'kinds').sql;
  const some = (condition: string) =>
    `(CASE WHEN cardinality(kinds) > 0 THEN EXISTS (SELECT 1 FROM unnest(kinds) AS element WHERE ${condition}) END)`;
  const isFirst = '(element = CAST($1 AS text))';
  expect(sqlOf({ kind: 'a' })).toBe(some(isFirst));
  expect(sqlOf({ kind: { neq: 'a' } })).toBe(`(NOT ${some(isFirst)})`);
  expect(sqlOf({ kind: { nin: ['a'] } })).toBe(`(NOT ${some('(element IN (CAST($1 AS text)))')})`);
  expect(sqlOf({ kind: { exists: false } })).toBe('(NOT (COALESCE(cardinality(kinds), 0) > 0))');
});

it('passes everything for an empty filter', () => {
  expect(filterToDuckDb(parseFilter({}, catalog), quoted)).toEqual({ sql: 'TRUE', values: [] });
});
