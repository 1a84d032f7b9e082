import { measuredFields, type PreparedContract } from '@tapeline/domain/borrowing-base/prepare.ts';
import { fieldsOf } from '@tapeline/domain/filters/filter.ts';
import { codeColumn, SEQUENCE_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';

/**
 * The columns that any calculation of the contract needs: those that are filtered, measured and grouped by, and the
 * order.
 */
export function neededColumns(prepared: PreparedContract): string[] {
  const rules = [...prepared.eligibility, ...prepared.performance, ...prepared.concentration];
  const filters = [
    ...prepared.scopes.map((scope) => scope.filter),
    ...rules.flatMap((rule) => [rule.filter, ...rule.exceptFilters]),
    ...prepared.values.map((value) => value.filter),
    ...prepared.cases.map((one) => one.filter),
  ];
  return [
    ...new Set([
      SEQUENCE_COLUMN,
      ...filters.flatMap((filter) => fieldsOf(filter).map((field) => field.path)),
      ...measuredFields(prepared).map((measured) => measured.field.path),
      ...prepared.concentration.flatMap((rule) => (rule.groupBy === null ? [] : [codeColumn(rule.groupBy.path)])),
    ]),
  ];
}
