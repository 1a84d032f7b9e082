import { type DecimalText, sum } from '../money/decimal.ts';

/** A cell of a register: text, a day, or an exact decimal, as its column says. Null is unknown, or nothing. */
export type RegisterCell = string | null;

/** Where the cells that a formula takes are: of the same row, and of the row of totals. */
export interface RegisterCells {
  readonly cell: (key: string) => string;
  readonly total: (key: string) => string;
}

export interface RegisterColumn {
  /** The column's name in a file that programs read. */
  readonly key: string;
  readonly label: string;
  readonly kind: 'text' | 'date' | 'amount' | 'percentage' | 'number';
  /** In characters, where its values are longer than usual. */
  readonly characters?: number;
  /** How a spreadsheet calculates the figure of a row, as a person would check it. Without "=". */
  readonly formula?: (cells: RegisterCells) => string;
  /** The sum of a column is below it. What is unknown is not in it. */
  readonly isTotalled?: boolean;
}

/**
 * A table for people who calculate with it: a workbook whose totals and derived figures are formulas, or a CSV file of
 * the same lines.
 */
export interface Register {
  readonly title: string;
  /** Also the name of its sheet. At most 31 characters. */
  readonly name: string;
  readonly fileName: string;
  readonly issuer: string;
  /** The day on which it was made. */
  readonly issueDate: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
  /** Of all amounts. */
  readonly currency: string;
  readonly columns: readonly RegisterColumn[];
  readonly rows: readonly (readonly RegisterCell[])[];
  /** Sentences below the table. */
  readonly notes: readonly string[];
}

/** What is known of a column, added up exactly. */
export const totalOfColumn = ({ rows }: Pick<Register, 'rows'>, index: number): DecimalText =>
  sum(rows.flatMap((row) => row[index] ?? []));

/** What the totals of a register leave out: columns of which not every line is known. */
export function coverageNotes(register: Pick<Register, 'columns' | 'rows'>): string[] {
  const { columns, rows } = register;
  return columns.flatMap(({ label, isTotalled }, index) => {
    const known = rows.filter((row) => row[index] !== null).length;
    return isTotalled && known < rows.length
      ? [`The total of “${label}” covers the ${known} of ${rows.length} lines that have a figure.`]
      : [];
  });
}
