import { redirect } from '@remix-run/node';
import { changeImportDraft } from '@tapeline/db/operations/importer/drafts.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { ImportKind } from '@tapeline/domain/importer/kinds.ts';
import { type Turn, turned, turnHeadsOf, turnSchema } from '@tapeline/domain/importer/turn-columns.ts';
import type { SheetTable } from '@tapeline/sheets/sheet-table.ts';
import { z } from 'zod';
import { intent, type Screen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { type DraftTable, openDraft } from '../draft-page.server.ts';

const SHOWN_ROWS = 6;

/** What the page shows of columns that become rows: the choices, and the first rows that they become. */
export function turnPanelOf(
  kind: ImportKind,
  { sheet, table, turn }: { sheet: SheetTable; table: DraftTable; turn: Turn | null },
) {
  const heads = turnHeadsOf(kind);
  if (heads.length === 0 || sheet.columns.length < 3) return null;
  return {
    heads: heads.map(({ key, label }) => ({ value: key, label })),
    columns: sheet.columns.map(({ letters, header }) => ({ letters, header })),
    chosen: turn,
    preview: turn && {
      headers: table.columns.map(({ header }) => header),
      rows: table.rows.slice(0, SHOWN_ROWS).map(({ row, cells, source }) => ({ row, cells, source })),
      total: table.rows.length,
    },
  };
}

const version = z.coerce.number().int();

/** Turns other columns into rows, and forgets what was decided for the earlier ones. */
async function change(screen: Screen, at: number, turn: Turn | null) {
  const { id, content, sheet } = await openDraft(screen);
  if (!sheet) throw new Refusal('notFound');
  if (turn) {
    const known = new Set(sheet.columns.map((column) => column.letters));
    if (!turn.letters.every((one) => known.has(one))) throw new Refusal('badRequest', 'Choose columns of the file');
    if (!turnHeadsOf(content.kind).some(({ key }) => key === turn.head))
      throw new Refusal('badRequest', 'Choose what the headers of the columns are');
    turned(content.kind, sheet, turn);
  }
  const next = { ...content, turn, mapping: null, written: undefined, changes: [], removedRows: [] };
  await screen.db((session) => changeImportDraft(session, { id, version: at, content: next }));
  return redirect(paths.importColumns(id));
}

export const turnIntent = intent({
  permission: 'importer/write',
  schema: turnSchema.extend({ version }),
  run: ({ version: at, ...turn }, screen) => change(screen, at, turn),
});

export const keepIntent = intent({
  permission: 'importer/write',
  schema: z.object({ version }),
  run: (form, screen) => change(screen, form.version, null),
});
