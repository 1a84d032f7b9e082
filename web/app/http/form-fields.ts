/**
 * Limits of a form. Names become paths ("rows[2].cells[0].value"), and the sender controls how deep and long they are.
 */
export const MAX_FIELDS = 5_000;
export const MAX_SEGMENTS = 10;
export const MAX_INDEX = 1_000;
export const MAX_NAME_LENGTH = 500;
/**
 * Entries of all lists together, including gaps. Otherwise a few names could create thousands of lists with a thousand
 * entries each.
 */
const MAX_LIST_ENTRIES = 20_000;

const SEGMENT = /[^.[\]]+|\[(\d*)\]/g;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
/** The form library's own fields. Our pages carry out such edits themselves and never send these fields. */
const LIBRARY_FIELDS = new Set(['__intent__', '__state__']);

export interface FieldProblem {
  /** The name that is not allowed. Null if the error concerns the form as a whole. */
  readonly name: string | null;
  readonly message: string;
}

/** Truncates long names before they are repeated in a message. */
const problem = (name: string, message: string): FieldProblem => ({ name: name.slice(0, 100), message });

/** Checks the field names of a form one after the other, and reports the first that must not be parsed. */
export class FieldNames {
  #count = 0;
  #entries = 0;
  readonly #seen = new Set<string>();
  readonly #highest = new Map<string, number>();
  readonly #repeated = new Set<string>();
  readonly #withKeys = new Set<string>();

  /** Checks the next field's name. Returns null if it is allowed. */
  take(name: string): FieldProblem | null {
    this.#count += 1;
    if (this.#count > MAX_FIELDS) {
      return { name: null, message: `A form has at most ${MAX_FIELDS} fields. Submit fewer at once.` };
    }
    if (LIBRARY_FIELDS.has(name)) return problem(name, 'Reload the page and submit the form again');
    if (this.#seen.has(name)) {
      this.#repeated.add(name);
      return this.#withKeys.has(name) ? problem(name, 'is used both as a list and as a group of fields') : null;
    }
    this.#seen.add(name);
    if (name.length > MAX_NAME_LENGTH) return problem(name, 'The name of the field is too long');
    return this.#takePath(name);
  }

  #takePath(name: string): FieldProblem | null {
    let segments = 0;
    for (const match of name.matchAll(SEGMENT)) {
      const [segment, index] = match;
      segments += 1;
      if (segments > MAX_SEGMENTS) return problem(name, `The name of a field has at most ${MAX_SEGMENTS} parts`);
      if (FORBIDDEN_KEYS.has(segment)) return problem(name, 'This field name is not allowed');
      const parent = name.slice(0, match.index).replace(/\.$/, '');
      if (index === undefined) {
        // A key on a list, "x[0]" together with "x.length", would set the list's own properties.
        if (parent !== '') this.#withKeys.add(parent);
        if (this.#highest.has(parent) || this.#repeated.has(parent)) {
          return problem(name, 'is used both as a list and as a group of fields');
        }
        continue;
      }
      if (this.#withKeys.has(parent)) return problem(name, 'is used both as a list and as a group of fields');
      const place = index === '' ? (this.#highest.get(parent) ?? -1) + 1 : Number(index);
      if (place > MAX_INDEX && index !== '')
        return problem(name, `A list in a form has at most ${MAX_INDEX + 1} entries`);
      const before = this.#highest.get(parent) ?? -1;
      if (place <= before) continue;
      this.#highest.set(parent, place);
      this.#entries += place - before;
      if (this.#entries > MAX_LIST_ENTRIES) {
        return { name: null, message: `Lists in a form have at most ${MAX_LIST_ENTRIES} entries together` };
      }
    }
    return null;
  }
}
