import type { Submission } from '@conform-to/react';

/** What HTML says of a field: whether it is required, how long it may be, and the like. */
export interface FieldConstraint {
  readonly required?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly min?: string | number;
  readonly max?: string | number;
  readonly step?: string | number;
  readonly multiple?: boolean;
  readonly pattern?: string;
}

/** Checks what was entered in a form, as its action does. */
export type FormCheck = (form: FormData) => Submission<unknown, string[]>;

/** What a page knows of a form before anything is entered: all but its schema. */
export interface FormDescription<Values = Record<string, unknown>> {
  /** By the names of the fields; those of a list's entries have empty brackets: `rows[].kind`. */
  readonly constraint: Readonly<Record<string, FieldConstraint>>;
  /** The fields that are chosen rather than entered. */
  readonly chosen: readonly string[];
  /** What is said of a required field that is left empty. */
  readonly missing: Readonly<Record<string, string>>;
  /** Loads what checks the form. Null if the action alone checks it. */
  readonly checks: (() => Promise<FormCheck>) | null;
  /** The type of what is entered. No form has it as a value. */
  readonly values?: Values;
}

/** What is entered in a form. */
export type Entered<Description extends FormDescription> =
  Description extends FormDescription<infer Values> ? Values : never;
