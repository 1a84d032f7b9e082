import type { Field, FieldType } from './catalog.ts';
import { type CutOffOffset, offsetMonths } from './cut-off.ts';
import { type Comparison, type Condition, currenciesOf, type Filter, type Literal } from './filter.ts';
import { likePattern } from './like.ts';
import { type Pattern, parsePattern } from './pattern.ts';

/** A condition for a WHERE clause: `$n` placeholders, and their values in order. */
export interface FilterSql {
  readonly sql: string;
  readonly values: (string | boolean)[];
}

/** What differs between the databases. `placeholder` and `column` are SQL. */
export interface SqlDialect {
  literal(type: FieldType, value: Literal, placeholder: string): string;
  compare(type: FieldType, column: string, sign: string, literal: string): string;
  /** The date a number of days after a date. */
  addDays(date: string, days: string): string;
  addMonths(date: string, months: string): string;
  monthEnd(date: string): string;
  list(column: string, negated: boolean, literals: readonly string[]): string;
  matches(column: string, placeholder: string): string;
  /** Conditions on lists; null where no field holds one. */
  readonly lists: {
    /** Whether an element of a list meets a condition on `element`; unknown for an empty list. */
    some(column: string, condition: string): string;
    /** Whether a list has elements: true or false. */
    hasSome(column: string): string;
  } | null;
  printPattern(pattern: Pattern): string;
}

const SIGNS: Record<Comparison, string> = { eq: '=', neq: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' };

/** The filter as SQL in three-valued logic; every literal is bound as a parameter. */
export function filterToSql(
  filter: Filter,
  column: (field: Field) => string,
  firstParameter: number,
  dialect: SqlDialect,
): FilterSql {
  const values: FilterSql['values'] = [];
  // Numbers are bound as text: DuckDB binds whole numbers as integers, and fails beyond 64 bits.
  const bind = (value: Literal): string =>
    `$${firstParameter + values.push(typeof value === 'number' ? String(value) : value) - 1}`;

  /** "Not the value" of a list means that none of its elements is. */
  const listCondition = (part: Condition): string => {
    const { lists } = dialect;
    if (!lists) throw new Error(`${part.field.path} is a list, which this database does not filter by`);
    const subject = enclose(column(part.field));
    if (part.kind === 'exists') return `(${part.exists ? '' : 'NOT '}${lists.hasSome(subject)})`;
    const negated = (part.kind === 'compare' && part.operator === 'neq') || part.operator === 'nin';
    const some = lists.some(subject, condition(negated ? oppositeOf(part) : part, 'element'));
    return negated ? `(NOT ${some})` : some;
  };

  const compareFields = (part: Extract<Condition, { kind: 'compareField' }>, subject: string): string => {
    const compared = dialect.compare(part.field.type, subject, SIGNS[part.operator], enclose(column(part.other)));
    const currencies = currenciesOf(part)?.map((each) => enclose(column(each)));
    return currencies ? `(CASE WHEN ${currencies.join(' = ')} THEN ${compared} END)` : compared;
  };

  const atOffset = (date: string, offset: CutOffOffset): string => {
    const months = offsetMonths(offset);
    if (months === null) return dialect.addDays(date, bind(offset.count));
    const later = dialect.addMonths(date, bind(months));
    return `(CASE WHEN ${date} = ${dialect.monthEnd(date)} THEN ${dialect.monthEnd(later)} ELSE ${later} END)`;
  };

  const condition = (part: Condition, subject: string): string => {
    const literal = (value: Literal): string => dialect.literal(part.field.type, value, bind(value));
    switch (part.kind) {
      case 'compare':
        return dialect.compare(part.field.type, subject, SIGNS[part.operator], literal(part.value));
      case 'compareField':
        return compareFields(part, subject);
      case 'compareCutOff':
        return dialect.compare(
          'date',
          subject,
          SIGNS[part.operator],
          atOffset(enclose(column(part.cutOff)), part.offset),
        );
      case 'list':
        if (part.values.length === 0) return emptyList(subject, part.operator);
        return dialect.list(subject, part.operator === 'nin', part.values.map(literal));
      case 'like':
        return dialect.matches(subject, bind(dialect.printPattern(likePattern(part.pattern))));
      case 'regex':
        return dialect.matches(subject, bind(dialect.printPattern(parsePattern(part.pattern, part.ignoreCase))));
      case 'exists':
        return `(${subject} IS ${part.exists ? 'NOT NULL' : 'NULL'})`;
    }
  };

  const whole = (part: Filter): string => {
    if (part.kind === 'not') return `(NOT ${whole(part.filter)})`;
    if (part.kind !== 'and' && part.kind !== 'or') {
      return part.field.isList ? listCondition(part) : condition(part, enclose(column(part.field)));
    }
    if (part.filters.length === 0) return 'TRUE';
    return joinBalanced(part.filters.map(whole), part.kind === 'and' ? 'AND' : 'OR');
  };

  return { sql: whole(filter), values };
}

/** A negative condition as the positive one. */
function oppositeOf(part: Condition): Condition {
  if (part.kind === 'compare') return { ...part, operator: 'eq' };
  return part.kind === 'list' ? { ...part, operator: 'in' } : part;
}

/** In parentheses unless it is a plain name: COLLATE binds tighter than most operators of an expression. */
const enclose = (sql: string): string => (/^(\w+\.)?(\w+|"[^"]+")$/.test(sql) ? sql : `(${sql})`);

/** "None of no values" is true and "one of no values" is false, but for a missing value either is unknown. */
function emptyList(column: string, operator: 'in' | 'nin'): string {
  return operator === 'in'
    ? `(${column} IS NULL AND CAST(NULL AS BOOLEAN))`
    : `(${column} IS NOT NULL OR CAST(NULL AS BOOLEAN))`;
}

/** Joined as a balanced tree: databases limit the depth of expressions, and a long chain is deep. */
export function joinBalanced(parts: readonly string[], word: 'AND' | 'OR'): string {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  if (parts.length <= 8) return `(${parts.join(` ${word} `)})`;
  const middle = parts.length >> 1;
  return `(${joinBalanced(parts.slice(0, middle), word)} ${word} ${joinBalanced(parts.slice(middle), word)})`;
}
