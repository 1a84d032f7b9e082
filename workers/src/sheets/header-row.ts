import type { ColumnTarget } from './column-target.ts';
import { serialToIso } from './date-serial.ts';
import { refuseSheet } from './limits.ts';
import { showGeneral } from './number-formats.ts';
import { CellTag, type Epoch, type SheetColumn } from './raw-batch.ts';
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
  const found =
    stated === undefined
      ? rows
          .slice(0, CANDIDATE_ROWS)
          .find((candidate) =>
            looksLikeHeader(head, candidate, rows.slice(candidate.row + 1, candidate.row + 1 + SAMPLE_ROWS)),
          )
      : rows.find((candidate) => cells.rowNumbers[candidate.row] === stated);
  if (found === undefined) {
    throw refuseSheet(
      stated === undefined
        ? 'The sheet has no header row. Give every column a name in one row above the data and upload the file again.'
        : `Row ${stated} of the sheet is blank or lies beyond its first rows. Choose the row that holds the columns' names.`,
    );
  }
  return nameColumns(head, found, rows.slice(found.row + 1));
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
  header: ShownRow,
  below: readonly ShownRow[],
): { headerRow: number; columns: SheetColumn[]; duplicatedHeaders: string[] } {
  const { cells } = head;
  const named = new Set(header.filled);
  const first = header.filled[0]!;
  const last = header.filled.at(-1)!;
  // A column between named ones that holds data without a name keeps the name its letters give it.
  const unnamed = new Set(
    below.flatMap((row) => row.filled.filter((slot) => slot > first && slot < last && !named.has(slot))),
  );
  const columns: SheetColumn[] = [];
  for (let slot = first; slot <= last; slot += 1) {
    if (named.has(slot) || unnamed.has(slot)) {
      const text = named.has(slot) ? headerText(head, slot, header.row) : `Column ${columnLetters(slot)}`;
      columns.push({ index: columns.length, header: text, sheetColumn: slot });
    }
  }
  const seen = new Set<string>();
  const duplicated = new Set<string>();
  for (const { header: text } of columns) {
    if (seen.has(text)) {
      duplicated.add(text);
    }
    seen.add(text);
  }
  return { headerRow: cells.rowNumbers[header.row]!, columns, duplicatedHeaders: [...duplicated] };
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
