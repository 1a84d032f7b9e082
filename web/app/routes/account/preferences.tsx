import { type ActionFunctionArgs, redirect } from '@remix-run/node';
import { readForm } from '../../http/csrf.server.ts';
import { keepPreferences } from '../../http/preferences.server.ts';
import { paths, safeNext } from '../../paths.ts';

export const loader = () => redirect(paths.account());

/** Saves how this browser shows pages, then redirects back to the page that contains the form. */
export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request, context);
  keepPreferences(form, request, context);
  return redirect(safeNext(form.get('next')));
}
