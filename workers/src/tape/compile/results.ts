import type { Validation } from '@tapeline/domain/tapes/rule.schema.ts';
import type { TargetField } from '@tapeline/domain/tapes/target-schema.ts';
import { type Fragment, sql } from './sql.ts';
import { type Compilation, part, type Value } from './values.ts';

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
