import { type ActionFunctionArgs, redirect } from '@remix-run/node';
import { readForm } from '../csrf.server.ts';
import { paths } from '../paths.ts';
import { endThisSession } from '../session.server.ts';

/** A link here by hand does nothing: signing out is a form. */
export const loader = () => redirect(paths.account());

export async function action({ request, context }: ActionFunctionArgs) {
  await readForm(request, context);
  await endThisSession(request, context);
  return redirect(paths.login());
}
