import { type Flags, isRefusal, Refusal } from '../errors/refusal.ts';
import type { Field, FieldCatalog } from './catalog.ts';
import { type Condition, EVERYTHING, type Filter, joinFilters, type Operator } from './filter.ts';
import { OPERATOR_LABELS, OPERATOR_WORDS, operatorsFor, TIME_WORDS } from './operators.ts';
import { parseFilter } from './parse.ts';
import { operandOf } from './print.ts';

/** One line of the simple filter builder; `value` is as in a filter's JSON. */
export interface FilterRow {
  readonly path: string;
  readonly operator: Operator;
  readonly value: unknown;
  /** Only for a regex. */
  readonly ignoreCase?: boolean;
}

export interface FilterRows {
  /** Whether a row of data must pass all lines or any. */
  readonly join: 'and' | 'or';
  readonly rows: readonly FilterRow[];
}

export interface OperatorChoice {
  readonly operator: Operator;
  /** In a picker: "Greater than equal". */
  readonly label: string;
  /** Between field and value in a sentence: "is at least". */
  readonly words: string;
}

export function operatorChoices(field: Field): OperatorChoice[] {
  const isTime = field.type === 'date' || field.type === 'instant';
  return operatorsFor(field.type).map((operator) => ({
    operator,
    label: OPERATOR_LABELS[operator],
    words:
      (isTime ? TIME_WORDS[operator] : undefined) ?? (operator === 'exists' ? 'is known' : OPERATOR_WORDS[operator]),
  }));
}

/** The lines of a filter that is a plain list of conditions; null if lines cannot show it. */
export function filterToRows(filter: Filter): FilterRows | null {
  if (filter.kind === 'not') return null;
  if (filter.kind !== 'and' && filter.kind !== 'or') return { join: 'and', rows: [toRow(filter)] };
  const rows: FilterRow[] = [];
  for (const part of filter.filters) {
    if (part.kind === 'and' || part.kind === 'or' || part.kind === 'not') return null;
    rows.push(toRow(part));
  }
  return { join: filter.kind, rows };
}

function toRow(condition: Condition): FilterRow {
  const row = { path: condition.field.path, operator: condition.operator };
  switch (condition.kind) {
    case 'compare':
      return { ...row, value: condition.offset ? operandOf(condition) : condition.value };
    case 'compareField':
    case 'compareCutOff':
      return { ...row, value: operandOf(condition) };
    case 'list':
      return { ...row, value: condition.values };
    case 'exists':
      return { ...row, value: condition.exists };
    case 'like':
      return { ...row, value: condition.pattern };
    case 'regex':
      return { ...row, value: condition.pattern, ignoreCase: condition.ignoreCase };
  }
}

/**
 * The filter of the lines; no lines pass everything. Throws Refusal badRequest whose flags name each invalid line,
 * `rows.2`.
 */
export function rowsToFilter({ join, rows }: FilterRows, catalog: FieldCatalog): Filter {
  const flags: Flags = {};
  const conditions = rows.flatMap((row, index): Filter[] => {
    try {
      const operation = { [row.operator]: row.value, ...(row.ignoreCase ? { options: 'i' } : {}) };
      return [parseFilter({ [row.path]: operation }, catalog, `rows.${index}`)];
    } catch (error) {
      if (!isRefusal(error)) throw error;
      flags[`rows.${index}`] = Object.values(error.flags ?? {})[0] ?? error.message;
      return [];
    }
  });
  const [first] = Object.entries(flags);
  if (first) throw new Refusal('badRequest', `Condition ${Number(first[0].slice(5)) + 1} ${first[1]}`, { flags });
  return conditions.length === 0 ? EVERYTHING : joinFilters(join, conditions);
}

/**
 * Converts the text of a line's value box to the filter's value. A list is split at its line breaks or else its commas;
 * unreadable input stays text, for `rowsToFilter` to reject with a message.
 */
export function valueFromText(field: Field, operator: Operator, text: string): unknown {
  if (operator === 'exists') return readBoolean(text);
  if (operator === 'like' || operator === 'regex') return text;
  if (operator !== 'in' && operator !== 'nin') return readOne(field, text);
  return text
    .split(text.includes('\n') ? '\n' : ',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => readOne(field, entry));
}

/** A line's value as text for its box; `valueFromText` reverses it. */
export function valueToText(value: unknown): string {
  if (!Array.isArray(value)) return String(value ?? '');
  const entries = value.map(String);
  return entries.join(entries.some((entry) => entry.includes(',')) ? '\n' : ', ');
}

function readOne(field: Field, text: string): unknown {
  if (field.type === 'boolean') return readBoolean(text);
  if (field.type === 'text') return text;
  const trimmed = text.trim();
  if (field.type !== 'number' && field.type !== 'decimal') return trimmed;
  const digits = trimmed.replaceAll(/[,\s%]/g, '');
  if (!/^-?\d+(\.\d+)?$/.test(digits)) return trimmed;
  return field.type === 'number' ? Number(digits) : digits;
}

function readBoolean(text: string): unknown {
  const word = text.trim().toLowerCase();
  if (word === 'true' || word === 'yes') return true;
  return word === 'false' || word === 'no' ? false : text;
}
