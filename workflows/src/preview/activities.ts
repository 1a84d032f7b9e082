import type { PrintedDocument } from '@tapeline/domain/printing/printed-document.ts';
import type { LatestRowCounts } from '@tapeline/domain/tapes/latest-rows/latest-rows.schema.ts';
import type { ContractDraft, DraftedSheet, PreviewedRows, SheetHead, TrialResult } from './preview.ts';
import type { Answer, Question } from './references.ts';

/** Short requests that a user waits for. One activity answers each of them, and nothing is stored. */
export interface PreviewActivities {
  /**
   * The head of an uploaded file: sheets, header row, columns, first 100 rows as read, and on request a survey of the
   * rows below. Refuses a file that is not a tape.
   */
  inspectFile(input: Question<SheetInput & { isSurveyed?: boolean }>): Promise<Answer<SheetHead>>;
  /** The same rows, mapped with the given rules, each cell with its error. */
  previewMapping(input: Question<PreviewMappingInput>): Promise<Answer<PreviewedRows>>;
  /** Both from a single read of the file. If the rules cannot be used, returns only the head. */
  previewDraft(input: Question<PreviewMappingInput>): Promise<Answer<DraftedSheet>>;
  /** What would become of each row if the latest one of each loan were kept; null if this takes too long to count. */
  countLatestRows(input: Question<LatestRowsInput>): Promise<Answer<LatestRowCounts | null>>;
  /** The borrowing base of a draft contract on a published tape, and that of the note's current contract. */
  tryContract(input: Question<ContractDraft>): Promise<Answer<TrialResult>>;
  printDocument(input: Question<PrintedDocument>): Promise<Answer<PrintedFile>>;
}

export interface PrintedFile {
  base64: string;
}

export interface SheetInput {
  fileId: string;
  /** Null for the sheet that looks most like a tape. */
  sheetName: string | null;
  /** Whether the name is from a mapping. This month's sheet may have another date in its name. */
  isMappingsSheet?: boolean;
}

export interface PreviewMappingInput extends SheetInput {
  cutOffDate: string;
  primaryCurrency: string;
  /** The rules as posted. They are validated again when they are compiled. */
  rules: unknown;
}

export interface LatestRowsInput extends SheetInput {
  idColumn: string;
  monthColumn: string;
  /** Calendar date; rows of later months are left out. Null for all months. */
  upTo: string | null;
}
