import { parseWithZod } from '@conform-to/zod/v4';
import { type ActionFunctionArgs, data } from '@remix-run/node';
import { ERROR_CATALOGUE, isRefusal } from '@tapeline/domain/errors/refusal.ts';
import type { z } from 'zod';
import { readForm } from './csrf.server.ts';

/** The action of a page that asks for no sign-in (signing in itself): token, schema, and refusals as faults of the form. */
export async function actPublicly<Schema extends z.ZodType<Record<string, unknown>>>(
  { request, context }: ActionFunctionArgs,
  schema: Schema,
  run: (value: z.output<Schema>) => Promise<Response>,
) {
  const form = await readForm(request, context);
  const submission = parseWithZod(form, { schema });
  if (submission.status !== 'success') return data({ lastResult: submission.reply() }, { status: 422 });
  try {
    return await run(submission.value as z.output<Schema>);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const status = error.code === 'badRequest' ? 422 : ERROR_CATALOGUE[error.code].status;
    return data({ lastResult: submission.reply({ formErrors: [error.message] }) }, { status });
  }
}
