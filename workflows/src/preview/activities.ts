import type { ContractDraft, DraftedSheet, PreviewedRows, SheetHead, TrialResult } from './preview.ts';

/** Short questions a person waits for: answered by one activity, stored nowhere. */
export interface PreviewActivities {
  /** The head of an uploaded file: sheets, header row, columns, first 100 rows as read; with a survey of the rows below, if asked for. Refuses what is no tape. */
  inspectFile(input: SheetInput & { isSurveyed?: boolean }): Promise<SheetHead>;
  /** The same rows as a mapping would make them, each cell with its error. */
  previewMapping(input: PreviewMappingInput): Promise<PreviewedRows>;
  /** Both of them of one reading of the file; rules that cannot be used leave the head. */
  previewDraft(input: PreviewMappingInput): Promise<DraftedSheet>;
  /** The borrowing base a contract would give on a published tape, beside its notes' present one. */
  tryContract(input: ContractDraft): Promise<TrialResult>;
}

export interface SheetInput {
  fileId: string;
  /** Null: the sheet that looks most like a tape. */
  sheetName: string | null;
  /** The name is a mapping's: this month's sheet may have another date in its name. */
  isMappingsSheet?: boolean;
}

export interface PreviewMappingInput extends SheetInput {
  cutOffDate: string;
  primaryCurrency: string;
  /** Rules as posted; validated again where they are compiled. */
  rules: unknown;
}
