/** A cell as a person would see it. */
export interface PreviewCell {
  kind: 'blank' | 'number' | 'text' | 'boolean' | 'date' | 'error';
  text: string;
}

export interface SheetHead {
  kind: 'xlsx' | 'csv';
  sheets: { name: string; hidden: boolean }[];
  sheetName: string;
  headerRow: number;
  epoch: 1900 | 1904;
  columns: { index: number; header: string; kinds: string[]; group?: string }[];
  rows: { row: number; cells: PreviewCell[] }[];
  /** Where it was asked for. */
  survey?: SheetSurvey;
}

/** What stands in the columns below the first rows. */
export interface SheetSurvey {
  /** Data rows read. */
  rows: number;
  isWhole: boolean;
  /** In the order of the sheet's columns. */
  columns: SurveyedColumn[];
}

export interface SurveyedColumn {
  /** Different texts and errors of the sheet with the number of their cells, where they are few; else those that mean missing. */
  words: { value: string; count: number; isError?: boolean }[];
  /** Some text has a space in front of it or behind. */
  isPadded: boolean;
}

export interface MappedCell {
  /** The value as text, null where missing. */
  value: string | null;
  error: string | null;
}

export interface PreviewedRows {
  targets: { path: string; label: string }[];
  rows: { row: number; cells: MappedCell[]; errors: { rule: number; column: string; reason: string }[] }[];
  missingHeaders: string[];
  assets: number;
  errored: number;
}

/** A file's head, and its first rows as a draft of a mapping makes them; or in words why it makes none. */
export interface DraftedSheet {
  head: SheetHead;
  mapped: PreviewedRows | null;
  fault: string | null;
}

export interface ContractDraft {
  tapeId: string;
  /** A contract as the form holds it; validated again where it is computed. */
  contract: unknown;
  /** The stored contract to compare with, where there is one. */
  against: { transactionId: string; noteId: string } | null;
}

/** Results travel as JSON of the borrowing base's result; see the domain's result type. */
export interface TrialResult {
  draft: unknown;
  active: unknown;
  statusChanges: { from: string; to: string; assets: number }[];
}
