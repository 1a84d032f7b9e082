import { CellTag } from '@tapeline/domain/tapes/cell-tag.ts';
import { numberRepeated } from '@tapeline/domain/tapes/headers.ts';
import type { ColumnTarget } from './column-target.ts';
import { serialToIso } from './date-serial.ts';
import { refuseSheet } from './limits.ts';
import { showGeneral } from './number-formats.ts';
import type { Epoch, SheetColumn } from './raw-batch.ts';
import { columnLetters } from './workbook-parts.ts';

/** The first rows of a sheet that show something, by all its columns; what a header is looked for in. */
export interface HeadRows {
  readonly cells: ColumnTarget;
  readonly textOf: (code: number) => string;
  readonly epoch: Epoch;
}

/** Rows that show something are looked through for the header, and as samples of what stands below it. */
export const HEAD_ROWS = 200;
/** A header has to stand among the first of them. */
const CANDIDATE_ROWS = 100;
const SAMPLE_ROWS = 25;

interface ShownRow {
  readonly row: number;
  /** Slots that show something. */
  readonly filled: number[];
}

/**
 * Finds the header as a person would: the first row that names most of the columns used below it, in texts (or dates,
 * for one column a month) that are mostly distinct. Titles, notes and key-value lines above it are narrower; data rows
 * hold numbers.
 * @param stated the header's sheet row where the caller knows it.
 * @throws Refusal badRequest where there is none.
 */
export function findHeader(
  head: HeadRows,
  stated?: number,
): { headerRow: number; columns: SheetColumn[]; duplicatedHeaders: string[] } {
  const { cells } = head;
  if (cells.rowCount === 0) {
    throw refuseSheet('The sheet is empty. Choose the sheet that holds the tape: a header row and data rows below it.');
  }
  const rows = showRows(head);
  const seen = rows
    .slice(0, CANDIDATE_ROWS)
    .find((candidate) =>
      looksLikeHeader(head, candidate, rows.slice(candidate.row + 1, candidate.row + 1 + SAMPLE_ROWS)),
    );
  const lines = seen && headerLines(head, rows, seen);
  if (lines && (stated === undefined || cells.rowNumbers[lines.last.row] === stated)) {
    return nameColumns(head, lines, rows.slice(lines.last.row + 1));
  }
  const found = stated === undefined ? undefined : rows.find(({ row }) => cells.rowNumbers[row] === stated);
  if (found === undefined) {
    throw refuseSheet(
      stated === undefined
        ? 'The sheet has no header row. Give every column a name in one row above the data and upload the file again.'
        : `Row ${stated} of the sheet is blank or lies beyond its first rows. Choose the row that holds the columns' names.`,
    );
  }
  return nameColumns(head, { above: null, first: found, last: found }, rows.slice(found.row + 1));
}

/** The rows a header takes: names in one or two lines, and perhaps a line of group names above them. */
interface HeaderLines {
  /** The row right above, where its texts can be names of groups, or of columns whose cell is merged downwards. */
  readonly above: ShownRow | null;
  readonly first: ShownRow;
  /** The same row, or a second line of names or units right below; data begins after it. */
  readonly last: ShownRow;
}

function headerLines(head: HeadRows, rows: readonly ShownRow[], first: ShownRow): HeaderLines {
  const { rowNumbers } = head.cells;
  const beside = (row: ShownRow | undefined, step: 1 | -1): ShownRow | undefined =>
    row && rowNumbers[row.row] === rowNumbers[first.row]! + step ? row : undefined;
  const over = beside(rows[first.row - 1], -1);
  const under = beside(rows[first.row + 1], 1);
  // One text alone is a title, or an address.
  const above = over && over.filled.length > 1 && isAllNames(head, over) ? over : null;
  const goesOn =
    under !== undefined && isSecondLine(head, first, under, rows.slice(under.row + 1, under.row + 1 + SAMPLE_ROWS));
  return { above, first, last: goesOn ? under : first };
}

/**
 * A row of units, or of names under names: texts only, over numbers or dates, that name columns which the first line
 * leaves without a name.
 */
function isSecondLine(head: HeadRows, first: ShownRow, second: ShownRow, below: readonly ShownRow[]): boolean {
  const { cells } = head;
  if (!isAllNames(head, second)) {
    return false;
  }
  const holdsFigures = second.filled.some((slot) =>
    below.some(({ row }) => {
      const tag = cells.tags[slot * cells.capacity + row];
      return tag === CellTag.number || tag === CellTag.date;
    }),
  );
  if (second.filled.every((slot) => UNITS.test(headerText(head, slot, second.row)))) {
    return below.length > 0 && second.filled.every((slot) => first.filled.includes(slot));
  }
  const isUsed = (slot: number): boolean => below.some(({ filled }) => filled.includes(slot));
  return holdsFigures && second.filled.some((slot) => !first.filled.includes(slot) && isUsed(slot));
}

/** What stands under a name to say what its figures are. */
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
      if (tag === CellTag.blank || (tag === CellTag.text && textOf(cells.values[base + row]!).trim() === '')) {
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
  // The widest rows below tell how many columns are used; a single stray wide row does not.
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
    // A column between named ones that holds data without a name keeps the name its letters give it.
    if (names.has(slot) || holdsData.has(slot)) {
      const header = names.get(slot) ?? `Column ${columnLetters(slot)}`;
      const group = above && groupOf(head, above, slot);
      const over = group === null || group === header ? {} : { group };
      columns.push({ index: columns.length, header, sheetColumn: slot, ...over });
    }
  }
  const told = above === null ? columns : tellApart(head, above, columns);
  const headers = numberRepeated(told.map(({ header }) => header));
  return {
    headerRow: cells.rowNumbers[last.row]!,
    columns: told.map((column, place) => ({ ...column, header: headers[place]! })),
    duplicatedHeaders: repeated(told),
  };
}

/** The name of the group a column stands under: the nearest one to the left, as merged cells have it. */
function groupOf(head: HeadRows, { row, filled }: ShownRow, slot: number): string | null {
  const at = filled.findLast((each) => each <= slot);
  return at === undefined ? null : headerText(head, at, row);
}

/** Names that stand twice get the name of their group in front, where that makes them differ. */
function tellApart(head: HeadRows, above: ShownRow, columns: SheetColumn[]): SheetColumn[] {
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
      return textOf(value)
        .replace(/[\s\u00a0]+/g, ' ')
        .trim();
    case CellTag.date:
      return serialToIso(value, epoch) ?? showGeneral(value);
    case CellTag.boolean:
      return value === 0 ? 'FALSE' : 'TRUE';
    case CellTag.number:
      return showGeneral(value);
    default:
      return '';
  }
}
