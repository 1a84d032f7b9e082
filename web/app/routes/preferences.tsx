import { type ActionFunctionArgs, redirect } from '@remix-run/node';
import { readForm } from '../csrf.server.ts';
import { paths, safeNext } from '../paths.ts';
import { keepPreferences } from '../preferences.server.ts';

export const loader = () => redirect(paths.account());

/** Theme and rail, from anywhere: back to where the form stood. */
export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request, context);
  keepPreferences(form, context);
  return redirect(safeNext(form.get('next')));
}
