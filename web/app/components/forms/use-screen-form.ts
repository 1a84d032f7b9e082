import { type SubmissionResult, useForm } from '@conform-to/react';
import { getZodConstraint } from '@conform-to/zod/v4';
import { z } from 'zod';
import { OTHER_INTENT } from '../../http/list-edits.ts';
import { parseForm } from '../../http/parse-form.ts';
import { verbOf } from './field-verb.ts';
import { VERB_OF } from './form-contexts.ts';

/**
 * Conform as every screen uses it: one schema on both sides, validated when a field loses focus and again while it is
 * corrected.
 * @param lastResult what the action answered (`useActionData()`), so that entered values and errors survive without
 *   JavaScript
 * @returns `[form, fields]`
 */
export function useScreenForm<Schema extends z.ZodObject>(
  id: string,
  schema: Schema,
  options: {
    lastResult?: SubmissionResult<string[]> | null | undefined;
    defaultValue?: Partial<Record<keyof z.input<Schema> & string, unknown>>;
    /** When a field is first validated. Use `onSubmit` if the page has other buttons that leave the field empty. */
    shouldValidate?: 'onBlur' | 'onSubmit';
  } = {},
) {
  const metadata = useForm<z.input<Schema> & Record<string, unknown>>({
    id,
    lastResult: options.lastResult?.intent ? undefined : (options.lastResult ?? undefined),
    constraint: getZodConstraint(schema) as never,
    // biome-ignore lint/suspicious/noExplicitAny: conform's generics do not support a schema that is a type parameter
    defaultValue: options.defaultValue as any,
    shouldValidate: options.shouldValidate ?? 'onBlur',
    shouldRevalidate: 'onInput',
    onValidate: ({ formData, submitter }) =>
      // Another intent has its own schema, which the action checks.
      parseForm(formData, submitter?.getAttribute('name') === OTHER_INTENT ? z.looseObject({}) : schema) as never,
  });
  VERB_OF.set(metadata[0], (name) => verbOf(schema, name));
  return metadata;
}
