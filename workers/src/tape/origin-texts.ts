import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import { dayAndSecond } from '@tapeline/sheets/date-serial.ts';
import type { Epoch, RawBatch } from '@tapeline/sheets/raw-batch.ts';
import { shownNumber } from '@tapeline/sheets/shown-number.ts';
import { originKeys } from './compile/origin.ts';
import { type StagedColumn, utf8 } from './stage-batch.ts';

interface OriginSheet {
  readonly headers: readonly string[];
  readonly epoch: Epoch;
}

/** The cells of each row as JSON text, header to value, written when a vector is filled. */
export function originColumn(batch: RawBatch, sheet: OriginSheet): StagedColumn {
  const origins = new OriginTexts(batch, sheet);
  return utf8('origin', (row) => origins.bytesOf(row));
}

/** Repeated dates are written once. A column of instants has too many different ones. */
const MAX_DATES = 10_000;

/**
 * The cells of a row as JSON text. Gives the same result as the SQL of `originJson`, for rows that are not in a table.
 * A file in which every row is errored has millions of cells, so they are written as bytes, without text in between.
 */
export class OriginTexts {
  readonly #batch: RawBatch;
  readonly #epoch: Epoch;
  readonly #named: readonly { readonly index: number; readonly prefix: Prefix }[];
  readonly #dates = new Map<number, string>();
  #bytes = new Uint8Array(4096);
  #view = new DataView(this.#bytes.buffer);
  #used = 0;

  constructor(batch: RawBatch, { headers, epoch }: OriginSheet) {
    this.#batch = batch;
    this.#epoch = epoch;
    this.#named = originKeys(headers)
      .flatMap((key, index) => (key === null ? [] : [{ key, index }]))
      .map(({ key, index }, at) => ({
        index,
        prefix: prefixOf(`${at === 0 ? '' : ','}${JSON.stringify(key)}:`),
      }));
  }

  /** The JSON text of a row in UTF-8. Valid until the next call. */
  bytesOf(row: number): Uint8Array {
    const { columns } = this.#batch;
    this.#used = 0;
    this.#addText('{');
    for (const { index, prefix } of this.#named) {
      this.#addPrefix(prefix);
      const { tags, values } = columns[index]!;
      this.#addCell(tags[row]!, values[row]!);
    }
    this.#addText('}');
    return this.#bytes.subarray(0, this.#used);
  }

  #addCell(tag: number, value: number): void {
    if (tag === CellTag.number) this.#addNumber(value);
    else if (tag === CellTag.text || tag === CellTag.error) this.#addCellText(value);
    else if (tag === CellTag.blank) this.#addText('null');
    else if (tag === CellTag.date) this.#addText(this.#dateJson(value));
    else this.#addText(value === 1 ? 'true' : 'false');
  }

  /** Whole numbers and amounts in cents are most of the numbers, and are written without text in between. */
  #addNumber(value: number): void {
    const cents = Math.round(value * 100);
    // A decimal of at most 15 digits is the shortest for its double.
    if (cents / 100 !== value || cents > MAX_CENTS || cents < 0) {
      this.#addText(Number.isFinite(value) ? String(value) : 'null');
      return;
    }
    this.#reserve(MAX_DIGITS);
    const digits = cents % 100 === 0 ? 0 : cents % 10 === 0 ? 1 : 2;
    let rest = digits === 0 ? cents / 100 : digits === 1 ? cents / 10 : cents;
    let length = 1;
    for (let bound = 10; bound <= rest; bound *= 10) length += 1;
    if (length <= digits) length = digits + 1;
    const end = this.#used + length + (digits === 0 ? 0 : 1);
    const point = digits === 0 ? -1 : end - digits - 1;
    const target = this.#bytes;
    for (let at = end - 1; at >= this.#used; at -= 1) {
      if (at === point) {
        target[at] = POINT;
        continue;
      }
      const next = Math.floor(rest / 10);
      target[at] = ZERO + rest - next * 10;
      rest = next;
    }
    this.#used = end;
  }

  #dateJson(serial: number): string {
    const known = this.#dates.get(serial);
    if (known !== undefined) return known;
    const json = JSON.stringify(shownDate(serial, this.#epoch));
    if (this.#dates.size < MAX_DATES) this.#dates.set(serial, json);
    return json;
  }

  #addCellText(code: number): void {
    const { texts } = this.#batch;
    const length = texts.length(code);
    const bytes = texts.bytes(code);
    const start = texts.start(code);
    this.#reserve(length + 2);
    const target = this.#bytes;
    let used = this.#used;
    target[used++] = QUOTE;
    for (let at = start; at < start + length; at += 1) {
      const byte = bytes[at]!;
      if (byte < SPACE || byte === QUOTE || byte === BACKSLASH || byte > LAST_ASCII) {
        this.#addBytes(Buffer.from(JSON.stringify(texts.text(code))));
        return;
      }
      target[used++] = byte;
    }
    target[used++] = QUOTE;
    this.#used = used;
  }

  #addPrefix({ words, length }: Prefix): void {
    this.#reserve(words.length * WORD_BYTES);
    const view = this.#view;
    const used = this.#used;
    for (let at = 0; at < words.length; at += 1) view.setInt32(used + at * WORD_BYTES, words[at]!, true);
    this.#used = used + length;
  }

  #addBytes(source: Uint8Array): void {
    this.#reserve(source.length);
    const target = this.#bytes;
    let used = this.#used;
    for (let at = 0; at < source.length; at += 1) target[used++] = source[at]!;
    this.#used = used;
  }

  /** @param text only ASCII */
  #addText(text: string): void {
    this.#reserve(text.length);
    const target = this.#bytes;
    let used = this.#used;
    for (let at = 0; at < text.length; at += 1) target[used++] = text.charCodeAt(at);
    this.#used = used;
  }

  #reserve(extra: number): void {
    if (this.#used + extra <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#used + extra, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#used));
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}

/** What is written before a cell: bytes in words of four, because single bytes take most of the time. */
interface Prefix {
  readonly words: Int32Array;
  readonly length: number;
}

const WORD_BYTES = 4;

function prefixOf(text: string): Prefix {
  const bytes = Buffer.from(text);
  const padded = Buffer.alloc(Math.ceil(bytes.length / WORD_BYTES) * WORD_BYTES);
  bytes.copy(padded);
  const words = Int32Array.from({ length: padded.length / WORD_BYTES }, (_, at) => padded.readInt32LE(at * WORD_BYTES));
  return { words, length: bytes.length };
}

const MAX_CENTS = 1e15 - 1;
/** Of a number of cents, with a decimal point. */
const MAX_DIGITS = 18;
const ZERO = 0x30;
const POINT = 0x2e;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const LAST_ASCII = 0x7e;

const DAY_MS = 86_400_000;
/** Day zero for serials from 61 on. Because of the false leap day of 1900, serials below 60 are one day later. */
const ORIGIN_1900_MS = Date.UTC(1899, 11, 30);
const ORIGIN_1904_MS = Date.UTC(1904, 0, 1);

/** '2026-10-31', with the time of day if there is one. A serial that has no day is shown as a number. */
function shownDate(serial: number, epoch: Epoch): string {
  const { day, second } = dayAndSecond(serial);
  const midnight = serial < 0 ? null : midnightMs(day, epoch);
  if (midnight === null) return shownNumber(serial);
  return new Date(midnight + second * 1000).toISOString().slice(0, second > 0 ? 19 : 10);
}

function midnightMs(day: number, epoch: Epoch): number | null {
  if (epoch === 1904) return day < 2_957_004 ? ORIGIN_1904_MS + day * DAY_MS : null;
  if (day >= 61 && day < 2_958_466) return ORIGIN_1900_MS + day * DAY_MS;
  return day >= 1 && day < 60 ? ORIGIN_1900_MS + (day + 1) * DAY_MS : null;
}
