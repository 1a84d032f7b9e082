import type { EntityName, InferEntity, ObjectQuery } from '@mikro-orm/core';
import { DOCUMENT_FIELDS, describeField, type FieldOfList } from '@tapeline/domain/collections/collection.ts';
import { COLLECTIONS, type NameWith } from '@tapeline/domain/collections/collections.ts';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { REQUIRED } from '@tapeline/domain/errors/reason.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { createCatalog, type Field, type FieldCatalog, type FieldType } from '@tapeline/domain/filters/catalog.ts';
import { fieldsOf } from '@tapeline/domain/filters/filter.ts';
import { type GroupBy, type ListQuery, parseListQuery } from '@tapeline/domain/filters/list-query.schema.ts';
import { filterToPostgres } from '@tapeline/domain/filters/postgres.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { type CurrencyFigure, soleFigure } from '@tapeline/domain/money/totals.ts';
import type { Actor } from '@tapeline/domain/people/actor.ts';
import { STORED, tableOf } from '../../collections/collections.ts';
import type { StoredCollection } from '../../collections/stored-collection.ts';
import type { Row } from '../../read-batch.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';

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

type Listed = NameWith<{ fields: object }>;
type EntityOf<Name extends Listed> = InferEntity<(typeof STORED)[Name]['entity']>;
type FieldsOf<Name extends Listed> = keyof (typeof COLLECTIONS)[Name]['fields'] & string;
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
  const { entity } = STORED[name];
  const described: Readonly<Record<string, FieldOfList>> = { ...DOCUMENT_FIELDS, ...COLLECTIONS[name].fields };
  const fields = fieldsWith(described, { ...columnsOf(entity), ...SAME_EVERYWHERE, ...sql });
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
  const fields = all.map(([path, label, type, sql]): Field => {
    const field = { path, label, ...(HOLDS_IDS.test(sql) ? { isId: true } : {}) };
    return type === 'texts' ? { ...field, type: 'text', isList: true } : { ...field, type };
  });
  return {
    table,
    catalog: createCatalog(fields, undefined, new Map([...parts, ...Object.entries(options.aliases ?? {})])),
    columns,
    currencies: new Map(currencies),
    options,
  };
}

/** One page of a list, and the number of documents before skip and limit. */
export interface Page<Document> {
  readonly documents: Document[];
  readonly total: number;
}

/** One group of a list with `groupBy`. */
export interface Group {
  /** The group's value; null for documents without one (and for a single group of all documents). */
  readonly key: string | number | boolean | null;
  /** The accumulated figure as decimal text; null if no document has the field, or there are several currencies. */
  readonly value: DecimalText | null;
  readonly count: number;
  /** One figure for each currency; present if the figure consists of amounts of money. */
  readonly byCurrency?: readonly CurrencyFigure[];
  /** Present with `preseveDocsIds`. */
  readonly ids?: string[];
}

export interface PageWithRows<Document> extends Page<Document> {
  /** The rows of each statement that was passed to `listDocuments`. */
  readonly rows: readonly Row[][];
}

const columnOf = (listable: ListedTable) => (field: Field) => {
  const sql = listable.columns.get(field.path);
  if (!sql) throw new Error(`${listable.table} has no column for ${field.path}`);
  return sql;
};

/** A column to order and group by. */
const singleColumnOf = (listable: ListedTable) => (field: Field) => {
  const sql = columnOf(listable)(field);
  return field.isList ? `array_to_string(${sql}, ', ')` : sql;
};

/** A condition of a list in addition to its filter, with one value: SQL for the parameter's place (`$3`). */
export interface Narrowing {
  readonly condition: (parameter: string) => string;
  readonly value: unknown;
}

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
function conditionOf(
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
  const place = values.length;
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
  const tail = `from ${listable.table} t where ${sql} order by ${order} offset $${place + 1} limit $${place + 2}`;
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
  const place = values.length;
  const [rows = [], [counted] = []] = await session.queries([
    {
      sql: `select ${columns} from ${listed.table} t where ${sql} order by ${orderOf(listed, query)}
            offset $${place + 1} limit $${place + 2}`,
      values: [...values, query.skip, query.limit],
    },
    { sql: `select count(*)::int as total from ${listed.table} t where ${sql}`, values },
  ]);
  return { rows: rows as Found[], total: Number(counted?.total ?? 0) };
}

/**
 * How many rows that match a filter have each value of an SQL expression, most first.
 * @param of.within a list whose ids the values have to be, of those that a filter of this list passes
 * @returns `total`, the number of different values, and `rows`, of all rows, also beyond the limit
 */
export async function countByValue(
  session: ReadSession,
  listed: ListedTable,
  {
    filter,
    expression,
    limit,
    within,
  }: {
    filter: unknown;
    expression: string;
    limit: number;
    within?: { listed: ListedTable; filter: unknown } | undefined;
  },
): Promise<{ values: { value: string; rows: number }[]; total: number; rows: number }> {
  const { sql, values } = conditionOf(listed, parseListQuery({ filter }, listed.catalog), session.actor);
  if (within) {
    const query = parseListQuery({ filter: within.filter }, within.listed.catalog);
    const inner = conditionOf(within.listed, query, session.actor, undefined, values.length + 1);
    values.push(...inner.values);
    return count(`${sql} and ${expression} in (select t.id from ${within.listed.table} t where ${inner.sql})`);
  }
  return count(sql);

  async function count(condition: string) {
    const rows = await session.query<{ value: string; rows: number; total: number; all: number }>(
      `select ${expression} as value, count(*)::int as rows, (count(*) over ())::int as total,
         (sum(count(*)) over ())::int as all
       from ${listed.table} t where ${condition} and ${expression} is not null group by 1 order by 2 desc, 1
       limit $${values.length + 1}`,
      [...values, limit],
    );
    return {
      values: rows.map(({ value, rows: own }) => ({ value, rows: own })),
      total: rows[0]?.total ?? 0,
      rows: rows[0]?.all ?? 0,
    };
  }
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

/** A page of groups, the field they are grouped by (null: a single group), and the number of all groups. */
export interface Groups {
  readonly by: Field | null;
  readonly groups: Group[];
  readonly total: number;
}

/** SQL of the figure that a query accumulates, over the columns `measured` and `weight` of the documents. */
function accumulatedBy({ accumulator, field, weightedField }: GroupBy): string {
  if (field === null) return 'count(*)::numeric';
  if (accumulator === '$sum') return 'sum(measured)';
  if (accumulator === '$avg' || weightedField === null) return 'avg(measured)';
  return 'sum(measured * weight) / nullif(sum(weight) filter (where measured is not null), 0)';
}

/** SQL of the currency of a document's figure; null if no part of the figure is money. */
function currencyOf(listable: ListedTable, { field, weightedField }: GroupBy): string | null {
  const [measured, weight] = [field, weightedField].map((one) => one && listable.currencies.get(one.path));
  // An amount that is weighted by an amount of another currency forms a separate part, named by both currencies.
  if (measured && weight && measured !== weight)
    return `case when ${measured} = ${weight} then ${measured} else concat_ws('/', ${measured}, ${weight}) end`;
  return measured ?? weight ?? null;
}

/**
 * The groups of a query with `groupBy`, largest value first. Amounts are added up by currency: a group of one currency
 * has the figure as its `value`; a group of several has no `value` and has its figures in `byCurrency`.
 * @throws Refusal badRequest without `groupBy`
 */
export async function groupDocuments<Entity extends { id: string }>(
  session: ReadSession,
  listable: Listable<Entity>,
  input: unknown,
  { narrowing }: Pick<PageOptions, 'narrowing'> = {},
): Promise<Groups> {
  const query = parseListQuery(input, listable.catalog);
  const { groupBy } = query;
  if (!groupBy) throw new Refusal('badRequest', undefined, { flags: { groupBy: REQUIRED } });
  const { sql, values } = conditionOf(listable, query, session.actor, narrowing);
  const { by, field, weightedField } = groupBy;
  const number = (of: Field | null) => (of ? `${columnOf(listable)(of)}::numeric` : 'null::numeric');
  const currency = currencyOf(listable, groupBy);
  // A missing amount has no currency.
  const present = `${number(field)} is not null${weightedField ? ` and ${number(weightedField)} is not null` : ''}`;
  const groups = `
    with documents as (
      select t.id, ${by ? singleColumnOf(listable)(by) : 'null::text'} as key, ${number(field)} as measured,
        ${number(weightedField)} as weight, ${present} as present,
        ${currency ? `case when ${present} then ${currency} end` : 'null::text'} as currency
      from ${listable.table} t where ${sql}
    ), parts as (
      select key, currency, ${accumulatedBy(groupBy)} as value, count(*) as count,
        count(*) filter (where present) as present,
        ${query.preseveDocsIds ? 'array_agg(id)' : 'null::text[]'} as ids
      from documents group by key, currency
    ), groups as (
      select key, sum(count)::int as count,
        case when count(value) = 1 then max(value) end as value,
        coalesce(json_agg(json_build_object('currency', currency, 'value', value::text, 'count', present)
          order by currency) filter (where value is not null), '[]') as figures,
        ${query.preseveDocsIds ? 'json_agg(ids)' : 'null::json'} as ids
      from parts group by key
    )`;
  const [counted] = await session.query<{ total: string }>(
    `${groups} select count(*)::text as total from groups`,
    values,
  );
  const place = values.length;
  const rows = await session.query<{
    key: Group['key'];
    count: number;
    figures: CurrencyFigure[];
    ids: string[][] | null;
  }>(
    `${groups} select key, count, figures, ids from groups order by value desc nulls last, key
     offset $${place + 1} limit $${place + 2}`,
    [...values, query.skip, query.limit],
  );
  return {
    by,
    groups: rows.map(({ key, count, figures, ids }) => ({
      key,
      value: soleFigure(figures),
      count,
      ...(ids ? { ids: ids.flat().sort() } : {}),
      ...(currency ? { byCurrency: figures } : {}),
    })),
    total: Number(counted?.total ?? 0),
  };
}

/** Sums of amounts of the documents in one currency. */
export interface CurrencyTotals<Name extends string> {
  readonly currency: string;
  readonly count: number;
  readonly sums: Readonly<Record<Name, DecimalText>>;
}

/**
 * The sums of several amounts over the visible documents that match a filter, for each currency of the documents.
 * @param amounts SQL of each amount by its name (`t` is the table), all in the currency of the document
 */
export async function totalDocuments<Entity extends { id: string }, Name extends string>(
  session: ReadSession,
  listable: Listable<Entity>,
  input: { filter?: unknown },
  amounts: Readonly<Record<Name, string>>,
): Promise<CurrencyTotals<Name>[]> {
  const query = parseListQuery(input.filter === undefined ? {} : { filter: input.filter }, listable.catalog);
  const { sql, values } = conditionOf(listable, query, session.actor);
  const names = Object.keys(amounts) as Name[];
  const sums = names.map((name, place) => `sum(${amounts[name]})::text as "${place}"`);
  const rows = await session.query<{ currency: string; count: number } & Record<string, DecimalText>>(
    `select t.currency, count(*)::int as count, ${sums.join(', ')} from ${listable.table} t
     where ${sql} group by t.currency order by t.currency`,
    values,
  );
  return rows.map((row) => ({
    currency: row.currency,
    count: row.count,
    sums: Object.fromEntries(names.map((name, place) => [name, row[place] ?? '0'])) as Record<Name, DecimalText>,
  }));
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

/** The sum of an amount over all documents that match a filter, in one currency. */
export interface FieldTotal {
  readonly path: string;
  readonly currency: string;
  readonly sum: DecimalText;
}

/** An amount of money that is computed for each row, and the column of its currency. */
interface ComputedAmount {
  readonly path: string;
  readonly amount: string;
  readonly currency: string;
}

/**
 * The sums of all amounts of money of a list over the documents visible to the actor that match a filter, one for each
 * currency. Amounts that are missing count nothing, and a field without any amount has no sum.
 * @param paths the fields to add up; those that are no money are left out. An amount that the list has no field for is
 *   SQL over the row `t`
 */
export async function filteredTotals(
  session: ReadSession,
  listed: ListedTable,
  input: { filter?: unknown },
  paths: readonly (string | ComputedAmount)[],
): Promise<FieldTotal[]> {
  const query = parseListQuery(input.filter == null ? {} : { filter: input.filter }, listed.catalog);
  const { sql, values } = conditionOf(listed, query, session.actor);
  const parts = paths.flatMap((path, place) => {
    const [amount, currency] =
      typeof path === 'string' ? [listed.columns.get(path), listed.currencies.get(path)] : [path.amount, path.currency];
    return amount && currency
      ? [
          `select ${place} as place, ${currency} as currency, sum(${amount})::text as sum from ${listed.table} t
           where ${sql} and ${amount} is not null and ${currency} is not null group by 2`,
        ]
      : [];
  });
  if (parts.length === 0) return [];
  const rows = await session.query<{ place: number; currency: string; sum: DecimalText }>(
    `${parts.join(' union all ')} order by place, currency`,
    values,
  );
  return rows.map(({ place, currency, sum }) => {
    const path = paths[place] ?? '';
    return { path: typeof path === 'string' ? path : path.path, currency, sum };
  });
}
