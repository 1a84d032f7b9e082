import type { RerunOutcome } from './corrections.schema.ts';
import type { CustomField } from './target-schema.ts';

/**
 * The published parts of a tape and their contents. Parts are in row order, and so are the rows within each part. A
 * generation is replaced by the next one and never changed, except that its list of discarded rows can grow.
 */
export interface GenerationManifest {
  /** Object keys of the Parquet parts with the assets. */
  assets: string[];
  /** Object keys of the parts with the errored rows. */
  errored: string[];
  /** Sheet rows of errored rows that were discarded, ascending; none if omitted. */
  discarded?: number[] | 'all';
  /** Names of the lake columns in the asset parts. */
  columns: string[];
  /** Custom fields of the mapping that made this generation. */
  customFields: CustomField[];
  /** The version of the mapping that made this generation; omitted by earlier versions of the product. */
  mapping?: { id: string; version: number };
  /** The ids are row numbers: the assets are not compared with those of other tapes. */
  unstableIds?: true;
  /** The outcome of the re-run that made this generation, if corrected rows were re-run. */
  rerun?: RerunOutcome;
  /** Object key of all corrections of the tape so far (JSON, `CorrectionRecord[]`); none if omitted. */
  corrections?: string;
  /** It was replaced when the objects of replaced generations were not kept: some may have been deleted. */
  swept?: true;
}

/** What the top of the sheet showed before the rows were read: enough to compile the mapping. */
export interface SheetShape {
  sheetName: string;
  headerRow: number;
  /** Header texts by column index. */
  columns: string[];
  epoch: 1900 | 1904;
  /** Rows per batch. A reader that resumes after a killed one must use the same value. */
  batchRows: number;
  /** The file type; omitted by earlier versions. */
  kind?: 'xlsx' | 'csv';
}
