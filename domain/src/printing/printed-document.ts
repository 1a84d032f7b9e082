/** A document to be printed as a PDF. All figures are text, formatted as on the screens. */
export interface PrintedDocument {
  title: string;
  subtitle: string;
  /** Who issues it, at the top of the first page. */
  issuer: string;
  /** A PNG or JPEG file in base64, before the name of the issuer. */
  logo?: string | null;
  /** Address, email and phone of the issuer, a line each, instead of the reference. */
  contact?: readonly string[];
  /** A second line next to the issuer. */
  reference: string;
  /** Wide tables need pages in landscape format. */
  isLandscape?: boolean;
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
  /** A code that is copied: in the monospace font. */
  isCode?: boolean | undefined;
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
  /** A second line of the header. */
  note?: string;
  isNumeric?: boolean;
  /** Share of the width, relative to the other columns. */
  width: number;
}

export interface PrintedRow {
  cells: readonly string[];
  /** Follows the first cell, less prominently. */
  remark?: string | undefined;
  isStrong?: boolean;
  isIndented?: boolean;
  /** The line that the others lead to, with a thick rule below. */
  isResult?: boolean;
  /** The cell that is shown in this tone, by position. */
  tones?: Readonly<Record<number, PrintedTone>>;
}

export interface PrintedDetail extends PrintedFact {
  /** A code that is copied: in the monospace font. */
  isCode?: boolean;
}

export interface PrintedBar {
  label: string;
  /** Below the label, where it changes. */
  group?: string | undefined;
  value: number;
  shown: string;
}

export interface PrintedSide {
  /** Share of the width, relative to the other sides. */
  width: number;
  blocks: readonly PrintedBlock[];
}

export type PrintedBlock =
  | { kind: 'addressee'; name: string; lines: readonly string[]; facts: readonly PrintedFact[] }
  | { kind: 'text'; title?: string; text: string; isSmall?: boolean }
  | { kind: 'details'; title: string; details: readonly PrintedDetail[] }
  | { kind: 'signatory'; title: string; organization: string; name: string | null; role: string | null }
  | { kind: 'bars'; title: string; note: string; bars: readonly PrintedBar[] }
  | { kind: 'sides'; sides: readonly PrintedSide[] }
  | { kind: 'figures'; figures: readonly PrintedFigure[] }
  | { kind: 'notices'; notices: readonly string[] }
  | { kind: 'waterfall'; title: string; note: string; steps: readonly PrintedStep[] }
  | {
      kind: 'table';
      title: string;
      note?: string;
      /** For letters: larger text and more space than in long lists. */
      isRoomy?: boolean;
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
export const MAX_PRINTED_ROWS = 3_000;
