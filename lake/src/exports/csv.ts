import type { DuckDBDataChunk } from '@duckdb/node-api';
import type { Lake } from '../lake.ts';
import { packedSelect, rowBytes, scaleOf, validityOf, valueBytesOf, valuesOf } from './chunk-columns.ts';
import { type ExportColumn, type ExportPace, type ExportTable, exportChunks } from './export-table.ts';
import { writeDecimal, writeWhole } from './number-text.ts';

const PIECE_BYTES = 2 ** 18;
/** Maximum bytes of a cell that is not a text, with its comma. */
const CELL_BYTES = 48;

const [QUOTE, COMMA, LINE_FEED, APOSTROPHE] = [0x22, 0x2c, 0x0a, 0x27];
const markOf = (characters: string): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, byte) => (characters.includes(String.fromCharCode(byte)) ? 1 : 0));
/** Characters that require quotes. */
const IS_QUOTED = markOf('",\r\n');
/** Characters that a reader may trim from the ends of a text. */
const IS_SPACE = markOf(' \t\n\f\r');
/** First characters of texts that a spreadsheet would run as a formula: such a text gets a leading apostrophe. */
const IS_FORMULA = markOf('=+@\t\r-');

/** RFC 4180 with LF, in UTF-8. Headers are the columns' names, decimals have all their digits, dates are YYYY-MM-DD. */
export async function* exportCsv(lake: Lake, table: ExportTable, pace: ExportPace = {}): AsyncGenerator<Uint8Array> {
  const heads = table.columns.map(({ name }) => (/[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name));
  yield Buffer.from(`${heads.join(',')}\n`);
  const columns = table.columns.map(csvColumn);
  for await (const chunk of exportChunks(lake, table, packedSelect(columns), pace)) yield* lines(chunk, columns);
}

/** How the cells of a column are written; the cells of `ready` columns arrive as finished text. */
type CsvColumn = ExportColumn & { readonly form: 'text' | 'ready' | 'integer' | 'decimal' };

function csvColumn(column: ExportColumn): CsvColumn {
  const { type, sql } = column;
  if (type === 'VARCHAR') return { ...column, form: 'text' };
  if (type === 'INTEGER') return { ...column, form: 'integer' };
  if (type.startsWith('DECIMAL')) return { ...column, form: 'decimal' };
  return { ...column, form: 'ready', type: 'VARCHAR', sql: `CAST(${sql} AS VARCHAR)` };
}

function* lines(chunk: DuckDBDataChunk, columns: readonly CsvColumn[]): Generator<Uint8Array> {
  const cells = columns.map(({ form, type }, index) => {
    const bytes = valuesOf(chunk, index, valueBytesOf(type));
    return {
      form,
      words: new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4),
      limbs: (valueBytesOf(type) === 16 ? 4 : 2) as 2 | 4,
      scale: scaleOf(type),
      validity: validityOf(chunk, index),
    };
  });
  const hasTexts = cells.some(({ form }) => form === 'text' || form === 'ready');
  const textsOf = hasTexts ? rowBytes(chunk, columns.length) : () => new Uint8Array(0);
  let piece = new Uint8Array(PIECE_BYTES);
  let at = 0;
  for (let row = 0; row < chunk.rowCount; row += 1) {
    const texts = textsOf(row);
    // Every byte of a text may be a quote.
    const most = CELL_BYTES * cells.length + 2 * texts.length;
    if (at + most > piece.length) {
      if (at > 0) yield piece.subarray(0, at);
      piece = new Uint8Array(Math.max(PIECE_BYTES, most));
      at = 0;
    }
    let textAt = 0;
    for (let index = 0; index < cells.length; index += 1) {
      const { form, words, limbs, scale, validity } = cells[index]!;
      if (validity === null || ((validity[row >> 3]! >> (row & 7)) & 1) === 1) {
        if (form === 'integer') at = writeWhole(piece, at, words[row]!);
        else if (form === 'decimal') at = writeDecimal(piece, at, words, row * limbs, limbs, scale, 'written');
        else {
          const textEnd = textAt + words[row]!;
          at = form === 'text' ? writeText(piece, at, texts, textAt, textEnd) : copy(piece, at, texts, textAt, textEnd);
          textAt = textEnd;
        }
      }
      piece[at] = COMMA;
      at += 1;
    }
    piece[at - 1] = LINE_FEED;
  }
  if (at > 0) yield piece.subarray(0, at);
}

/** Quotes the text if necessary; an empty text is quoted, a missing one is not. */
function writeText(target: Uint8Array, start: number, source: Uint8Array, from: number, to: number): number {
  const isFormula = from < to && IS_FORMULA[source[from]!] === 1;
  let isQuoted = from === to || (!isFormula && IS_SPACE[source[from]!] === 1) || IS_SPACE[source[to - 1]!] === 1;
  for (let index = from; index < to && !isQuoted; index += 1) isQuoted = IS_QUOTED[source[index]!] === 1;
  let at = start;
  if (isQuoted) {
    target[at] = QUOTE;
    at += 1;
  }
  if (isFormula) {
    target[at] = APOSTROPHE;
    at += 1;
  }
  if (!isQuoted) return copy(target, at, source, from, to);
  for (let index = from; index < to; index += 1) {
    if (source[index] === QUOTE) {
      target[at] = QUOTE;
      at += 1;
    }
    target[at] = source[index]!;
    at += 1;
  }
  target[at] = QUOTE;
  return at + 1;
}

function copy(target: Uint8Array, at: number, source: Uint8Array, from: number, to: number): number {
  for (let index = from; index < to; index += 1) target[at + index - from] = source[index]!;
  return at + to - from;
}
