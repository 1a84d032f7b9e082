import type { NameMatch } from '@tapeline/db/operations/importer/names.ts';
import { MAX_MATCHED_NAMES, NAMED_COLLECTIONS } from '@tapeline/domain/importer/match-names.ts';
import { MAX_CELL } from '@tapeline/domain/importer/read-rows.ts';
import { z } from 'zod';

/** The fields of the name at an index: what it is, and which document it means. */
export const nameField = (index: number): string => `name-${index}`;
export const meansField = (index: number): string => `means-${index}`;

/** "LPs Müller Frey & Co": a collection and a name, in one field. */
export const nameValue = ({ collection, text }: { collection: string; text: string }): string =>
  `${collection} ${text}`;

const nameSchema = z
  .string()
  .max(MAX_CELL + 20)
  .transform((value, context) => {
    const [, collection, text = ''] = /^(\w+) (.+)$/s.exec(value) ?? [];
    const known = NAMED_COLLECTIONS.find((name) => name === collection);
    if (known) return { collection: known, text };
    context.addIssue({ code: 'custom', message: 'is not a name of the file' });
    return z.NEVER;
  });

export const forgetForm = z.object({ forget: nameSchema });
export const namesForm = z.looseObject({ count: z.coerce.number().int().min(1).max(MAX_MATCHED_NAMES) });

/** The names for which the form says what they mean; the others stay open. */
export function matchesOf(form: z.output<typeof namesForm>): NameMatch[] {
  return Array.from({ length: form.count }, (_, index) => index).flatMap((index) => {
    const name = nameSchema.safeParse(form[nameField(index)]);
    const code = z.coerce.number().int().min(1).safeParse(form[meansField(index)]);
    return name.success && code.success ? [{ ...name.data, code: code.data }] : [];
  });
}
