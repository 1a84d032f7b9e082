import { data, type LoaderFunctionArgs } from '@remix-run/node';
import { readScreen } from '../../../http/screen.server.ts';
import { fundRows } from './list.server.ts';
import { FUND_SORT } from './sort.ts';

/** A block of the list's rows, by the query of every list. */
export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'funds/read', async ({ db, url }) => {
    // The same order as the page's first rows.
    const query = { sort: FUND_SORT, ...Object.fromEntries(url.searchParams) };
    const { rows, total } = await db((session) => fundRows(session, query));
    return data(rows, { headers: { 'X-Docs-Count': String(total) } });
  });
