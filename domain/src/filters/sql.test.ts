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

it('passes everything for an empty filter', () => {
  expect(filterToDuckDb(parseFilter({}, catalog), quoted)).toEqual({ sql: 'TRUE', values: [] });
});
