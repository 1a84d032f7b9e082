import { MIGRATIONS } from '../migrations/index.ts';
import { statementsOf } from '../migrations/version.ts';
import { compareSchemas, keyOf, type SchemaDifference } from './compare-schemas.ts';
import { describeSchema, type Execute, type SchemaObject } from './describe-schema.ts';

/** The schema that migrations make, in a database where nothing else was done. */
export interface Schemas {
  readonly expected: SchemaObject[];
  readonly found: SchemaObject[];
}

/**
 * Fresh schemas that this process has made, by the version of PostgreSQL and the migrations that ran: as they were described
 * first, and in the words of the database that was compared last.
 */
const made = new Map<string, readonly SchemaObject[][]>();

/**
 * Describes the schema of this database, and that of a fresh one in which the migrations ran. The fresh one is made on
 * the same server, in a schema of its own that is rolled back, because versions of PostgreSQL describe objects in
 * different words. Leaves nothing behind. It takes seconds, so what this process made for an earlier comparison serves again,
 * unless words are to be compared.
 * @param execute in a transaction, as a role that may create a schema in the database
 * @param ran names of the migrations that the fresh schema is to have
 */
export async function describeBoth(execute: Execute, ran: readonly string[]): Promise<Schemas> {
  // Of this connection only: two programs may compare at once. No schema of an operator has such a name.
  const [current] = await execute<{ schema: string; path: string; fresh: string; version: string }>(
    `select current_schema as schema, current_setting('search_path') as path, 'tapeline_fresh_' || pg_backend_pid() as fresh,
       current_setting('server_version') as version`,
  );
  if (!current) throw new Error('PostgreSQL does not say which schema is the current one');
  const found = await describeSchema(execute, current.schema);
  const key = [current.version, ...ran].join();
  const earlier = made.get(key)?.find((one) => !compareSchemas(one, found).some(mayBeOtherWords));
  if (earlier) return { expected: earlier, found };
  await execute('savepoint before_fresh_tables');
  try {
    await execute(`create schema ${current.fresh}`);
    for (const migration of MIGRATIONS) {
      if (!ran.includes(migration.name)) continue;
      for (const statement of statementsOf(migration)) await runInFresh(execute, statement, current);
    }
    await execute(`set local search_path = ${current.fresh}, ${current.path}`);
    const first = await describeSchema(execute, current.fresh);
    const expected = await inEitherWords(execute, first, found, current.fresh);
    made.set(key, [first, expected]);
    return { expected, found };
  } finally {
    await execute('rollback to savepoint before_fresh_tables');
  }
}

const mayBeOtherWords = (one: SchemaDifference): one is { expected: SchemaObject; found: SchemaObject } =>
  Boolean(one.expected?.create && one.found);

/**
 * An expression that is made from PostgreSQL's own words for it can have other words then: `(a and b) and c` becomes
 * `a and b and c`. What was repaired is made so, and is right too: such definitions become those that were found.
 */
async function inEitherWords(
  execute: Execute,
  expected: SchemaObject[],
  found: readonly SchemaObject[],
  fresh: string,
): Promise<SchemaObject[]> {
  const before = new Map<string, string>();
  for (const difference of compareSchemas(expected, found)) {
    if (!mayBeOtherWords(difference)) continue;
    const { kind, drop, create } = difference.expected;
    await execute('savepoint before_again');
    try {
      if (drop && kind !== 'function') await execute(drop);
      await execute(create);
      before.set(keyOf(difference.expected), difference.found.definition);
    } catch {
      await execute('rollback to savepoint before_again');
    }
  }
  if (before.size === 0) return expected;
  const again = new Map((await describeSchema(execute, fresh)).map((one) => [keyOf(one), one.definition]));
  return expected.map((one) => {
    const definition = before.get(keyOf(one));
    return definition !== undefined && again.get(keyOf(one)) === definition ? { ...one, definition } : one;
  });
}

/**
 * Extensions are in a schema of the database, whose search path follows only for statements that need one: both schemas have
 * functions of the same names.
 */
async function runInFresh(
  execute: Execute,
  statement: string,
  { fresh, path }: { fresh: string; path: string },
): Promise<void> {
  await execute(`savepoint before_statement; set local search_path = ${fresh}`);
  try {
    await execute(statement);
  } catch {
    await execute(`rollback to savepoint before_statement; set local search_path = ${fresh}, ${path}`);
    await execute(statement);
  }
  await execute('release savepoint before_statement');
}
