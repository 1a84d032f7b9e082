import { redirect } from '@remix-run/node';
import { readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';

/** The address of earlier versions: the activity is a tab of the investor's page. */
export const loader = readScreen('LPs/read', ({ params: { id = '' } }) =>
  redirect(paths.investor(id, { view: 'activity' })),
);
