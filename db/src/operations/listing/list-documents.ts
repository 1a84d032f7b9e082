import type { EntityName, FilterQuery } from '@mikro-orm/core';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { createCatalog, type Field, type FieldCatalog, type FieldType } from '@tapeline/domain/filters/catalog.ts';
import { fieldsOf } from '@tapeline/domain/filters/filter.ts';
import { type ListQuery, parseListQuery } from '@tapeline/domain/filters/list-query.schema.ts';
import { filterToPostgres } from '@tapeline/domain/filters/postgres.ts';
import { isId } from '../../ids.ts';
import type { Session } from '../../store.ts';

/** A field of a list: path, label, type, and the SQL of its column (`t` is the table). */
export type ListField = readonly [path: string, label: string, type: FieldType, sql: string];

/** A table that lists can be made of, with what they can be filtered, sorted and grouped by. */
export interface Listable<Entity extends { id: string }> {
  readonly entity: EntityName<Entity>;
  readonly table: string;
  readonly catalog: FieldCatalog;
  readonly columns: ReadonlyMap<string, string>;
}

const EVERY_DOCUMENT: readonly ListField[] = [
  ['id', 'Id', 'text', 't.id'],
  ['status', 'Status', 'text', 't.status'],
  ['code', 'Code', 'number', 't.code'],
  ['metadata.iat', 'Created', 'instant', "(t.metadata ->> 'iat')::timestamptz"],
];

export function defineListable<Entity extends { id: string }>(
  entity: EntityName<Entity>,
  table: string,
  fields: readonly ListField[],
): Listable<Entity> {
  const all = [...EVERY_DOCUMENT, ...fields];
  return {
    entity,
    table,
    catalog: createCatalog(all.map(([path, label, type]): Field => ({ path, label, type }))),
    columns: new Map(all.map(([path, , , sql]) => [path, sql])),
  };
}

/** One page of a list, and how many documents there are before skip and limit. */
export interface Page<Document> {
  readonly documents: Document[];
  readonly total: number;
}

/** One group of a list with `groupBy`. */
export interface Group {
  /** The value grouped by; null for the documents that lack it (and for the one group of everything). */
  readonly key: string | number | boolean | null;
  /** The accumulated figure as decimal text; null where no document has the field. */
  readonly value: string | null;
  readonly count: number;
  /** Present with `preseveDocsIds`. */
  readonly ids?: string[];
}

const columnOf = (listable: Listable<{ id: string }>) => (field: Field) => {
  const sql = listable.columns.get(field.path);
  if (!sql) throw new Error(`${listable.table} has no column for ${field.path}`);
  return sql;
};

/** Removed documents show only to those who ask for a status by name. */
function conditionOf(listable: Listable<{ id: string }>, query: ListQuery): { sql: string; values: unknown[] } {
  const { sql, values } = filterToPostgres(query.filter, columnOf(listable));
  const asksStatus = fieldsOf(query.filter).some((field) => field.path === 'status');
  return { sql: asksStatus ? `(${sql})` : `(${sql}) and t.status <> 'Removed'`, values: [...values] };
}

/**
 * The documents in the actor's sight that pass the query, in its order (ties, and no order, by id: the newest first).
 * @param input a list's query string as an object, or a query already parsed
 * @throws Refusal badRequest with flags for what the query has wrong
 */
export async function listDocuments<Entity extends { id: string }>(
  session: Session,
  listable: Listable<Entity>,
  input: unknown = {},
): Promise<Page<Entity>> {
  const query = parseListQuery(input, listable.catalog);
  const { sql, values } = conditionOf(listable as Listable<{ id: string }>, query);
  const order = [
    ...query.sort.map(({ field, direction }) => {
      const column = columnOf(listable as Listable<{ id: string }>)(field);
      const collation = field.type === 'text' ? ' collate "C"' : '';
      return `${column}${collation} ${direction === 1 ? 'asc' : 'desc'} nulls last`;
    }),
    query.sort.length > 0 ? 't.id asc' : 't.id desc',
  ].join(', ');
  const place = values.length;
  const rows = await session.query<{ id: string }>(
    `select t.id from ${listable.table} t where ${sql} order by ${order} offset $${place + 1} limit $${place + 2}`,
    [...values, query.skip, query.limit],
  );
  const [counted] = await session.query<{ total: string }>(
    `select count(*)::text as total from ${listable.table} t where ${sql}`,
    values,
  );
  const ids = rows.map((row) => row.id);
  const found = await session.em.find(listable.entity, { id: { $in: ids } } as unknown as FilterQuery<Entity>);
  const byId = new Map((found as Entity[]).map((document) => [document.id, document]));
  return {
    documents: ids.flatMap((id) => byId.get(id) ?? []),
    total: Number(counted?.total ?? 0),
  };
}

/** A page of groups, what they are grouped by (null: one group of everything), and how many there are before skip and limit. */
export interface Groups {
  readonly by: Field | null;
  readonly groups: Group[];
  readonly total: number;
}

/** The groups of a query with `groupBy`, the largest value first. Throws Refusal badRequest without one. */
export async function groupDocuments<Entity extends { id: string }>(
  session: Session,
  listable: Listable<Entity>,
  input: unknown,
): Promise<Groups> {
  const query = parseListQuery(input, listable.catalog);
  const { groupBy } = query;
  if (!groupBy) throw new Refusal('badRequest', undefined, { flags: { groupBy: 'is required' } });
  const plain = listable as Listable<{ id: string }>;
  const { sql, values } = conditionOf(plain, query);
  const number = (field: Field) => `${columnOf(plain)(field)}::numeric`;
  const key = groupBy.by ? columnOf(plain)(groupBy.by) : 'null::text';
  const { field, weightedField } = groupBy;
  const accumulated =
    field === null
      ? 'count(*)'
      : groupBy.accumulator === '$sum'
        ? `sum(${number(field)})`
        : groupBy.accumulator === '$avg' || weightedField === null
          ? `avg(${number(field)})`
          : `sum(${number(field)} * ${number(weightedField)}) /
             nullif(sum(${number(weightedField)}) filter (where ${number(field)} is not null), 0)`;
  const place = values.length;
  const [counted] = await session.query<{ total: string }>(
    `select count(*)::text as total from (select ${key} from ${listable.table} t where ${sql} group by ${key}) as groups`,
    values,
  );
  const rows = await session.query<{ key: Group['key']; value: string | null; count: number; ids: string[] }>(
    `select ${key} as key, (${accumulated})::text as value, count(*)::int as count,
       ${query.preseveDocsIds ? 'to_json(array_agg(t.id order by t.id))' : 'null::json'} as ids
     from ${listable.table} t where ${sql} group by 1 order by (${accumulated}) desc nulls last, 1
     offset $${place + 1} limit $${place + 2}`,
    [...values, query.skip, query.limit],
  );
  return {
    by: groupBy.by,
    groups: rows.map(({ ids, ...group }) => (query.preseveDocsIds ? { ...group, ids } : group)),
    total: Number(counted?.total ?? 0),
  };
}

/** The document in the actor's sight. @throws Refusal notFound for an id that is none, not there, removed, or out of sight */
export async function getDocument<Entity extends { id: string }>(
  session: Session,
  listable: Listable<Entity>,
  id: string,
): Promise<Entity> {
  const found = isId(id) ? await session.em.findOne(listable.entity, { id } as unknown as FilterQuery<Entity>) : null;
  if (!found || (found as { status?: string }).status === 'Removed') throw new Refusal('notFound');
  return found as Entity;
}
