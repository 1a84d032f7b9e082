import type { RuleFinding } from '../../../commands/tried-suggestions.server.ts';
import type { ChoiceCounts } from '../../../components/forms/choice-search.tsx';

/** A file that a draft is previewed on. */
export interface PreviewedFile {
  readonly fileId: string;
  /** The tape that the file belongs to. Null for a file that was uploaded to make a mapping. */
  readonly tapeId: string | null;
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Dates are counted to this date if the draft has no cut-off date. */
  readonly cutOffDate: string;
}

export interface SheetColumn {
  readonly header: string;
  /** A few distinct values, as read. */
  readonly examples: readonly string[];
}

/** The cells of one rule, as read and as mapped. */
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
    /** Why the value is implausible, or why a cell that could not be read left it empty. This is not an error. */
    readonly warning: string | null;
  }[];
}

/** The result of a draft on the first rows of a file. */
export interface DraftPreview {
  readonly file: PreviewedFile;
  /** Number of rows previewed. */
  readonly rows: number;
  readonly assets: number;
  readonly errored: number;
  /** Assets with a value outside the plausible range of its field, or left empty because its cell could not be read. */
  readonly warned: number;
  readonly missingHeaders: readonly string[];
  /** Rules with errors, which the preview leaves out. */
  readonly leftOut: readonly number[];
  readonly samples: readonly RuleSample[];
  /** Failing rules, the most frequent failures first, each with its first row and reason. */
  readonly failures: readonly RuleFinding[];
  /** Rules that produce implausible values, or leave fields empty, in the same form. */
  readonly warnings: readonly RuleFinding[];
  /** The file's columns and sheets, independent of the rules. */
  readonly columns: readonly SheetColumn[];
  readonly sheets: readonly string[];
  /** Content of the file that cannot be read. */
  readonly notices: readonly string[];
  /** Why there is nothing to show. */
  readonly problem: string | null;
}

/** How a form names the file: `tape:<id>`, or `file:<id>`. */
/** The tapes that a draft can be tried on, as the form names them. */
export interface TapesToTry {
  readonly files: readonly { value: string; label: string }[];
  readonly counts: ChoiceCounts;
}

export const tryValue = (file: Pick<PreviewedFile, 'fileId' | 'tapeId'>): string =>
  file.tapeId ? `tape:${file.tapeId}` : `file:${file.fileId}`;
