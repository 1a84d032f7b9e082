/** A document to be printed as a PDF. All figures are text, formatted as on the screens. */
export interface PrintedDocument {
  title: string;
  subtitle: string;
  /** Who issues it, at the top of the first page. */
  issuer: string;
  /** A second line next to the issuer. */
  reference: string;
  /** An ISO instant. It is the date of the file, so that two files of one document are identical. */
  issuedAt: string;
  /** At the bottom of every page, before the page number. */
  footer: string;
  facts: readonly PrintedFact[];
  blocks: readonly PrintedBlock[];
}

export interface PrintedFact {
  label: string;
  value: string;
}

export type PrintedTone = 'good' | 'danger' | 'quiet';

export interface PrintedFigure {
  label: string;
  value: string;
  unit?: string | undefined;
  note?: string | undefined;
  tone?: PrintedTone | undefined;
}

export interface PrintedStep {
  label: string;
  /** For the height of the bar. A level, or the change from the step before. */
  value: number;
  shown: string;
  kind: 'level' | 'change';
  tone?: 'result' | 'quiet' | undefined;
}

export interface PrintedColumn {
  head: string;
  isNumeric?: boolean;
  /** Share of the width, relative to the other columns. */
  width: number;
}

export interface PrintedRow {
  cells: readonly string[];
  isStrong?: boolean;
  /** The cell that is shown in this tone, by position. */
  tones?: Readonly<Record<number, PrintedTone>>;
}

export type PrintedBlock =
  | { kind: 'figures'; figures: readonly PrintedFigure[] }
  | { kind: 'notices'; notices: readonly string[] }
  | { kind: 'waterfall'; title: string; note: string; steps: readonly PrintedStep[] }
  | {
      kind: 'table';
      title: string;
      note?: string;
      columns: readonly PrintedColumn[];
      rows: readonly PrintedRow[];
      total?: readonly string[];
      /** Shown under the table, for example how many rows are not listed and where to find them. */
      remark?: string | undefined;
      /** Shown instead of the table if it has no rows. */
      empty?: string;
    }
  | { kind: 'signatures'; title: string; statement: string; parties: readonly { role: string; name: string }[] };

/** Rows of all tables of one document. Whoever creates a document lists fewer and says how many are left out. */
export const MOST_PRINTED_ROWS = 3_000;
