import { isCompany } from '../entities/name-words.ts';
import { compare, type DecimalText, isDecimal, subtract, sum } from '../money/decimal.ts';
import { TOTAL_WORDS } from '../tables/total-words.ts';
import type { ImportRow } from './check.ts';
import { IMPORT_COLUMNS, type ImportColumn } from './columns.ts';
import { type ImportKind, isTimeSeriesKind } from './kinds.ts';
import { bare } from './match-names.ts';
import { columnsRead, type ReadSheet, type SheetReading } from './sheet-rows.ts';
import { TURNED_LETTERS } from './turn-columns.ts';
import { plainCell } from './written-cells.ts';

const WORDS = `(?:(?:gran|sous|general)[ -]?total|${TOTAL_WORDS})`;
const TOTAL = new RegExp(`^\\s*${WORDS}(?!\\p{L})|^\\s*sums?\\s*:?\\s*$`, 'iu');
/** What is left of a label is what it adds up: "Total Class A". */
const WORDS_OF_TOTAL = new RegExp(
  `^\\s*${WORDS}(?!\\p{L})|(?<!\\p{L})(?:général|generale|general|of|for|von|der|de|in)(?!\\p{L})|[:.]`,
  'giu',
);
const OF_ALL = /^\s*(?:grand|overall|gran|general)[ -]?total|général|generale|insgesamt|^\s*gesamt(?!\p{L})/iu;
const COUNT =
  /^\s*(?:count|number of \p{L}+|no\. of \p{L}+|anzahl(?: \p{L}+)?|nombre(?: de? ?['’]?\p{L}+)?|número(?: de \p{L}+)?)\s*[:=]?\s*(\d{1,7})?\s*$/iu;
/** A longer text is no label of a number. */
const MAX_LABEL = 60;
const NAMES_RECORD: ReadonlySet<ImportColumn['type']> = new Set(['date', 'email', 'fileName']);

/** A row of the file that adds up others, or counts them. It is not imported. */
export interface TotalRow {
  readonly row: number;
  /** Its cell in the file, if columns were turned into rows. */
  readonly source?: string;
  /** As the file has it: "Total Class A". */
  readonly label: string;
  /** The amounts of the row by column key. */
  readonly sums: Readonly<Record<string, string>>;
  /** What else the row has in columns that are read, such as its currency. */
  readonly cells: ImportRow['cells'];
  /** The number of records that it states; null if it adds up amounts. */
  readonly count: number | null;
}

/**
 * Rows that say "Total", have an amount, and name no record: those that a person added below the data. "TOTAL ELECTRIC LLC" is
 * the name of a company, unless its amounts are the sums of the rows above. Rows that count the others are among them.
 */
export function totalRowsOf(kind: ImportKind, sheet: ReadSheet, { mapping, form }: SheetReading): TotalRow[] {
  const read = columnsRead(kind, sheet, mapping);
  const above: Record<string, DecimalText> = {};
  return sheet.rows.flatMap(({ row, cells, source }): TotalRow[] => {
    const counted = countOf(cells);
    if (counted) return [{ row, label: counted.label, sums: {}, cells: {}, count: counted.count }];
    const texts = read.map(([column, index]) => [column, (cells[index] ?? '').trim()] as const);
    const amounts = texts.flatMap(([column, text]) =>
      column.type === 'decimal' && text !== '' ? [[column.key, plainCell(column, text, form)] as const] : [],
    );
    const label = cells.find((cell) => TOTAL.test(cell))?.trim();
    const addsUp = () => amounts.every(([key, text]) => isDecimal(text) && compare(text, above[key] ?? '0') === 0);
    if (label === undefined || (isCompany(label) && !addsUp())) {
      for (const [key, text] of amounts) if (isDecimal(text)) above[key] = sum([above[key] ?? '0', text]);
      return [];
    }
    const namesRecord = texts.some(
      ([{ type, key }, text]) =>
        (NAMES_RECORD.has(type) && text !== '' && text !== label && !isTurned(mapping, key)) ||
        ((type === 'wholeNumber' || type === 'reference') && key !== 'fundCode' && /^\d+$/.test(text)),
    );
    if (namesRecord || amounts.length === 0) return [];
    const others = texts.flatMap(([column, text]) =>
      column.type === 'decimal' || text === '' || text === label
        ? []
        : [[column.key, plainCell(column, text, form)] as const],
    );
    return [
      {
        row,
        ...(source ? { source } : {}),
        label,
        sums: Object.fromEntries(amounts),
        cells: Object.fromEntries(others),
        count: null,
      },
    ];
  });
}

/** Whether a column has the headers of turned columns, which their totals have too. */
const isTurned = (mapping: SheetReading['mapping'], key: string): boolean => mapping[key] === TURNED_LETTERS.head;

/** "Count: 4", or "Count" with the number in another cell. */
function countOf(cells: readonly string[]): { label: string; count: number } | null {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  const [label = '', number] = filled;
  const found = filled.length <= 2 && label.length <= MAX_LABEL ? COUNT.exec(label) : null;
  if (!found || (found[1] !== undefined && number !== undefined)) return null;
  const text = found[1] ?? number ?? '';
  return /^\d{1,7}$/.test(text) ? { label, count: Number(text) } : null;
}

/**
 * Rows of entries that have one cell only, such as the name of a class above its investors: headings. Without a date and an
 * amount they are not entries.
 */
export function headingRowsOf(kind: ImportKind, sheet: ReadSheet, { mapping }: SheetReading): number[] {
  const read = columnsRead(kind, sheet, mapping);
  const [amount, ...others] = read.filter(([{ type }]) => type === 'decimal').map(([, index]) => index);
  if (!isTimeSeriesKind(kind) || read.length < 3 || amount === undefined) return [];
  return sheet.rows.flatMap(({ row, cells }) => {
    const filled = cells.flatMap((cell, index) => (cell.trim() === '' ? [] : [index]));
    const [only] = filled;
    const isText = filled.length === 1 && only !== undefined && !/^[\d.,\s()-]+$/.test(cells[only] ?? '');
    return isText && ![amount, ...others].includes(only) ? [row] : [];
  });
}

/** A total of the file, and the sum of the rows that it adds up. */
export interface FileTotal {
  readonly row: number;
  /** Its cell in the file, if columns were turned into rows. */
  readonly source?: string;
  readonly label: string;
  /** The column that it adds up; null for a number of rows. */
  readonly column: { readonly key: string; readonly label: string } | null;
  /** As the file has it. */
  readonly stated: DecimalText;
  readonly sum: DecimalText;
  /** How much the file's figure is too high; negative if it is too low. */
  readonly difference: DecimalText;
  readonly rowCount: number;
  /** Rows whose amount is no number. */
  readonly unreadableCount: number;
  /** The currencies of the rows. Amounts in several of them have no sum. */
  readonly currencies: readonly string[];
  /** The header of the turned column, if columns were turned into rows. */
  readonly of: string | null;
}

export const agrees = ({ difference, unreadableCount }: Pick<FileTotal, 'difference' | 'unreadableCount'>): boolean =>
  compare(difference, '0') === 0 && unreadableCount === 0;

export const currencyOf = ({ cells }: Pick<ImportRow, 'cells'>): string => (cells.currency ?? '').trim().toUpperCase();

/** A record with what every total compares, computed once. */
interface KnownRow extends ImportRow {
  readonly currency: string;
  readonly texts: ReadonlySet<string>;
}

/** The records that a total adds up or counts: those since the last total, or all above it, that its label and its cells name. */
function scopeOf(
  total: TotalRow,
  records: readonly KnownRow[],
  earlier: readonly TotalRow[],
  head: string | null,
): KnownRow[] {
  const sameHead = ({ cells }: Pick<ImportRow, 'cells'>) => head === null || cells[head] === total.cells[head];
  const isAlike = (other: TotalRow) => (other.count === null) === (total.count === null) && sameHead(other);
  const before = earlier.filter((other) => other.row < total.row && isAlike(other));
  const above = records.filter((record) => record.row < total.row && sameHead(record));
  // A total above the rows adds up those below it.
  if (above.length === 0) return records.filter(sameHead);
  const since = above.filter(({ row }) => row > (before.at(-1)?.row ?? 0));
  const all = OF_ALL.test(total.label) || since.length === 0 ? above : since;
  const words = total.label.replaceAll(WORDS_OF_TOTAL, ' ').trim();
  const currency = currencyOf(total) || (/\b[A-Z]{3}\b/.exec(words)?.[0] ?? '');
  const inCurrency = all.filter((record) => record.currency === currency);
  const narrowed = inCurrency.length > 0 ? inCurrency : all;
  const rest = bare(words);
  const named = rest === '' ? [] : narrowed.filter(({ texts }) => texts.has(rest));
  return named.length > 0 ? named : narrowed;
}

/**
 * Compares the totals of a file with its rows. A total is of the rows since the one before it, a grand total of all; one that
 * names a currency or something else is of the rows with it.
 * @param rows as they would be imported
 */
export function fileTotalsOf(
  kind: ImportKind,
  {
    rows,
    totalRows,
    mapping,
  }: { rows: readonly ImportRow[]; totalRows: readonly TotalRow[]; mapping: SheetReading['mapping'] },
): FileTotal[] {
  const columns = new Map(IMPORT_COLUMNS[kind].map((column) => [column.key, column]));
  const head = Object.keys(mapping).find((key) => isTurned(mapping, key)) ?? null;
  const known = rows.map(
    (row): KnownRow => ({ ...row, currency: currencyOf(row), texts: new Set(Object.values(row.cells).map(bare)) }),
  );
  return totalRows.flatMap((total): FileTotal[] => {
    const scope = scopeOf(total, known, totalRows, head);
    if (total.count !== null)
      return [
        {
          row: total.row,
          label: total.label,
          column: null,
          stated: String(total.count),
          sum: String(scope.length),
          difference: String(total.count - scope.length),
          rowCount: scope.length,
          unreadableCount: 0,
          currencies: [],
          of: null,
        },
      ];
    return Object.entries(total.sums).flatMap(([key, stated]): FileTotal[] => {
      const column = columns.get(key);
      if (!column || !isDecimal(stated)) return [];
      const written = scope.flatMap(({ cells }) => (cells[key]?.trim() ? [cells[key].trim()] : []));
      const amounts = written.filter((text) => isDecimal(text));
      const added = sum(amounts);
      return [
        {
          row: total.row,
          ...(total.source ? { source: total.source } : {}),
          label: total.label,
          column: { key, label: column.label },
          stated,
          sum: added,
          difference: subtract(stated, added),
          rowCount: scope.length,
          unreadableCount: written.length - amounts.length,
          currencies: [...new Set(scope.flatMap(({ currency }) => currency || []))].toSorted(),
          of: head === null ? null : (total.cells[head] ?? null),
        },
      ];
    });
  });
}
