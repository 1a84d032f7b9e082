import { type FieldMetadata, useField, useFormMetadata } from '@conform-to/react';
import type { ComponentType, InputHTMLAttributes, ReactNode } from 'react';
import { CheckboxField, type Choice, SelectField, TextareaField, TextField } from './fields.tsx';

/** Fields of any schema; only their names, ids and errors are used. */
// biome-ignore lint/suspicious/noExplicitAny: the fields of a form have the types of its schema
export type AnyField = FieldMetadata<any, any, any>;

/** The fields of a group by name. */
// biome-ignore lint/suspicious/noExplicitAny: the same
export type Fieldset = Readonly<Record<string, any>>;

export const fieldsetOf = (group: object): Fieldset => (group as { getFieldset: () => Fieldset }).getFieldset();

/** A group of the form, or one of its fields. */
export const useGroup = (name: string): Fieldset[string] => useField(name)[0];

interface Named {
  /** The path from the group that the field is in: `dateRange.start`. */
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  className?: string | undefined;
  /** Not required on its own: its group may be missing, or its label says that it is optional. */
  optional?: boolean;
}

type TextAttributes = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'autoComplete' | 'inputMode' | 'list' | 'max' | 'maxLength' | 'min' | 'placeholder' | 'required' | 'step'
>;

interface TextLine extends Named, TextAttributes {
  type?: 'date';
  suggestsMonthEnds?: boolean;
  unit?: string | undefined;
  /** False where a form of optional fields does not mark each of them. */
  marksOptional?: boolean;
}

interface ChoiceLine extends Named {
  choices: readonly Choice[];
  /** The first choice, which has no value. */
  empty?: string;
}

/** What the fields of an amount say. */
export interface AmountLabels {
  label: string;
  hint?: ReactNode;
  optional?: boolean;
  /** The choice of no currency, for a rate that is per cent without one. */
  percent?: string;
}

interface AmountLine extends Named, AmountLabels {
  label: string;
  /** `AmountFields`, so that a form without amounts loads no currencies. */
  amount: ComponentType<AmountLabels & { field: AnyField }>;
}

/** One field: a text, number or date, one of several choices, a longer text, a box to check, or an amount. */
export type FieldLine =
  | TextLine
  | ChoiceLine
  | AmountLine
  | (Named & { rows: number; maxLength?: number; autoFocus?: boolean })
  | (Named & { isChecked: true });

/** The field at a path of a group: `dateRange.start`. */
const fieldAt = (group: object, path: string): AnyField =>
  path.split('.').reduce((field, name) => fieldsetOf(field)[name], group) as AnyField;

/** Figures are entered as text, so that what was mistyped is shown as it was entered. */
export const DECIMAL = { inputMode: 'decimal', optional: true } as const;
export const COUNT = { inputMode: 'numeric', optional: true } as const;
export const PERCENT = { ...DECIMAL, unit: '%' } as const;

function Line({ of, line }: { of: object | undefined; line: FieldLine }) {
  const { name, optional, ...rest } = line;
  const form = useFormMetadata();
  const field = fieldAt(of ?? form, name);
  const required = optional ? { required: false } : {};
  if ('amount' in rest) {
    const { amount: Amount, className: _, ...labelled } = rest;
    return <Amount field={field} {...labelled} {...(optional ? { optional } : {})} />;
  }
  if ('choices' in rest) return <SelectField field={field} {...rest} {...required} />;
  if ('rows' in rest) return <TextareaField field={field} {...rest} {...required} />;
  if ('isChecked' in rest) {
    const { isChecked: _, ...labelled } = rest;
    return <CheckboxField field={field} {...labelled} />;
  }
  return <TextField field={field} {...rest} {...required} {...(optional ? { marksOptional: false } : {})} />;
}

const SIDE_BY_SIDE: Readonly<Record<number, string>> = { 2: 'grid grid-cols-2 gap-2', 3: 'grid grid-cols-3 gap-2' };

/**
 * The fields of a group as their descriptions say.
 * @param of the group that they are in; the form itself if omitted
 * @param lines in order; two or three in a list are side by side
 */
export const Fields = ({ of, lines }: { of?: object; lines: readonly (FieldLine | readonly FieldLine[])[] }) =>
  lines.map((line) =>
    'name' in line ? (
      <Line key={line.name} of={of} line={line} />
    ) : (
      <div key={line[0]?.name} className={SIDE_BY_SIDE[line.length]}>
        {line.map((each) => (
          <Line key={each.name} of={of} line={each} />
        ))}
      </div>
    ),
  );

/** What a text field suggests, by the id that its `list` names. */
export const Suggestions = ({ id, values }: { id: string; values: readonly string[] }) => (
  <datalist id={id}>
    {values.map((value) => (
      <option key={value} value={value} />
    ))}
  </datalist>
);

/** What the summary of errors calls the fields. */
export const labelsOf = (lines: readonly FieldLine[]): Record<string, string> =>
  Object.fromEntries(
    lines.flatMap((line) => {
      const label = String(line.label);
      const own: [name: string, label: string] = [line.name, label];
      return 'amount' in line ? [own, [`${line.name}.sum`, label], [`${line.name}.currency`, 'Currency']] : [own];
    }),
  );
