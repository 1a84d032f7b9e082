import { continuesName, isRequiredText } from '@tapeline/domain/errors/reason.ts';

/** The label as it appears within a sentence ("main currency"). Names in capitals, such as FICO, are unchanged. */
const inSentence = (label: string): string =>
  /^.[A-Z]/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);

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
