import { getZodConstraint } from '@conform-to/zod/v4';
import type { z } from 'zod';
import { parseForm } from '../../http/parse-form.ts';
import { verbOf } from './field-verb.ts';
import type { FieldConstraint, FormCheck, FormDescription } from './form-description.ts';

/** An entry of a list has an index of its own: `rows[].kind`. */
const inFirstEntry = (name: string): string => name.replaceAll('[]', '[0]');

class DescribedForm<Schema extends z.ZodObject> implements FormDescription<z.input<Schema>> {
  readonly #schema: Schema;
  declare readonly values?: z.input<Schema>;

  constructor(schema: Schema) {
    this.#schema = schema;
  }

  get constraint(): Readonly<Record<string, FieldConstraint>> {
    return getZodConstraint(this.#schema) as Readonly<Record<string, FieldConstraint>>;
  }

  get chosen(): readonly string[] {
    return Object.keys(this.constraint).filter((name) => verbOf(this.#schema, inFirstEntry(name)) === 'Choose');
  }

  get missing(): Readonly<Record<string, string>> {
    const { constraint } = this;
    const required = Object.keys(constraint).filter((name) => constraint[name]?.required && !name.includes('[]'));
    const empty = new FormData();
    for (const name of required) empty.set(name, '');
    const submission = parseForm(empty, this.#schema);
    const said = submission.status === 'success' ? {} : (submission.error ?? {});
    return Object.fromEntries(required.flatMap((name) => (said[name]?.[0] ? [[name, said[name][0]]] : [])));
  }

  readonly checks = async (): Promise<FormCheck> => (form) => parseForm(form, this.#schema) as ReturnType<FormCheck>;
}

/**
 * Describes the form of a schema for its page. The bundle of the browser has the description alone: what computes it, and
 * the schema, are loaded when a person first changes the form (`bundling/form-checks.ts`). So it is called at the top of a
 * module without JSX, and its result is exported.
 */
export const describeForm = <Schema extends z.ZodObject>(schema: Schema): FormDescription<z.input<Schema>> =>
  new DescribedForm(schema);

/** Describes several forms by their names, as `describeForm` does. */
export const describeForms = <Schemas extends Readonly<Record<string, z.ZodObject>>>(
  schemas: Schemas,
): { readonly [Name in keyof Schemas]: FormDescription<z.input<Schemas[Name]>> } =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, describeForm(schema)])) as never;
