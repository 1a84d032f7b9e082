import type { Field, FieldCatalog, FieldType } from '../filters/catalog.ts';
import type { ValueKind } from './step-kinds.ts';

export interface NamedColumn {
  readonly source:
    | { readonly from: 'origin'; readonly header: string }
    | { readonly from: 'rule'; readonly rule: number; readonly kind: ValueKind };
  /** `currency` for an amount, `kind` for an interest, `unit` or `days` for a term. */
  readonly part?: string;
}

const FIELD_TYPE: Readonly<Record<ValueKind, FieldType>> = {
  cell: 'text',
  missing: 'text',
  text: 'text',
  status: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  percentage: 'decimal',
  amount: 'decimal',
  interest: 'decimal',
  term: 'number',
};

/**
 * The columns that an ifStatement condition can name: headers of the tape, typed by the literals they are compared with
 * (a cell can be anything), and results of earlier rules. A field's path gives its source: `origin.<header>`, or
 * `rule.<index>` with a part (`rule.4.currency`).
 * @param find resolves a name, or returns null if the name is not defined yet.
 */
export function columnCatalog(filter: unknown, find: (name: string) => NamedColumn | null): FieldCatalog {
  const literalTypes = literalTypesOf(filter);
  return {
    fields: [],
    resolve(name) {
      const found = find(name);
      if (found === null) return { candidates: [] };
      const { source, part } = found;
      const field: Field =
        source.from === 'origin'
          ? { path: `origin.${source.header}`, label: source.header, type: literalTypes.get(name) ?? 'text' }
          : {
              path: part ? `rule.${source.rule}.${part}` : `rule.${source.rule}`,
              label: name,
              type: part ? (part === 'days' ? 'number' : 'text') : FIELD_TYPE[source.kind],
            };
      return { field };
    },
  };
}

/** For every field name in a filter, whether it is compared with numbers, booleans or text. */
function literalTypesOf(filter: unknown): Map<string, FieldType> {
  const types = new Map<string, FieldType>();
  const note = (name: string, value: unknown): void => {
    if (Array.isArray(value)) {
      for (const item of value) note(name, item);
    } else if (typeof value === 'object' && value !== null) {
      for (const [operator, literal] of Object.entries(value)) {
        const word = operator.replace(/^\$/, '');
        if (word === 'not') note(name, literal);
        else if (word !== 'exists' && word !== 'options') note(name, literal);
      }
    } else {
      const type: FieldType = typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'text';
      const known = types.get(name);
      types.set(name, known === undefined || known === type ? type : 'text');
    }
  };
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) part.forEach(visit);
    else if (typeof part === 'object' && part !== null) {
      for (const [key, value] of Object.entries(part)) {
        if (['$and', '$or', '$nor', '$not'].includes(key)) visit(value);
        else note(key, value);
      }
    }
  };
  visit(typeof filter === 'string' ? parseJson(filter) : filter);
  return types;
}

/** Returns null for malformed text; the filter parser reports what is wrong with it. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
