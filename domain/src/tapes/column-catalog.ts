import type { Field, FieldCatalog, FieldType } from '../filters/catalog.ts';
import type { ValueKind } from './value-kinds.ts';

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
  const ruleType = (name: string): FieldType | null => {
    const found = find(name);
    return found?.source.from === 'rule' ? typeOfRule(found.source.kind, found.part) : null;
  };
  const types = headerTypesOf(filter, ruleType);
  return {
    fields: [],
    cutOff: CONDITION_CUT_OFF,
    resolve(name) {
      const found = find(name);
      if (found === null) return { candidates: [] };
      const { source, part } = found;
      if (source.from === 'origin') {
        return { field: { path: `origin.${source.header}`, label: source.header, type: types.get(name) ?? 'text' } };
      }
      const path = `rule.${source.rule}`;
      const field: Field = { path: part ? `${path}.${part}` : path, label: name, type: typeOfRule(source.kind, part) };
      if (part || source.kind !== 'amount') return { field };
      return { field: { ...field, currency: { path: `${path}.currency`, label: `${name} currency`, type: 'text' } } };
    },
  };
}

/** The cut-off date of the tape that is mapped. */
export const CONDITION_CUT_OFF: Field = { path: 'cutOff', label: 'Cut-off date', type: 'date' };

const typeOfRule = (kind: ValueKind, part: string | undefined): FieldType =>
  part ? (part === 'days' ? 'number' : 'text') : FIELD_TYPE[kind];

/** As what a cell is read to be compared with a type: a percentage or a date is read by a rule, because a cell has many forms. */
const CELL_TYPE: Readonly<Record<FieldType, FieldType>> = {
  text: 'text',
  number: 'number',
  boolean: 'boolean',
  decimal: 'number',
  date: 'text',
  instant: 'text',
};

/**
 * For every field name in a filter, whether it is compared with numbers, booleans or text. Two headers that are compared
 * by their order are numbers.
 * @param ruleType the type of a result of an earlier rule; null for a header
 */
function headerTypesOf(filter: unknown, ruleType: (name: string) => FieldType | null): Map<string, FieldType> {
  const types = new Map<string, FieldType>();
  const noteType = (name: string, type: FieldType): void => {
    const known = types.get(name);
    types.set(name, known === undefined || known === type ? type : 'text');
  };
  const notePair = (operator: string, pair: readonly [string, string]): void => {
    const [type, otherType] = pair.map(ruleType);
    const isOrder = /^(lt|gt)e?$/.test(operator);
    const known = type ?? otherType;
    for (const name of pair) noteType(name, known ? CELL_TYPE[known] : isOrder ? 'number' : 'text');
  };
  const note = (name: string, value: unknown, comparison = 'eq'): void => {
    if (Array.isArray(value)) {
      for (const item of value) note(name, item);
    } else if (typeof value === 'object' && value !== null) {
      for (const [operator, literal] of Object.entries(value)) {
        const word = operator.replace(/^\$/, '');
        if (word === 'field' && typeof literal === 'string') notePair(comparison, [name, literal]);
        else if (!['exists', 'options', 'cutOff'].includes(word)) note(name, literal, word);
      }
    } else {
      noteType(name, typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'text');
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
