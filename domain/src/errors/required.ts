/** Of a field that was left empty, as the message of a schema. */
export const REQUIRED = 'is required';

/** Whether a form, which knows texts only, reports a field that was left empty. */
export const isRequiredText = (text: string): boolean => text === REQUIRED;

/** Texts that begin with a small letter continue the name of their field; all others are sentences of their own. */
export function continuesName(text: string): boolean {
  const first = text.charAt(0);
  return first !== first.toUpperCase();
}
