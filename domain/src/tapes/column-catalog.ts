import type { Field, FieldCatalog, FieldType } from '../filters/catalog.ts';
import type { ValueKind } from './step-kinds.ts';

export interface NamedColumn {
  readonly source:
    | { readonly from: 'origin'; readonly header: string }
    | { readonly from: 'rule'; readonly rule: number; readonly kind: ValueKind };
  /** `currency` of an amount, `kind` of an interest, `unit` or `days` of a term. */
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
 * What the condition of an ifStatement may name: headers of the tape, typed by the literals they are compared with
 * (a cell can be anything), and results of earlier rules. A field's path says where it reads: `origin.<header>`, or
 * `rule.<index>` with a part (`rule.4.currency`).
 * @param find gives what a name means, or null where it means nothing yet.
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

/** Of every field name in a filter, whether it is compared with numbers, with booleans, or with text. */
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

/** Malformed text gives null here; the filter parser says what is wrong with it. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
