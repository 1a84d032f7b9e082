import { type SubmissionResult, useForm } from '@conform-to/react';

/**
 * A form of one to three fields within a page. The action alone validates it, so that the page loads no schemas. A form
 * with a page of its own uses `useScreenForm`.
 * @param required the fields that must not be empty
 * @returns `[form, fields]`
 */
export function useShortForm<Values extends Record<string, unknown>>(
  id: string,
  {
    lastResult,
    defaultValue,
    required = [],
  }: {
    lastResult: SubmissionResult<string[]> | null | undefined;
    defaultValue?: Partial<Record<keyof Values & string, string | undefined>>;
    required?: readonly (keyof Values & string)[];
  },
) {
  return useForm<Record<keyof Values & string, string>>({
    id,
    lastResult: lastResult ?? undefined,
    constraint: Object.fromEntries(required.map((name) => [name, { required: true }])) as never,
    // biome-ignore lint/suspicious/noExplicitAny: conform's generics do not support values that are a type parameter
    defaultValue: defaultValue as any,
  });
}
