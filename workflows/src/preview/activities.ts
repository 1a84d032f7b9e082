import type { ContractDraft, PreviewedRows, SheetHead, TrialResult } from './preview.ts';

/** Short questions a person waits for: answered by one activity, stored nowhere. */
export interface PreviewActivities {
  /** The head of an uploaded file: sheets, header row, columns, first 100 rows as read. Refuses what is no tape. */
  inspectFile(input: { fileId: string; sheetName: string | null }): Promise<SheetHead>;
  /** The same rows as a mapping would make them, each cell with its error. */
  previewMapping(input: PreviewMappingInput): Promise<PreviewedRows>;
  /** The borrowing base a contract would give on a published tape, beside its notes' present one. */
  tryContract(input: ContractDraft): Promise<TrialResult>;
}

export interface PreviewMappingInput {
  fileId: string;
  sheetName: string | null;
  cutOffDate: string;
  primaryCurrency: string;
  /** Rules as posted; validated again where they are compiled. */
  rules: unknown;
}
