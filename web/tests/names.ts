import { FieldNames, type FieldProblem } from '../app/http/form-fields.ts';

/** The first error among the field names of a form. */
export function problemOfNames(names: Iterable<string>): FieldProblem | null {
  const taken = new FieldNames();
  for (const name of names) {
    const found = taken.take(name);
    if (found) return found;
  }
  return null;
}
