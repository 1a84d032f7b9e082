import type { LatestRowCounts } from '@tapeline/domain/tapes/latest-rows/latest-rows.schema.ts';
import type { LatestRowsInput } from '../preview/activities.ts';
import type { Answer, Question } from '../preview/references.ts';

/** Longer than previews, because every row of a file is read twice. A person waits. */
export interface LatestRowsActivities {
  /** Writes a file with the latest row of each loan to `target`. Its heartbeats say how much is read, 0 to 1. */
  keepLatestRows(input: Question<KeepLatestRowsInput>): Promise<Answer<KeptRows>>;
}

export interface KeepLatestRowsInput extends LatestRowsInput {
  /** The key of the object that is written. No file refers to it yet. */
  target: string;
}

export interface KeptRows {
  kind: 'xlsx' | 'csv';
  sheetName: string;
  counts: LatestRowCounts;
  /** Sentences about content of the sheet that cannot be read, and is not in the new file. */
  notices: string[];
  /** Bytes of the new file. */
  size: number;
}

/** How long it may take, in seconds. It ends before the activity would time out. */
export const LATEST_ROWS_SECONDS = 110;
