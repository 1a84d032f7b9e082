import type { Page } from '@tapeline/db/operations/listing/list-documents.ts';
import type { Session } from '@tapeline/db/store.ts';
import { containing } from '@tapeline/domain/filters/like.ts';
import type { Screen } from '../../http/screen.server.ts';
import { rowsOfDocuments } from '../grid/document-rows.ts';
import { FIRST_ROWS, type GridColumn, readSort } from '../grid/grid-columns.ts';
import { skipOf } from '../page/skip.ts';

const MOST_LETTERS = 200;

/**
 * The first rows of a list of organizations, by the address: `?find=` in the name, `?status=`, `?sort=` and `?skip=`.
 * @param nameField the field that `find` searches
 * @param parameters of the list in addition to its query vocabulary
 */
export async function firstRows(
  { db, url }: Pick<Screen, 'db' | 'url'>,
  columns: readonly GridColumn[],
  load: (session: Session, query: unknown) => Promise<Page<object>>,
  {
    nameField = 'entity.name',
    parameters = {},
  }: { nameField?: string; parameters?: Readonly<Record<string, string>> } = {},
) {
  const search = url.searchParams;
  const find = (search.get('find') ?? '').trim().slice(0, MOST_LETTERS);
  const status = ['Active', 'Disabled'].includes(search.get('status') ?? '') ? search.get('status') : null;
  const filter = {
    ...(find ? { [nameField]: { like: containing(find) } } : {}),
    ...(status ? { status } : {}),
  };
  const chosen = readSort(search.get('sort'), columns);
  const sort = Object.keys(chosen).length > 0 ? chosen : { [nameField]: 1 as const };
  const query = { ...parameters, filter, sort, skip: skipOf(search), limit: FIRST_ROWS };
  const { documents, total } = await db((session) => load(session, query));
  return {
    rows: rowsOfDocuments(documents, columns),
    total,
    find,
    status,
    parameters,
    nameField,
    filter: Object.keys(filter).length > 0 ? JSON.stringify(filter) : null,
  };
}

export type FirstRows = Awaited<ReturnType<typeof firstRows>>;
