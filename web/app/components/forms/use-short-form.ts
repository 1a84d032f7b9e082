import { type SubmissionResult, useForm } from '@conform-to/react';
import { VERB_OF } from './form-contexts.ts';

/**
 * A form of one to three fields within a page. The action alone validates it, so that the page loads no schemas. A form
 * with a page of its own uses `useScreenForm`.
 * @param required the fields that must not be empty
 * @param chosen those that are chosen rather than entered, and must not be empty either
 * @returns `[form, fields]`
 */
export function useShortForm<Values extends Record<string, unknown>>(
  id: string,
  {
    lastResult,
    defaultValue,
    required = [],
    chosen = [],
  }: {
    lastResult: SubmissionResult<string[]> | null | undefined;
    defaultValue?: Partial<Record<keyof Values & string, unknown>>;
    required?: readonly (keyof Values & string)[];
    chosen?: readonly (keyof Values & string)[];
  },
) {
  const metadata = useForm<Record<keyof Values & string, string>>({
    id,
    lastResult: lastResult ?? undefined,
    constraint: Object.fromEntries([...required, ...chosen].map((name) => [name, { required: true }])) as never,
    // biome-ignore lint/suspicious/noExplicitAny: conform's generics do not support values that are a type parameter
    defaultValue: defaultValue as any,
  });
  VERB_OF.set(metadata[0], (name) => (chosen.some((one) => one === name) ? 'Choose' : 'Enter'));
  return metadata;
}
