import type { ObjectQuery } from '@mikro-orm/core';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { fieldsOf } from '@tapeline/domain/filters/filter.ts';
import { type ListQuery, parseListQuery } from '@tapeline/domain/filters/list-query.schema.ts';
import { filterToPostgres } from '@tapeline/domain/filters/postgres.ts';
import type { Actor } from '@tapeline/domain/people/actor.ts';
import type { Row } from '../../read-batch.ts';
import { findDocuments, type ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { type Listable, type ListedTable, type Narrowing, wholeTenantOf } from './define-lists.ts';

/** One page of a list, and the number of documents before skip and limit. */
export interface Page<Document> {
  readonly documents: Document[];
  readonly total: number;
}

export interface PageWithRows<Document> extends Page<Document> {
  /** The rows of each statement that was passed to `listDocuments`. */
  readonly rows: readonly Row[][];
}

export const columnOf = (listable: ListedTable) => (field: Field) => {
  const sql = listable.columns.get(field.path);
  if (!sql) throw new Error(`${listable.table} has no column for ${field.path}`);
  return sql;
};

/** A column to order and group by. */
export const singleColumnOf = (listable: ListedTable) => (field: Field) => {
  const sql = columnOf(listable)(field);
  return field.isList ? `array_to_string(${sql}, ', ')` : sql;
};

export interface PageOptions {
  readonly narrowing?: Narrowing | undefined;
  /** SQL that reads what the documents refer to. In it, the table `page` holds the documents of the page. */
  readonly statements?: readonly string[];
}

/** The investors of the saved filter that narrows the page. */
function withinInvestors(listable: ListedTable, actor: Actor): Narrowing | null {
  const investors = actor.kind === 'user' ? (actor.within?.investors ?? []) : [];
  if (listable.table !== 'lps' || investors.length === 0) return null;
  return { condition: (parameter) => `t.id = any (${parameter})`, value: investors };
}

/** Removed and other hidden documents are only returned if the filter names a status. */
export function conditionOf(
  listable: ListedTable,
  query: ListQuery,
  actor: Actor,
  narrowing?: Narrowing,
  firstParameter = 1,
): { sql: string; values: unknown[] } {
  const { sql, values } = filterToPostgres(query.filter, columnOf(listable), firstParameter);
  const hasStatus = listable.columns.has('status');
  const asksStatus = !hasStatus || fieldsOf(query.filter).some((field) => field.path === 'status');
  const { hidden = ['Removed'] } = listable.options;
  const narrowings = [listable.options.within?.(actor), withinInvestors(listable, actor), narrowing].filter(
    (one) => one != null,
  );
  const conditions = [
    `(${sql})`,
    ...(asksStatus ? [] : hidden.map((status) => `t.status <> '${status}'`)),
    ...narrowings.map(({ condition }, at) => condition(`$${firstParameter + values.length + at}`)),
  ];
  return { sql: conditions.join(' and '), values: [...values, ...narrowings.map(({ value }) => value)] };
}

/**
 * The number of a manager's documents, without reading them: for a list that nothing but the status narrows, and an
 * actor who sees them all.
 * @param table the collection's table
 * @param condition SQL on `t.status`
 */
export const countOf = (table: string, condition = `t.status <> 'Removed'`): string =>
  `select coalesce(sum(t.count), 0)::int as total from document_counts t where t.collection = '${table}' and ${condition}`;

/** SQL of the order of a query. Ties are ordered by id, in the direction of the last field. */
const orderOf = (listable: ListedTable, query: ListQuery): string =>
  [
    ...query.sort.map(({ field, direction }) => {
      const column = singleColumnOf(listable)(field);
      const collation = field.type === 'text' ? ' collate "C"' : '';
      const nulls = listable.options.neverNull?.includes(field.path) ? '' : ' nulls last';
      return `${column}${collation} ${direction === 1 ? 'asc' : 'desc'}${nulls}`;
    }),
    query.sort.length > 0
      ? `t.id ${query.sort.at(-1)?.direction === 1 ? 'asc' : 'desc'}`
      : (listable.options.order ?? 't.id desc'),
  ].join(', ');

/**
 * The documents visible to the actor that match the query, in its order. Ties are ordered by id, in the direction of the
 * last field; without an order, the newest come first.
 * @param input a list's query string as an object, or a parsed query
 * @throws Refusal badRequest with flags for the errors in the query
 */
export async function listDocuments<Entity extends { id: string }>(
  session: ReadSession,
  listable: Listable<Entity>,
  input: unknown = {},
  options: PageOptions = {},
): Promise<PageWithRows<Entity>> {
  const { narrowing, statements = [] } = options;
  const query = parseListQuery(input, listable.catalog);
  const { sql, values } = conditionOf(listable, query, session.actor, narrowing);
  const order = orderOf(listable, query);
  const index = values.length;
  const shape = session.shapeOf(listable.entity);
  // The SQL text of filters, and of orders by several fields, has too many variants to prepare.
  const fields = fieldsOf(query.filter);
  const isFiltered = narrowing !== undefined || fields.length > 0;
  const isCounted =
    listable.options.isCounted === true &&
    narrowing === undefined &&
    wholeTenantOf(session.actor) !== null &&
    fields.every(({ path }) => path === 'status');
  const kept = !isFiltered && query.sort.length < 2;
  const tail = `from ${listable.table} t where ${sql} order by ${order} offset $${index + 1} limit $${index + 2}`;
  const page = [...values, query.skip, query.limit];
  // Each statement finds the page again. That is cheap in the order of the ids; otherwise the statements follow.
  const inOneTrip = !isFiltered && query.sort.length === 0;
  const [found = [], [counted] = [], ...rows] = await session.queries([
    { sql: `select ${shape.columns} ${tail}`, values: page, kept },
    {
      sql: isCounted
        ? countOf(listable.table, sql)
        : `select count(*)::int as total from ${listable.table} t where ${sql}`,
      values,
      kept,
    },
    ...(inOneTrip ? statements : []).map((each) => ({
      sql: `with page as (select t.* ${tail}) ${each}`,
      values: page,
      kept,
    })),
  ]);
  const documents = shape.read(found);
  return {
    documents,
    total: Number(counted?.total ?? 0),
    rows: inOneTrip ? rows : await readForDocuments(session, listable, documents, statements),
  };
}

/**
 * A page of the rows of a derived table, such as documents grouped by what they share.
 * @param columns SQL of what each row has (`t` is the table)
 */
export async function listRows<Found>(
  session: ReadSession,
  listed: ListedTable,
  columns: string,
  input: unknown = {},
): Promise<{ rows: Found[]; total: number }> {
  const query = parseListQuery(input, listed.catalog);
  const { sql, values } = conditionOf(listed, query, session.actor);
  const index = values.length;
  const [rows = [], [counted] = []] = await session.queries([
    {
      sql: `select ${columns} from ${listed.table} t where ${sql} order by ${orderOf(listed, query)}
            offset $${index + 1} limit $${index + 2}`,
      values: [...values, query.skip, query.limit],
    },
    { sql: `select count(*)::int as total from ${listed.table} t where ${sql}`, values },
  ]);
  return { rows: rows as Found[], total: Number(counted?.total ?? 0) };
}

/** The rows that the statements read for these documents, as `listDocuments` returns them. */
export function readForDocuments<Entity extends { id: string }>(
  session: ReadSession,
  listable: Listable<Entity>,
  documents: readonly Entity[],
  statements: readonly string[],
): Promise<Row[][]> {
  if (statements.length === 0) return Promise.resolve([]);
  const values = [documents.map(({ id }) => id)];
  const page = `with page as (select t.* from ${listable.table} t where t.id = any ($1))`;
  return session.queries(statements.map((sql) => ({ sql: `${page} ${sql}`, values, kept: true })));
}

/**
 * The document, if the actor can see it.
 * @throws Refusal notFound if the id is invalid or unknown, or the document is removed or not visible
 */
export async function getDocument<Entity extends { id: string }>(
  session: Session,
  listable: Listable<Entity>,
  id: string,
): Promise<Entity> {
  const found = isId(id) ? await session.em.findOne(listable.entity, { id } as ObjectQuery<Entity>) : null;
  if (!found || ('status' in found && found.status === 'Removed')) throw new Refusal('notFound');
  return found;
}

/** The same document to read: it is not managed and cannot be saved. @throws Refusal notFound */
export async function readDocument<Entity extends { id: string }>(
  session: ReadSession,
  listable: Listable<Entity>,
  id: string,
): Promise<Entity> {
  const [found] = isId(id)
    ? await findDocuments(session, listable.entity, 'where t.id = $1', [id], { kept: true })
    : [];
  if (!found || ('status' in found && found.status === 'Removed')) throw new Refusal('notFound');
  return found;
}
