import { useField } from '@conform-to/react';

/**
 * A field that the form sends back as it was shown, such as the version of a document. After a refusal it keeps the
 * value that was sent, so that a stale version stays stale, although the page has read the document again.
 * @param value where it is not among the values of the form
 */
export function HiddenField({ name, value = '' }: { name: string; value?: string | number }) {
  const [field] = useField<string>(name);
  return <input type="hidden" name={field.name} value={String(field.initialValue ?? value)} />;
}
