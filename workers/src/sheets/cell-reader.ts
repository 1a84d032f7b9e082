import { isoToSerial } from './date-serial.ts';
import { refuseDamaged } from './limits.ts';
import { decodeContent, decodeEscapes, Markup, MarkupReader, utf8 } from './markup.ts';
import { parseNumberBytes } from './number-bytes.ts';
import { CellTag, type Epoch } from './raw-batch.ts';
import { StringItemReader } from './shared-strings.ts';

/** Reads any cell that XML allows, one at a time; the careful twin of the scanner's fast path. */
export class CellReader {
  /** 1-based sheet column of the cell read. */
  column = 0;
  tag: CellTag = CellTag.blank;
  /** The number, boolean, date serial, or shared string's index. */
  value = 0;
  /** The text of an inline string, a formula's text or an error. */
  text = '';
  isShared = false;
  /** `read` came upon the end of the row instead of a cell. */
  isRowEnd = false;
  private readonly markup = new MarkupReader();
  private readonly item = new StringItemReader();
  private readonly epoch: Epoch;
  private readonly tagOfStyle: Uint8Array;

  constructor(epoch: Epoch, tagOfStyle: Uint8Array) {
    this.epoch = epoch;
    this.tagOfStyle = tagOfStyle;
  }

  /**
   * Reads the next cell of a row, or its end.
   * @param previous column of the cell before it; a cell without a reference stands right after that one.
   * @returns the place after it, or -1 where it does not end before the limit.
   */
  read(bytes: Uint8Array, position: number, limit: number, previous: number): number {
    const markup = this.markup.over(bytes, limit);
    this.isRowEnd = false;
    for (let at = markup.read(position); at !== -1; at = markup.read(at)) {
      if (markup.kind === Markup.close && markup.is('row')) {
        this.isRowEnd = true;
        return at;
      }
      if (markup.kind === Markup.close && (markup.is('sheetData') || markup.is('worksheet'))) {
        throw refuseDamaged('a row of the sheet is not closed');
      }
      if ((markup.kind === Markup.open || markup.kind === Markup.empty) && markup.is('c')) {
        return this.readCell(bytes, at, limit, previous);
      }
    }
    return -1;
  }

  private readCell(bytes: Uint8Array, position: number, limit: number, previous: number): number {
    const { markup } = this;
    const reference = markup.attribute('r');
    this.column = reference === undefined ? previous + 1 : columnOfReference(reference);
    this.tag = CellTag.blank;
    this.isShared = false;
    if (markup.kind === Markup.empty) {
      return position;
    }
    const type = markup.attribute('t')?.trim() ?? 'n';
    const style = Number(markup.attribute('s') ?? '0');
    let raw = '';
    let hasValue = false;
    let inline: string | undefined;
    let inValue = false;
    let at = position;
    for (;;) {
      at = markup.read(at);
      if (at === -1) {
        return -1;
      }
      if (inValue) {
        raw += decodeContent(utf8(bytes, markup.textStart, markup.textEnd));
        if (markup.kind === Markup.cdata) {
          raw += utf8(bytes, markup.nameStart, markup.nameEnd);
        }
      }
      if (markup.kind === Markup.open && markup.is('v')) {
        inValue = true;
        hasValue = true;
      } else if (markup.kind === Markup.open && markup.is('is')) {
        at = this.item.read(bytes, at, limit, 'is');
        if (at === -1) {
          return -1;
        }
        inline = this.item.text;
      } else if (markup.kind === Markup.close) {
        if (markup.is('v')) {
          inValue = false;
        } else if (markup.is('c')) {
          break;
        } else if (markup.is('row') || markup.is('sheetData')) {
          throw refuseDamaged('a cell of the sheet is not closed');
        }
      }
    }
    if (type === 'inlineStr' || (inline !== undefined && !hasValue)) {
      this.setText(inline ?? decodeEscapes(raw));
    } else if (hasValue) {
      this.setValue(type, raw, style);
    }
    return at;
  }

  private setValue(type: string, raw: string, style: number): void {
    const trimmed = raw.trim();
    switch (type) {
      case 's':
        if (trimmed !== '') {
          this.tag = CellTag.text;
          this.isShared = true;
          this.value = /^\d{1,10}$/.test(trimmed) ? Number(trimmed) : -1;
        }
        return;
      case 'str':
        this.setText(decodeEscapes(raw));
        return;
      case 'e':
        this.tag = CellTag.error;
        this.text = trimmed === '' ? '#VALUE!' : trimmed;
        return;
      case 'b':
        if (trimmed !== '') {
          this.tag = CellTag.boolean;
          this.value = trimmed === '1' || trimmed === 'true' ? 1 : 0;
        }
        return;
      case 'd': {
        const serial = isoToSerial(trimmed, this.epoch);
        if (serial === undefined) {
          this.setText(raw);
        } else {
          this.tag = CellTag.date;
          this.value = serial;
        }
        return;
      }
      default:
        this.setNumber(raw, trimmed, style);
    }
  }

  private setNumber(raw: string, trimmed: string, style: number): void {
    if (trimmed === '') {
      return;
    }
    const encoded = Buffer.from(trimmed, 'latin1');
    const value = parseNumberBytes(encoded, 0, encoded.length);
    if (Number.isNaN(value)) {
      // kept as it stands, so that whoever uses the cell sees what is wrong with it
      this.setText(raw);
      return;
    }
    this.tag = (this.tagOfStyle[style] ?? CellTag.number) as CellTag;
    this.value = value;
  }

  private setText(text: string): void {
    if (text !== '') {
      this.tag = CellTag.text;
      this.text = text;
    }
  }
}

/** The 1-based column of a reference such as `AB12`. */
function columnOfReference(reference: string): number {
  const letters = /^\s*\$?([A-Za-z]{1,3})\$?\d/.exec(reference)?.[1];
  if (letters === undefined) {
    throw refuseDamaged(`a cell has the reference "${reference.slice(0, 20)}"`);
  }
  let column = 0;
  for (const letter of letters.toUpperCase()) {
    column = column * 26 + letter.charCodeAt(0) - 64;
  }
  return column;
}
