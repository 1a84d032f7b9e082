import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { type FieldValues, fieldValues } from '@tapeline/lake/field-values.ts';
import { tapeSources } from '../../../commands/tape-sources.server.ts';
import type { Screen } from '../../../http/screen.server.ts';

/** Fields of a rule's conditions whose values are read with the page, for readers without JavaScript. */
const MAX_FIELDS = 5;
export const LONGEST_SEARCH = 100;

/** The values of a tape's field. Null without a tape, without permission to see its assets, or without the field. */
export async function readFieldValues(
  { actor, context, db }: Pick<Screen, 'actor' | 'context' | 'db'>,
  tapeId: string | null,
  field: Field,
  search = '',
): Promise<FieldValues | null> {
  if (tapeId === null || !can(actor, 'assets/read')) return null;
  const [source] = await db((session) => tapeSources(context, session, { tapeIds: [tapeId] }));
  return source ? fieldValues(context.lake, source, field, search.slice(0, LONGEST_SEARCH)) : null;
}

/** The values of the fields that the conditions open for editing already use, by path. */
export async function valuesOfConditions(
  screen: Pick<Screen, 'actor' | 'context' | 'db'>,
  tapeId: string | null,
  paths: readonly string[],
  offered: readonly Field[],
): Promise<Record<string, FieldValues>> {
  const fields = offered.filter(({ path }) => paths.includes(path)).slice(0, MAX_FIELDS);
  const found: Record<string, FieldValues> = {};
  for (const field of fields) {
    const values = await readFieldValues(screen, tapeId, field);
    if (values) found[field.path] = values;
  }
  return found;
}
