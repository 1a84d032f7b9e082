import { type Flags, isRefusal, Refusal } from '../errors/refusal.ts';
import { BracketError, type Grouped, type GroupLine, groupsOfLines, linesOfGroups } from './brackets.ts';
import type { Field, FieldCatalog } from './catalog.ts';
import { type Condition, EVERYTHING, type Filter, isEverything, joinFilters, type Operator } from './filter.ts';
import { parseFilter } from './parse.ts';
import { operandOf } from './print.ts';

/** One line of a filter's editor; `value` is as in a filter's JSON. */
export interface FilterRow extends Partial<GroupLine> {
  readonly path: string;
  readonly operator: Operator;
  readonly value: unknown;
  /** Only for a regex. */
  readonly ignoreCase?: boolean;
}

/** The lines of a filter; null if lines cannot show it: a part of it passes everything. */
export function filterToRows(filter: Filter): (FilterRow & GroupLine)[] | null {
  if (isEverything(filter)) return [];
  const grouped = groupedOf(filter);
  return grouped && linesOfGroups(grouped).map(({ leaf, ...line }) => ({ ...toRow(leaf), ...line }));
}

function groupedOf(filter: Filter): Grouped<Condition> | null {
  if (filter.kind === 'not') {
    const part = groupedOf(filter.filter);
    return part && { kind: 'not', part };
  }
  if (filter.kind !== 'and' && filter.kind !== 'or') return { kind: 'leaf', leaf: filter };
  const parts = filter.filters.map(groupedOf);
  return parts.length > 0 && parts.every((part) => part !== null) ? { kind: filter.kind, parts } : null;
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
export function rowsToFilter(rows: readonly FilterRow[], catalog: FieldCatalog): Filter {
  const flags: Flags = {};
  const lines = rows.map((row, index) => {
    const { join = 'and', open = '', close = '' } = row;
    return { join, open, close, leaf: conditionOf(row, catalog, `rows.${index}`, flags) };
  });
  let filter = EVERYTHING;
  try {
    const grouped = groupsOfLines(lines);
    if (grouped) filter = filterOf(grouped);
  } catch (error) {
    if (!(error instanceof BracketError)) throw error;
    flags[`rows.${error.line}`] ??= error.message;
    throw new Refusal('badRequest', `Condition ${error.line + 1}: ${error.message}`, { flags });
  }
  const [first] = Object.entries(flags);
  if (first) throw new Refusal('badRequest', `Condition ${Number(first[0].slice(5)) + 1} ${first[1]}`, { flags });
  return filter;
}

/** The condition of a line. If it is invalid, the reason is added to the flags and the result must not be used. */
function conditionOf(row: FilterRow, catalog: FieldCatalog, at: string, flags: Flags): Filter {
  try {
    const operation = { [row.operator]: row.value, ...(row.ignoreCase ? { options: 'i' } : {}) };
    return parseFilter({ [row.path]: operation }, catalog, at);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    flags[at] = Object.values(error.flags ?? {})[0] ?? error.message;
    return EVERYTHING;
  }
}

function filterOf(grouped: Grouped<Filter>): Filter {
  if (grouped.kind === 'leaf') return grouped.leaf;
  if (grouped.kind === 'not') return { kind: 'not', filter: filterOf(grouped.part) };
  return joinFilters(grouped.kind, grouped.parts.map(filterOf));
}

/**
 * Converts the text of a line's value box to the filter's value. A list is split at its line breaks or else its commas;
 * `{Field}` is another field, by its label or path, and `cutOff - 90d` a date relative to the cut-off date. Unreadable
 * input stays text, for `rowsToFilter` to reject with a message.
 * @param fields those that `{Field}` can name by their label
 */
export function valueFromText(field: Field, operator: Operator, text: string, fields: readonly Field[] = []): unknown {
  if (operator === 'exists') return readBoolean(text);
  if (operator === 'like' || operator === 'regex') return text;
  if (operator !== 'in' && operator !== 'nin') return readOperand(field, text, fields) ?? readOne(field, text);
  return text
    .split(text.includes('\n') ? '\n' : ',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => readOne(field, entry));
}

/** A text that would be read as a field, with or without quotes around it. It is written in (further) quotes. */
const IN_BRACES = /^"*\s*\{.*\}\s*"*$/s;
const CUT_OFF_TEXT = /^cutOff(?: ?([+-]) ?(\d+[dmy]))?$/;

function readOperand(field: Field, text: string, fields: readonly Field[]): Record<string, string> | null {
  const trimmed = text.trim();
  if (trimmed.startsWith('{') && trimmed.endsWith('}')) {
    const name = trimmed.slice(1, -1).trim();
    const named = fields.find(({ path }) => path === name) ?? fields.find(({ label }) => label === name);
    return { $field: named?.path ?? name };
  }
  return field.type === 'text' ? null : readOffsetText(trimmed);
}

/** A date relative to the cut-off date as people write it: `cutOff - 90d`. */
export function readOffsetText(text: string): { $cutOff: string } | null {
  const [found, sign = '', distance = '0d'] = CUT_OFF_TEXT.exec(text.trim()) ?? [];
  return found === undefined ? null : { $cutOff: `${sign}${distance}` };
}

/** The opposite of `readOffsetText`; null if the distance cannot be read. */
export function writeOffsetText(distance: unknown): string | null {
  const [found, sign, length = ''] = /^([+-]?)(\d+[dmy])$/.exec(String(distance)) ?? [];
  if (found === undefined) return null;
  return Number.parseInt(length, 10) === 0 ? 'cutOff' : `cutOff ${sign || '+'} ${length}`;
}

/**
 * A line's value as text for its box; `valueFromText` reverses it.
 * @param fields those that `{Field}` can name by their label
 */
export function valueToText(
  { operator, value }: Pick<FilterRow, 'operator' | 'value'>,
  fields: readonly Field[] = [],
): string {
  if (Array.isArray(value)) {
    const entries = value.map((entry) => inQuotes(String(entry)));
    return entries.join(entries.some((entry) => entry.includes(',')) ? '\n' : ', ');
  }
  if (typeof value === 'object' && value !== null) {
    if ('$field' in value) return `{${nameOf(String(value.$field), fields)}}`;
    if ('$cutOff' in value) return writeOffsetText(value.$cutOff) ?? String(value.$cutOff);
  }
  const text = String(value ?? '');
  return operator === 'like' || operator === 'regex' ? text : inQuotes(text);
}

const inQuotes = (text: string): string => (IN_BRACES.test(text) ? `"${text}"` : text);

/** The label of a field, or its path if another field has the same label. */
function nameOf(path: string, fields: readonly Field[]): string {
  const label = fields.find((field) => field.path === path)?.label;
  return label !== undefined && fields.filter((field) => field.label === label).length === 1 ? label : path;
}

function readOne(field: Field, text: string): unknown {
  if (field.type === 'boolean') return readBoolean(text);
  if (field.type === 'text') return IN_BRACES.test(text) && text.startsWith('"') ? text.slice(1, -1) : text;
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
