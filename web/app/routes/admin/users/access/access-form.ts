import { documentOf } from '@tapeline/domain/people/access.ts';
import { z } from 'zod';
import { describeForm } from '../../../../components/forms/describe-form.ts';
import { versionField } from '../../../../components/forms/version-field.ts';

/**
 * One choice for each permission: `+funds/read` adds it, `-funds/read` removes it, an empty text leaves it to the role.
 */
export const accessFormSchema = z.object({
  entries: z
    .array(z.string().max(61).optional())
    .max(400)
    .default([])
    // A form leaves out an empty text.
    .transform((entries) => entries.filter((entry) => entry !== undefined)),
  userVersion: versionField,
});
export const accessFormDescription = describeForm(accessFormSchema);

interface Lists {
  exclusiveResources: readonly string[];
  inclusiveResources: readonly string[];
}

/** The lists that the choices describe. Entries for documents are kept: they are changed on the page of the access. */
export function listsOf(
  entries: readonly string[],
  kept: Lists,
): { exclusiveResources: string[]; inclusiveResources: string[] } {
  const chosen = (sign: '+' | '-') => entries.filter((entry) => entry.startsWith(sign)).map((entry) => entry.slice(1));
  const documents = (list: readonly string[]) => list.filter((entry) => documentOf(entry) !== null);
  return {
    exclusiveResources: [...documents(kept.exclusiveResources), ...chosen('-')],
    inclusiveResources: [...documents(kept.inclusiveResources), ...chosen('+')],
  };
}
