/** A cell as shown in a preview; the tag is a `CellTag`. */
export interface SampleCell {
  readonly tag: number;
  readonly value: string;
}

/** The characters around the figures in a column's texts. */
export interface FigureForm {
  /** Currency signs and codes, as written. */
  readonly signs: readonly string[];
  readonly decimal: '.' | ',';
  readonly hasParentheses: boolean;
  readonly hasTrailingMinus: boolean;
  readonly hasApostrophes: boolean;
}

/** A summary of a column's contents, based on its first rows. */
export interface ColumnSummary {
  /** Cells with a value: no blanks, no `NA`, no errors of the sheet. */
  readonly filled: readonly SampleCell[];
  /** How the column's texts write figures. */
  readonly form: FigureForm;
  /** The numbers among all cells, including texts that read as numbers. */
  readonly numbers: readonly number[];
  /** Distinct values and how often each occurs, most common first. */
  readonly distinct: readonly { readonly value: string; readonly count: number }[];
  /** 1 if no value repeats in the rows that were read. */
  readonly distinctShare: number;
  /** The number of values behind `distinctShare`, and how many of them are different. */
  readonly counted: { readonly filled: number; readonly different: number };
  /** Texts that mean missing, as written, from anywhere in the column. */
  readonly missing: readonly string[];
  /** Like `distinct`, but for the whole column if all of it was read. */
  readonly words: readonly { readonly value: string; readonly count: number }[];
  /** Some text below the first rows has a leading or trailing space. */
  readonly isPadded: boolean;
  /** Number of `#N/A` cells (left by a lookup that found nothing) among the cells that were read. */
  readonly notAvailable: number;
}
