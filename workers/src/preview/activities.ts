import { objectKey } from '@tapeline/db/files/object-store.ts';
import { getStoredFile } from '@tapeline/db/operations/files/files.ts';
import type { PreviewActivities, SheetInput } from '@tapeline/workflows/preview/activities.ts';
import { tryContract } from '../borrowing-base/try-contract.ts';
import type { WorkerContext } from '../context.ts';
import { type InspectedSheet, inspectSheetFile } from '../sheets/inspect-sheet.ts';
import { TAPE_WORKER } from '../tape/tape-record.ts';
import { previewDraft } from './preview-draft.ts';
import { previewMapping } from './preview-mapping.ts';
import { toHead } from './sheet-head.ts';
import { surveySheet } from './survey-sheet.ts';

/** A person waits for the survey: it reads some 200,000 rows in this time, and all of a smaller sheet. */
const SURVEY_BUDGET_MS = 1_200;

/** Short questions that a person waits for; nothing of the answers is stored. */
export function createPreviewActivities(context: WorkerContext): PreviewActivities {
  return {
    async inspectFile(input) {
      const { path, sheet } = await inspect(context, input);
      const head = toHead(sheet);
      if (!input.isSurveyed) return head;
      const signal = AbortSignal.timeout(2 * SURVEY_BUDGET_MS);
      return { ...head, survey: await surveySheet(path, sheet, SURVEY_BUDGET_MS, signal) };
    },
    async previewMapping(input) {
      return previewMapping((await inspect(context, input)).sheet, input);
    },
    async previewDraft(input) {
      return previewDraft((await inspect(context, input)).sheet, input);
    },
    tryContract: (input) => tryContract(context, input),
  };
}

/** Whoever asked has found the file in their own sight; here it is read by its id. */
async function inspect(
  context: WorkerContext,
  { fileId, sheetName, isMappingsSheet = false }: SheetInput,
): Promise<{ path: string; sheet: InspectedSheet }> {
  const file = await context.store.as(TAPE_WORKER, (session) => getStoredFile(session, fileId));
  const path = await context.objects.localPath(objectKey(file.bucket, file.key));
  const sheet = await inspectSheetFile(path, sheetName === null ? {} : { sheetName, isMappingsSheet });
  return { path, sheet };
}
