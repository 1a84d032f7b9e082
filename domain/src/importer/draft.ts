import { z } from 'zod';
import { idSchema } from '../documents/id.schema.ts';
import type { ImportRow } from './check.ts';
import { IMPORT_COLUMNS } from './columns.ts';
import { IMPORT_KINDS, type ImportKind, MOST_ROWS } from './kinds.ts';
import { MOST_CELL } from './read-rows.ts';

/** Limits of the files of an import, before anything of them is read. */
export const IMPORT_FILE_LIMITS = {
  bytes: 20 * 1024 * 1024,
  columns: 200,
  /** Characters of all cells. */
  text: 10_000_000,
  pdfBytes: 100 * 1024 * 1024,
} as const;

/** Cells that a person corrects in one import. */
export const MOST_CHANGES = 5_000;

const lettersSchema = z.string().regex(/^[A-Z]{1,3}$/);
const rowSchema = z.int().min(1).max(1_048_576);
const cellSchema = z.string().max(MOST_CELL);

/** An uploaded PDF of a draft. */
const pdfSchema = z.object({
  id: idSchema,
  name: z.string().min(1).max(250),
  /** The investor, fund or class that it belongs to; null until it is known. `fund:class` for a class. */
  owner: z.string().max(150).nullable(),
});

/** An import that was not started yet: the file, what its columns mean, and what a person corrected. */
export const importDraftSchema = z.object({
  kind: z.enum(IMPORT_KINDS),
  status: z.enum(['Draft', 'Active', 'Pending']),
  sheet: z
    .object({
      fileId: idSchema,
      name: z.string().min(1).max(250),
      bytes: z.int().min(0),
      sheetName: z.string().max(250).nullable(),
      headerRow: rowSchema.nullable(),
      /** The headers of the file, to find the mapping again for the next file that has them. */
      headers: z.array(z.string().max(1_000)).max(IMPORT_FILE_LIMITS.columns),
    })
    .nullable(),
  /** Letters of the file's column by column key; null until it is confirmed. */
  mapping: z.record(z.string().max(100), lettersSchema).nullable(),
  /** Corrected cells. The last one of a cell holds. */
  changes: z.array(z.object({ row: rowSchema, column: z.string().max(100), text: cellSchema })).max(MOST_CHANGES),
  removedRows: z.array(rowSchema).max(MOST_ROWS.contributions),
  /** What all PDFs have in common. */
  pdfOf: z
    .object({ fundId: idSchema.nullable(), classKey: z.string().max(100).nullable(), date: z.string().max(10) })
    .nullable(),
  pdfs: z.array(pdfSchema).max(MOST_ROWS.reports),
});
export type ImportDraft = z.output<typeof importDraftSchema>;

export const emptyDraft = (kind: ImportKind, status: ImportDraft['status']): ImportDraft => ({
  kind,
  status,
  sheet: null,
  mapping: null,
  changes: [],
  removedRows: [],
  pdfOf: null,
  pdfs: [],
});

/** A sheet as it was read: its columns by letters, and its rows. */
interface ReadSheet {
  readonly columns: readonly { readonly letters: string }[];
  readonly rows: readonly { readonly row: number; readonly cells: readonly string[] }[];
}

/** A row of the sheet without the corrections. */
export function originalRows(
  kind: ImportKind,
  sheet: ReadSheet,
  mapping: Readonly<Record<string, string>>,
): ImportRow[] {
  const places = new Map(sheet.columns.map(({ letters }, place) => [letters, place]));
  const read = IMPORT_COLUMNS[kind].flatMap(({ key }) => {
    const place = places.get(mapping[key] ?? '');
    return place === undefined ? [] : [[key, place] as const];
  });
  return sheet.rows.flatMap(({ row, cells }) => {
    const own = read.flatMap(([key, place]) => {
      const text = cells[place]?.trim() ?? '';
      return text === '' ? [] : [[key, text] as const];
    });
    // A row that fills only other columns is a note.
    return own.length === 0 ? [] : [{ file: 0, row, cells: Object.fromEntries(own) }];
  });
}

/** The rows as they would be imported: with the corrections, and without the removed rows. */
export function correctedRows(
  rows: readonly ImportRow[],
  draft: Pick<ImportDraft, 'changes' | 'removedRows'>,
): ImportRow[] {
  const changed = Map.groupBy(draft.changes, ({ row }) => row);
  const removed = new Set(draft.removedRows);
  return rows.flatMap((one) => {
    if (removed.has(one.row)) return [];
    const changes = changed.get(one.row) ?? [];
    return [
      { ...one, cells: { ...one.cells, ...Object.fromEntries(changes.map(({ column, text }) => [column, text])) } },
    ];
  });
}

/** The draft with more corrections. A cell that gets its original text again is not a correction any more. */
export function withChanges(
  draft: ImportDraft,
  rows: readonly ImportRow[],
  changes: ImportDraft['changes'],
): ImportDraft['changes'] {
  const original = new Map(rows.map((one) => [one.row, one.cells]));
  const keyOf = ({ row, column }: { row: number; column: string }) => `${row} ${column}`;
  const all = new Map([...draft.changes, ...changes].map((change) => [keyOf(change), change]));
  return [...all.values()].filter(
    ({ row, column, text }) => original.has(row) && (original.get(row)?.[column] ?? '') !== text.trim(),
  );
}
