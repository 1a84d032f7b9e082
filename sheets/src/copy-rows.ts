import { CellTag } from './cell-tag.ts';
import type { InspectedSheet } from './inspect-sheet.ts';
import type { RawBatch } from './raw-batch.ts';
import { columnLetters, escapeXml, SHEET_END, SHEET_START, workbookParts } from './workbook-parts.ts';
import { zipStream } from './zip-writer.ts';

/** What the copy of a sheet takes from it besides its rows. */
export type CopiedSheet = Pick<InspectedSheet, 'kind' | 'sheetName' | 'titles' | 'columns' | 'epoch'>;

/** Characters of text that are handed on at once. */
const PIECE_CHARACTERS = 2 ** 18;

/**
 * Writes rows of a sheet to a new file of the same kind, with the titles above the header as lines of text, a blank line,
 * the header and these rows. Each cell is read from the copy as it was read from the sheet: texts stay texts, numbers
 * numbers, dates dates, errors errors, and days are counted from the same day. Columns without a header and formulas are
 * not copied. The same rows make the same bytes.
 * @param batches the rows to copy; each batch is written before the next is asked for
 */
export function copyRows(sheet: CopiedSheet, batches: AsyncIterable<RawBatch>): AsyncGenerator<Uint8Array> {
  return sheet.kind === 'csv' ? inPieces(csvLines(sheet, batches)) : copiedWorkbook(sheet, batches);
}

async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let piece = '';
  for await (const text of texts) {
    piece += text;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  if (piece !== '') yield Buffer.from(piece);
}

async function* csvLines({ titles, columns }: CopiedSheet, batches: AsyncIterable<RawBatch>): AsyncGenerator<string> {
  for (const title of titles) yield `${csvField(title)}\n`;
  if (titles.length > 0) yield '\n';
  yield `${columns.map(({ header }) => csvField(header)).join(',')}\n`;
  for await (const { columns: cells, rowCount, texts } of batches) {
    for (let row = 0; row < rowCount; row += 1) {
      // Every cell of a CSV file is a text.
      const fields = cells.map(({ tags, values }) => (tags[row] === CellTag.blank ? '' : texts.text(values[row]!)));
      yield `${fields.map(csvField).join(',')}\n`;
    }
  }
}

/** Quoted if any reader could read it otherwise: every delimiter counts, because a reader guesses which one it is. */
const csvField = (text: string): string =>
  /[",;|\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** The cell styles: general, dates, dates with a time, and amounts of the currencies that the columns show. */
const [GENERAL, DATE, DATE_AND_TIME] = [0, 1, 2];
const FORMATS = ['General', 'yyyy\\-mm\\-dd', 'yyyy\\-mm\\-dd\\ hh:mm:ss'];

async function* copiedWorkbook(sheet: CopiedSheet, batches: AsyncIterable<RawBatch>): AsyncGenerator<Uint8Array> {
  const formats = [...FORMATS];
  const styles = sheet.columns.map(({ currencyMarks = [] }) => {
    const [mark, ...others] = currencyMarks;
    // Which of several currencies a cell shows is unknown.
    if (mark === undefined || others.length > 0) return GENERAL;
    const format = `[$${mark}] #,##0.00##`;
    if (!formats.includes(format)) formats.push(format);
    return formats.indexOf(format);
  });
  const parts = workbookParts({ sheets: [{ name: sheet.sheetName }], formats, date1904: sheet.epoch === 1904 });
  const others = Object.entries(parts).map(([name, xml]) => ({ name, content: [Buffer.from(xml)] }));
  yield* zipStream([
    { name: 'xl/worksheets/sheet1.xml', content: inPieces(sheetRows(sheet, styles, batches)) },
    ...others,
  ]);
}

async function* sheetRows(
  { titles, columns }: CopiedSheet,
  styles: readonly number[],
  batches: AsyncIterable<RawBatch>,
): AsyncGenerator<string> {
  const letters = columns.map((_, column) => columnLetters(column));
  const rowOf = (number: number, cells: string): string => `<row r="${number}">${cells}</row>`;
  yield SHEET_START;
  for (const [index, title] of titles.entries()) yield rowOf(index + 1, textCell(`A${index + 1}`, title));
  let number = titles.length === 0 ? 1 : titles.length + 2;
  yield rowOf(number, columns.map(({ header }, column) => textCell(`${letters[column]}${number}`, header)).join(''));
  for await (const batch of batches) {
    for (let row = 0; row < batch.rowCount; row += 1) {
      number += 1;
      let cells = '';
      for (let column = 0; column < letters.length; column += 1) {
        cells += cellXml(batch, { column, row, reference: `${letters[column]}${number}`, style: styles[column]! });
      }
      yield rowOf(number, cells);
    }
  }
  yield SHEET_END;
}

function cellXml(
  { columns, texts }: RawBatch,
  { column, row, reference, style }: { column: number; row: number; reference: string; style: number },
): string {
  const { tags, values } = columns[column]!;
  const value = values[row]!;
  switch (tags[row]) {
    case CellTag.text:
      return textCell(reference, texts.text(value));
    case CellTag.error:
      return `<c r="${reference}" t="e"><v>${xmlOf(texts.text(value))}</v></c>`;
    case CellTag.boolean:
      return `<c r="${reference}" t="b"><v>${value}</v></c>`;
    case CellTag.date:
      return `<c r="${reference}" s="${Number.isInteger(value) ? DATE : DATE_AND_TIME}"><v>${value}</v></c>`;
    case CellTag.number:
      return `<c r="${reference}"${style === GENERAL ? '' : ` s="${style}"`}><v>${value}</v></c>`;
    default:
      return '';
  }
}

const textCell = (reference: string, text: string): string =>
  `<c r="${reference}" t="inlineStr"><is><t xml:space="preserve">${xmlOf(text)}</t></is></c>`;

/** Characters that XML cannot contain or would change, and the underscore of what looks like their escape. */
const ESCAPED = /[^\P{Cc}\t\n]|[\ufffe\uffff]|\p{Cs}|_(?=x[0-9A-Fa-f]{4}_)/gu;

const xmlOf = (text: string): string =>
  escapeXml(
    text.replaceAll(
      ESCAPED,
      (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    ),
  );
