import { compareSchemas, describeDifference, keyOf, type SchemaDifference } from './compare-schemas.ts';
import type { Execute, ObjectKind, SchemaObject } from './describe-schema.ts';
import { describeBoth } from './fresh-schema.ts';

/** Statements that make a table or a column. Others are made as the fresh schema has them. */
function statementsFor({ expected, found }: SchemaDifference): string[] {
  if (expected === null) return found!.drop ? [found!.drop] : [];
  const { kind, table, name, definition } = expected;
  if (kind === 'table') {
    const security = /policy: t/.test(definition) ? 'enable' : 'disable';
    return [
      ...(found ? [] : [`create table "${name}" ()`]),
      `alter table "${name}" ${security} row level security`,
      `alter table "${name}" ${/owner: t/.test(definition) ? '' : 'no '}force row level security`,
    ];
  }
  if (kind === 'column')
    return found ? columnChanges(expected, found) : [`alter table "${table}" add column "${name}" ${definition}`];
  // Checks and triggers call a function: it is replaced where it is, if PostgreSQL can.
  const drop = found?.drop && kind !== 'function' ? [found.drop] : [];
  return expected.create ? [...drop, expected.create] : [];
}

/** What to do instead if that fails: a function whose parameters have other names is dropped and created again. */
function otherwise({ expected, found }: SchemaDifference): string[] {
  return expected?.kind === 'function' && found?.drop ? [found.drop, expected.create] : [];
}

const COLUMN = /^(?<type>.*?)(?<needed> not null)?(?: default (?<value>.*))?$/s;

/** Changes whether a column must be filled, and with what. Its type can't change: that is the work of a migration. */
function columnChanges(expected: SchemaObject, found: SchemaObject): string[] {
  const [wanted, present] = [expected, found].map(({ definition }) => COLUMN.exec(definition)?.groups);
  if (!wanted || !present || wanted.type !== present.type) return [];
  const column = `alter table "${expected.table}" alter column "${expected.name}"`;
  return [
    wanted.value === undefined ? `${column} drop default` : `${column} set default ${wanted.value}`,
    `${column} ${wanted.needed ? 'set' : 'drop'} not null`,
  ];
}

/**
 * Makes the schema of this database that of a fresh one in which the same migrations ran, as far as no data would be
 * lost. What depends on something that is repaired later is tried again.
 * @param execute in a transaction, as the owner of the tables
 * @returns what was repaired, and what still differs: such a database must be moved by backup and restore
 */
export async function repairSchema(
  execute: Execute,
  ran: readonly string[],
): Promise<{ repaired: SchemaDifference[]; left: SchemaDifference[] }> {
  const seen = new Map<string, SchemaDifference>();
  let ofOthers: readonly SchemaObject[] | null = null;
  for (let round = 1; ; round += 1) {
    const { expected, found } = await describeBoth(execute, ran);
    ofOthers ??= calling(expected, found);
    const present = new Set(found.map(keyOf));
    const lost = ofOthers.filter((one) => !present.has(keyOf(one)));
    const left = [...compareSchemas(expected, found), ...lost.map((one) => ({ expected: one, found: null }))];
    const named = new Set(left.map(describeDifference));
    for (const one of left) seen.set(describeDifference(one), one);
    if (left.length === 0 || round > MAX_ROUNDS || !(await repairOnce(execute, left))) {
      return { repaired: [...seen].filter(([name]) => !named.has(name)).map(([, one]) => one), left };
    }
  }
}

/** What calls functions and is dropped with them. */
const CALLING: readonly ObjectKind[] = ['constraint', 'trigger', 'policy'];

/** The checks, triggers and policies of tables that somebody added. No migration would make them again. */
function calling(expected: readonly SchemaObject[], found: readonly SchemaObject[]): SchemaObject[] {
  const own = new Set(expected.filter(({ kind }) => kind === 'table').map(({ name }) => name));
  return found.filter(({ kind, table }) => CALLING.includes(kind) && !own.has(table));
}

/** Dropping a function drops the checks and triggers that call it, too. The next round creates these again. */
const MAX_ROUNDS = 3;

/** @returns whether anything was repaired */
async function repairOnce(execute: Execute, differences: readonly SchemaDifference[]): Promise<boolean> {
  let waiting = differences;
  for (let previous = Number.POSITIVE_INFINITY; waiting.length < previous; ) {
    previous = waiting.length;
    const failed: SchemaDifference[] = [];
    for (const one of waiting) {
      if (!(await attempt(execute, statementsFor(one))) && !(await attempt(execute, otherwise(one)))) failed.push(one);
    }
    waiting = failed;
  }
  return waiting.length < differences.length;
}

/** Runs statements all or none. @returns whether they ran */
async function attempt(execute: Execute, statements: readonly string[]): Promise<boolean> {
  if (statements.length === 0) return false;
  await execute('savepoint before_repair');
  try {
    for (const statement of statements) await execute(statement);
    await execute('release savepoint before_repair');
    return true;
  } catch {
    await execute('rollback to savepoint before_repair');
    return false;
  }
}
