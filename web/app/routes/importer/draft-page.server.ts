import { resolveFile } from '@tapeline/db/operations/files/files.ts';
import { getImportDraft } from '@tapeline/db/operations/importer/drafts.ts';
import type { ImportRow } from '@tapeline/domain/importer/check.ts';
import type { ImportDraft } from '@tapeline/domain/importer/draft.ts';
import { type ReadDraft, readDraft } from '@tapeline/domain/importer/read-draft.ts';
import type { ReadSheet } from '@tapeline/domain/importer/sheet-rows.ts';
import type { FoundForm } from '@tapeline/domain/importer/written-cells.ts';
import { readImportFile } from '@tapeline/lake/imports/read-import-file.ts';
import type { SheetTable } from '@tapeline/sheets/sheet-table.ts';
import type { Screen } from '../../http/screen.server.ts';
import { ownersOf } from './new.server.ts';

/** A sheet whose rows know their cells if columns were turned into rows. */
export type DraftTable = Omit<SheetTable, 'rows'> & Pick<ReadSheet, 'rows'>;

/** A draft with its sheet, if it has one: the rows as read, and as they would be imported. */
export interface OpenDraft extends Omit<ReadDraft<DraftTable>, 'table' | 'form'> {
  readonly id: string;
  readonly version: number;
  readonly importId: string | null;
  readonly content: ImportDraft;
  readonly createdAt: Date;
  /** As the file has it. */
  readonly sheet: SheetTable | null;
  /** With the turned columns as rows. */
  readonly table: DraftTable | null;
  /** How the file writes dates and numbers. */
  readonly form: FoundForm | null;
}

/**
 * Opens a draft and reads its file again: a draft stores what a person decided, and not the cells.
 * @throws Refusal notFound; badRequest if the file cannot be read
 */
export async function openDraft({
  db,
  context,
  params,
}: Pick<Screen, 'db' | 'context' | 'params'>): Promise<OpenDraft> {
  const found = await db(async (session) => {
    const draft = await getImportDraft(session, params.id ?? '');
    const { content } = draft;
    return {
      draft,
      file: content.sheet
        ? await resolveFile(session, { bucket: 'importerFiles', keyOrId: content.sheet.fileId })
        : null,
      owners: content.sheet ? [] : await ownersOf(session, content),
    };
  });
  const { draft, file, owners } = found;
  const { id, version, content, createdAt } = draft;
  const shared = { id, version, importId: draft.importId ?? null, content, createdAt };
  if (!content.sheet || !file) {
    const rows = rowsOfPdfs(content, owners);
    return { ...shared, sheet: null, table: null, original: rows, rows, totalRows: [], headings: [], form: null };
  }
  const { sheetName, headerRow } = content.sheet;
  const sheet = await readImportFile(context.objects, content.kind, { key: file.key, sheetName, headerRow });
  return { ...shared, sheet, ...readDraft<DraftTable>(sheet, content) };
}

/** Each PDF as a row: the owner that was chosen, the date of all, and the name of the file. */
function rowsOfPdfs(
  { pdfs, pdfOf }: ImportDraft,
  owners: readonly { id: string; cells: Readonly<Record<string, string>> }[],
): ImportRow[] {
  const cellsOf = new Map(owners.map(({ id, cells }) => [id, cells]));
  return pdfs.map(({ name, owner }, at) => ({
    file: 0,
    // The first row of a sheet has the headers.
    row: at + 2,
    cells: { ...(cellsOf.get(owner ?? '') ?? {}), date: pdfOf?.date ?? '', fileName: name },
  }));
}
