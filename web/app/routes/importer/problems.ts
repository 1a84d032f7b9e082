import { XLSX_TYPE } from '@tapeline/domain/files/file-types.ts';
import { IMPORT_COLUMNS } from '@tapeline/domain/importer/columns.ts';
import { KIND_TITLES } from '@tapeline/domain/importer/kinds.ts';
import { importRowsWorkbook } from '@tapeline/lake/imports/import-workbook.ts';
import { readScreenOfManager } from '../../http/screen.server.ts';
import { checkOrWait } from './check-draft.server.ts';
import { openDraft } from './draft-page.server.ts';
import { fileAnswer } from './file-answer.ts';

/** The rows that cannot be imported, as they are now, each with its reasons: a workbook that can be uploaded again. */
export const loader = readScreenOfManager('importer/write', async (screen) => {
  const draft = await openDraft(screen);
  const { kind } = draft.content;
  const labels = new Map(IMPORT_COLUMNS[kind].map(({ key, label }) => [key, label]));
  const { check } = await checkOrWait(screen, draft);
  const reasons = new Map(
    check.rows.flatMap(({ row, problems }) =>
      problems.length === 0
        ? []
        : [
            [
              row,
              problems
                .map(({ column, message }) =>
                  column === null ? message : `${labels.get(column) ?? column}: ${message}`,
                )
                .join('; '),
            ],
          ],
    ),
  );
  const rows = draft.rows.filter(({ row }) => reasons.has(row));
  const content = await importRowsWorkbook(kind, rows, { created: new Date(), reasons });
  return fileAnswer(content, `${KIND_TITLES[kind].title} with problems.xlsx`, XLSX_TYPE);
});
