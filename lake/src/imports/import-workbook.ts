import { calendarDateOf, formatCalendarDate, isCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { ImportRow } from '@tapeline/domain/importer/check.ts';
import { IMPORT_COLUMNS, type ImportColumn, templateColumns } from '@tapeline/domain/importer/columns.ts';
import { type ImportKind, KIND_TITLES, MAX_ROWS } from '@tapeline/domain/importer/kinds.ts';
import { type ColumnRule, type WrittenCell, writeWorkbook } from '@tapeline/sheets/workbook-writer.ts';

const LISTS = 'Allowed values';
const AUTHOR = 'Tapeline';
/** Codes beyond this number are not offered: nobody scrolls through them. */
export const MAX_LISTED_CODES = 500;

/** A code that a column takes, with the name of what it stands for. */
export interface ListedCode {
  readonly code: number;
  readonly title: string;
}

/** The tenant's codes by the column that takes them. */
export type ListedCodes = Readonly<Record<string, readonly ListedCode[]>>;

const text = (of: string, style?: 'head' | 'title' | 'strong'): WrittenCell => ({
  text: of,
  ...(style ? { style } : {}),
});

/** Digits that spreadsheet programs keep. */
const EXACT_DIGITS = 15;

/** A cell as its column's type: a number or date where a spreadsheet program keeps it exactly, otherwise text. */
function typedCell({ type }: Pick<ImportColumn, 'type'>, value: string): WrittenCell {
  if (value === '') return null;
  const isCode = type === 'wholeNumber' || type === 'reference';
  if ((type === 'decimal' || isCode) && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(value)) {
    const digits = value.split('.')[1]?.length ?? 0;
    if (value.replaceAll(/[-.]/g, '').length <= EXACT_DIGITS)
      return isCode && digits === 0 ? { text: value } : { number: value, format: { digits } };
  }
  return type === 'date' && isCalendarDate(value) ? { date: value } : { text: value };
}

const widthOf = ({ label, example }: ImportColumn): number =>
  Math.min(40, Math.max(12, label.length + 2, example.length + 2));

const TYPE_WORDS: Readonly<Record<ImportColumn['type'], string>> = {
  text: 'Text',
  wholeNumber: 'Whole number',
  reference: 'Code or name',
  decimal: 'Number',
  date: 'Date',
  choice: 'One of the allowed values',
  email: 'Email address',
  currency: 'Currency code',
  classes: 'Text: key and name of each class',
  fileName: 'Name of a file',
};

/** What a column's cells are restricted to, if to anything. Lists are in the sheet of allowed values. */
function ruleOf(column: ImportColumn, index: number, lists: readonly ValueList[], lastRow: number): ColumnRule[] {
  const list = lists.findIndex(({ key }) => key === column.key);
  const prompt = { title: column.label, text: `${column.isRequired ? 'Required. ' : ''}${column.help}` };
  const common = { column: index, rows: [2, lastRow] as const, prompt };
  // Each list takes two columns: the values, and what they stand for.
  const values = lists[list];
  if (values) {
    const rows = [2, values.rows.length + 1] as const;
    return [{ ...common, allow: { sheet: LISTS, column: list * 2, rows }, refuses: column.type === 'choice' }];
  }
  if (column.type === 'date') return [{ ...common, allow: 'date', refuses: false }];
  if (column.type === 'decimal') return [{ ...common, allow: 'number', refuses: false }];
  return [];
}

interface ValueList {
  readonly key: string;
  readonly label: string;
  readonly rows: readonly (readonly [value: string, meaning: string])[];
}

function listsOf(kind: ImportKind, codes: ListedCodes): ValueList[] {
  return templateColumns(kind).flatMap(({ key, label, values }): ValueList[] => {
    if (values) return [{ key, label, rows: values.map((value) => [value, ''] as const) }];
    const listed = codes[key] ?? [];
    return listed.length === 0 || listed.length > MAX_LISTED_CODES
      ? []
      : [{ key, label, rows: listed.map(({ code, title }) => [String(code), title] as const) }];
  });
}

/**
 * The template of a kind as a workbook: an empty sheet with the headers, the lists of allowed values and hints; notes on
 * each column; and an example. All texts are stored as texts, so that none is run as a formula.
 * @param codes codes of the tenant's funds and investors, to choose from
 */
export function importTemplate(kind: ImportKind, codes: ListedCodes, created: Date): Promise<Buffer> {
  const columns = templateColumns(kind);
  const { title, nouns } = KIND_TITLES[kind];
  const lists = listsOf(kind, codes);
  const heads = columns.map(({ label }) => text(label, 'head'));
  const widths = columns.map(widthOf);
  const notes: WrittenCell[][] = [
    [text(`Import of ${nouns}`, 'title')],
    [
      text(
        `Fill in the sheet “${title}”: one row for each entry, at most ${MAX_ROWS[kind]} rows. Columns that are not needed can be removed.`,
      ),
    ],
    [text('Upload the file under Funds, Importer. It is checked first; nothing is stored until you confirm.')],
    [],
    ['Column', 'Required', 'Contains', 'Notes', 'Example'].map((head) => text(head, 'head')),
    ...columns.map(({ label, isRequired, type, help, example }) => [
      text(label, 'strong'),
      text(isRequired ? 'Yes' : ''),
      text(TYPE_WORDS[type]),
      text(help),
      text(example),
    ]),
  ];
  const deepest = Math.max(0, ...lists.map(({ rows }) => rows.length));
  const listRows: WrittenCell[][] = [
    lists.flatMap(({ label }) => [text(label, 'head'), text('', 'head')]),
    ...Array.from({ length: deepest }, (_, at) =>
      lists.flatMap(({ rows }): WrittenCell[] => {
        const [value, meaning] = rows[at] ?? ['', ''];
        return [value === '' ? null : text(value), meaning === '' ? null : text(meaning)];
      }),
    ),
  ];
  return writeWorkbook({
    title: `Template: ${title}`,
    author: AUTHOR,
    created: created.toISOString(),
    sheets: [
      {
        name: title,
        widths,
        rows: [heads],
        frozenRows: 1,
        showsGrid: true,
        isLandscape: true,
        columnRules: columns.flatMap((column, index) => ruleOf(column, index, lists, MAX_ROWS[kind] + 1)),
      },
      { name: 'Notes', widths: [28, 10, 26, 80, 36], rows: notes, isLandscape: true },
      {
        name: 'Example',
        widths,
        rows: [heads, columns.map((column) => typedCell(column, column.example))],
        showsGrid: true,
      },
      ...(lists.length > 0
        ? [{ name: LISTS, widths: lists.flatMap(() => [18, 32]), rows: listRows, frozenRows: 1, showsGrid: true }]
        : []),
    ],
  });
}

const csvField = (value: string): string => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

/** The template of a kind as CSV: the headers, and one example row to replace. */
export function importTemplateCsv(kind: ImportKind): string {
  const columns = templateColumns(kind);
  const line = (fields: readonly string[]) => `${fields.map(csvField).join(',')}\r\n`;
  return `\ufeff${line(columns.map(({ label }) => label))}${line(columns.map(({ example }) => example))}`;
}

/**
 * Rows in the columns of the template, each in the row of the sheet that it was read from.
 * @param reasons a further column: why a row cannot be imported, by row number
 */
export function importRowsWorkbook(
  kind: ImportKind,
  rows: readonly ImportRow[],
  { created, reasons }: { created: Date; reasons?: ReadonlyMap<number, string> },
): Promise<Buffer> {
  const filled = new Set(
    rows.flatMap(({ cells }) => Object.entries(cells).flatMap(([key, cell]) => (cell === '' ? [] : [key]))),
  );
  const columns = IMPORT_COLUMNS[kind].filter(({ key, isRequired }) => isRequired || filled.has(key));
  const { title } = KIND_TITLES[kind];
  const sheetRows: WrittenCell[][] = [
    [...columns.map(({ label }) => text(label, 'head')), ...(reasons ? [text('Problems', 'head')] : [])],
  ];
  for (const { row, cells } of rows) {
    while (sheetRows.length < row - 1) sheetRows.push([]);
    sheetRows.push([
      ...columns.map((column) => typedCell(column, cells[column.key] ?? '')),
      ...(reasons ? [text(reasons.get(row) ?? '')] : []),
    ]);
  }
  return writeWorkbook({
    title: `${title}, ${formatCalendarDate(calendarDateOf(created))}`,
    author: AUTHOR,
    created: created.toISOString(),
    sheets: [
      {
        name: title,
        widths: [...columns.map(widthOf), ...(reasons ? [80] : [])],
        rows: sheetRows,
        frozenRows: 1,
        showsGrid: true,
      },
    ],
  });
}
