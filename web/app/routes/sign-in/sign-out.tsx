import { type ActionFunctionArgs, redirect } from '@remix-run/node';
import { readForm } from '../../http/csrf.server.ts';
import { endThisSession } from '../../http/session.server.ts';
import { paths } from '../../paths.ts';

/** Opening this address directly does not sign out, because signing out requires a form post. */
export const loader = () => redirect(paths.account());

export async function action({ request, context }: ActionFunctionArgs) {
  await readForm(request, context);
  await endThisSession(request, context);
  return redirect(paths.login());
}
