import { z } from 'zod';
import { idSchema } from '../documents/id.schema.ts';
import { isCompany } from '../entities/name-words.ts';
import { MAX_IMPORT_BYTES } from '../files/buckets.ts';
import { compare, type DecimalText, isDecimal, sum } from '../money/decimal.ts';
import { TOTAL_WORDS } from '../tables/total-words.ts';
import type { ImportRow } from './check.ts';
import { IMPORT_COLUMNS, type ImportColumn } from './columns.ts';
import { IMPORT_KINDS, type ImportKind, MAX_ROWS } from './kinds.ts';
import { MAX_CELL } from './read-rows.ts';
import { type FoundForm, formOf, plainCell, type WrittenForm } from './written-cells.ts';

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
  /** What all rows have in a column that the file does not have, by column key. */
  values: z.record(z.string().max(100), cellSchema).optional(),
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

/** A sheet as it was read: its columns by letters, and its rows. */
interface ReadSheet {
  readonly kind: 'xlsx' | 'csv';
  readonly columns: readonly { readonly letters: string }[];
  readonly rows: readonly { readonly row: number; readonly cells: readonly string[] }[];
}

type Mapping = Readonly<Record<string, string>>;

/** Where each column of the kind is in the rows of the sheet. */
function placesOf(kind: ImportKind, sheet: ReadSheet, mapping: Mapping): [ImportColumn, number][] {
  const places = new Map(sheet.columns.map(({ letters }, index) => [letters, index]));
  return IMPORT_COLUMNS[kind].flatMap((column): [ImportColumn, number][] => {
    const index = places.get(mapping[column.key] ?? '');
    return index === undefined ? [] : [[column, index]];
  });
}

/** How the columns of a sheet that are read write dates and numbers. */
export function formOfSheet(
  kind: ImportKind,
  sheet: ReadSheet,
  mapping: Mapping,
  chosen: Partial<WrittenForm> = {},
): FoundForm {
  const read = placesOf(kind, sheet, mapping);
  const cellsOf = (type: ImportColumn['type']): string[] =>
    read.flatMap(([column, index]) => (column.type === type ? sheet.rows.map(({ cells }) => cells[index] ?? '') : []));
  return formOf({ dates: cellsOf('date'), numbers: cellsOf('decimal'), isWorkbook: sheet.kind === 'xlsx' }, chosen);
}

/** How the columns of a sheet are read: which is which, what all rows have, and how dates and numbers are written. */
export interface SheetReading {
  readonly mapping: Mapping;
  readonly values?: Readonly<Record<string, string>> | undefined;
  readonly form: WrittenForm;
}

/** A row of the sheet without the corrections. */
export function originalRows(
  kind: ImportKind,
  sheet: ReadSheet,
  { mapping, values = {}, form }: SheetReading,
): ImportRow[] {
  const read = placesOf(kind, sheet, mapping);
  const currencyOf = (cells: readonly string[]): string => {
    const index = read.find(([{ type }]) => type === 'currency')?.[1];
    return ((index === undefined ? values.currency : cells[index]) ?? '').trim().toUpperCase();
  };
  const shared = IMPORT_COLUMNS[kind].flatMap((column) => {
    const text = plainCell(column, values[column.key] ?? '', form);
    return text === '' || column.key in mapping ? [] : [[column.key, text] as const];
  });
  return sheet.rows.flatMap(({ row, cells }) => {
    const currency = currencyOf(cells);
    const own = read.flatMap(([column, index]) => {
      const text = plainCell(column, cells[index] ?? '', form, currency);
      return text === '' ? [] : [[column.key, text] as const];
    });
    // A row that fills only other columns is a note.
    return own.length === 0 ? [] : [{ file: 0, row, cells: Object.fromEntries([...shared, ...own]) }];
  });
}

const TOTAL = new RegExp(`^\\s*${TOTAL_WORDS}(?!\\p{L})|^\\s*sums?\\s*:?\\s*$`, 'iu');
const NAMES_RECORD: ReadonlySet<ImportColumn['type']> = new Set(['date', 'email', 'fileName']);

/** A row of the file that adds up a column. It is not imported. */
export interface TotalRow {
  readonly row: number;
  /** The amounts of the row by column key. */
  readonly sums: Readonly<Record<string, string>>;
}

/**
 * Rows that say "Total", have an amount, and name no record: those that a person added below the data. "TOTAL ELECTRIC LLC" is
 * the name of a company, unless its amounts are the sums of the rows above.
 */
export function totalRowsOf(kind: ImportKind, sheet: ReadSheet, { mapping, form }: SheetReading): TotalRow[] {
  const read = placesOf(kind, sheet, mapping);
  const above: Record<string, DecimalText> = {};
  return sheet.rows.flatMap(({ row, cells }) => {
    const texts = read.map(([column, index]) => [column, (cells[index] ?? '').trim()] as const);
    const amounts = texts.flatMap(([column, text]) =>
      column.type === 'decimal' && text !== '' ? [[column.key, plainCell(column, text, form)] as const] : [],
    );
    const label = cells.find((cell) => TOTAL.test(cell));
    const addsUp = () => amounts.every(([key, text]) => isDecimal(text) && compare(text, above[key] ?? '0') === 0);
    if (label === undefined || (isCompany(label) && !addsUp())) {
      for (const [key, text] of amounts) if (isDecimal(text)) above[key] = sum([above[key] ?? '0', text]);
      return [];
    }
    const namesRecord = texts.some(
      ([{ type, key }, text]) =>
        (NAMES_RECORD.has(type) && text !== '' && text !== label.trim()) ||
        ((type === 'wholeNumber' || type === 'reference') && key !== 'fundCode' && /^\d+$/.test(text)),
    );
    return namesRecord || amounts.length === 0 ? [] : [{ row, sums: Object.fromEntries(amounts) }];
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
