import { objectKey } from '@tapeline/db/files/object-store.ts';
import { openLake } from '@tapeline/db/lake/lake.ts';
import { getStoredFile } from '@tapeline/db/operations/files/files.ts';
import { refuseIssues } from '@tapeline/domain/errors/refusal.ts';
import { checkHeaders } from '@tapeline/domain/tapes/headers.ts';
import { planMapping } from '@tapeline/domain/tapes/mapping-plan.ts';
import { rulesSchema } from '@tapeline/domain/tapes/rule.schema.ts';
import type { PreviewActivities, PreviewMappingInput } from '@tapeline/workflows/preview/activities.ts';
import type { PreviewedRows, SheetHead } from '@tapeline/workflows/preview/preview.ts';
import { tryContract } from '../borrowing-base/try-contract.ts';
import type { WorkerContext } from '../context.ts';
import { type InspectedSheet, inspectSheetFile } from '../sheets/inspect-sheet.ts';
import { compileMapping } from '../tape/compile/compile.ts';
import { previewRows } from '../tape/compile/run.ts';
import { TAPE_WORKER } from '../tape/tape-record.ts';
import { stageInspectedRows } from './stage-inspected-rows.ts';

/** Short questions that a person waits for; nothing of the answers is stored. */
export function createPreviewActivities(context: WorkerContext): PreviewActivities {
  return {
    async inspectFile({ fileId, sheetName }) {
      return toHead(await inspect(context, fileId, sheetName));
    },
    previewMapping: (input) => previewMapping(context, input),
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

/** The first rows as the rules would make them. Headers that the rules read and the sheet lacks are listed, not refused. */
async function previewMapping(context: WorkerContext, input: PreviewMappingInput): Promise<PreviewedRows> {
  const rules = rulesSchema.safeParse(input.rules);
  if (!rules.success) throw refuseIssues(rules.error.issues, 'The mapping cannot be used; see the flagged rules');
  const sheet = await inspect(context, input.fileId, input.sheetName);
  const headers = sheet.columns.map((column) => column.header);
  const { missing } = checkHeaders(planMapping({ rules: rules.data }), headers);
  if (missing.length > 0) return { targets: [], rows: [], missingHeaders: [...missing], assets: 0, errored: 0 };
  const compiled = compileMapping(
    { rules: rules.data },
    { headers, epoch: sheet.epoch },
    { cutOffDate: input.cutOffDate, primaryCurrency: input.primaryCurrency },
  );
  const lake = await openLake({ threads: 1 });
  try {
    const preview = await lake.connected(async (connection) => {
      await stageInspectedRows(connection, sheet, 'staged');
      return previewRows(connection, compiled, 'staged');
    });
    const rows = preview.rows.map((row) => ({
      row: row.row,
      cells: row.cells.map(({ value, errors }) => ({ value, error: errors.length > 0 ? errors.join('; ') : null })),
      errors: row.cells.flatMap((cell, index) =>
        cell.errors.map((reason) => ({
          rule: preview.columns[index]?.rule ?? 0,
          column: preview.columns[index]?.originCol ?? '',
          reason,
        })),
      ),
    }));
    const errored = rows.filter((row) => row.errors.length > 0).length;
    return {
      targets: preview.columns.map(({ target, label }) => ({ path: target, label })),
      rows,
      missingHeaders: [],
      assets: rows.length - errored,
      errored,
    };
  } finally {
    lake.close();
  }
}
