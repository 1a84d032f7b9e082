import { type FormMetadata, FormProvider, getFormProps, type SubmissionResult, useForm } from '@conform-to/react';
import { getZodConstraint, parseWithZod } from '@conform-to/zod/v4';
import { useNavigation } from '@remix-run/react';
import { createContext, type FormEvent, type ReactNode, useContext } from 'react';
import type { z } from 'zod';
import { Button, type ButtonTone } from './button.tsx';
import { CsrfField } from './csrf-field.tsx';
import { PostForm } from './post-form.tsx';

/**
 * Conform wired the way every screen wants it: one schema on both sides, checked when a field is left and again as it is mended.
 * @param lastResult what the action answered (`useActionData()`), so that entered values and faults survive without JavaScript
 * @returns `[form, fields]`
 */
export function useScreenForm<Schema extends z.ZodObject>(
  id: string,
  schema: Schema,
  options: {
    lastResult?: SubmissionResult<string[]> | null | undefined;
    defaultValue?: Partial<Record<keyof z.input<Schema> & string, unknown>>;
  } = {},
) {
  return useForm<z.input<Schema> & Record<string, unknown>>({
    id,
    lastResult: options.lastResult?.intent ? undefined : (options.lastResult ?? undefined),
    constraint: getZodConstraint(schema) as never,
    // biome-ignore lint/suspicious/noExplicitAny: conform's generics do not follow a schema that is a parameter
    defaultValue: options.defaultValue as any,
    shouldValidate: 'onBlur',
    shouldRevalidate: 'onInput',
    onValidate: ({ formData }) => parseWithZod(formData, { schema }) as never,
  });
}

const FirstFault = createContext<string | null>(null);

/** Whether this field is the first at fault after a round trip, and so takes the focus without JavaScript too. */
export const useIsFirstFault = (fieldId: string) => useContext(FirstFault) === fieldId;

type AnyForm = FormMetadata<Record<string, unknown>, string[]>;

const firstError = (errors: unknown): string | undefined =>
  Array.isArray(errors) && typeof errors[0] === 'string' ? errors[0] : undefined;

/**
 * A plain HTML form with its token, the summary of faults on top and the form's own fault ("That code is not right").
 * @param labels what each field is called in the summary; a field without one is named by its own key
 */
export function ScreenForm({
  form,
  labels = {},
  intent,
  action,
  encType,
  onSubmit,
  children,
}: {
  // biome-ignore lint/suspicious/noExplicitAny: forms of every shape
  form: any;
  labels?: Record<string, string>;
  intent?: string;
  action?: string;
  encType?: 'multipart/form-data';
  onSubmit?: (event: FormEvent<HTMLFormElement>) => void;
  children: ReactNode;
}) {
  const metadata = form as AnyForm;
  // The fieldset is a proxy that lists nothing; the form knows every fault by its field's name.
  const faulty = Object.entries(metadata.allErrors).flatMap(([name, errors]) => {
    const text = firstError(errors);
    return name !== '' && text ? [{ name, id: `${metadata.id}-${name}`, text }] : [];
  });
  const props = getFormProps(metadata);
  return (
    <FirstFault.Provider value={metadata.status === 'error' ? (faulty[0]?.id ?? null) : null}>
      <FormProvider context={metadata.context}>
        <PostForm
          action={action}
          encType={encType}
          {...props}
          onSubmit={(event) => {
            props.onSubmit?.(event);
            if (!event.defaultPrevented) onSubmit?.(event);
          }}
          className="flex flex-col gap-4"
        >
          <CsrfField />
          {intent ? <input type="hidden" name="intent" value={intent} /> : null}
          <ErrorSummary
            errorId={metadata.errorId}
            formErrors={Array.isArray(metadata.errors) ? metadata.errors : []}
            faults={
              metadata.status === 'error'
                ? faulty.map(({ name, id, text }) => ({ id, text: `${labels[name] ?? name}: ${text}` }))
                : []
            }
          />
          {children}
        </PostForm>
      </FormProvider>
    </FirstFault.Provider>
  );
}

/** What is wrong, on top of the form, each fault a link to its field. Nothing is rendered while nothing is wrong. */
export function ErrorSummary({
  errorId,
  formErrors,
  faults,
}: {
  errorId?: string;
  formErrors: readonly string[];
  faults: readonly { id: string; text: string }[];
}) {
  if (formErrors.length === 0 && faults.length < 2) {
    return null;
  }
  return (
    <div id={errorId} role="alert" className="rounded-lg bg-danger-soft px-3.5 py-2.5 text-sm text-danger">
      {formErrors.map((error) => (
        <p key={error}>{error}</p>
      ))}
      {faults.length > 0 ? (
        <>
          <p className="font-medium">
            {faults.length === 1 ? 'One field needs another look' : `${faults.length} fields need another look`}
          </p>
          <ul className="mt-1 list-disc pl-4">
            {faults.map((fault) => (
              <li key={fault.id}>
                <a href={`#${fault.id}`} className="underline">
                  {fault.text}
                </a>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </div>
  );
}

/** The buttons of a form; the submit says what it does and, while it does it, that it does. */
export function FormActions({
  submit,
  submitting,
  tone = 'primary',
  children,
}: {
  submit: string;
  /** Words while the form is under way: "Saving". */
  submitting?: string;
  tone?: ButtonTone;
  children?: ReactNode;
}) {
  const busy = useNavigation().state !== 'idle';
  return (
    <div className="flex flex-wrap items-center gap-2 pt-1">
      <Button type="submit" tone={tone} aria-disabled={busy || undefined}>
        {busy && submitting ? submitting : submit}
      </Button>
      {children}
    </div>
  );
}

/**
 * A form that is only a button: `<ActionForm intent="retry" values={{ id }}>Run again</ActionForm>`.
 * @param action where it posts; the page it stands on where left out
 */
export function ActionForm({
  intent,
  values = {},
  action,
  tone,
  className,
  children,
}: {
  intent: string;
  values?: Record<string, string>;
  action?: string;
  tone?: ButtonTone;
  className?: string;
  children: ReactNode;
}) {
  return (
    <PostForm action={action} className={className} preventScrollReset>
      <CsrfField />
      <input type="hidden" name="intent" value={intent} />
      {Object.entries(values).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button type="submit" tone={tone}>
        {children}
      </Button>
    </PostForm>
  );
}
