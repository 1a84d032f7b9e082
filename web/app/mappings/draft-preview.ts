/** A file that a draft is shown on. */
export interface PreviewedFile {
  readonly fileId: string;
  /** The tape it is of; null for a file that was uploaded to make a mapping with. */
  readonly tapeId: string | null;
  readonly name: string;
  /** What dates are counted to where the draft names no cut-off date. */
  readonly cutOffDate: string;
}

export interface SheetColumn {
  readonly header: string;
  /** A few different values, as read. */
  readonly examples: readonly string[];
}

/** The cells of one rule, as read and as made. */
export interface RuleSample {
  /** Place in the draft, 0-based. */
  readonly rule: number;
  readonly header: string | null;
  readonly target: string;
  readonly cells: readonly {
    readonly row: number;
    readonly read: string | null;
    readonly made: string | null;
    readonly error: string | null;
  }[];
}

/** What a draft makes of the first rows of a file. */
export interface DraftPreview {
  readonly file: PreviewedFile;
  /** Rows looked at. */
  readonly rows: number;
  readonly assets: number;
  readonly errored: number;
  readonly missingHeaders: readonly string[];
  /** Rules at fault, which the preview does without. */
  readonly leftOut: readonly number[];
  readonly samples: readonly RuleSample[];
  /** Rules that fail, the most often failing first, each with its first row and reason. */
  readonly failures: readonly { rule: number; count: number; row: number; reason: string }[];
  /** The file's columns and sheets, whatever the rules are. */
  readonly columns: readonly SheetColumn[];
  readonly sheets: readonly string[];
  /** Why there is nothing to show. */
  readonly fault: string | null;
}

/** How a form names the file: `tape:<id>`, or `file:<id>`. */
export const tryValue = (file: Pick<PreviewedFile, 'fileId' | 'tapeId'>): string =>
  file.tapeId ? `tape:${file.tapeId}` : `file:${file.fileId}`;
