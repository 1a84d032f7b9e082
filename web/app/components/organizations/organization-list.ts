import { containing } from '@tapeline/domain/filters/like.ts';
import type { Screen } from '../../http/screen.server.ts';
import { rowsOfDocuments } from '../grid/document-rows.ts';
import { MAX_TABLE_ROWS, pageRows, readSort } from '../grid/grid-columns.ts';
import type { GridList } from '../grid/grid-list.ts';
import { skipOf } from '../page/skip.ts';

const MAX_LETTERS = 200;

/**
 * The first rows of a list of organizations, by the address: `?find=` in the field that the list is sorted by,
 * `?status=`, `?sort=` and `?skip=`.
 * @param parameters of the list in addition to its query vocabulary
 */
export async function firstRows(
  { db, url }: Pick<Screen, 'db' | 'url'>,
  { columns, sort: usual, load }: GridList,
  parameters: Readonly<Record<string, string>> = {},
) {
  const search = url.searchParams;
  const find = (search.get('find') ?? '').trim().slice(0, MAX_LETTERS);
  const status = ['Active', 'Disabled'].includes(search.get('status') ?? '') ? search.get('status') : null;
  const [nameField = ''] = Object.keys(usual);
  const filter = {
    ...(find ? { [nameField]: { like: containing(find) } } : {}),
    ...(status ? { status } : {}),
  };
  const chosen = readSort(search.get('sort'), columns);
  const sort = Object.keys(chosen).length > 0 ? chosen : usual;
  const query = { ...parameters, filter, sort, skip: skipOf(search), limit: MAX_TABLE_ROWS };
  const { rows, total } = await db((session) => load(session, query));
  return {
    rows: rowsOfDocuments(rows.slice(0, pageRows(total)), columns),
    total,
    find,
    status,
    parameters,
    sort: usual,
    filter: Object.keys(filter).length > 0 ? JSON.stringify(filter) : null,
  };
}

export type FirstRows = Awaited<ReturnType<typeof firstRows>>;
