import type { CalendarDate } from '../dates/calendar-date.ts';
import { createRandom } from './random.ts';

/**
 * A cell as the lender's system would write it. In a date column a calendar date is a date; any other text, there or in
 * a column of numbers, is a text that somebody typed. Percent columns hold fractions (0.1149 is 11.49 %).
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

/** A column and how its cell is taken from a record. */
export type ColumnOf<Record> = TapeColumn & { readonly read: (record: Record) => TapeCell };

/** A fault somebody made by hand in one row of a tape. */
export type TapeFault = {
  readonly kind: 'missing id' | 'negative rate' | 'impossible date' | 'text in an amount' | 'repeated id';
  /** 0-based among the sheet's rows; of a repeated id the second row, which is the one at fault. */
  readonly row: number;
};

/** Dollars with cents as the double nearest to them. */
export const dollars = (cents: number): number => cents / 100;

/** How many rows of each kind of fault a tape gets, and what the faulty cell says. */
export type FaultPlan = {
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
 * Spoils a few rows, spread over the sheet by the plan's seed, and lists some loans twice: the answer has `each` rows
 * more than it was given. Every faulty row has one fault.
 */
export function spoilRows(
  columns: readonly TapeColumn[],
  rows: readonly (readonly TapeCell[])[],
  plan: FaultPlan,
): { rows: TapeCell[][]; faults: TapeFault[] } {
  const random = createRandom(plan.seed);
  const at = (header: string): number => columns.findIndex((column) => column.header === header);
  const spoiled = rows.map((row) => [...row]);
  const faults: TapeFault[] = [];
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
      faults.push({ kind, row });
    }
  }
  // Repeats are added at the foot, where a servicer's late additions come.
  for (let count = 0; count < plan.each; count += 1) {
    spoiled.push([...rows[takeRow()]!]);
    faults.push({ kind: 'repeated id', row: spoiled.length - 1 });
  }
  return { rows: spoiled, faults };
}
