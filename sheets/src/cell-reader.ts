import { CellTag } from './cell-tag.ts';
import { isoToSerial } from './date-serial.ts';
import { checkTextLength, MAX_TEXT_BYTES, refuseDamaged, refuseLongText } from './limits.ts';
import { decodeEscapes, Markup, MarkupReader } from './markup.ts';
import { parseNumberBytes } from './number-bytes.ts';
import type { Epoch } from './raw-batch.ts';
import { StringItemReader } from './shared-strings.ts';

/** Reads any cell that XML allows, one at a time; the careful counterpart of the scanner's fast path. */
export class CellReader {
  /** 1-based sheet column of the cell read. */
  column = 0;
  tag: CellTag = CellTag.blank;
  /** The number, boolean, date serial, or shared string's index. */
  value = 0;
  /** The text of an inline string, a formula's text or an error. */
  text = '';
  isShared = false;
  /** The cell has a formula whose result is missing in the file. */
  isOpenFormula = false;
  /** `read` found the end of the row instead of a cell. */
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
   * @param previous column of the cell before it; a cell without a reference directly follows that one
   * @param row number of the row
   * @returns the position after it, or -1 if it does not end before the limit
   */
  read(bytes: Uint8Array, position: number, limit: number, previous: number, row: number): number {
    const markup = this.markup.over(bytes, limit);
    this.isRowEnd = false;
    let next = position;
    for (let at = markup.read(next); at !== -1; at = markup.read(next)) {
      next = at;
      markup.refuseText();
      if (markup.kind === Markup.close) {
        if (!markup.is('row')) {
          throw refuseDamaged('a row of the sheet is not closed');
        }
        this.isRowEnd = true;
        return at;
      }
      if (markup.kind <= Markup.empty && markup.is('c')) {
        return this.readCell(bytes, at, limit, previous, row);
      }
      if (markup.kind === Markup.open) {
        next = this.skipExtension(at);
        if (next === -1) {
          return -1;
        }
      }
    }
    return -1;
  }

  private readCell(bytes: Uint8Array, position: number, limit: number, previous: number, row: number): number {
    const { markup } = this;
    const reference = markup.attribute('r');
    this.column = reference === undefined ? previous + 1 : columnOfReference(reference, row);
    this.tag = CellTag.blank;
    this.isShared = false;
    this.isOpenFormula = false;
    if (markup.kind === Markup.empty) {
      return position;
    }
    const type = markup.attribute('t')?.trim() ?? 'n';
    // some writers leave the style of a plain cell empty
    const style = markup.attribute('s')?.trim() || '0';
    if (!/^\d{1,7}$/.test(style)) {
      throw refuseDamaged(`a cell has the style "${style.slice(0, 20)}"`);
    }
    let raw: string | undefined;
    let inline: string | undefined;
    let hasFormula = false;
    let next = position;
    for (;;) {
      const at = markup.read(next);
      if (at === -1) {
        return -1;
      }
      next = at;
      markup.refuseText();
      if (markup.kind > Markup.empty) {
        continue;
      }
      if (markup.kind === Markup.close) {
        if (!markup.is('c')) {
          throw refuseDamaged('a cell of the sheet is not closed');
        }
        break;
      }
      const isEmpty = markup.kind === Markup.empty;
      if (markup.is('v') && raw === undefined) {
        next = isEmpty ? at : this.readText(at, 'v');
        raw = isEmpty ? '' : this.text;
      } else if (markup.is('f') && !hasFormula) {
        hasFormula = true;
        next = isEmpty ? at : this.readText(at, 'f');
      } else if (markup.is('is') && inline === undefined) {
        next = isEmpty ? at : this.item.read(bytes, at, limit, 'is');
        inline = isEmpty ? '' : this.item.text;
      } else if (!isEmpty) {
        next = this.skipExtension(at);
      }
      if (next === -1) {
        return -1;
      }
    }
    // a text formula may well give an empty text
    this.isOpenFormula =
      hasFormula && inline === undefined && (raw === undefined || (raw.trim() === '' && type !== 'str'));
    if (type === 'inlineStr' || (inline !== undefined && raw === undefined)) {
      this.setText(inline ?? decodeEscapes(raw ?? ''));
    } else if (raw !== undefined) {
      this.setValue(type, raw, Number(style));
    }
    return next;
  }

  /** Reads an element's text into `text`. @returns the position after its end, or -1 if it does not end */
  private readText(position: number, closing: string): number {
    const { markup } = this;
    let text = '';
    for (let at = markup.read(position); at !== -1; at = markup.read(at)) {
      text += markup.content;
      if (text.length > MAX_TEXT_BYTES) {
        throw refuseLongText();
      }
      if (markup.kind === Markup.close && markup.is(closing)) {
        this.text = checkTextLength(text);
        return at;
      }
      if (markup.kind <= Markup.empty) {
        markup.refuse();
      }
    }
    return -1;
  }

  /** Skips elements that later versions of Excel may add; anything else is misplaced. */
  private skipExtension(position: number): number {
    if (!this.markup.is('extLst')) {
      this.markup.refuse();
    }
    return this.markup.skip(position);
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
          if (!/^(?:[01]|true|false)$/.test(trimmed)) {
            throw refuseDamaged(`a cell has the boolean "${trimmed.slice(0, 20)}"`);
          }
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
      case 'n':
        this.setNumber(raw, trimmed, style);
        return;
      default:
        throw refuseDamaged(`a cell has the type "${type.slice(0, 20)}"`);
    }
  }

  private setNumber(raw: string, trimmed: string, style: number): void {
    if (trimmed === '') {
      return;
    }
    const encoded = Buffer.from(trimmed, 'latin1');
    const value = parseNumberBytes(encoded, 0, encoded.length);
    if (Number.isNaN(value)) {
      // kept as it is, so that the error in the cell is visible
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

/** The 1-based column of a reference such as `AB12`, which must belong to the current row. */
function columnOfReference(reference: string, row: number): number {
  const [, letters, number] = /^\s*\$?([A-Za-z]{1,3})\$?(\d{1,9})\s*$/.exec(reference) ?? [];
  if (letters === undefined || Number(number) !== row) {
    throw refuseDamaged(`a cell of row ${row} has the reference "${reference.slice(0, 20)}"`);
  }
  let column = 0;
  for (const letter of letters.toUpperCase()) {
    column = column * 26 + letter.charCodeAt(0) - 64;
  }
  return column;
}
