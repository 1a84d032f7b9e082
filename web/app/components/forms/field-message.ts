import { inSentence } from '@tapeline/domain/documents/field-labels.ts';
import { continuesName, isRequiredText } from '@tapeline/domain/errors/reason.ts';

/**
 * The message of a field as a complete sentence. Schemas give reasons such as "is required", which API clients read
 * next to the field's path. On a screen, a missing title reads "Enter a title".
 * @param verb the verb for filling in the field
 */
export function fieldMessage(label: string, reason: string, verb: 'Enter' | 'Choose' = 'Enter'): string {
  if (isRequiredText(reason)) {
    const name = inSentence(label);
    return `${verb} ${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${name}`;
  }
  return continuesName(reason) ? `${label} ${reason}` : reason;
}
