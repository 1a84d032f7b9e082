import { data, type LoaderFunctionArgs } from '@remix-run/node';
import { listUsers } from '@tapeline/db/operations/users/users.ts';
import { readScreen } from '../../../http/screen.server.ts';
import { userRow } from './user-rows.ts';

/** The rows of the grid of users, in blocks, with the query of every list. */
export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'users/read', ({ db, url }) =>
    db(async (session) => {
      // The same order as the page's first rows.
      const query = { sort: { name: 1 }, ...Object.fromEntries(url.searchParams) };
      const { documents, total } = await listUsers(session, query);
      return data(documents.map(userRow), { headers: { 'X-Docs-Count': String(total) } });
    }),
  );
