import type { FileMetadata } from '../documents/document.schema.ts';
import { type Reason, textOf, type Why } from '../errors/reason.ts';
import type { DecimalText } from '../money/decimal.ts';
import type { ImportKind, ImportRecordStatus } from './kinds.ts';

/** One row of the sheets of an import, as it was read or corrected. */
export interface ImportRow {
  /** Which of the import's sheets, from 0. */
  readonly file: number;
  /** The number of the row in its sheet, from 1. */
  readonly row: number;
  /** The cell of the sheet, if its columns were turned into rows: "C4". */
  readonly source?: string;
  /** Texts by column key: numbers as plain decimals, dates as YYYY-MM-DD. A blank cell is absent or empty. */
  readonly cells: Readonly<Record<string, string>>;
}

/** What is to be imported. */
export interface ImportInput {
  readonly kind: ImportKind;
  /** Of the new records; the default of the kind if omitted. */
  readonly status?: ImportRecordStatus | undefined;
  readonly rows: readonly ImportRow[];
  /** The sheets, by the `file` of the rows. */
  readonly attachments: readonly FileMetadata[];
  /** The PDFs that rows name. */
  readonly files?: readonly FileMetadata[] | undefined;
}

/**
 * `value`: the cell cannot be read or is beyond a limit. `reference`: the code names nothing. `duplicate`: another row or
 * record is the same. `rule`: the record would violate a rule, for example more would be called than is committed.
 */
export type ImportProblemKind = 'value' | 'reference' | 'duplicate' | 'rule';

export interface ImportProblem {
  readonly kind: ImportProblemKind;
  /** The key of the column; null if the problem is in the row as a whole. */
  readonly column: string | null;
  /** Continues the label of the column: "is required", "must be at least 0". A sentence if there is no column. */
  readonly message: string;
  /** The same for programs, if one of them asks for it. Checks that were stored earlier do not have it. */
  readonly reason?: Reason;
}

export const importProblem = (kind: ImportProblemKind, column: string | null, why: Why): ImportProblem => ({
  kind,
  column,
  message: textOf(why),
  ...(typeof why === 'string' || why.code === 'other' ? {} : { reason: why }),
});

/** A document that a row refers to by its code, formal id or file name. */
export interface ImportReference {
  readonly column: string;
  readonly collection: 'funds' | 'mainFunds' | 'LPs' | 'entities' | 'files';
  /** As the row has it. */
  readonly code: string;
  readonly id: string;
  readonly title: string;
  /** Whether a person matched the text to the document before. */
  readonly isRemembered?: boolean;
}

/** What a check says about one row. */
export interface ImportRowResult {
  readonly file: number;
  readonly row: number;
  /** Every reason why the row cannot be imported; empty if it can be. */
  readonly problems: readonly ImportProblem[];
}

/** Records of the manager in one currency. `currency` is null for records without amounts. */
export interface ImportTotal {
  readonly currency: string | null;
  readonly count: number;
  /** By field, for example `maxCommitment`. */
  readonly sums: Readonly<Record<string, DecimalText>>;
}

/** Records of one fund, or one of its classes, before the import and with its rows that have no problem. */
export interface ImportFundTotal {
  readonly fundId: string;
  readonly title: string;
  /** Null for records of the whole fund. */
  readonly classKey: string | null;
  /** What people call the class. Checks that were stored earlier do not have it. */
  readonly className?: string | null;
  readonly currency: string;
  readonly before: { readonly count: number; readonly sum: DecimalText };
  readonly after: { readonly count: number; readonly sum: DecimalText };
}

/** What looks like a mistake in one row. */
export interface ImportWarning {
  readonly file: number;
  readonly row: number;
  /** A sentence with the values. */
  readonly message: string;
}

/** The answer of a dry run: what an import of these rows would do. */
export interface ImportCheck {
  readonly kind: ImportKind;
  readonly totalCount: number;
  /** Rows without a problem. */
  readonly readyCount: number;
  /** One result for each row, in the order of the rows. */
  readonly rows: readonly ImportRowResult[];
  /** Each document that rows refer to, once for each column and code. */
  readonly references: readonly ImportReference[];
  readonly before: readonly ImportTotal[];
  /** With the rows that have no problem. */
  readonly after: readonly ImportTotal[];
  /** Rows that can be imported but look like a mistake. A person confirms them first. */
  readonly warnings?: readonly ImportWarning[];
  /** The same for each fund that the rows name, of kinds with amounts of an investor in a fund. */
  readonly funds?: readonly ImportFundTotal[];
}
