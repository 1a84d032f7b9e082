import { objectKey } from '@tapeline/db/files/object-store.ts';
import { getStoredFile } from '@tapeline/db/operations/files/files.ts';
import type { PreviewActivities } from '@tapeline/workflows/preview/activities.ts';
import type { SheetHead } from '@tapeline/workflows/preview/preview.ts';
import { tryContract } from '../borrowing-base/try-contract.ts';
import type { WorkerContext } from '../context.ts';
import { type InspectedSheet, inspectSheetFile } from '../sheets/inspect-sheet.ts';
import { TAPE_WORKER } from '../tape/tape-record.ts';
import { previewMapping } from './preview-mapping.ts';

/** Short questions that a person waits for; nothing of the answers is stored. */
export function createPreviewActivities(context: WorkerContext): PreviewActivities {
  return {
    async inspectFile({ fileId, sheetName }) {
      return toHead(await inspect(context, fileId, sheetName));
    },
    async previewMapping(input) {
      return previewMapping(await inspect(context, input.fileId, input.sheetName), input);
    },
    tryContract: (input) => tryContract(context, input),
  };
}

/** Whoever asked has found the file in their own sight; here it is read by its id. */
async function inspect(context: WorkerContext, fileId: string, sheetName: string | null): Promise<InspectedSheet> {
  const file = await context.store.as(TAPE_WORKER, (session) => getStoredFile(session, fileId));
  const path = await context.objects.localPath(objectKey(file.bucket, file.key));
  return inspectSheetFile(path, sheetName === null ? {} : { sheetName });
}

const KINDS = ['blank', 'number', 'text', 'boolean', 'date', 'error'] as const;

const toHead = (sheet: InspectedSheet): SheetHead => ({
  kind: sheet.kind,
  sheets: sheet.sheets.map(({ name, hidden }) => ({ name, hidden })),
  sheetName: sheet.sheetName,
  headerRow: sheet.headerRow,
  epoch: sheet.epoch,
  columns: sheet.columns.map(({ index, header, kinds }) => ({ index, header, kinds: [...kinds] })),
  rows: sheet.rows.map(({ row, cells }) => ({
    row,
    cells: cells.map(({ tag, value }) => ({ kind: KINDS[tag] ?? 'blank', text: value })),
  })),
});
