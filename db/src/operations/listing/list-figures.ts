import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { REQUIRED } from '@tapeline/domain/errors/required.ts';
import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { type GroupBy, parseListQuery } from '@tapeline/domain/filters/list-query.schema.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { type CurrencyFigure, soleFigure } from '@tapeline/domain/money/totals.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Listable, ListedTable } from './define-lists.ts';
import { columnOf, conditionOf, type PageOptions, singleColumnOf } from './list-documents.ts';

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
  const index = values.length;
  const rows = await session.query<{
    key: Group['key'];
    count: number;
    figures: CurrencyFigure[];
    ids: string[][] | null;
  }>(
    `${groups} select key, count, figures, ids from groups order by value desc nulls last, key
     offset $${index + 1} limit $${index + 2}`,
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
  const sums = names.map((name, index) => `sum(${amounts[name]})::text as "${index}"`);
  const rows = await session.query<{ currency: string; count: number } & Record<string, DecimalText>>(
    `select t.currency, count(*)::int as count, ${sums.join(', ')} from ${listable.table} t
     where ${sql} group by t.currency order by t.currency`,
    values,
  );
  return rows.map((row) => ({
    currency: row.currency,
    count: row.count,
    sums: Object.fromEntries(names.map((name, index) => [name, row[index] ?? '0'])) as Record<Name, DecimalText>,
  }));
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
  const parts = paths.flatMap((path, index) => {
    const [amount, currency] =
      typeof path === 'string' ? [listed.columns.get(path), listed.currencies.get(path)] : [path.amount, path.currency];
    return amount && currency
      ? [
          `select ${index} as index, ${currency} as currency, sum(${amount})::text as sum from ${listed.table} t
           where ${sql} and ${amount} is not null and ${currency} is not null group by 2`,
        ]
      : [];
  });
  if (parts.length === 0) return [];
  const rows = await session.query<{ index: number; currency: string; sum: DecimalText }>(
    `${parts.join(' union all ')} order by index, currency`,
    values,
  );
  return rows.map(({ index, currency, sum }) => {
    const path = paths[index] ?? '';
    return { path: typeof path === 'string' ? path : path.path, currency, sum };
  });
}
