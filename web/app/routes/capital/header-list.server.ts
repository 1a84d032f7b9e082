import { data, type LoaderFunctionArgs } from '@remix-run/node';
import type { LineTable } from '@tapeline/db/operations/capital/headers.ts';
import { filteredTotals, type ListedTable } from '@tapeline/db/operations/listing/list-documents.ts';
import type { Session } from '@tapeline/db/store.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { readList } from '../../components/filters/filtered-list.ts';
import { rowsOfDocuments } from '../../components/grid/document-rows.ts';
import type { GridColumn } from '../../components/grid/grid-columns.ts';
import { skipOf } from '../../components/page/skip.ts';
import { readScreen } from '../../http/screen.server.ts';
import { HEADER_SORT, offeredFields } from './header-rows.ts';
import type { ownCalls } from './own-documents.server.ts';
import { OWN_PER_PAGE } from './own-documents.tsx';

interface Listed<Header> {
  readonly table: LineTable;
  readonly headers: ListedTable;
  readonly list: (session: Session, query: object) => Promise<{ rows: Header[]; total: number }>;
  readonly columns: readonly GridColumn[];
  /** The amounts that are added up. */
  readonly totals: readonly string[];
  readonly own: typeof ownCalls;
  /** The day by which an investor's own are sorted, the latest first. */
  readonly latest: string;
}

/** The loader of the list of calls or distributions: of those of the manager, or of an investor's own. */
export const readHeaderList = <Header extends object>(
  args: LoaderFunctionArgs,
  { table, headers, list, columns, totals: summed, own, latest }: Listed<Header>,
) =>
  readScreen(args, `${table}/read`, async ({ url, db, actor }) => {
    if (actor.lpIds.length > 0) {
      const query = { sort: { [latest]: -1 }, skip: skipOf(url.searchParams), limit: OWN_PER_PAGE };
      return { own: await db((session) => own(session, query)), found: null, mayWrite: false };
    }
    const { query, shown } = readList(url, {
      catalog: headers.catalog,
      columns,
      finds: ['callNumber', 'fundTitle'],
      defaultSort: HEADER_SORT,
    });
    const { rows, total, totals } = await db(async (session) => ({
      ...(await list(session, query)),
      totals: await filteredTotals(session, headers, query, summed),
    }));
    const fields = offeredFields(headers.catalog.fields);
    return {
      own: null,
      mayWrite: can(actor, `${table}/write`),
      found: { ...shown, rows: rowsOfDocuments(rows, columns), total, totals, fields },
    };
  });

/** The loader of a block of the list's rows, by the query of every list. */
export const readHeaderRows = <Header>(
  args: LoaderFunctionArgs,
  { table, list }: Pick<Listed<Header>, 'table' | 'list'>,
) =>
  readScreen(args, `${table}/read`, async ({ db, url }) => {
    // The same order as the page's first rows.
    const query = { sort: HEADER_SORT, ...Object.fromEntries(url.searchParams) };
    const { rows, total } = await db((session) => list(session, query));
    return data(rows, { headers: { 'X-Docs-Count': String(total) } });
  });
