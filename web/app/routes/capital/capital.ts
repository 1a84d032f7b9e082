import { redirect } from '@remix-run/node';
import { can } from '@tapeline/domain/people/actor.ts';
import { readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';

/** Capital activity opens with the first of its lists that the user can read. */
export const loader = readScreen(null, ({ actor }): null => {
  throw redirect(can(actor, 'contributions/read') ? paths.capitalCalls() : paths.distributions());
});
