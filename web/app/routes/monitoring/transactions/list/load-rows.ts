import { data, type LoaderFunctionArgs } from '@remix-run/node';
import { readScreen } from '../../../../http/screen.server.ts';
import { transactionRows } from './list.server.ts';

/** A block of the list's rows, by the query of every list. */
export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'transactions/read', async ({ db, url }) => {
    // The same order as the page's first rows.
    const query = { sort: { title: 1 }, ...Object.fromEntries(url.searchParams) };
    const { rows, total } = await db((session) => transactionRows(session, query));
    return data(rows, { headers: { 'X-Docs-Count': String(total) } });
  });
