import { data, type LoaderFunctionArgs } from '@remix-run/node';
import { listLPs } from '@tapeline/db/operations/investors/investors.ts';
import { readScreen } from '../../http/screen.server.ts';

/** A block of the list's rows, by the query of every list. */
export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'LPs/read', async ({ db, url }) => {
    const query = { sort: { title: 1 }, ...Object.fromEntries(url.searchParams) };
    const { documents, total } = await db((session) => listLPs(session, query));
    return data(documents, { headers: { 'X-Docs-Count': String(total) } });
  });
