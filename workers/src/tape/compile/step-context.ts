import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { namedValue } from '@tapeline/domain/tapes/cell-reasons.ts';
import type { ColumnSource, PlannedStep } from '@tapeline/domain/tapes/planned-rule.ts';
import { type Fragment, sql } from './sql.ts';
import type { Compilation, Value } from './values.ts';

/** One step in its context. Names of the columns that it defines start with `name`. */
export interface StepContext {
  readonly compilation: Compilation;
  readonly name: string;
  readonly cutOffDate: CalendarDate;
  readonly primaryCurrency: string;
  read(source: ColumnSource): Value;
  /** A condition over columns. NULL if unknown. */
  condition(planned: PlannedStep): Fragment;
}

/** Adds the column's name to an error about another column. */
export const inColumn = ({ compilation }: StepContext, column: string, error: Fragment | null): Fragment | null =>
  error && sql`${compilation.layers.literal(namedValue(column))} || ${error}`;
