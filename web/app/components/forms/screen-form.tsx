import { type FormMetadata, FormProvider, getFormProps } from '@conform-to/react';
import { useActionData, useNavigation } from '@remix-run/react';
import { calendarDateOf } from '@tapeline/domain/dates/calendar-day.ts';
import { fieldLabel } from '@tapeline/domain/documents/field-labels.ts';
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { CONFIRMED } from '../../http/confirmed.ts';
import { OTHER_INTENT } from '../../http/list-edits.ts';
import { CURRENCY_FIELD } from '../../http/number-units.ts';
import type { ActionAnswer } from '../../http/screen.server.ts';
import { Button, type ButtonTone, LinkButton } from './button.tsx';
import { CsrfField } from './csrf-field.tsx';
import { ErrorSummary } from './error-summary.tsx';
import { fieldMessage } from './field-message.ts';
import { FirstProblem, Messages, VERB_OF } from './form-contexts.ts';
import { PostForm } from './post-form.tsx';
import { monthEnds, monthEndsId } from './typed-date.ts';
import { type LeavesBy, useUnsavedForms } from './unsaved-work.tsx';

export { useScreenForm } from './use-screen-form.ts';

type AnyForm = FormMetadata<Record<string, unknown>, string[]>;

const firstError = (errors: unknown): string | undefined =>
  Array.isArray(errors) && typeof errors[0] === 'string' ? errors[0] : undefined;

/**
 * A plain HTML form with its token, the error summary at the top and the form-level error ("That code is not right").
 * @param labels the name of each field in the summary; a field without one is named by its own key
 */
export function ScreenForm({
  form,
  labels = {},
  intent,
  action,
  encType,
  onSubmit,
  leavesBy,
  confirm = 'Save anyway',
  asks = ASKS,
  addressOf,
  currency,
  children,
}: {
  // biome-ignore lint/suspicious/noExplicitAny: accepts forms of any type
  form: any;
  labels?: Readonly<Record<string, string>> | ((name: string) => string | undefined);
  intent?: string;
  action?: string;
  encType?: 'multipart/form-data';
  onSubmit?: (event: FormEvent<HTMLFormElement>) => void;
  /** `page` for a form that keeps what was entered while the search of its address changes. */
  leavesBy?: LeavesBy;
  /** The button that confirms what looks like a mistake. */
  confirm?: string;
  /** The sentence above what looks like a mistake. */
  asks?: string;
  /** The address of the document that a question is about, by its id. */
  addressOf?: (id: string) => string;
  /** The currency of the amounts that do not name their own. */
  currency?: string | undefined;
  children: ReactNode;
}) {
  const metadata = form as AnyForm;
  // The fieldset is a proxy that cannot be enumerated. The form lists every error by field name.
  const invalid = Object.entries(metadata.allErrors).flatMap(([name, errors]) => {
    const text = firstError(errors);
    return name !== '' && text ? [{ name, id: `${metadata.id}-${name}`, text }] : [];
  });
  // What a person does not see, they cannot correct.
  const unseen = invalid.filter(({ name }) => SENT_BACK.test(name));
  const seen = invalid.filter((problem) => !unseen.includes(problem));
  const labelOf = (name: string) => (typeof labels === 'function' ? labels(name) : labels[name]);
  const verbOf = VERB_OF.get(form);
  const messageOf = (name: string, reason: string): string | null => {
    const label = labelOf(name);
    return label === undefined ? null : fieldMessage(label, reason, verbOf?.(name) ?? 'Enter');
  };
  const props = getFormProps(metadata);
  return (
    <FirstProblem.Provider value={metadata.status === 'error' ? (seen[0]?.id ?? null) : null}>
      <Messages.Provider value={messageOf}>
        <FormProvider context={metadata.context}>
          <PostForm
            action={action}
            encType={encType}
            leavesBy={leavesBy}
            {...props}
            onSubmit={(event) => {
              props.onSubmit?.(event);
              if (!event.defaultPrevented) onSubmit?.(event);
            }}
            className="flex flex-col gap-4"
          >
            <CsrfField />
            {intent ? <input type="hidden" name="intent" value={intent} /> : null}
            {currency ? <input type="hidden" name={CURRENCY_FIELD} value={currency} /> : null}
            <ErrorSummary
              errorId={metadata.errorId}
              formErrors={[
                ...(Array.isArray(metadata.errors) ? metadata.errors : []),
                ...(unseen.length > 0 ? [RELOAD] : []),
              ]}
              problems={
                metadata.status === 'error'
                  ? seen.map(({ name, id, text }) => ({
                      id,
                      text: messageOf(name, text) ?? fieldMessage(fieldLabel(name), text),
                    }))
                  : []
              }
            />
            {children}
            <MonthEnds formId={metadata.id} />
            <Questions intent={intent} confirm={confirm} asks={asks} addressOf={addressOf} />
          </PostForm>
        </FormProvider>
      </Messages.Provider>
    </FirstProblem.Provider>
  );
}

/** The fields that a form sends back as they were: the versions of its documents. */
const SENT_BACK = /version$/i;
const RELOAD = 'Reload the page, and submit the form again';

/** The month-ends that the dates of a form suggest. */
const MonthEnds = ({ formId }: { formId: string }) => (
  <datalist id={monthEndsId(formId)}>
    {monthEnds(calendarDateOf(new Date())).map((date) => (
      <option key={date} value={date} />
    ))}
  </datalist>
);

const ASKS = 'Is this right? Nothing has been saved yet.';

/**
 * What the action asks before it stores anything, with the button that confirms it. Renders nothing if it asks nothing.
 * @param otherIntent for a part of a form that has an intent of its own
 */
export function Questions({
  intent,
  otherIntent,
  confirm,
  asks = ASKS,
  addressOf,
}: {
  intent?: string | undefined;
  otherIntent?: string;
  confirm: string;
  asks?: string;
  addressOf?: ((id: string) => string) | undefined;
}) {
  const answer = useActionData() as Partial<Pick<ActionAnswer, 'intent' | 'questions' | 'askedAbout'>> | undefined;
  const asked = otherIntent ?? intent;
  const questions = asked === undefined || answer?.intent === asked ? answer?.questions : undefined;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (questions) box.current?.focus();
  }, [questions]);
  if (!questions) return null;
  return (
    <div ref={box} role="alert" tabIndex={-1} className="rounded-lg bg-warning-soft px-3.5 py-2.5 text-sm text-warning">
      <p className="font-medium">{asks}</p>
      <ul className="mt-1 list-disc pl-4">
        {questions.map((question) => (
          <li key={question} className="break-words">
            {question}
            <About address={addressOf} id={answer?.askedAbout?.[question]} />
          </li>
        ))}
      </ul>
      {otherIntent === undefined ? (
        <Button type="submit" name={CONFIRMED} value={JSON.stringify(questions)} className="mt-2">
          {confirm}
        </Button>
      ) : (
        <>
          <input type="hidden" name={CONFIRMED} value={JSON.stringify(questions)} />
          <Button type="submit" name={OTHER_INTENT} value={otherIntent} formNoValidate className="mt-2">
            {confirm}
          </Button>
        </>
      )}
    </div>
  );
}

/** The link to the document that a question is about. Opens beside the form, which keeps what was entered. */
const About = ({ address, id }: { address: ((id: string) => string) | undefined; id: string | undefined }) =>
  address && id !== undefined ? (
    <>
      {' '}
      <a href={address(id)} target="_blank" rel="noopener" className="underline">
        Open it
      </a>
    </>
  ) : null;

/**
 * The buttons of a form. The submit button shows its action and, while the form is submitting, its progress.
 * @param cancelTo where the form is left without submitting it
 */
export function FormActions({
  submit,
  submitting,
  tone = 'primary',
  cancelTo,
  children,
}: {
  submit: string;
  /** Label while the form is submitting: "Saving". */
  submitting?: string;
  tone?: ButtonTone;
  cancelTo?: string;
  children?: ReactNode;
}) {
  const busy = useNavigation().state !== 'idle';
  const unsaved = useUnsavedForms();
  return (
    // On a phone, a label with an amount and a day takes two lines.
    <div className="flex flex-wrap items-center gap-2 pt-1 max-sm:[&>*]:h-auto max-sm:[&>*]:min-h-10 max-sm:[&>*]:max-w-full max-sm:[&>*]:py-1.5 max-sm:[&>*]:whitespace-normal">
      <Button type="submit" tone={tone} aria-disabled={busy || undefined}>
        {busy && submitting ? submitting : submit}
      </Button>
      {children}
      {cancelTo === undefined ? null : (
        <LinkButton
          to={cancelTo}
          tone="quiet"
          onClick={(event) => {
            // Cancelling means leaving what was entered.
            const form = event.currentTarget.closest('form');
            if (form) unsaved?.clear(form);
          }}
        >
          Cancel
        </LinkButton>
      )}
    </div>
  );
}
