import { OPERATORS, type Operator } from '@tapeline/domain/filters/filter.ts';
import { readOperand, writeOperand } from './operand-notation.ts';

/** One line of a condition as the form shows it. */
export interface ConditionLine {
  readonly column: string;
  readonly operator: Operator;
  readonly value: string;
}

/** The condition of an if step as lines, all or any of which must be true. */
export interface StepCondition {
  readonly join: 'and' | 'or';
  readonly lines: readonly ConditionLine[];
}

/** The empty line below the existing ones. */
export const NEW_LINE: ConditionLine = { column: '', operator: 'eq', value: '' };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isOperator = (word: string): word is Operator => (OPERATORS as readonly string[]).includes(word);
const isLiteral = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/**
 * The lines of a stored filter, given as an object or its JSON text. Null if lines cannot express it, for example if it
 * has nested groups.
 */
export function conditionLines(filter: unknown): StepCondition | null {
  const object = typeof filter === 'string' ? parsed(filter) : (filter ?? {});
  if (!isObject(object)) return null;
  const [key] = Object.keys(object);
  const group = Object.keys(object).length === 1 && (key === '$or' || key === '$and') ? object[key] : null;
  if (group === null) {
    const lines = linesOf(object);
    return lines && { join: 'and', lines };
  }
  if (!Array.isArray(group)) return null;
  const lines = group.map((part) => (isObject(part) ? linesOf(part) : null));
  // Several conditions in one part must all be true, which lines joined by "or" could not express.
  const single = lines.every((each) => each !== null && (key === '$and' || each.length === 1));
  return single ? { join: key === '$or' ? 'or' : 'and', lines: lines.flatMap((each) => each ?? []) } : null;
}

function parsed(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function linesOf(object: Record<string, unknown>): ConditionLine[] | null {
  const lines: ConditionLine[] = [];
  for (const [column, condition] of Object.entries(object)) {
    if (column.startsWith('$')) return null;
    const operations = isObject(condition) ? Object.entries(condition) : [['eq', condition] as const];
    if (operations.length === 0) return null;
    for (const [written, value] of operations) {
      const operator = written.replace(/^\$/, '');
      const shown = isOperator(operator) ? writeValue(operator, value) : null;
      if (shown === null) return null;
      lines.push({ column, operator: operator as Operator, value: shown });
    }
  }
  return lines;
}

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
  return isLiteral(value) ? writeLiteral(value) : null;
}

/** The value unchanged, or in quotes if it would otherwise be read as something else or as several values. */
function writeLiteral(value: string | number | boolean): string {
  if (typeof value !== 'string') return writeOperand(value);
  if (value.includes(',')) return JSON.stringify(value);
  return /^\(.*\)$|^\{.*\}$/.test(value) ? value : writeOperand(value);
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
      return readLiteral(written);
  }
}

/**
 * The filter that the lines express. A line without a value becomes null, so that the schema reports what is missing.
 */
export function filterOfLines({ join, lines }: StepCondition): Record<string, unknown> {
  const conditions = lines
    .filter(({ column, value }) => column.trim() !== '' || value.trim() !== '')
    .map(({ column, operator, value }) => {
      const read = readValue(operator, value);
      return { column: column.trim(), condition: operator === 'eq' ? read : { [operator]: read } };
    });
  const parts = conditions.map(({ column, condition }) => ({ [column]: condition }));
  if (join === 'or' && parts.length > 1) return { $or: parts };
  const distinct = new Set(conditions.map(({ column }) => column)).size === conditions.length;
  return distinct ? Object.assign({}, ...parts) : { $and: parts };
}
