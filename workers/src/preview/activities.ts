import { getStoredFile } from '@tapeline/db/operations/files/files.ts';
import { objectKey } from '@tapeline/lake/storage/object-store.ts';
import type { InspectedSheet } from '@tapeline/sheets/inspect-sheet.ts';
import type { PreviewActivities, SheetInput } from '@tapeline/workflows/preview/activities.ts';
import { Context } from '@temporalio/activity';
import { tryContract } from '../borrowing-base/try-contract.ts';
import type { WorkerContext } from '../context.ts';
import { countLatestRows } from '../latest-rows/activities.ts';
import { printDocument } from '../printing/print-document.ts';
import { inspectUploadedSheet } from '../tape/read-sheet-file.ts';
import { TAPE_WORKER } from '../tape/tape-record.ts';
import type { Answering } from './by-reference.ts';
import { previewDraft } from './preview-draft.ts';
import { previewMapping } from './preview-mapping.ts';
import { toHead } from './sheet-head.ts';
import { surveySheet } from './survey-sheet.ts';

/** A user is waiting for the survey. This is enough time for about 200,000 rows, or all rows of a smaller sheet. */
const SURVEY_BUDGET_MS = 1_200;

/** Creates the short activities that a user waits for. Their answers are not stored. */
export function createPreviewActivities(context: WorkerContext): Answering<PreviewActivities> {
  const limits = () => ({ signal: Context.current().cancellationSignal, memoryLimit: context.jobMemory });
  return {
    async inspectFile(input) {
      const { path, sheet } = await inspect(context, input);
      const head = toHead(sheet);
      if (!input.isSurveyed) return head;
      const signal = AbortSignal.timeout(2 * SURVEY_BUDGET_MS);
      const survey = await surveySheet(path, sheet, SURVEY_BUDGET_MS, signal);
      return { ...head, notices: survey.rows < head.rows.length ? (head.notices ?? []) : survey.notices, survey };
    },
    async previewMapping(input) {
      return previewMapping((await inspect(context, input)).sheet, input, limits());
    },
    async previewDraft(input) {
      return previewDraft((await inspect(context, input)).sheet, input, limits());
    },
    countLatestRows: (input) => countLatestRows(context, input, limits().signal),
    tryContract: (input) => tryContract(context, input),
    async printDocument(input) {
      const bytes = await printDocument(input, Context.current().cancellationSignal);
      return { base64: bytes.toString('base64') };
    },
  };
}

/** Reads a file by its id. The caller has already checked that the file is visible to the user. */
async function inspect(
  context: WorkerContext,
  { fileId, sheetName, isMappingsSheet = false }: SheetInput,
): Promise<{ path: string; sheet: InspectedSheet }> {
  const file = await context.store.as(TAPE_WORKER, (session) => getStoredFile(session, fileId));
  const path = await context.objects.localPath(objectKey(file.bucket, file.key));
  const sheet = await inspectUploadedSheet(path, sheetName === null ? {} : { sheetName, isMappingsSheet });
  return { path, sheet };
}
