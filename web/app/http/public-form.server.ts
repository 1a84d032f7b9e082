import { type ActionFunctionArgs, data } from '@remix-run/node';
import { ERROR_CATALOGUE, isRefusal } from '@tapeline/domain/errors/refusal.ts';
import type { z } from 'zod';
import { readForm } from './csrf.server.ts';
import { retryAfter, screenMessage } from './errors.server.ts';
import { parseForm } from './parse-form.ts';

/**
 * The action of a page that requires no sign-in (such as signing in): checks the token and the schema, and returns
 * refusals as errors of the form.
 * @param schema the form's schema, or a function that selects it if the page has several forms
 */
export async function actPublicly<Schema extends z.ZodType<Record<string, unknown>>>(
  { request, context }: ActionFunctionArgs,
  schema: Schema | ((form: FormData) => Schema),
  run: (value: z.output<Schema>) => Promise<Response>,
) {
  const form = await readForm(request, context);
  const submission = parseForm(form, typeof schema === 'function' ? schema(form) : schema);
  if (submission.status !== 'success') return data({ lastResult: submission.reply() }, { status: 422 });
  try {
    return await run(submission.value as z.output<Schema>);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const status = error.code === 'badRequest' ? 422 : ERROR_CATALOGUE[error.code].status;
    const lastResult = submission.reply({ formErrors: [screenMessage(error)] });
    return data({ lastResult }, { status, headers: retryAfter(error) });
  }
}
