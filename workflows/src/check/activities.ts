import type { CheckedFile } from '@tapeline/domain/tapes/tape-check.ts';
import type { PreviewMappingInput } from '../preview/activities.ts';
import type { Answer, Question } from '../preview/references.ts';

/** Longer than previews, because every row of a file is read. A person waits, and nothing is stored. */
export interface CheckActivities {
  /** What the rules make of every row of an uploaded file. Its heartbeats say how much is read, 0 to 1. */
  checkTape(input: Question<CheckTapeInput>): Promise<Answer<CheckedFile>>;
}

export interface CheckTapeInput extends PreviewMappingInput {
  /** The company whose earlier tape the Consistent check compares with; null to compare with none. */
  companyId: string | null;
}

/** How long a check may take, in seconds: enough for about 5,000,000 rows. It ends before the activity would time out. */
export const CHECK_SECONDS = 110;
