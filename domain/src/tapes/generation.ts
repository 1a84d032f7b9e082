import type { RerunOutcome } from './corrections.schema.ts';
import type { CustomField } from './target-schema.ts';

/**
 * A tape as published: where its parts lie, and what they hold. Parts are in row order, and their rows in order within;
 * a generation is never changed, only replaced by the next one; what grows is the list of errored rows given up.
 */
export interface GenerationManifest {
  /** Object keys of the Parquet parts with the assets. */
  assets: string[];
  /** Object keys of the parts with the errored rows. */
  errored: string[];
  /** Sheet rows among the errored ones that were discarded, ascending; none where left out. */
  discarded?: number[] | 'all';
  /** Lake columns that the asset parts hold, by name. */
  columns: string[];
  /** Custom fields of the mapping that made it. */
  customFields: CustomField[];
  /** Where a re-run of corrected rows made this generation: what it came to. */
  rerun?: RerunOutcome;
  /** Object key of every correction that the tape holds so far (JSON, `CorrectionRecord[]`); none where left out. */
  corrections?: string;
}

/** What the sheet's head told before the rows were read: enough to compile the mapping. */
export interface SheetShape {
  sheetName: string;
  headerRow: number;
  /** Header texts by column index. */
  columns: string[];
  epoch: 1900 | 1904;
  /** Rows a batch, the same for whoever reads on after a killed reader. */
  batchRows: number;
  /** What the file is; left out by earlier versions. */
  kind?: 'xlsx' | 'csv';
}
