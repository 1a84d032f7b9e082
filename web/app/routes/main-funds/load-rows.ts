import { data, type LoaderFunctionArgs } from '@remix-run/node';
import { readScreen } from '../../http/screen.server.ts';
import { mainFundRows } from './rows.server.ts';
import { MAIN_FUND_SORT } from './sort.ts';

/** A block of the list's rows, by the query of every list. */
export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'funds/read', async ({ db, url }) => {
    // The same order as the page's first rows.
    const query = { sort: MAIN_FUND_SORT, ...Object.fromEntries(url.searchParams) };
    const { rows, total } = await db((session) => mainFundRows(session, query));
    return data(rows, { headers: { 'X-Docs-Count': String(total) } });
  });
