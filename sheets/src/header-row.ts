import type { ColumnTarget } from './batches.ts';
import { CellTag } from './cell-tag.ts';
import { serialToIso } from './date-serial.ts';
import { refuseSheet } from './limits.ts';
import type { Epoch, SheetColumn } from './raw-batch.ts';
import { numberRepeated } from './repeated-headers.ts';
import { shownNumber } from './shown-number.ts';
import { columnLetters } from './workbook-parts.ts';

/** The first rows of a sheet that are not blank, with all its columns; the header is searched for in them. */
export interface HeadRows {
  readonly cells: ColumnTarget;
  readonly textOf: (code: number) => string;
  readonly epoch: Epoch;
}

/** Rows examined in the search for the header, including samples of the data below it. */
export const HEAD_ROWS = 200;
/** The header must be among the first of these. */
const CANDIDATE_ROWS = 100;
const SAMPLE_ROWS = 25;

/** Longer texts are not column names; a longer header is cut. */
const MAX_NAME_CHARS = 1000;

interface ShownRow {
  readonly row: number;
  /** Slots that are not blank. */
  readonly filled: number[];
}

/**
 * Finds the header as a person would: the first row that names most of the columns used below it, in texts (or dates,
 * for one column a month) that are mostly distinct. Titles, notes and key-value lines above it are narrower; data rows
 * contain numbers.
 * @param stated the header's sheet row if the caller knows it
 * @throws SheetError if there is none
 */
export function findHeader(
  given: HeadRows,
  stated?: number,
): { headerRow: number; columns: SheetColumn[]; duplicatedHeaders: string[] } {
  const { cells } = given;
  // A text may be in a large number of cells.
  const texts = new Map<number, string>();
  const head: HeadRows = {
    ...given,
    textOf(code) {
      const text =
        texts.get(code) ??
        given
          .textOf(code)
          .replace(/[\s\u00a0]+/g, ' ')
          .trim()
          .slice(0, MAX_NAME_CHARS);
      texts.set(code, text);
      return text;
    },
  };
  if (cells.rowCount === 0) {
    throw refuseSheet('The sheet is empty. Choose the sheet with the data: a header row with data rows below it.');
  }
  const rows = showRows(head);
  const [candidate, next] = rows
    .slice(0, CANDIDATE_ROWS)
    .filter((row) => looksLikeHeader(head, row, rows.slice(row.row + 1, row.row + 1 + SAMPLE_ROWS)));
  const isTitle = candidate && next && isAboveBlankRow(head, candidate) && next.filled.length > candidate.filled.length;
  const seen = isTitle ? next : candidate;
  const lines = seen && headerLines(head, rows, seen);
  if (lines && (stated === undefined || cells.rowNumbers[lines.last.row] === stated)) {
    return nameColumns(head, lines, rows.slice(lines.last.row + 1));
  }
  const found = stated === undefined ? undefined : rows.find(({ row }) => cells.rowNumbers[row] === stated);
  if (found === undefined) {
    throw refuseSheet(
      stated === undefined
        ? 'The sheet has no header row. Add a row of column names above the data and open the file again.'
        : `Row ${stated} of the sheet is blank or beyond its first rows. Choose the row with the column names.`,
    );
  }
  return nameColumns(head, { above: null, first: found, last: found }, rows.slice(found.row + 1));
}

/** What stands above a blank row, and is narrower than the names below it, is a title in several cells. */
const isAboveBlankRow = ({ cells: { rowNumbers, rowCount } }: HeadRows, { row }: ShownRow): boolean =>
  row + 1 < rowCount && rowNumbers[row + 1]! > rowNumbers[row]! + 1;

/** The rows of a header: names in one or two lines, and perhaps a line of group names above them. */
interface HeaderLines {
  /** The row directly above, if its texts can be names of groups, or of columns whose cell is merged downwards. */
  readonly above: ShownRow | null;
  readonly first: ShownRow;
  /** The same row, or a second line of names or units directly below; data begins after it. */
  readonly last: ShownRow;
}

function headerLines(head: HeadRows, rows: readonly ShownRow[], first: ShownRow): HeaderLines {
  const { rowNumbers } = head.cells;
  const beside = (row: ShownRow | undefined, step: 1 | -1): ShownRow | undefined =>
    row && rowNumbers[row.row] === rowNumbers[first.row]! + step ? row : undefined;
  const over = beside(rows[first.row - 1], -1);
  const under = beside(rows[first.row + 1], 1);
  // A single text is a title, or an address.
  const above = over && over.filled.length > 1 && isAllNames(head, over) ? over : null;
  const goesOn =
    under !== undefined && isSecondLine(head, first, under, rows.slice(under.row + 1, under.row + 1 + SAMPLE_ROWS));
  return { above, first, last: goesOn ? under : first };
}

/**
 * A row of units, or of names under names: only texts, above numbers or dates, that name columns which the first line
 * leaves unnamed.
 */
function isSecondLine(head: HeadRows, first: ShownRow, second: ShownRow, below: readonly ShownRow[]): boolean {
  const { cells } = head;
  if (!isAllNames(head, second)) {
    return false;
  }
  const named = new Set(first.filled);
  const holdsFigures = second.filled.some((slot) =>
    below.some(({ row }) => {
      const tag = cells.tags[slot * cells.capacity + row];
      return tag === CellTag.number || tag === CellTag.date;
    }),
  );
  if (second.filled.every((slot) => UNITS.test(headerText(head, slot, second.row)))) {
    return below.length > 0 && second.filled.every((slot) => named.has(slot));
  }
  const used = new Set(below.flatMap(({ filled }) => filled));
  return holdsFigures && second.filled.some((slot) => !named.has(slot) && used.has(slot));
}

/** Texts below a name that state the unit of its figures. */
const UNITS =
  /^[([]?\s*(?:(?:in )?(?:us ?)?[$€£¥%#]|(?:in )?(?:us)?[$€£¥]? ?(?:mm|millions?|m|000'?s?|k|thousands?)|usd|eur|gbp|chf|cad|aud|jpy|bps|days?|weeks?|months?|mths?|mos?|years?|yrs?|text|date|number|% p\.?a\.?|[dmy]{1,4}[-/.][dmy]{1,4}[-/.][dmy]{2,4}|y\/n)\s*[)\]]?$/i;

function isAllNames(head: HeadRows, { row, filled }: ShownRow): boolean {
  const { cells } = head;
  return filled.every((slot) => {
    const tag = cells.tags[slot * cells.capacity + row];
    return tag === CellTag.text && !isNumeric(headerText(head, slot, row));
  });
}

function showRows(head: HeadRows): ShownRow[] {
  const { cells, textOf } = head;
  const rows: ShownRow[] = Array.from({ length: cells.rowCount }, (_, row) => ({ row, filled: [] }));
  for (let slot = 0; slot < cells.width; slot += 1) {
    const base = slot * cells.capacity;
    for (const { row, filled } of rows) {
      const tag = cells.tags[base + row];
      if (tag === CellTag.blank || (tag === CellTag.text && textOf(cells.values[base + row]!) === '')) {
        continue;
      }
      filled.push(slot);
    }
  }
  return rows;
}

function looksLikeHeader(head: HeadRows, candidate: ShownRow, below: readonly ShownRow[]): boolean {
  const width = candidate.filled.length;
  const widths = below.map((row) => row.filled.length).sort((left, right) => left - right);
  // The widest rows below show how many columns are used; a single wide row does not.
  const used = widths.length === 0 ? width : widths[Math.floor((widths.length - 1) * 0.9)]!;
  if (width === 0 || width < used * 0.6) {
    return false;
  }
  const { cells } = head;
  const names = new Set<string>();
  let named = 0;
  for (const slot of candidate.filled) {
    const tag = cells.tags[slot * cells.capacity + candidate.row];
    const text = headerText(head, slot, candidate.row);
    if (tag === CellTag.date || (tag === CellTag.text && !isNumeric(text))) {
      named += 1;
      names.add(text.toLowerCase());
    }
  }
  if (width === 1 && used === 1 && named === 0) {
    return false;
  }
  return named >= width * 0.7 && names.size >= named * 0.5;
}

function isNumeric(text: string): boolean {
  return /^[($€£¥-]*\d[\d.,' ]*[%)]?$/.test(text) || /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\b/.test(text);
}

function nameColumns(
  head: HeadRows,
  { above, first, last }: HeaderLines,
  below: readonly ShownRow[],
): { headerRow: number; columns: SheetColumn[]; duplicatedHeaders: string[] } {
  const { cells } = head;
  const holdsData = new Set(below.flatMap(({ filled }) => filled));
  const names = new Map(first.filled.map((slot) => [slot, headerText(head, slot, first.row)]));
  if (last !== first) {
    for (const slot of last.filled) {
      const over = groupOf(head, first, slot);
      names.set(slot, [over, headerText(head, slot, last.row)].filter((text) => text !== null).join(' '));
    }
  }
  // A cell merged over both lines has its name in the upper one.
  for (const slot of above?.filled ?? []) {
    if (!names.has(slot) && holdsData.has(slot)) {
      names.set(slot, headerText(head, slot, above!.row));
    }
  }
  const ends = [...names.keys()].sort((left, right) => left - right);
  const columns: SheetColumn[] = [];
  for (let slot = ends[0]!; slot <= ends.at(-1)!; slot += 1) {
    // A column between named ones that has data but no name is named by its letter.
    if (names.has(slot) || holdsData.has(slot)) {
      const header = names.get(slot) ?? `Column ${columnLetters(slot)}`;
      const group = above && groupOf(head, above, slot);
      const over = group === null || group === header ? {} : { group };
      columns.push({ index: columns.length, header, sheetColumn: slot, ...over });
    }
  }
  const distinct = above === null ? columns : distinguish(head, above, columns);
  const headers = numberRepeated(distinct.map(({ header }) => header));
  return {
    headerRow: cells.rowNumbers[last.row]!,
    columns: distinct.map((column, index) => ({ ...column, header: headers[index]! })),
    duplicatedHeaders: repeated(distinct),
  };
}

/** The name of a column's group: the nearest one to the left, as with merged cells. */
function groupOf(head: HeadRows, { row, filled }: ShownRow, slot: number): string | null {
  const at = filled.findLast((each) => each <= slot);
  return at === undefined ? null : headerText(head, at, row);
}

/** Prefixes duplicate names with the name of their group, if that distinguishes them. */
function distinguish(head: HeadRows, above: ShownRow, columns: SheetColumn[]): SheetColumn[] {
  const twice = new Set(repeated(columns));
  if (twice.size === 0) {
    return columns;
  }
  const grouped = columns.map((column) => {
    const group = twice.has(column.header) ? groupOf(head, above, column.sheetColumn) : null;
    return group === null ? column : { ...column, header: `${group} ${column.header}` };
  });
  return repeated(grouped).length < twice.size ? grouped : columns;
}

function repeated(columns: readonly SheetColumn[]): string[] {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { header } of columns) {
    (seen.has(header) ? twice : seen).add(header);
  }
  return [...twice];
}

function headerText(head: HeadRows, slot: number, row: number): string {
  const { cells, textOf, epoch } = head;
  const cell = slot * cells.capacity + row;
  const value = cells.values[cell]!;
  switch (cells.tags[cell]) {
    case CellTag.text:
    case CellTag.error:
      return textOf(value);
    case CellTag.date:
      return serialToIso(value, epoch) ?? shownNumber(value);
    case CellTag.boolean:
      return value === 0 ? 'FALSE' : 'TRUE';
    case CellTag.number:
      return shownNumber(value);
    default:
      return '';
  }
}
