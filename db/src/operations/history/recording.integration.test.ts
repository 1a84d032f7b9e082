import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fieldOf, HISTORY } from '../../migrations/tenant-table.ts';
import '../../migrations/index.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';

/** Columns that never belong to the history of a document. */
const NEVER = ['id', 'version', 'metadata', 'code'];

const REGISTERED = [...HISTORY].flatMap(([table, history]) => ('resource' in history ? [{ table, ...history }] : []));

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.close();
});

interface Column {
  name: string;
  type: string;
}

/** Two different values of every type that a column of a document has. */
const VALUES: Readonly<Record<string, readonly [string, string]>> = {
  text: ['first', 'second'],
  object_id: ['a'.repeat(24), 'b'.repeat(24)],
  integer: ['1', '2'],
  bigint: ['3', '5000000000'],
  numeric: ['12345678901234567.89', '0.10'],
  boolean: ['false', 'true'],
  jsonb: ['{"a":1}', '{"a":2}'],
  date: ['2026-10-31', '2026-11-30'],
  'timestamp with time zone': ['2026-10-31T08:00:00.123Z', '2026-11-30T08:00:00.456Z'],
  'text[]': ['{one}', '{one,two}'],
  'object_id[]': [`{${'a'.repeat(24)}}`, `{${'b'.repeat(24)}}`],
  'integer[]': ['{1}', '{2,3}'],
};

/** How the history shows the value. */
function asRecorded(type: string, value: string): unknown {
  if (type === 'boolean') return value === 'true';
  if (type === 'integer' || type === 'bigint') return Number(value);
  if (type === 'jsonb') return JSON.parse(value);
  if (type.endsWith('[]')) {
    const entries = value.slice(1, -1).split(',');
    return type === 'integer[]' ? entries.map(Number) : entries;
  }
  return value;
}

/** Without the rules of the table, a row can have any values: only the recording is tested. */
async function withoutRules<Result>(table: string, work: (columns: Column[]) => Promise<Result>): Promise<Result> {
  await client.query('begin');
  try {
    const { rows: checks } = await client.query<{ name: string }>(
      `select conname as name from pg_constraint where conrelid = $1::regclass and contype = 'c'`,
      [table],
    );
    const { rows: triggers } = await client.query<{ name: string }>(
      `select tgname as name from pg_trigger where tgrelid = $1::regclass and not tgisinternal and tgname <> $2`,
      [table, `${table}_history`],
    );
    for (const { name } of checks) await client.query(`alter table ${table} drop constraint ${name}`);
    for (const { name } of triggers) await client.query(`alter table ${table} disable trigger ${name}`);
    const { rows: columns } = await client.query<Column>(
      `select attname as name, format_type(atttypid, null) as type from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
      [table],
    );
    return await work(columns);
  } finally {
    // Foreign keys are checked when a transaction commits, and this one never does.
    await client.query('rollback');
  }
}

const ID = 'c'.repeat(24);

const AUTHORS = {
  'a user on a screen or by a call': {
    agent: 'Mozilla/5.0',
    ip: '203.0.113.7',
    locale: 'en',
    timestamp: '2026-11-20T09:14:05.120Z',
    entity: { id: 'd'.repeat(24), firstName: 'Mara', lastName: 'Holt' },
  },
  'a worker or a program': {
    agent: null,
    ip: null,
    locale: null,
    timestamp: '2026-11-20T09:14:05.120Z',
    entity: { apiName: 'Importer' },
  },
};

const changes = async () =>
  (
    await client.query(
      `select resource, operation, updated_fields as fields, changed_by as "changedBy", fields as names,
         to_char(changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "changedAt",
         recorded_at between now() and clock_timestamp() as "isRecordedNow"
       from history where document_id = $1 order by id`,
      [ID],
    )
  ).rows;

describe.each(REGISTERED)('every change of $table', ({ table, resource, silent = [] }) => {
  const isRecorded = ({ name }: Column) => !NEVER.includes(name) && !silent.includes(name);
  const sample = ({ name, type }: Column, at: 0 | 1): string => {
    const values = VALUES[type];
    if (!values) throw new Error(`Add two values of type ${type} for ${table}.${name}`);
    return name === 'id' ? ID : values[at];
  };
  const insert = (columns: Column[]) =>
    client.query(
      `insert into ${table} (${columns.map(({ name }) => `"${name}"`).join(', ')})
       values (${columns.map(({ type }, at) => `$${at + 1}::${type}`).join(', ')})`,
      columns.map((column) => sample(column, 0)),
    );

  test.each(Object.entries(AUTHORS))('by %s', async (_, author) => {
    await withoutRules(table, async (columns) => {
      await client.query(`select set_config('tapeline.changed_by', $1, true)`, [JSON.stringify(author)]);
      await insert(columns);
      const recorded = columns.filter(isRecorded);
      for (const column of columns.filter(({ name }) => name !== 'id')) {
        await client.query(`update ${table} set "${column.name}" = $1::${column.type} where id = $2`, [
          sample(column, 1),
          ID,
        ]);
      }
      await client.query(`update ${table} set id = id where id = $1`, [ID]);
      await client.query(`delete from ${table} where id = $1`, [ID]);
      const found = await changes();
      const [created, ...rest] = found;
      const deleted = rest.pop();
      for (const change of found) {
        expect(change).toMatchObject({ resource, changedBy: author, changedAt: author.timestamp, isRecordedNow: true });
      }
      const byField = (a: { field: string }, b: { field: string }) => (a.field < b.field ? -1 : 1);
      const fields = (old: 0 | 1 | null, now: 0 | 1 | null) =>
        recorded
          .map((column) => {
            const value = (at: 0 | 1 | null) => (at === null ? null : asRecorded(column.type, sample(column, at)));
            return { field: fieldOf(column.name), old: value(old), new: value(now) };
          })
          .sort(byField);
      expect(created.operation).toBe('Insert');
      expect(created.fields.toSorted(byField)).toEqual(fields(null, 0));
      expect(created.names.toSorted()).toEqual(recorded.map(({ name }) => fieldOf(name)).sort());
      expect(rest.map(({ operation, fields: [one] }) => ({ operation, ...one })).sort(byField)).toEqual(
        fields(0, 1).map((field) => ({ operation: 'Update', ...field })),
      );
      expect(deleted.operation).toBe('Permanent Delete');
      expect(deleted.fields.toSorted(byField)).toEqual(fields(1, null));
    });
  });

  test('by whoever works past the program, and a removal as Delete', async () => {
    await withoutRules(table, async (columns) => {
      await insert(columns);
      const { rows } = await client.query<{ name: string }>('select session_user::text as name');
      if (columns.some(({ name }) => name === 'status')) {
        await client.query(`update ${table} set status = 'Removed' where id = $1`, [ID]);
      }
      const found = await changes();
      expect(found.map(({ operation }) => operation)).toEqual(
        columns.some(({ name }) => name === 'status') ? ['Insert', 'Delete'] : ['Insert'],
      );
      for (const { changedBy } of found) expect(changedBy.entity).toEqual({ apiName: rows[0]?.name });
    });
  });
});
