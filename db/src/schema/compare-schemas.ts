import { OBJECT_KINDS, type ObjectKind, type SchemaObject } from './describe-schema.ts';

/** An object that is not as the migrations of this version make it. */
export interface SchemaDifference {
  /** The object as it should be; null if it should not exist. */
  readonly expected: SchemaObject | null;
  /** The object as it is; null if it is missing. */
  readonly found: SchemaObject | null;
}

/** Objects that somebody may add for their own purposes, and that change nothing of what the product does. */
const MAY_BE_ADDED: readonly ObjectKind[] = ['type', 'table', 'column', 'function', 'view', 'index', 'right'];

/** Identifies an object of a schema. */
export const keyOf = ({ kind, table, name }: SchemaObject): string => JSON.stringify([kind, table, name]);

/** What differs, in the order in which it can be repaired. */
export function compareSchemas(expected: readonly SchemaObject[], found: readonly SchemaObject[]): SchemaDifference[] {
  const isOwn = new Set(expected.filter(({ kind }) => kind === 'table').map(({ name }) => name));
  const functions = new Set(expected.filter(({ kind }) => kind === 'function').map(({ name }) => name));
  const before = new Map(found.map((one) => [keyOf(one), one]));
  const differences: SchemaDifference[] = [];
  for (const one of expected) {
    const other = before.get(keyOf(one)) ?? null;
    before.delete(keyOf(one));
    if (other?.definition !== one.definition) differences.push({ expected: one, found: other });
  }
  for (const other of before.values()) {
    // A column that must be filled stops every insert.
    const stopsInserts = other.kind === 'column' && / not null(?! (default|generated))/.test(other.definition);
    // An operator's own roles are its own affair; row-level security holds for them too.
    const isOurs =
      isOwn.has(other.table) || (other.kind === 'right' && functions.has(other.name.replace(/: EXECUTE to .*$/s, '')));
    const givesRights = other.kind === 'right' && / to (public|tapeline_app)$/.test(other.name);
    const isHarmless = MAY_BE_ADDED.includes(other.kind) && !stopsInserts && !givesRights;
    if (!isHarmless && isOurs) differences.push({ expected: null, found: other });
  }
  const place = ({ expected: one, found: other }: SchemaDifference) => OBJECT_KINDS.indexOf((one ?? other)!.kind);
  return differences.sort((a, b) => place(a) - place(b));
}

/** "the column contributions.recallable_days is missing". */
export function describeDifference({ expected, found }: SchemaDifference): string {
  const { kind, table, name } = (expected ?? found)!;
  const what = `the ${kind} ${table && table !== name && kind !== 'right' ? `${table}.` : ''}${name}`;
  if (!found) return `${what} is missing`;
  return expected ? `${what} is not as it should be` : `${what} should not exist`;
}
