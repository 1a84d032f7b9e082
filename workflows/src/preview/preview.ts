/** A cell as a user would see it. */
export interface PreviewCell {
  kind: 'blank' | 'number' | 'text' | 'boolean' | 'date' | 'error';
  text: string;
}

export interface SheetHead {
  kind: 'xlsx' | 'csv';
  sheets: { name: string; hidden: boolean }[];
  sheetName: string;
  headerRow: number;
  /** What the rows above the header say, a text for each row. */
  titles: string[];
  epoch: 1900 | 1904;
  columns: { index: number; header: string; kinds: string[]; group?: string; currencyMarks?: string[] }[];
  rows: { row: number; cells: PreviewCell[] }[];
  /** Sentences about content of the sheet that cannot be read. With a survey, they cover all surveyed rows. */
  notices?: string[];
  /** Present if it was requested. */
  survey?: SheetSurvey;
}

/** The contents of the columns below the first rows. */
export interface SheetSurvey {
  /** Data rows read. */
  rows: number;
  isWhole: boolean;
  /** In the order of the sheet's columns. */
  columns: SurveyedColumn[];
  /** Sample of all rows that were read, below the first ones; one cell per column. */
  sample: PreviewCell[][];
  notices: string[];
}

export interface SurveyedColumn {
  /**
   * Distinct texts and errors with their number of cells, if there are few; otherwise only those that mean "missing".
   */
  words: { value: string; count: number; isError?: boolean }[];
  /** Whether any text has leading or trailing space. */
  isPadded: boolean;
  /** The number of nonblank cells and of their distinct values; missing if they were not counted. */
  counted?: { filled: number; different: number };
}

export interface MappedCell {
  /** The value as text; null if missing. */
  value: string | null;
  error: string | null;
  /**
   * Why the value is outside the plausible range of its field, which is not an error; null if it is within the range.
   */
  warning: string | null;
}

export interface PreviewedRows {
  targets: { path: string; label: string }[];
  rows: { row: number; cells: MappedCell[]; errors: { rule: number; column: string; reason: string }[] }[];
  missingHeaders: string[];
  assets: number;
  errored: number;
  /** Assets with a value outside the plausible range of its field. */
  warned: number;
}

/** A file's head, and its first rows mapped with a draft of a mapping, or a message why they cannot be mapped. */
export interface DraftedSheet {
  head: SheetHead;
  mapped: PreviewedRows | null;
  problem: string | null;
}

export interface ContractDraft {
  tapeId: string;
  /** The contract from the form. It is validated again before the calculation. */
  contract: unknown;
  /** The stored contract to compare with; null if there is none. */
  against: { transactionId: string; noteId: string } | null;
}

/** Each result is the JSON of a borrowing base result; see the type in the domain package. */
export interface TrialResult {
  draft: unknown;
  active: unknown;
  statusChanges: { from: string; to: string; assets: number }[];
  /** The assets that change status, at most `MAX_CHANGED_ASSETS` in the order of the tape. */
  changedAssets: ChangedAsset[];
}

export const MAX_CHANGED_ASSETS = 10_000;

export interface ChangedAsset {
  assetId: string | null;
  from: string;
  to: string;
  /** In the tape's main currency. */
  amount: string;
}
