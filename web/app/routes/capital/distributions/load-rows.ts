import { data, type LoaderFunctionArgs } from '@remix-run/node';
import { listDistributionBundles } from '@tapeline/db/operations/capital/bundles.ts';
import { readScreen } from '../../../http/screen.server.ts';
import { BUNDLE_SORT } from '../bundle-rows.ts';

/** A block of the list's rows, by the query of every list. */
export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'distributions/read', async ({ db, url }) => {
    // The same order as the page's first rows.
    const query = { sort: BUNDLE_SORT, ...Object.fromEntries(url.searchParams) };
    const { rows, total } = await db((session) => listDistributionBundles(session, query));
    return data(rows, { headers: { 'X-Docs-Count': String(total) } });
  });
