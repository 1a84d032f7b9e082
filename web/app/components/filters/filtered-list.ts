import { redirect } from '@remix-run/node';
import type { FieldCatalog } from '@tapeline/domain/filters/catalog.ts';
import { containing } from '@tapeline/domain/filters/like.ts';
import { FIRST_ROWS, type GridColumn, type GridSort, readSort } from '../grid/grid-columns.ts';
import { skipOf } from '../page/skip.ts';
import { joinDraft, viewFilter } from './filter-view.ts';

const MOST_LETTERS = 200;

/**
 * What the address of a list asks for: `?filter=`, a text to find, `?sort=` and `?skip=`.
 * @param list.finds the fields that `find` searches
 * @returns the query of the list, and what the filter bar shows
 */
export function readList(
  url: URL,
  list: {
    catalog: FieldCatalog;
    columns: readonly GridColumn[];
    finds: readonly string[];
    defaultSort: GridSort;
  },
) {
  const search = url.searchParams;
  const joined = joinDraft(search, list.catalog);
  if (joined && 'goTo' in joined) throw redirect(`${url.pathname}?${joined.goTo}`);
  const view = viewFilter(search.get('filter'), list.catalog);
  const find = (search.get('find') ?? '').trim().slice(0, MOST_LETTERS);
  const conditions = [
    ...(view.text ? [JSON.parse(view.text)] : []),
    ...(find ? [{ $or: list.finds.map((path) => ({ [path]: { like: containing(find) } })) }] : []),
  ];
  const sort = readSort(search.get('sort'), list.columns);
  const filter = conditions.length > 0 ? { $and: conditions } : null;
  return {
    query: {
      ...(filter ? { filter } : {}),
      sort: Object.keys(sort).length > 0 ? sort : list.defaultSort,
      skip: skipOf(search),
      limit: FIRST_ROWS,
    },
    shown: {
      find,
      filter: filter ? JSON.stringify(filter) : null,
      chips: view.chips,
      problem: view.problem,
      draft: joined && 'draft' in joined ? joined.draft : null,
    },
  };
}
