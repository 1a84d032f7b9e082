import type { EntityName, InferEntity } from '@mikro-orm/core';
import {
  type Collection,
  DOCUMENT_FIELDS,
  describeField,
  type FieldOfList,
} from '@tapeline/domain/collections/collection.ts';
import { COLLECTIONS, type CollectionName } from '@tapeline/domain/collections/collections.ts';
import { createCatalog, type Field, type FieldCatalog, type FieldType } from '@tapeline/domain/filters/catalog.ts';
import type { Actor } from '@tapeline/domain/people/actor.ts';
import { STORED, tableOf } from '../../collections/collections.ts';
import type { StoredCollection } from '../../collections/stored-collection.ts';

/**
 * A field of a list: path, label, type, and the SQL of its column (`t` is the table). A decimal also has the path of
 * the field with its currency, so that groups never add amounts of several currencies; null if it is not an amount of
 * money. `texts` is an array of texts: a filter holds if one of them meets it, and lists are ordered and grouped by the
 * texts joined.
 */
export type ListField =
  | readonly [path: string, label: string, type: Exclude<FieldType, 'decimal'> | 'texts', sql: string]
  | readonly [path: string, label: string, type: 'decimal', sql: string, currencyPath: string | null];

/** The fields of a table, for filters, sorting and groups. */
export interface ListedTable {
  readonly table: string;
  readonly catalog: FieldCatalog;
  readonly columns: ReadonlyMap<string, string>;
  /** SQL of the currency of each money field, by the field's path. */
  readonly currencies: ReadonlyMap<string, string>;
  readonly options: ListOptions;
}

export interface ListOptions {
  /** The statuses of documents that are only returned if the filter names a status. Default: Removed. */
  readonly hidden?: readonly string[];
  /** The order of a list whose query names none. Default: by id, the newest first. */
  readonly order?: string;
  /** A condition on every list of the actor, for tables whose policies alone cannot use an index. */
  readonly within?: (actor: Actor) => Narrowing | null;
  /** Whether `document_counts` has the number of documents of each tenant, by status. */
  readonly isCounted?: boolean;
  /** Other paths that filters and sorts accept, each with the path of its field. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Paths of fields that are never null: one index serves both directions of their order. */
  readonly neverNull?: readonly string[];
}

export interface Listable<Entity extends { id: string }> extends ListedTable {
  readonly entity: EntityName<Entity>;
}

/** Fields with the labels and types of a descriptor, and their SQL by path. */
const fieldsWith = (
  described: Readonly<Record<string, FieldOfList>>,
  sql: Readonly<Record<string, string>>,
): ListField[] =>
  Object.entries(described).map(([path, field]) => {
    const { label, ...rest } = describeField(path, field);
    return rest.type === 'decimal'
      ? [path, label, rest.type, sql[path]!, rest.currencyPath]
      : [path, label, rest.type, sql[path]!];
  });

/** SQL of fields that mean the same in every table. */
const SAME_EVERYWHERE = { 'metadata.iat': 'created_at(t.metadata)', 'assoc.manager.id': 't.manager_id' };

const EVERY_DOCUMENT = fieldsWith(DOCUMENT_FIELDS, {
  id: 't.id',
  status: 't.status',
  code: 't.code',
  ...SAME_EVERYWHERE,
});

/** Columns with ids of documents. A formal id is what an authority calls an entity. */
const HOLDS_IDS = /^t\.(id|(?!formal_)\w+_id|requested_by|decided_by)$/;

/**
 * Defines a table that can be listed.
 * @param common fields besides its own: the fields of every document, unless the table does not store documents
 */
export function defineListable<Entity extends { id: string }>(
  entity: EntityName<Entity>,
  table: string,
  fields: readonly ListField[],
  common: readonly ListField[] = EVERY_DOCUMENT,
  options: ListOptions = {},
): Listable<Entity> {
  return { entity, ...defineListed(table, [...common, ...fields], options) };
}

type FieldsIn<Described> = Described extends { readonly fields: infer Fields } ? keyof Fields & string : never;

type FieldsOf<Name extends CollectionName> = FieldsIn<(typeof COLLECTIONS)[Name]> | FieldsIn<(typeof STORED)[Name]>;

type Listed = { [Name in CollectionName]: [FieldsOf<Name>] extends [never] ? never : Name }[CollectionName];

type EntityOf<Name extends Listed> = InferEntity<(typeof STORED)[Name]['entity']>;

/** The fields that are columns of the table: a property of the entity, or without its Id at the end. */
type ColumnsOf<Entity> =
  | keyof Entity
  | (keyof Entity extends infer Key ? (Key extends `${infer Of}Id` ? Of : never) : never);

/** SQL of the fields of a list, by path: of those that are no columns, and of others where it differs. */
type FieldSql<Name extends Listed> = Readonly<
  Record<Exclude<FieldsOf<Name>, ColumnsOf<EntityOf<Name>> | keyof typeof SAME_EVERYWHERE>, string>
> &
  Readonly<Record<string, string>>;

/** SQL of the fields that are columns. */
function columnsOf({ meta }: StoredCollection['entity']): Record<string, string> {
  const columns: Record<string, string> = {};
  for (const [property, { fieldName }] of Object.entries<{ fieldName?: string }>({ ...meta.properties })) {
    const sql = `t.${fieldName ?? property.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()}`;
    columns[property] = sql;
    if (property.endsWith('Id')) columns[property.slice(0, -2)] = sql;
  }
  return columns;
}

/**
 * Defines the list of a collection. Its fields have the labels and the types of its descriptor.
 * @param more fields that the descriptor cannot name one by one
 */
export function listOf<Name extends Listed>(
  name: Name,
  sql: FieldSql<Name>,
  options: ListOptions = {},
  more: readonly ListField[] = [],
): Listable<EntityOf<Name>> {
  const { entity, fields: own }: StoredCollection = STORED[name];
  const { fields: described = own }: Collection = COLLECTIONS[name];
  const fields = fieldsWith({ ...DOCUMENT_FIELDS, ...described }, { ...columnsOf(entity), ...SAME_EVERYWHERE, ...sql });
  return { entity: entity as never, ...defineListed(tableOf(STORED[name]), [...fields, ...more], options) };
}

/** Defines what can be listed of a table, or of a query in brackets. */
export function defineListed(table: string, all: readonly ListField[], options: ListOptions = {}): ListedTable {
  const columns = new Map(all.map(([path, , , sql]) => [path, sql]));
  const currencies = all.flatMap(([path, , , , currencyPath]) => {
    if (!currencyPath) return [];
    const currency = columns.get(currencyPath);
    if (!currency) throw new Error(`${table} has no field ${currencyPath} for the currency of ${path}`);
    return [[path, currency] as const];
  });
  // An amount can also be named by its parts on the wire: `targetSize.sum`, `targetSize.currency`.
  const parts = all.flatMap(([path, , , , currencyPath]): [string, string][] =>
    currencyPath
      ? [
          [`${path}.sum`, path],
          [`${path}.currency`, currencyPath],
        ]
      : [],
  );
  const plain = all.map(([path, label, type, sql]): Field => {
    const field = { path, label, ...(HOLDS_IDS.test(sql) ? { isId: true } : {}) };
    return type === 'texts' ? { ...field, type: 'text', isList: true } : { ...field, type };
  });
  const byPath = new Map(plain.map((field) => [field.path, field]));
  const fields = plain.map((field, index) => {
    const currency = byPath.get(all[index]?.[4] ?? '');
    return currency ? { ...field, currency } : field;
  });
  return {
    table,
    catalog: createCatalog(fields, undefined, new Map([...parts, ...Object.entries(options.aliases ?? {})])),
    columns,
    currencies: new Map(currencies),
    options,
  };
}

/** A condition of a list in addition to its filter, with one value: SQL for the parameter's place (`$3`). */
export interface Narrowing {
  readonly condition: (parameter: string) => string;
  readonly value: unknown;
}

/** The manager whose documents the actor sees all of; null for everyone else, and if some are blocked. */
export function wholeTenantOf(actor: Actor): string | null {
  if (actor.kind !== 'user' || actor.blockedDocuments.length > 0 || actor.within) return null;
  return actor.type === 'manager' || actor.type === 'admin' ? actor.managerId : null;
}

/** The options of a collection with lists of tens of thousands: its tenant's rows have indexes, and are counted. */
export const LARGE: Pick<ListOptions, 'within' | 'isCounted'> = {
  isCounted: true,
  within: (actor) => {
    const managerId = wholeTenantOf(actor);
    return managerId === null ? null : { condition: (parameter) => `t.manager_id = ${parameter}`, value: managerId };
  },
};
