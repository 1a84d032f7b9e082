import { inSentence } from '@tapeline/domain/documents/field-labels.ts';
import { continuesName, isRequiredText } from '@tapeline/domain/errors/required.ts';
import type { FieldVerb } from './field-verb.ts';

/** Of a label of several, what one of them is called: "Choose at least one file" names the files. */
const oneOf = (label: string): string =>
  label
    .toLowerCase()
    .replace(/ies$/, 'y')
    .replace(/(?<!s)s$/, '');

/** "Bank account 2, Account title": a field of an entry of a list. */
const OF_ENTRY = /^(.+ \d+), (.+)$/;

/**
 * The message of a field as a complete sentence that names it, after the entry of a list that it is in. Schemas give reasons such as "is required", which API
 * clients read next to the field's path. On a screen, a missing title reads "Enter a title".
 * @param verb the verb for filling in the field
 */
export function fieldMessage(label: string, reason: string, verb: FieldVerb = 'Enter'): string {
  const name = inSentence(label);
  if (isRequiredText(reason)) {
    const [, entry, part] = OF_ENTRY.exec(label) ?? [];
    const asked = part === undefined ? name : inSentence(part);
    return `${entry === undefined ? '' : `${entry}: `}${verb} ${/^[aeiou]/i.test(asked) ? 'an' : 'a'} ${asked}`;
  }
  if (continuesName(reason)) return `${label} ${reason}`;
  return reason.toLowerCase().includes(oneOf(label)) ? reason : `${label}: ${reason}`;
}
