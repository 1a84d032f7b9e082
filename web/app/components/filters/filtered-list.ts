import { redirect } from '@remix-run/node';
import type { ListedTable } from '@tapeline/db/operations/listing/define-lists.ts';
import { filteredTotals } from '@tapeline/db/operations/listing/list-figures.ts';
import type { Session } from '@tapeline/db/store.ts';
import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { containing } from '@tapeline/domain/filters/like.ts';
import type { Screen } from '../../http/screen.server.ts';
import { rowsOfDocuments } from '../grid/document-rows.ts';
import { MAX_TABLE_ROWS, pageRows, readSort } from '../grid/grid-columns.ts';
import type { GridList } from '../grid/grid-list.ts';
import { skipOf } from '../page/skip.ts';
import { joinDraft, viewFilter } from './filter-view.ts';

const MAX_LETTERS = 200;

/** A list that its page filters, searches, sorts and adds up. */
export interface FilteredSource extends GridList {
  readonly table: ListedTable;
  /** The fields that the search looks in. */
  readonly finds: readonly string[];
  /** The amounts that are added up. */
  readonly totals?: Parameters<typeof filteredTotals>[3];
  /** The fields that the filter bar offers; by default all. */
  fields?(session: Session, all: readonly Field[]): Promise<readonly Field[]> | readonly Field[];
}

/** The fields with the values that the filter bar offers for them, without those that are left out. */
export const fieldsWith =
  (values: Readonly<Record<string, readonly string[]>>, leftOut: readonly string[] = []) =>
  (_: Session, fields: readonly Field[]): Field[] =>
    fields.flatMap((field) => {
      if (leftOut.includes(field.path)) return [];
      const offered = values[field.path];
      return [offered ? { ...field, values: offered } : field];
    });

/**
 * The first rows of a list, as its address asks for them: `?filter=`, a text to find, `?sort=` and `?skip=`.
 * @param more.conditions that the page adds to the filter
 * @param more.fields of the rows besides their columns
 * @returns the rows, and what the filter bar shows
 */
export function readFilteredList(
  { url, db }: Pick<Screen, 'url' | 'db'>,
  list: FilteredSource,
  more: { conditions?: readonly object[]; fields?: readonly string[]; limit?: number } = {},
) {
  const search = url.searchParams;
  const { catalog } = list.table;
  const joined = joinDraft(search, catalog);
  if (joined && 'goTo' in joined) throw redirect(`${url.pathname}?${joined.goTo}`);
  const view = viewFilter(search.get('filter'), catalog);
  const find = list.finds.length > 0 ? (search.get('find') ?? '').trim().slice(0, MAX_LETTERS) : '';
  const conditions = [
    ...(view.text ? [JSON.parse(view.text)] : []),
    ...(find ? [{ $or: list.finds.map((path) => ({ [path]: { like: containing(find) } })) }] : []),
    ...(more.conditions ?? []),
  ];
  const filter = conditions.length > 0 ? { $and: conditions } : null;
  const sort = readSort(search.get('sort'), list.columns);
  const query = {
    ...(filter ? { filter } : {}),
    sort: Object.keys(sort).length > 0 ? sort : list.sort,
    skip: skipOf(search),
    limit: more.limit ?? MAX_TABLE_ROWS,
  };
  return db(async (session) => {
    const { rows, total } = await list.load(session, query);
    return {
      rows: rowsOfDocuments(more.limit ? rows : rows.slice(0, pageRows(total)), [
        ...list.columns,
        ...(more.fields ?? []).map((path) => ({ path })),
      ]),
      total,
      totals: await filteredTotals(session, list.table, query, list.totals ?? []),
      fields: (await list.fields?.(session, catalog.fields)) ?? catalog.fields,
      find,
      filter: filter ? JSON.stringify(filter) : null,
      chips: view.chips,
      problem: view.problem,
      draft: joined && 'draft' in joined ? joined.draft : null,
    };
  });
}

export type FilteredPage = Awaited<ReturnType<typeof readFilteredList>>;
