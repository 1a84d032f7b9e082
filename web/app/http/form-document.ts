import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { z } from 'zod';

/**
 * Reports the errors of a document made from a form at the form's fields. Only the first reason for each field is
 * shown.
 */
export function refuseAtFields(
  issues: readonly { path: readonly PropertyKey[]; message: string }[],
  fieldOf: (path: readonly PropertyKey[]) => string,
): Refusal {
  const flags: Record<string, string> = {};
  for (const { path, message } of issues) flags[fieldOf(path)] ??= message;
  return new Refusal('badRequest', issues[0]?.message, { flags });
}

/**
 * Validates the document made from a form against the document's own schema.
 * @param fieldOf returns the name of the form field for a path in the document
 * @throws Refusal badRequest with flags at the fields of the form
 */
export function documentOfForm<Schema extends z.ZodType>(
  schema: Schema,
  document: z.input<Schema>,
  fieldOf: (path: readonly PropertyKey[]) => string,
): z.output<Schema> {
  const parsed = schema.safeParse(document);
  if (!parsed.success) throw refuseAtFields(parsed.error.issues, fieldOf);
  return parsed.data;
}
