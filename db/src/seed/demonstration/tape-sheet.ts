import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { createRandom } from './random.ts';

/**
 * A cell as the lender's system would write it. In a date column, a calendar date is a date. Any other text in a date
 * column or a numeric column is text that was typed by hand. Percent columns contain fractions (0.1149 is 11.49 %).
 */
export type TapeCell = string | number | null;

export type TapeColumn = {
  readonly header: string;
  readonly kind: 'text' | 'whole' | 'decimal' | 'money' | 'percent' | 'date';
  /** In characters. */
  readonly width: number;
};

/** One sheet of a loan tape, ready to be written as a workbook. */
export type TapeSheet = {
  readonly fileName: string;
  readonly sheetName: string;
  readonly cutOffDate: CalendarDate;
  /** Lines above the header; an empty text is a blank row. */
  readonly titleRows: readonly string[];
  /** Columns left blank at the left edge of every row. */
  readonly blankColumns: number;
  readonly columns: readonly TapeColumn[];
  readonly rows: readonly (readonly TapeCell[])[];
};

/** A column and how its cell is read from a record. */
export type ColumnOf<Record> = TapeColumn & { readonly read: (record: Record) => TapeCell };

/** An error that was added to one row of a tape. */
export type TapeProblem = {
  readonly kind: 'missing id' | 'negative rate' | 'impossible date' | 'text in an amount' | 'repeated id';
  /** 0-based index in the sheet's rows. For a repeated id, the second row is the incorrect one. */
  readonly row: number;
};

/** Dollars with cents, as the nearest double. */
export const dollars = (cents: number): number => cents / 100;

/** How many rows of each kind of error a tape has, and the content of the incorrect cells. */
export type ProblemPlan = {
  readonly seed: string;
  readonly idHeader: string;
  readonly rateHeader: string;
  readonly dateHeader: string;
  readonly amountHeader: string;
  readonly impossibleDate: string;
  readonly amountText: string;
  /** Rows of each kind. */
  readonly each: number;
};

/**
 * Adds errors to a few rows, spread over the sheet by the plan's seed, and repeats some loans: the result has `each`
 * more rows than the input. Every incorrect row has one error.
 */
export function spoilRows(
  columns: readonly TapeColumn[],
  rows: readonly (readonly TapeCell[])[],
  plan: ProblemPlan,
): { rows: TapeCell[][]; problems: TapeProblem[] } {
  const random = createRandom(plan.seed);
  const at = (header: string): number => columns.findIndex((column) => column.header === header);
  const spoiled = rows.map((row) => [...row]);
  const problems: TapeProblem[] = [];
  const taken = new Set<number>();
  const takeRow = (): number => {
    let row = random.whole(0, rows.length - 1);
    while (taken.has(row)) row = random.whole(0, rows.length - 1);
    taken.add(row);
    return row;
  };
  const edits = [
    ['missing id', at(plan.idHeader), () => null],
    ['negative rate', at(plan.rateHeader), (cell: TapeCell) => (typeof cell === 'number' ? -cell : cell)],
    ['impossible date', at(plan.dateHeader), () => plan.impossibleDate],
    ['text in an amount', at(plan.amountHeader), () => plan.amountText],
  ] as const;
  for (const [kind, column, edit] of edits) {
    for (let count = 0; count < plan.each; count += 1) {
      const row = takeRow();
      spoiled[row]![column] = edit(spoiled[row]![column]!);
      problems.push({ kind, row });
    }
  }
  // Repeated rows are appended at the end, like a servicer's late additions.
  for (let count = 0; count < plan.each; count += 1) {
    spoiled.push([...rows[takeRow()]!]);
    problems.push({ kind: 'repeated id', row: spoiled.length - 1 });
  }
  return { rows: spoiled, problems };
}
