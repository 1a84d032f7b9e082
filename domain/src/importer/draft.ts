import { z } from 'zod';
import { idSchema } from '../documents/id.schema.ts';
import { MAX_IMPORT_BYTES } from '../files/buckets.ts';
import { isDecimal } from '../money/decimal.ts';
import type { ImportRow } from './check.ts';
import { IMPORT_COLUMNS } from './columns.ts';
import { IMPORT_KINDS, type ImportKind, MAX_ROWS } from './kinds.ts';
import { MAX_CELL } from './read-rows.ts';
import { turnSchema } from './turn-columns.ts';
import { plainCell, type WrittenForm } from './written-cells.ts';

/** Limits of the files of an import, before anything of them is read. */
export const IMPORT_FILE_LIMITS = {
  bytes: MAX_IMPORT_BYTES,
  columns: 200,
  /** Characters of all cells. */
  text: 10_000_000,
} as const;

/** Cells that a person corrects in one import. */
export const MAX_CHANGES = 5_000;

const lettersSchema = z.string().regex(/^[A-Z]{1,3}$/);
const rowSchema = z.int().min(1).max(1_048_576);
const cellSchema = z.string().max(MAX_CELL);

/** An uploaded PDF of a draft. */
const pdfSchema = z.object({
  id: idSchema,
  name: z.string().min(1).max(250),
  /** The investor, fund or class that it belongs to; null until it is known. `fund:class` for a class. */
  owner: z.string().max(150).nullable(),
});

/** A value for each text of a column of the file: its letters, and the values by text. */
const valuesBySchema = z.object({
  letters: lettersSchema,
  values: z.record(z.string().max(MAX_CELL), cellSchema),
});
export type ValuesBy = Readonly<Record<string, z.output<typeof valuesBySchema>>>;

/** Texts for which a person gives a value each. */
export const MAX_VALUES_BY = 500;

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
  /** Columns of the file that become rows. */
  turn: turnSchema.nullish(),
  /** What all rows have in a column that the file does not have, by column key. */
  values: z.record(z.string().max(100), cellSchema).optional(),
  /** What rows have in such a column, by what they have in a column of the file. */
  valuesBy: z.record(z.string().max(100), valuesBySchema).optional(),
  /** How the file writes dates and numbers, if a person chose it. */
  written: z.object({ dayFirst: z.boolean().nullable(), decimal: z.enum(['.', ',']).nullable() }).optional(),
  /** Corrected cells. The last one of a cell holds. */
  changes: z.array(z.object({ row: rowSchema, column: z.string().max(100), text: cellSchema })).max(MAX_CHANGES),
  removedRows: z.array(rowSchema).max(MAX_ROWS.contributions),
  /** What all PDFs have in common. */
  pdfOf: z
    .object({ fundId: idSchema.nullable(), classKey: z.string().max(100).nullable(), date: z.string().max(10) })
    .nullable(),
  pdfs: z.array(pdfSchema).max(MAX_ROWS.reports),
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

/** The rows with the amounts that could not be read in the currency of the file, and can be in the corrected one. */
export function withReadAmounts(kind: ImportKind, rows: readonly ImportRow[], form: WrittenForm): ImportRow[] {
  const amounts = IMPORT_COLUMNS[kind].filter(({ type }) => type === 'decimal');
  return rows.map((row) => {
    const { cells } = row;
    const read = amounts.flatMap((column) => {
      const text = cells[column.key] ?? '';
      if (text === '' || isDecimal(text)) return [];
      const plain = plainCell(column, text, form, cells.currency?.toUpperCase());
      return plain === text ? [] : [[column.key, plain] as const];
    });
    return read.length === 0 ? row : { ...row, cells: { ...cells, ...Object.fromEntries(read) } };
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
