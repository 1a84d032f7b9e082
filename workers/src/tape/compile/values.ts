import { CELL_REASONS, UNKNOWN_STATUS_REASONS } from '@tapeline/domain/tapes/cell-reasons.ts';
import { LONGEST_TEXT } from '@tapeline/domain/tapes/longest-text.ts';
import type { Validation } from '@tapeline/domain/tapes/rule.schema.ts';
import type { TargetField } from '@tapeline/domain/tapes/target-schema.ts';
import type { ValueKind } from '@tapeline/domain/tapes/value-kinds.ts';
import type { CellFacts } from './cell-facts.ts';
import type { Layers } from './layers.ts';
import { type Fragment, raw, sql } from './sql.ts';

/**
 * A rule's running value in SQL: its kind, and one column per part. Every kind has `value`, except that a cell has `t n
 * s` (staged tag, number, text). An amount adds `currency`, a term `unit` and `days`, an interest rate `rateKind`, and
 * a number derived from amounts `exact` (see exact-numbers.ts).
 */
export interface Value {
  readonly kind: ValueKind;
  readonly parts: Readonly<Record<string, Fragment>>;
  /** What is known about a cell, or about a number that was read unchanged from one. */
  readonly facts?: CellFacts;
  /** Only for a cell: if its tag says blank, its number and text may still be set. */
  readonly masked?: boolean;
  /** Only for a text: it is never blank and has no surrounding spaces. */
  readonly trimmed?: boolean;
}

/** A value, and why it could not be produced: a text, NULL if it was, or null if the step cannot fail. */
export interface Outcome {
  readonly value: Value;
  readonly error: Fragment | null;
}

export const single = (kind: ValueKind, value: Fragment): Value => ({ kind, parts: { value } });
export const MISSING: Value = single('missing', raw('NULL'));
export const part = (value: Value, name = 'value'): Fragment => value.parts[name] ?? raw('NULL');

/** The errors of a cell, worded to follow its value: `"abc" is not a number`. */
export const REASONS = {
  ...CELL_REASONS,
  tooLarge: 'is too large',
  notStatus: UNKNOWN_STATUS_REASONS.notStatus,
  notAssetType: 'is neither loan nor investment',
  notCurrency: 'is not a currency code',
  noCase: UNKNOWN_STATUS_REASONS.noCase,
  missing: 'is missing',
  divisionByZero: 'is divided by zero',
  noResult: 'cannot be calculated',
  longForPattern: 'is too long for the pattern',
  tooLong: `gives a text of more than ${LONGEST_TEXT.toLocaleString('en-US')} characters`,
} as const;

/** The context of one compilation: where columns are defined, and the workbook's epoch. */
export interface Compilation {
  readonly layers: Layers;
  readonly epoch: 1900 | 1904;
}

const NULLS = {
  text: 'CAST(NULL AS VARCHAR)',
  double: 'CAST(NULL AS DOUBLE)',
  points: 'CAST(NULL AS DECIMAL(18,8))',
} as const;

/** A missing value, with the parts of this kind. */
export function missingOf(kind: ValueKind): Value {
  const empty = (parts: Record<string, string>): Value => ({
    kind,
    parts: Object.fromEntries(Object.entries(parts).map(([key, written]) => [key, raw(written)])),
  });
  switch (kind) {
    case 'cell':
      return empty({ t: 'CAST(0 AS UTINYINT)', n: NULLS.double, s: NULLS.text });
    case 'number':
      return empty({ value: NULLS.double });
    case 'boolean':
      return empty({ value: 'CAST(NULL AS BOOLEAN)' });
    case 'date':
      return empty({ value: 'CAST(NULL AS DATE)' });
    case 'percentage':
      return empty({ value: NULLS.points });
    case 'amount':
      return empty({ value: 'CAST(NULL AS DECIMAL(18,4))', currency: NULLS.text });
    case 'interest':
      return empty({ value: NULLS.points, rateKind: NULLS.text });
    case 'term':
      return empty({ value: NULLS.double, unit: NULLS.text, days: NULLS.double });
    default:
      return empty({ value: NULLS.text });
  }
}

/** A result's parts in the order of its lake columns. */
export function partsOf(value: Value, field: TargetField): Fragment[] {
  switch (field.kind) {
    case 'amount':
      return [part(value), part(value, 'currency')];
    case 'interest':
      return [part(value), part(value, 'rateKind')];
    case 'term':
      return [part(value), part(value, 'unit'), part(value, 'days')];
    default:
      return [part(value)];
  }
}

/** A result as text: `1250.50 USD`, `36 months`, `11.49%`. NULL if missing. */
export function shownResult(value: Value): Fragment {
  const v = part(value);
  switch (value.kind) {
    case 'cell':
      return sql`CASE WHEN ${part(value, 't')} = 2 THEN ${part(value, 's')} WHEN ${part(value, 't')} = 0 THEN NULL ELSE coalesce(${part(value, 's')}, tape_number_text(${part(value, 'n')})) END`;
    case 'number':
      return sql`tape_number_text(${v})`;
    case 'amount':
      return sql`CAST(${v} AS VARCHAR) || ' ' || ${part(value, 'currency')}`;
    case 'percentage':
    case 'interest':
      return sql`tape_number_text(CAST(${v} AS DOUBLE)) || '%'`;
    case 'term':
      return sql`tape_number_text(${v}) || ' ' || ${part(value, 'unit')}`;
    default:
      return sql`CAST(${v} AS VARCHAR)`;
  }
}

/** Why a result violates the validation, or NULL. Missing results, and rules that already failed, are skipped. */
export function validationProblem(
  { layers }: Compilation,
  validation: Validation,
  value: Value,
  error: Fragment | null,
): Fragment {
  const v = part(value);
  const problem = (broken: Fragment, reason: string): Fragment =>
    sql`CASE WHEN ${broken}${error ? sql` AND ${error} IS NULL` : ''} THEN ${layers.literal(reason)} END`;
  switch (validation.kind) {
    case 'minNumber':
      return problem(sql`${v} < ${boundSql(validation.value)}`, `is below ${validation.value}`);
    case 'maxNumber':
      return problem(sql`${v} > ${boundSql(validation.value)}`, `is above ${validation.value}`);
    case 'minDate':
      return problem(sql`${v} < DATE '${validation.value}'`, `is before ${validation.value}`);
    case 'maxDate':
      return problem(sql`${v} > DATE '${validation.value}'`, `is after ${validation.value}`);
    case 'notContains':
      return problem(sql`contains(${v}, ${layers.literal(validation.value)})`, `contains "${validation.value}"`);
    case 'mustContains':
      return problem(
        sql`NOT contains(${v}, ${layers.literal(validation.value)})`,
        `does not contain "${validation.value}"`,
      );
    case 'mustBeTrue':
      return problem(sql`NOT ${v}`, 'is not true');
    case 'mustBeFalse':
      return problem(sql`${v}`, 'is not false');
    case 'minLength':
      return problem(sql`length(${v}) < ${validation.value}`, `is shorter than ${validation.value}`);
    case 'maxLength':
      return problem(sql`length(${v}) > ${validation.value}`, `is longer than ${validation.value}`);
  }
}

/** Written as a decimal where possible, so that exact columns are compared exactly. */
const boundSql = (bound: number): string =>
  /e/i.test(String(bound)) ? `CAST(${bound} AS DOUBLE)` : String(Object.is(bound, -0) ? 0 : bound);
