import { redirect } from '@remix-run/node';
import { getGridView } from '@tapeline/db/operations/grid-views/grid-views.ts';
import { addressOfView } from '../../components/grid/grid-addresses.ts';
import { readScreen } from '../../http/screen.server.ts';

/** The link of a view leads to its grid. */
export const loader = readScreen(null, async ({ db, params }) => {
  throw redirect(addressOfView(await db((session) => getGridView(session, params.id ?? '')), null));
});
