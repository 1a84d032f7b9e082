import { type FieldMetadata, getInputProps, getSelectProps, getTextareaProps } from '@conform-to/react';
import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes, TextareaHTMLAttributes } from 'react';
import { classNames } from '../class-names.ts';
import { fieldMessage } from './field-message.ts';
import type { FieldVerb } from './field-verb.ts';
import { useFieldMessage, useIsFirstProblem } from './form-contexts.ts';
import { type Choice, INPUT, inputClass, Select } from './inputs.tsx';
import { monthEndsId } from './typed-date.ts';
import { numberInput, shownNumber } from './typed-number.ts';

export { type Choice, inputClass, Select } from './inputs.tsx';

/** Fields of any schema. Only the name, id and errors are used here. */
// biome-ignore lint/suspicious/noExplicitAny: accepts fields of any type
type AnyField = FieldMetadata<any, any, any>;

interface Labelled {
  field: AnyField;
  label: ReactNode;
  /** One line under the label: format, unit, or the source of the figure. */
  hint?: ReactNode;
  className?: string;
}

const hintId = (field: AnyField) => `${field.id}-hint`;
const describedBy = (field: AnyField, hint: ReactNode) =>
  [hint ? hintId(field) : null, field.errors ? field.errorId : null].filter(Boolean).join(' ') || undefined;

/** How the label of a field ends that may be left empty. */
export const OPTIONAL = ' (optional)';

/** Label, hint, control and error of a field, linked for screen readers. The other fields are built from it. */
export function Field({
  field,
  label,
  hint,
  className,
  marksOptional = true,
  verb = 'Enter',
  children,
}: Labelled & { marksOptional?: boolean; verb?: FieldVerb; children: ReactNode }) {
  // A choice, or a field of a group that may be missing, says so in its label; the mark is the same, and there once.
  const saysSo = typeof label === 'string' && label.endsWith(OPTIONAL);
  const name = saysSo ? label.slice(0, -OPTIONAL.length) : label;
  return (
    <div className={classNames('min-w-0', className)}>
      <label htmlFor={field.id} className="mb-1 block text-xs font-medium text-ink-2">
        {name}
        {saysSo || (marksOptional && field.required === false) ? (
          <span className="font-normal text-ink-3">{OPTIONAL}</span>
        ) : null}
      </label>
      {children}
      <Hint field={field} hint={hint} />
      <Problem field={field} label={name} verb={verb} />
    </div>
  );
}

function Hint({ field, hint }: { field: AnyField; hint: ReactNode }) {
  return hint ? (
    <p id={hintId(field)} className="mt-1 text-xs text-ink-3">
      {hint}
    </p>
  ) : null;
}

/** What is wrong with a field, in the words of the summary above the form. Renders nothing if nothing is. */
export function Problem({ field, label, verb }: { field: AnyField; label: ReactNode; verb?: FieldVerb }) {
  const messageOf = useFieldMessage();
  const [reason] = (field.errors ?? []) as readonly string[];
  if (reason === undefined) return null;
  const named = messageOf(field.name, reason);
  return (
    <p id={field.errorId} className="mt-1 text-xs whitespace-normal text-danger">
      {named ?? (typeof label === 'string' ? fieldMessage(label, reason, verb) : reason)}
    </p>
  );
}

const isUnit = (unit: string | undefined): unit is string => unit === '%' || /^[A-Z]{3}$/.test(unit ?? '');

/** The first value of a number, as its field shows it. */
const shownValueOf = ({ defaultValue }: { defaultValue?: unknown }, unit: string | undefined) =>
  typeof defaultValue === 'string' ? { defaultValue: shownNumber(defaultValue, isUnit(unit) ? unit : null) } : {};

type InputKind = 'text' | 'email' | 'tel' | 'url' | 'search' | 'password' | 'date' | 'month';

/**
 * One line of text, a number or a date.
 * @param unit shown inside the field on the right ("%", "USD", "months")
 * @param suggestsMonthEnds whether a date is mostly the last day of a month
 * @param firstUnit the unit of the first value, where another field has the unit
 */
export function TextField({
  field,
  label,
  hint,
  type = 'text',
  unit,
  firstUnit,
  suggestsMonthEnds = false,
  className,
  inputClassName,
  marksOptional,
  ...rest
}: Labelled & {
  type?: InputKind;
  unit?: string;
  firstUnit?: string | undefined;
  suggestsMonthEnds?: boolean;
  inputClassName?: string;
  marksOptional?: boolean;
} & Omit<InputHTMLAttributes<HTMLInputElement>, 'type'>) {
  const { key, ...props } = getInputProps(field, { type });
  const autoFocus = useIsFirstProblem(field.id);
  // A number is a text with thousands separators, so that everything that people write can be entered and pasted.
  const isNumber = rest.inputMode === 'decimal';
  const number = isNumber
    ? { ...numberInput(isUnit(unit) ? unit : null), ...shownValueOf(props, unit ?? firstUnit) }
    : {};
  return (
    <Field
      field={field}
      label={label}
      hint={hint}
      className={className}
      marksOptional={marksOptional}
      verb={type === 'date' || type === 'month' ? 'Choose' : 'Enter'}
    >
      <div className="relative">
        <input
          key={key}
          {...props}
          // biome-ignore lint/a11y/noAutofocus: only after a failed round trip, on the first field with an error
          autoFocus={autoFocus || rest.autoFocus}
          className={inputClass(classNames(unit && 'pr-14', isNumber && 'figures', inputClassName))}
          {...number}
          {...(suggestsMonthEnds ? { list: monthEndsId(field.formId) } : {})}
          {...rest}
          aria-describedby={describedBy(field, hint)}
        />
        {unit ? (
          <span className="pointer-events-none absolute inset-y-0 right-2.5 flex items-center text-xs text-ink-3">
            {unit}
          </span>
        ) : null}
      </div>
    </Field>
  );
}

/**
 * A native select. Its first choice describes what leaving it unset means. An `empty` choice ("Choose a company") comes
 * first and has no value.
 */
export function SelectField({
  field,
  label,
  hint,
  choices,
  empty,
  className,
  ...rest
}: Labelled & { choices: readonly Choice[]; empty?: string } & SelectHTMLAttributes<HTMLSelectElement>) {
  const { key, ...props } = getSelectProps(field);
  const autoFocus = useIsFirstProblem(field.id);
  return (
    <Field field={field} label={label} hint={hint} className={className} marksOptional={false} verb="Choose">
      <Select
        key={key}
        {...props}
        autoFocus={autoFocus}
        className="truncate"
        choices={choices}
        empty={empty}
        {...rest}
        aria-describedby={describedBy(field, hint)}
      />
    </Field>
  );
}

export function TextareaField({
  field,
  label,
  hint,
  rows = 4,
  className,
  ...rest
}: Labelled & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const { key, ...props } = getTextareaProps(field);
  const autoFocus = useIsFirstProblem(field.id);
  return (
    <Field field={field} label={label} hint={hint} className={className}>
      <textarea
        key={key}
        {...props}
        rows={rows}
        // biome-ignore lint/a11y/noAutofocus: only after a failed round trip, on the first field with an error
        autoFocus={autoFocus}
        className={classNames(INPUT, 'px-2.5 py-1.5 max-sm:text-lg')}
        {...rest}
        aria-describedby={describedBy(field, hint)}
      />
    </Field>
  );
}

/** A yes/no choice. The schema reads "on" as true and a missing value as false. */
export function CheckboxField({ field, label, hint, className }: Labelled) {
  const { key, ...props } = getInputProps(field, { type: 'checkbox' });
  return (
    <div className={className}>
      <label htmlFor={field.id} className="flex items-center gap-2 text-sm max-sm:min-h-10">
        <input key={key} {...props} aria-describedby={describedBy(field, hint)} className="size-4 accent-accent" />
        {label}
      </label>
      <Hint field={field} hint={hint} />
      <Problem field={field} label={label} />
    </div>
  );
}

/**
 * A native file input. Drag and drop works as the browser implements it. The form needs
 * `encType="multipart/form-data"`.
 */
export function FileField({
  field,
  label,
  hint,
  accept,
  multiple,
  className,
  ...rest
}: Labelled & InputHTMLAttributes<HTMLInputElement>) {
  const { key, ...props } = getInputProps(field, { type: 'file' });
  return (
    <Field field={field} label={label} hint={hint} className={className} verb="Choose">
      <input
        key={key}
        {...props}
        accept={accept}
        multiple={multiple}
        className="block w-full rounded-md border border-dashed border-field-line bg-canvas px-3 py-4 text-sm text-ink-2 file:mr-3 file:h-8 max-sm:file:h-10 file:rounded-md file:border file:border-solid file:border-line-strong file:bg-paper file:px-3 file:text-sm file:font-medium file:text-ink hover:bg-hover"
        {...rest}
        aria-describedby={describedBy(field, hint)}
      />
    </Field>
  );
}
