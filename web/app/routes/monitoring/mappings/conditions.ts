import {
  BracketError,
  type Grouped,
  type GroupLine,
  groupsOfLines,
  linesOfGroups,
} from '@tapeline/domain/filters/brackets.ts';
import { readOffsetText, writeOffsetText } from '@tapeline/domain/filters/build.ts';
import { isOperator, OPERATORS, type Operator } from '@tapeline/domain/filters/filter.ts';
import { FILTER_LIMITS } from '@tapeline/domain/filters/parse.ts';
import { readOperand, writeOperand } from '@tapeline/domain/tapes/operand-notation.ts';
import { isOperandColumn } from '@tapeline/domain/tapes/step-kinds.ts';

/** One line of a condition as the form shows it. */
export interface ConditionLine extends GroupLine {
  readonly column: string;
  readonly operator: Operator;
  readonly value: string;
}

/** The empty line below the existing ones. */
export const NEW_LINE: ConditionLine = { join: 'and', open: '', column: '', operator: 'eq', value: '', close: '' };

/** The key of a draft's filter whose brackets do not match yet: its lines, and what is wrong with them. */
const UNFINISHED = '$unfinished';

/** What is wrong with the brackets of a filter of a draft; null if nothing is. */
export function bracketProblemOf(filter: unknown): string | null {
  const unfinished = isObject(filter) ? filter[UNFINISHED] : null;
  return isObject(unfinished) && typeof unfinished.problem === 'string' ? unfinished.problem : null;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isLiteral = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/**
 * The lines of a stored filter, given as an object or its JSON text. Null if lines cannot express it, for example if it
 * has a group without conditions.
 */
export function conditionLines(filter: unknown): ConditionLine[] | null {
  const object = typeof filter === 'string' ? parsed(filter) : (filter ?? {});
  if (!isObject(object)) return null;
  const unfinished = object[UNFINISHED];
  if (isObject(unfinished)) return Array.isArray(unfinished.lines) ? unfinished.lines.map(lineOf) : null;
  if (Object.keys(object).length === 0) return [];
  const grouped = groupedOf(object, 0);
  return grouped && linesOfGroups(grouped).map(({ leaf, ...line }) => ({ ...line, ...leaf }));
}

/** A line of a draft as a form submitted it. */
function lineOf(line: unknown): ConditionLine {
  const { join, operator, ...texts } = isObject(line) ? line : {};
  const text = (part: 'open' | 'column' | 'value' | 'close') => (typeof texts[part] === 'string' ? texts[part] : '');
  return {
    join: join === 'or' ? 'or' : 'and',
    open: text('open'),
    column: text('column'),
    operator: OPERATORS.find((word) => word === operator) ?? 'eq',
    value: text('value'),
    close: text('close'),
  };
}

type Leaf = Pick<ConditionLine, 'column' | 'operator' | 'value'>;

function groupedOf(object: unknown, depth: number): Grouped<Leaf> | null {
  if (!isObject(object) || depth > FILTER_LIMITS.depth) return null;
  const parts = Object.entries(object).flatMap(([key, value]): (Grouped<Leaf> | null)[] => {
    if (key === '$not') return [oppositeOf(groupedOf(value, depth + 1))];
    if (key !== '$and' && key !== '$or' && key !== '$nor') return conditionsOf(key, value);
    const group = Array.isArray(value) ? value.map((part) => groupedOf(part, depth + 1)) : [];
    const joined = joinGroups(key === '$and' ? 'and' : 'or', group);
    return [key === '$nor' ? oppositeOf(joined) : joined];
  });
  return joinGroups('and', parts);
}

const oppositeOf = (part: Grouped<Leaf> | null): Grouped<Leaf> | null => part && { kind: 'not', part };

function joinGroups(kind: 'and' | 'or', parts: readonly (Grouped<Leaf> | null)[]): Grouped<Leaf> | null {
  const known = parts.filter((part) => part !== null);
  if (known.length < parts.length || known.length === 0) return null;
  const merged = known.flatMap((part) => (part.kind === kind ? part.parts : [part]));
  const [only] = merged;
  return only && merged.length === 1 ? only : { kind, parts: merged };
}

function parsed(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The conditions on one column; null for one that a line cannot show. */
function conditionsOf(column: string, condition: unknown): (Grouped<Leaf> | null)[] {
  const operations =
    isObject(condition) && !isOperand(condition) ? Object.entries(condition) : [['eq', condition] as const];
  if (column.startsWith('$') || operations.length === 0) return [null];
  return operations.map(([written, value]) => {
    const operator = written.replace(/^\$/, '');
    const shown = isOperator(operator) ? writeValue(operator, value) : null;
    return shown === null ? null : { kind: 'leaf', leaf: { column, operator: operator as Operator, value: shown } };
  });
}

const isOperand = (value: unknown): value is { $field: string } | { $cutOff: string } =>
  isObject(value) &&
  Object.keys(value).length === 1 &&
  (typeof value.$field === 'string' || typeof value.$cutOff === 'string');

/** A value as its input box shows it, or null if it cannot be shown there. */
function writeValue(operator: Operator, value: unknown): string | null {
  // Not filled in yet.
  if (value === null && operator !== 'exists') return '';
  if (operator === 'exists') return typeof value === 'boolean' ? (value ? 'yes' : 'no') : null;
  if (operator === 'regex') return typeof value === 'string' ? value : null;
  if (operator === 'like') {
    // Without a wildcard the filter matches the whole text, but a line that says "contains" would be read differently.
    if (typeof value !== 'string' || !/[%_]/.test(value)) return null;
    return /^%([^%_]+)%$/.exec(value)?.[1] ?? value;
  }
  if (operator === 'in' || operator === 'nin') {
    return Array.isArray(value) && value.every(isLiteral) ? value.map(writeLiteral).join(', ') : null;
  }
  if (isOperand(value)) return '$field' in value ? `{${value.$field}}` : writeOffsetText(value.$cutOff);
  if (!isLiteral(value)) return null;
  // Without quotes it would be read as another column, or as a date relative to the cut-off date.
  const isMistaken = typeof value === 'string' && (/^\s*\{.*\}\s*$/s.test(value) || readOffsetText(value) !== null);
  return isMistaken ? JSON.stringify(value) : writeLiteral(value);
}

/** The value unchanged, or in quotes if it would otherwise be read as something else or as several values. */
function writeLiteral(value: string | number | boolean): string {
  if (typeof value !== 'string') return writeOperand(value);
  if (value.includes(',')) return JSON.stringify(value);
  return /^\(.*\)$|^\{.*\}$/.test(value) ? value : writeOperand(value);
}

/** A comparison with another column, `{Column}`, or with a date relative to the cut-off date, `cutOff - 90d`. */
function readCompared(written: string): unknown {
  const operand = readOperand(written);
  if (isOperandColumn(operand)) return { $field: operand.column };
  return readOffsetText(written) ?? readLiteral(written);
}

function readLiteral(written: string): string | number | boolean | null {
  const text = written.trim();
  if (text === '') return null;
  const operand = readOperand(text);
  return isLiteral(operand) ? operand : text;
}

function readValue(operator: Operator, written: string): unknown {
  switch (operator) {
    case 'exists':
      return !/^(no|false)$/i.test(written.trim());
    case 'regex':
      return written === '' ? null : written;
    case 'like':
      return written === '' ? null : /[%_]/.test(written) ? written : `%${written}%`;
    case 'in':
    case 'nin':
      // Commas within quotes belong to the text.
      return (written.match(/\s*"(?:[^"\\]|\\.)*"|[^,]+/g) ?? [])
        .map(readLiteral)
        .filter((literal) => literal !== null);
    default:
      return readCompared(written);
  }
}

/**
 * The filter that the lines express. A line without a value becomes null, so that the schema reports what is missing.
 * Lines whose brackets do not match are kept as they are.
 */
export function filterOfLines(lines: readonly ConditionLine[]): Record<string, unknown> {
  const written = lines.filter(isWritten);
  const leaves = written.map(({ join, open, close, ...leaf }) => ({ join, open, close, leaf }));
  try {
    const grouped = groupsOfLines(leaves);
    return grouped ? jsonOf(grouped) : {};
  } catch (error) {
    if (!(error instanceof BracketError)) throw error;
    return { [UNFINISHED]: { problem: `Condition ${error.line + 1}: ${error.message}`, lines: written } };
  }
}

export const isWritten = ({ column, value, open, close }: ConditionLine): boolean =>
  [column, value, open, close].some((text) => text.trim() !== '');

function jsonOf(grouped: Grouped<Leaf>): Record<string, unknown> {
  switch (grouped.kind) {
    case 'leaf': {
      const { column, operator, value } = grouped.leaf;
      const read = readValue(operator, value);
      return { [column.trim()]: operator === 'eq' ? read : { [operator]: read } };
    }
    case 'not':
      return { $not: jsonOf(grouped.part) };
    default: {
      const parts = grouped.parts.map(jsonOf);
      if (grouped.kind === 'or') return { $or: parts };
      const keys = parts.flatMap((part) => Object.keys(part));
      return new Set(keys).size === keys.length ? Object.assign({}, ...parts) : { $and: parts };
    }
  }
}
