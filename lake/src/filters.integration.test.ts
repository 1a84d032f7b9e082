import { DuckDBInstance } from '@duckdb/node-api';
import { createCatalog, type Field, type FieldType } from '@tapeline/domain/filters/catalog.ts';
import { filterToDuckDb } from '@tapeline/domain/filters/duckdb.ts';
import { evaluateFilter, type Truth } from '@tapeline/domain/filters/evaluate.ts';
import type { Filter } from '@tapeline/domain/filters/filter.ts';
import { operatorsFor } from '@tapeline/domain/filters/operators.ts';
import { parseFilter } from '@tapeline/domain/filters/parse.ts';
import { PatternError, parsePattern } from '@tapeline/domain/filters/pattern.ts';
import { filterToPostgres } from '@tapeline/domain/filters/postgres.ts';
import { filterToJson } from '@tapeline/domain/filters/print.ts';
import { filterToSentence } from '@tapeline/domain/filters/sentence.ts';
import fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

const CURRENCIES = ['EUR', 'USD'];
const balanceCurrency: Field = {
  path: 'balance.currency',
  label: 'Balance currency',
  type: 'text',
  values: CURRENCIES,
};
const limitCurrency: Field = { path: 'limit.currency', label: 'Limit currency', type: 'text', values: CURRENCIES };
const cutOff: Field = { path: 'cutOff', label: 'Cut-off date', type: 'date' };
const fields: readonly Field[] = [
  { path: 'name', label: 'Name', type: 'text' },
  { path: 'address.state', label: 'State', type: 'text' },
  { path: 'fico', label: 'FICO', type: 'number' },
  { path: 'score', label: 'Score', type: 'number' },
  { path: 'balance', label: 'Balance', type: 'decimal', currency: balanceCurrency },
  { path: 'limit', label: 'Limit', type: 'decimal', currency: limitCurrency },
  { path: 'interest', label: 'Interest', type: 'decimal', currency: balanceCurrency },
  balanceCurrency,
  limitCurrency,
  { path: 'isDelinquent', label: 'Delinquent', type: 'boolean' },
  { path: 'dateFinanced', label: 'Origination date', type: 'date' },
  { path: 'maturityDate', label: 'Maturity date', type: 'date' },
  cutOff,
  { path: 'updatedAt', label: 'Updated', type: 'instant' },
];
const catalog = { ...createCatalog(fields), cutOff };

/** Values that often coincide, and letters on which engines and locales are known to differ. */
const POOLS: Record<FieldType, readonly (string | number | boolean)[]> = {
  text: [
    ...[
      '',
      'CA',
      'ca',
      'NY',
      'New York',
      'a',
      'b',
      'ab',
      'aab',
      'abab',
      'a\nb',
      'a\n',
      '\n',
      ' a',
      'a1',
      '12',
      'a_b',
      'A-B',
    ],
    ...[
      '100%',
      'back\\slash',
      'a.b',
      ']',
      '[a]',
      '^',
      '$',
      '(x)',
      '{2}',
      'a|b',
      "O'Hara",
      '"q"',
      'K',
      'k',
      '\u212a',
      'S',
      's',
      'ſ',
    ],
    ...[
      'I',
      'i',
      'İ',
      'ı',
      'É',
      'é',
      'Straße',
      'STRASSE',
      'ẞ',
      'Σ',
      'σ',
      'ς',
      'µ',
      'μ',
      '\ufffd',
      '😀',
      '𐐀',
      '𐐨',
      '日本',
      '\u00a0',
      '\r\n',
      '\t',
    ],
  ],
  number: [-1.5, 0, 0.1, 0.30000000000000004, 1, 2, 599, 600, 600.5, 850, 1e21, 5e-324, -1e300, 9007199254740992],
  decimal: ['-0.01', '0', '0.1', '0.3', '1', '5.5', '100', '100.0001', '99999999999999.9999', '144589166.1', '-12.34'],
  boolean: [true, false],
  date: ['0101-01-01', '1999-12-31', '2020-02-29', '2026-10-31', '2026-11-01', '9999-12-31'],
  instant: [
    '1969-12-31T23:59:59.999Z',
    '2026-10-31T00:00:00.000Z',
    '2026-10-31T09:30:00.000Z',
    '2026-10-31T09:30:00.001Z',
  ],
};

const CUT_OFF_DATES = ['2024-02-29', '2026-02-28', '2026-04-30', '2026-10-30', '2026-10-31', '2026-11-15'];
const poolOf = (field: Field) => (field === cutOff ? CUT_OFF_DATES : (field.values ?? POOLS[field.type]));

type Row = Record<string, unknown>;

const rowArbitrary: fc.Arbitrary<Row> = fc.record(
  Object.fromEntries(fields.map((field) => [field.path, fc.option(fc.constantFrom(...poolOf(field)), { freq: 4 })])),
);

/** A group that repeats within a repeated group is refused. */
function isAccepted(regex: string): boolean {
  try {
    parsePattern(regex, false);
    return true;
  } catch (error) {
    if (error instanceof PatternError) return false;
    throw error;
  }
}

/** Text of our own regex subset. */
const regexArbitrary = fc
  .letrec<{ node: string; atom: string }>((tie) => ({
    atom: fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom(
          'a',
          'b',
          'A',
          'k',
          's',
          'é',
          'σ',
          'ß',
          'ı',
          '1',
          ' ',
          '\n',
          '😀',
          '\\.',
          '\\[',
          '\\\\',
          '-',
          ',',
        ),
      },
      {
        weight: 4,
        arbitrary: fc.constantFrom('.', '\\d', '\\w', '\\s', '\\D', '\\W', '\\S', '^', '$', '\\n', '%', '_', '"'),
      },
      {
        weight: 4,
        arbitrary: fc.constantFrom(
          '[a-c]',
          '[^a]',
          '[^\\d]',
          '[\\s\\S]',
          '[\\W]',
          '[a-]',
          '[\\]\\^]',
          '[i-s]',
          '[^K]',
          '[À-ÿ]',
          '[\\D\\n]',
          '[.$(]',
          '[😀-😂]',
          '[:a:]',
        ),
      },
      { weight: 1, arbitrary: tie('node').map((inner) => `(${inner})`) },
      { weight: 1, arbitrary: tie('node').map((inner) => `(?:${inner})`) },
    ),
    node: fc
      .array(
        fc
          .tuple(
            tie('atom'),
            fc.constantFrom('', '', '', '', '*', '+', '?', '{2}', '{0,2}', '{1,}', '{0}', '*?', '|', '|'),
          )
          .map(([atom, repeat]) => (/^[$^]$/.test(atom) && repeat !== '|' ? atom : atom + repeat)),
        { maxLength: 5, depthIdentifier: 'regex' },
      )
      .map((parts) => parts.join('')),
  }))
  .node.filter(isAccepted);

const likeArbitrary = fc
  .array(
    fc.constantFrom('%', '_', 'a', 'B', 'k', 'É', 'ß', 'ς', 'i', '\\%', '\\_', '\\\\', '1', '\n', '.', '*', '😀', ' '),
    { maxLength: 4 },
  )
  .map((parts) => parts.join(''));

function operationArbitrary(field: Field): fc.Arbitrary<Row> {
  const literal = fc.constantFrom(...POOLS[field.type]);
  return fc.constantFrom(...operatorsFor(field.type)).chain((operator): fc.Arbitrary<Row> => {
    if (operator === 'in' || operator === 'nin')
      return fc.array(literal, { maxLength: 12 }).map((values) => ({ [operator]: values }));
    if (operator === 'exists') return fc.boolean().map((exists) => ({ exists }));
    if (operator === 'like') return fc.oneof(likeArbitrary, fc.constantFrom('New', '%', '')).map((like) => ({ like }));
    if (operator === 'regex') {
      return fc
        .tuple(regexArbitrary, fc.boolean())
        .map(([regex, ignore]) => (ignore ? { regex, options: 'i' } : { regex }));
    }
    return literal.map((value) => ({ [operator]: value }));
  });
}

/** The fields that a field can be compared with. */
const partnersOf = (field: Field): Field[] =>
  fields.filter(
    (other) => other !== field && other.type === field.type && Boolean(other.currency) === Boolean(field.currency),
  );

/** A condition whose other side is a field, or a date relative to the cut-off date. */
const operandArbitrary = fc
  .constantFrom(...fields.filter((field) => partnersOf(field).length > 0))
  .chain((field): fc.Arbitrary<Row> => {
    const other = fc.constantFrom(...partnersOf(field)).map(({ path }): Row => ({ $field: path }));
    const offset = fc.tuple(fc.integer({ min: -1_200, max: 1_200 }), fc.constantFrom('d', 'm', 'y'));
    const date = offset.map(([count, unit]): Row => ({ $cutOff: `${unit === 'y' ? count % 100 : count}${unit}` }));
    const operand = field.type === 'date' ? fc.oneof(other, date) : other;
    return fc
      .tuple(fc.constantFrom('eq', 'neq', 'lt', 'lte', 'gt', 'gte'), operand)
      .map(([operator, compared]) => ({ [field.path]: { [operator]: compared } }));
  });

const literalArbitrary = fc
  .constantFrom(...fields)
  .chain((field) => operationArbitrary(field).map((operation): Row => ({ [field.path]: operation })));

const conditionArbitrary = fc.oneof({ weight: 3, arbitrary: literalArbitrary }, operandArbitrary);

const filterArbitrary: fc.Arbitrary<Row> = fc.letrec<{ filter: Row; group: Row }>((tie) => ({
  filter: fc.oneof({ maxDepth: 4, depthIdentifier: 'filter' }, conditionArbitrary, tie('group')),
  group: fc.oneof(
    fc
      .tuple(
        fc.constantFrom('$and', '$or', '$nor'),
        fc.array(tie('filter'), { minLength: 1, maxLength: 4, depthIdentifier: 'filter' }),
      )
      .map(([key, parts]): Row => ({ [key]: parts })),
    tie('filter').map((inner): Row => ({ $not: inner })),
    fc.constant({}),
  ),
})).filter;

const DUCKDB_TYPES: Record<FieldType, string> = {
  text: 'VARCHAR',
  number: 'DOUBLE',
  decimal: 'DECIMAL(18, 4)',
  boolean: 'BOOLEAN',
  date: 'DATE',
  instant: 'TIMESTAMPTZ',
};
const POSTGRES_TYPES: Record<FieldType, string> = {
  ...DUCKDB_TYPES,
  text: 'text',
  number: 'double precision',
  decimal: 'numeric(18, 4)',
};
const textOf = (cell: unknown) => (cell === null || cell === undefined ? null : String(cell));
const column = (field: Field) => `"${field.path}"`;
const columns = (types: Record<FieldType, string>) =>
  fields.map((field) => `${column(field)} ${types[field.type]}`).join(', ');

describe('one filter in memory, DuckDB and PostgreSQL', () => {
  const rows = fc.sample(rowArbitrary, 250);
  const postgres = new Client({ connectionString: inject('postgresAdminUrl') });
  let duckDb: Awaited<ReturnType<DuckDBInstance['connect']>>;

  beforeAll(async () => {
    const instance = await DuckDBInstance.create(':memory:');
    duckDb = await instance.connect();
    await postgres.connect();
    await duckDb.run(`CREATE TABLE filtered ("row" INTEGER, ${columns(DUCKDB_TYPES)})`);
    await postgres.query(`CREATE TEMPORARY TABLE filtered ("row" integer, ${columns(POSTGRES_TYPES)})`);
    for (const [index, row] of rows.entries()) {
      const cells = fields.map((field) => textOf(row[field.path]));
      const placeholders = (types: Record<FieldType, string>) =>
        fields.map((field, at) => `CAST($${at + 2} AS ${types[field.type]})`).join(', ');
      await duckDb.run(`INSERT INTO filtered VALUES ($1, ${placeholders(DUCKDB_TYPES)})`, [index, ...cells]);
      await postgres.query(`INSERT INTO filtered VALUES ($1, ${placeholders(POSTGRES_TYPES)})`, [index, ...cells]);
    }
  });

  afterAll(async () => {
    duckDb.closeSync();
    await postgres.end();
  });

  async function askDuckDb(filter: Filter): Promise<Truth[]> {
    const { sql, values } = filterToDuckDb(filter, column);
    const reader = await duckDb.runAndReadAll(`SELECT (${sql}) FROM filtered ORDER BY "row"`, values);
    return reader.getRows().map(([truth]) => truth as Truth);
  }

  async function askPostgres(filter: Filter): Promise<Truth[]> {
    const { sql, values } = filterToPostgres(filter, column, 1);
    const answer = await postgres.query<{ truth: Truth }>(
      `SELECT (${sql}) AS truth FROM filtered ORDER BY "row"`,
      values,
    );
    return answer.rows.map((row) => row.truth);
  }

  const remember = (filter: Filter): Truth[] => rows.map((row) => evaluateFilter(filter, (field) => row[field.path]));

  it('gives true, false and unknown for the same rows everywhere', async () => {
    await fc.assert(
      fc.asyncProperty(filterArbitrary, async (written) => {
        const filter = parseFilter(written, catalog);
        const inMemory = remember(filter);
        expect(await askDuckDb(filter), 'DuckDB').toEqual(inMemory);
        expect(await askPostgres(filter), 'PostgreSQL').toEqual(inMemory);
      }),
      { numRuns: 400 },
    );
  });

  it('matches the same texts by every pattern', async () => {
    await fc.assert(
      fc.asyncProperty(regexArbitrary, fc.boolean(), likeArbitrary, async (regex, ignore, like) => {
        const written = { name: { regex, ...(ignore ? { options: 'i' } : {}) }, 'address.state': { like } };
        for (const [path, operation] of Object.entries(written)) {
          const filter = parseFilter({ [path]: operation }, catalog);
          const inMemory = remember(filter);
          expect(await askDuckDb(filter), 'DuckDB').toEqual(inMemory);
          expect(await askPostgres(filter), 'PostgreSQL').toEqual(inMemory);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('is the same filter after it was printed and parsed again, and always has a sentence', () => {
    fc.assert(
      fc.property(filterArbitrary, (written) => {
        const filter = parseFilter(written, catalog);
        expect(parseFilter(JSON.stringify(filterToJson(filter)), catalog)).toEqual(filter);
        expect(filterToSentence(filter)).toMatch(/\S/);
      }),
      { numRuns: 2_000 },
    );
  });

  it('keeps the order of the rows under a long list', async () => {
    await duckDb.run('CREATE TABLE long AS SELECT \'asset-\' || i AS name, i AS "row" FROM range(300000) numbers(i)');
    const names = Array.from({ length: 1_000 }, (_, index) => `asset-${index * 299}`);
    const { sql, values } = filterToDuckDb(parseFilter({ name: { in: names } }, catalog), column);
    const reader = await duckDb.runAndReadAll(`SELECT "row" FROM long WHERE ${sql}`, values);
    expect(reader.getRows().map(([row]) => Number(row))).toEqual(names.map((_, index) => index * 299));
  });

  it('compares a decimal beyond the digits of its column without rounding it', async () => {
    const filter = parseFilter('{"balance": {"gt": 100.00009}}', catalog);
    const expected = rows.map((row) => (row.balance === null ? null : Number(row.balance) > 100.00009));
    expect(await askDuckDb(filter)).toEqual(expected);
    expect(await askPostgres(filter)).toEqual(expected);
    expect(remember(filter)).toEqual(expected);
  });

  it('copes with the largest filter and the costliest patterns it accepts', async () => {
    const largest = { $or: Array.from({ length: 999 }, (_, index) => ({ fico: { gte: index } })) };
    const costly = [
      '(((a?){6}b?){6}c?){6}',
      '(a?){99}a{99}',
      '(a?b?){100}',
      '(a*b)*c',
      '(?:[^b]{1,15}){15}x',
      '.{255}',
      '(.*a){50}',
    ];
    for (const written of [largest, ...costly.map((regex) => ({ name: { regex, options: 'i' } }))]) {
      const filter = parseFilter(written, catalog);
      const inMemory = remember(filter);
      expect(await askDuckDb(filter)).toEqual(inMemory);
      expect(await askPostgres(filter)).toEqual(inMemory);
    }
  });
});
