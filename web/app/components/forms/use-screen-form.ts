import { type Intent, parse, type SubmissionResult, useForm } from '@conform-to/react';
import { isRequiredText } from '@tapeline/domain/errors/required.ts';
import { useEffect, useRef } from 'react';
import { OTHER_INTENT } from '../../http/list-edits.ts';
import { VERB_OF } from './form-contexts.ts';
import type { Entered, FormCheck, FormDescription } from './form-description.ts';

type Errors = Readonly<Record<string, string[] | null>>;

const isLeftEmpty = (value: FormDataEntryValue | null): boolean =>
  typeof value === 'string' ? value.trim() === '' : value !== null && value.size === 0;

/** The form's own buttons, such as one that adds a row, and other intents leave the entries to the action. */
const unchecked: FormCheck = (form) => parse(form, { resolve: (value) => ({ value }) });

/** Of an entry's field, the name that the description has: `rows[2].kind` is `rows[].kind`. */
const inAnyEntry = (name: string): string => name.replaceAll(/\[\d+\]/g, '[]');

/**
 * Checks a form before its schema is here: a required field that is left empty. What else was said stays as it is, and a
 * form that is submitted is answered by its action.
 * @param said what is said of the fields now
 * @param onAsked takes the name of a field that is to be validated
 */
const checkRequired = (
  form: FormData,
  missing: FormDescription['missing'],
  said: Errors,
  onAsked: (name: string) => void,
) =>
  parse<unknown, string[]>(form, {
    resolve(value, intent: Intent | null) {
      if (!intent) return { value };
      const name = intent.type === 'validate' ? (intent.payload.name ?? '') : '';
      if (name !== '') onAsked(name);
      const reason = Object.hasOwn(missing, name) && isLeftEmpty(form.get(name)) ? missing[name] : undefined;
      const error: Record<string, string[] | null> = Object.fromEntries(Object.keys(said).map((each) => [each, null]));
      if (reason !== undefined) error[name] = [reason];
      else if (said[name]?.some((each) => isRequiredText(each) || each === missing[name])) delete error[name];
      return { error };
    },
  });

/** What checks a form in the browser. It is loaded when a person first changes the form, or leaves a field of it. */
function useChecks(id: string, description: FormDescription, onLoad: () => void) {
  const loaded = useRef<{ by: FormDescription; check: FormCheck | null }>();
  const onLoaded = useRef(onLoad);
  onLoaded.current = onLoad;
  useEffect(() => {
    if (!description.checks) return;
    const load = async ({ target }: Event): Promise<void> => {
      const form = target instanceof Element ? target.closest('form') : null;
      if (form?.id !== id || loaded.current?.by === description || !description.checks) return;
      loaded.current = { by: description, check: null };
      try {
        const check = await description.checks();
        if (loaded.current.by !== description) return;
        loaded.current = { by: description, check };
        onLoaded.current();
      } catch {
        // The action checks what is submitted. The next change tries again.
        loaded.current = undefined;
      }
    };
    const events = ['input', 'change', 'focusout'] as const;
    for (const event of events) document.addEventListener(event, load);
    return () => {
      for (const event of events) document.removeEventListener(event, load);
    };
  }, [id, description]);
  return (): FormCheck | null => (loaded.current?.by === description ? loaded.current.check : null);
}

/**
 * Conform as every screen uses it: validated by one schema on both sides, when a field loses focus and again while it is
 * corrected. The page has a description of its form; the browser loads the schema with the first change.
 * @param lastResult what the action answered (`useActionData()`), so that entered values and errors survive without
 *   JavaScript
 * @returns `[form, fields]`
 */
export function useScreenForm<Description extends FormDescription>(
  id: string,
  description: Description,
  options: {
    lastResult?: SubmissionResult<string[]> | null | undefined;
    defaultValue?: Partial<Record<keyof Entered<Description> & string, unknown>>;
    /** When a field is first validated. Use `onSubmit` if the page has other buttons that leave the field empty. */
    shouldValidate?: 'onBlur' | 'onSubmit';
  } = {},
) {
  /** The last field that was validated before the schema was here. */
  const early = useRef<string>();
  const checkOf = useChecks(id, description, () => {
    const name = early.current;
    early.current = undefined;
    if (name !== undefined) shown.current?.validate({ name });
  });
  const shown = useRef<{ allErrors: Errors; validate(field: { name: string }): void }>();
  const metadata = useForm<Entered<Description> & Record<string, unknown>>({
    id,
    lastResult: options.lastResult?.intent ? undefined : (options.lastResult ?? undefined),
    constraint: description.constraint as never,
    // biome-ignore lint/suspicious/noExplicitAny: conform's generics do not support values that are a type parameter
    defaultValue: options.defaultValue as any,
    shouldValidate: options.shouldValidate ?? 'onBlur',
    shouldRevalidate: 'onInput',
    onValidate: ({ formData, submitter }) => {
      if (submitter?.getAttribute('name') === OTHER_INTENT) return unchecked(formData) as never;
      const check = checkOf();
      if (check) return check(formData) as never;
      return checkRequired(formData, description.missing, shown.current?.allErrors ?? {}, (name) => {
        early.current = name;
      }) as never;
    },
  });
  const [form] = metadata;
  shown.current = form as never;
  VERB_OF.set(form, (name) => (description.chosen.includes(inAnyEntry(name)) ? 'Choose' : 'Enter'));
  return metadata;
}
