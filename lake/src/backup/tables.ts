import { createHash } from 'node:crypto';
import type pg from 'pg';
import { escapeIdentifier } from 'pg';

/** Records the migrations that ran; created by migrating, not by restoring. */
const MIGRATIONS_TABLE = 'mikro_orm_migrations';
/** The instance id belongs to the database and is not part of its content. */
export const INSTANCE_TABLE = 'instance';

export interface Table {
  name: string;
  /** Columns that store data; generated columns are derived from the others. */
  columns: string[];
}

/** The tables, each after those that its rows refer to. */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows: tables } = await client.query<Table>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname <> $1
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by c.relname order by c.relname`,
    [MIGRATIONS_TABLE],
  );
  const { rows: keys } = await client.query<{ table: string; needs: string }>(
    `select conrelid::regclass::text as table, confrelid::regclass::text as needs from pg_constraint
     where contype = 'f' and not condeferrable and conrelid <> confrelid`,
  );
  const ordered: Table[] = [];
  const left = new Map(tables.map((table) => [table.name, table]));
  while (left.size > 0) {
    const ready = [...left.values()].filter(
      ({ name }) => !keys.some(({ table, needs }) => table === name && left.has(needs)),
    );
    if (ready.length === 0) throw new Error(`tables have circular references: ${[...left.keys()].join(', ')}`);
    for (const table of ready) {
      ordered.push(table);
      left.delete(table.name);
    }
  }
  return ordered;
}

/** Names of the migrations that ran, in order; empty for a new database. */
export async function ranMigrations(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    `public.${MIGRATIONS_TABLE}`,
  ]);
  if (!rows[0]?.there) return [];
  const { rows: ran } = await client.query<{ name: string }>(`select name from ${MIGRATIONS_TABLE} order by id`);
  return ran.map(({ name }) => name);
}

/** Lets the transaction see every row: the policies show the system all of them. */
export async function seeAll(client: pg.ClientBase): Promise<void> {
  await client.query(`select set_config('tapeline.actor_type', 'system', true), set_config('timezone', 'UTC', true)`);
}

export async function countRowsOf(client: pg.ClientBase, table: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`select count(*) from ${escapeIdentifier(table)}`);
  return Number(rows[0]?.count);
}

const ROWS_AT_ONCE = 200;

/** The rows of a table as they are backed up: a line of JSON for each, some at a time. Needs a transaction. */
export async function* linesOfTable(client: pg.ClientBase, name: string): AsyncIterable<string[]> {
  await client.query(
    `declare rows_of_table no scroll cursor for select to_jsonb(one)::text as row from ${escapeIdentifier(name)} as one`,
  );
  for (;;) {
    const { rows } = await client.query<{ row: string }>(`fetch ${ROWS_AT_ONCE} from rows_of_table`);
    if (rows.length === 0) break;
    yield rows.map(({ row }) => row);
  }
  await client.query('close rows_of_table');
}

const MODULUS = 2n ** 256n;

/** Compares the rows of a table, whatever their order: PostgreSQL returns them in another one after they were restored. */
export class RowsDigest {
  #sum = 0n;

  add(line: string): void {
    this.#sum = (this.#sum + BigInt(`0x${createHash('sha256').update(line).digest('hex')}`)) % MODULUS;
  }

  equals(other: RowsDigest): boolean {
    return this.#sum === other.#sum;
  }
}
