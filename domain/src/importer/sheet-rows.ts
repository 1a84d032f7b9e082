import type { ImportRow } from './check.ts';
import { IMPORT_COLUMNS, type ImportColumn } from './columns.ts';
import type { ValuesBy } from './draft.ts';
import type { ImportKind } from './kinds.ts';
import { type FoundForm, formOf, plainCell, type WrittenForm } from './written-cells.ts';

/** A sheet as it was read: its columns by letters, and its rows. */
export interface ReadSheet {
  readonly kind: 'xlsx' | 'csv';
  readonly columns: readonly { readonly letters: string }[];
  readonly rows: readonly {
    readonly row: number;
    readonly cells: readonly string[];
    /** The cell of the file, if columns were turned into rows. */
    readonly source?: string;
  }[];
}

type Mapping = Readonly<Record<string, string>>;

const indexByLetters = ({ columns }: ReadSheet): ReadonlyMap<string, number> =>
  new Map(columns.map(({ letters }, index) => [letters, index]));

/** The columns of the kind that the sheet has, each with its index in the rows. */
export function columnsRead(kind: ImportKind, sheet: ReadSheet, mapping: Mapping): [ImportColumn, number][] {
  const indexes = indexByLetters(sheet);
  return IMPORT_COLUMNS[kind].flatMap((column): [ImportColumn, number][] => {
    const index = indexes.get(mapping[column.key] ?? '');
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
  const read = columnsRead(kind, sheet, mapping);
  const cellsOf = (type: ImportColumn['type']): string[] =>
    read.flatMap(([column, index]) => (column.type === type ? sheet.rows.map(({ cells }) => cells[index] ?? '') : []));
  return formOf({ dates: cellsOf('date'), numbers: cellsOf('decimal'), isWorkbook: sheet.kind === 'xlsx' }, chosen);
}

/** How the columns of a sheet are read: which is which, what all rows have, and how dates and numbers are written. */
export interface SheetReading {
  readonly mapping: Mapping;
  readonly values?: Readonly<Record<string, string>> | undefined;
  readonly valuesBy?: ValuesBy | undefined;
  readonly form: WrittenForm;
}

/** A row of the sheet without the corrections. */
export function originalRows(
  kind: ImportKind,
  sheet: ReadSheet,
  { mapping, values = {}, valuesBy = {}, form }: SheetReading,
): ImportRow[] {
  const read = columnsRead(kind, sheet, mapping);
  const indexes = indexByLetters(sheet);
  const byOther = IMPORT_COLUMNS[kind].flatMap((column) => {
    const by = column.key in mapping ? undefined : valuesBy[column.key];
    const index = by && indexes.get(by.letters);
    return by && index !== undefined ? [{ column, index, texts: by.values }] : [];
  });
  const given = (cells: readonly string[]) =>
    byOther.flatMap(({ column, index, texts }) => {
      const text = plainCell(column, texts[(cells[index] ?? '').trim()] ?? '', form);
      return text === '' ? [] : [[column.key, text] as const];
    });
  const currencyOf = (cells: readonly string[], other: Readonly<Record<string, string>>): string => {
    const index = read.find(([{ type }]) => type === 'currency')?.[1];
    return ((index === undefined ? (other.currency ?? values.currency) : cells[index]) ?? '').trim().toUpperCase();
  };
  const shared = IMPORT_COLUMNS[kind].flatMap((column) => {
    const text = plainCell(column, values[column.key] ?? '', form);
    return text === '' || column.key in mapping ? [] : [[column.key, text] as const];
  });
  return sheet.rows.flatMap(({ row, cells, source }) => {
    const other = Object.fromEntries(given(cells));
    const currency = currencyOf(cells, other);
    const own = read.flatMap(([column, index]) => {
      const text = plainCell(column, cells[index] ?? '', form, currency);
      return text === '' ? [] : [[column.key, text] as const];
    });
    // A row that fills only other columns is a note.
    return own.length === 0
      ? []
      : [
          {
            file: 0,
            row,
            ...(source ? { source } : {}),
            cells: { ...Object.fromEntries(shared), ...other, ...Object.fromEntries(own) },
          },
        ];
  });
}

/** The texts of a column of the file, each once, without the rows that are no records. */
export function textsOf(sheet: ReadSheet, letters: string, noRecords: ReadonlySet<number>): string[] {
  const index = sheet.columns.findIndex((column) => column.letters === letters);
  const texts = sheet.rows.flatMap(({ row, cells }) => (noRecords.has(row) ? [] : [(cells[index] ?? '').trim()]));
  return [...new Set(texts.filter((text) => text !== ''))];
}
