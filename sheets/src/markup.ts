import { isUtf8 } from 'node:buffer';
import { MAX_TEXT_BYTES, refuseDamaged, refuseLongText, refuseSheet } from './limits.ts';

export const Markup = { open: 1, close: 2, empty: 3, aside: 4, cdata: 5 } as const;

const LESS = 60;
const GREATER = 62;
const SLASH = 47;
const EQUALS = 61;
const QUOTE = 34;
const APOSTROPHE = 39;
const QUESTION = 63;
const DASH = 45;
const BRACKET = 93;

/** No tag of a spreadsheet comes near these; each attribute's name is compared with all before it. */
const MAX_ATTRIBUTES = 128;
const MAX_TAG_BYTES = 64 << 10;
/** Maximum open elements. */
export const MAX_DEPTH = 256;
/** XML of one text: every character of the longest text may be an entity. */
const MAX_PIECE_BYTES = 8 * MAX_TEXT_BYTES;

/** Characters in the names of a spreadsheet's elements and attributes. */
const IS_NAME = Uint8Array.from({ length: 256 }, (_, byte) => (/[\w:.-]/.test(String.fromCharCode(byte)) ? 1 : 0));

/**
 * Steps through XML in place, one piece of markup at a time, with any prefixes, quoting and white space. It is the
 * careful reader: parts of the workbook go through it completely, rows only where the fast path does not know a form.
 * Invalid XML is rejected, never guessed at.
 */
export class MarkupReader {
  bytes: Uint8Array = new Uint8Array(0);
  limit = 0;
  /** The kind of `Markup` that `read` found. */
  kind = 0;
  /** The text before it. */
  textStart = 0;
  textEnd = 0;
  /** Its local name (without prefix); for CDATA its content. */
  nameStart = 0;
  nameEnd = 0;
  private tagEnd = 0;
  /** Where the names of the tag's attributes begin and end. */
  private readonly nameBounds = new Int32Array(2 * MAX_ATTRIBUTES);

  over(bytes: Uint8Array, limit: number): this {
    this.bytes = bytes;
    this.limit = limit;
    return this;
  }

  /**
   * Continues from `position` to the end of the next markup.
   * @returns the position after it, or -1 if it does not end before the limit
   * @throws SheetError for invalid XML, and for a document type declaration, which no spreadsheet has and which can be
   *   harmful
   */
  read(position: number): number {
    const { bytes, limit } = this;
    let at = position;
    while (at < limit && bytes[at] !== LESS) {
      at += 1;
    }
    if (at + 1 >= limit) {
      return -1;
    }
    this.textStart = position;
    this.textEnd = at;
    const first = bytes[at + 1]!;
    if (first === 33) {
      return this.readDeclaration(at);
    }
    if (first === 63) {
      this.kind = Markup.aside;
      this.nameEnd = this.nameStart;
      return this.endOf(at + 2, QUESTION, 0);
    }
    this.kind = first === SLASH ? Markup.close : Markup.open;
    at += first === SLASH ? 2 : 1;
    this.nameStart = at;
    for (; at < limit; at += 1) {
      const byte = bytes[at]!;
      if (byte <= 32 || byte === GREATER || byte === SLASH) {
        break;
      }
      if (IS_NAME[byte] === 0) {
        throw refuseMarkup(bytes, this.textEnd, limit);
      }
      if (byte === 58) {
        this.nameStart = at + 1;
      }
    }
    this.nameEnd = at;
    if (at < limit && at === this.nameStart) {
      throw refuseMarkup(bytes, this.textEnd, limit);
    }
    return this.readAttributes(at);
  }

  /** Continues from the end of a tag's name to the end of the tag. */
  private readAttributes(start: number): number {
    const { bytes, limit } = this;
    let at = start;
    let attributes = 0;
    for (;;) {
      const blanksStart = at;
      while (at < limit && bytes[at]! <= 32) {
        at += 1;
      }
      if (at - this.textEnd > MAX_TAG_BYTES) {
        throw refuseMarkup(bytes, this.textEnd, limit);
      }
      if (at >= limit) {
        return -1;
      }
      const byte = bytes[at]!;
      if (byte === GREATER) {
        this.tagEnd = at;
        return at + 1;
      }
      if (at + 1 >= limit) {
        return -1;
      }
      if (byte === SLASH && bytes[at + 1] === GREATER && this.kind === Markup.open) {
        this.kind = Markup.empty;
        this.tagEnd = at;
        return at + 2;
      }
      if (at === blanksStart || this.kind === Markup.close) {
        throw refuseMarkup(bytes, this.textEnd, limit);
      }
      const nameStart = at;
      for (; at < limit; at += 1) {
        const letter = bytes[at]!;
        if (letter <= 32 || letter === EQUALS) {
          break;
        }
        if (IS_NAME[letter] === 0) {
          throw refuseMarkup(bytes, this.textEnd, limit);
        }
      }
      const nameEnd = at;
      attributes += 1;
      if (attributes > MAX_ATTRIBUTES || this.isNamedBefore(attributes - 1, nameStart, nameEnd)) {
        throw refuseMarkup(bytes, this.textEnd, limit);
      }
      while (at < limit && bytes[at]! <= 32) {
        at += 1;
      }
      if (at < limit && (bytes[at] !== EQUALS || nameEnd === nameStart)) {
        throw refuseMarkup(bytes, this.textEnd, limit);
      }
      at += 1;
      while (at < limit && bytes[at]! <= 32) {
        at += 1;
      }
      const quote = bytes[at];
      if (at < limit && quote !== QUOTE && quote !== APOSTROPHE) {
        throw refuseMarkup(bytes, this.textEnd, limit);
      }
      at += 1;
      while (at < limit && bytes[at] !== quote) {
        if (bytes[at] === LESS) {
          throw refuseMarkup(bytes, this.textEnd, limit);
        }
        at += 1;
      }
      at += 1;
      if (at >= limit) {
        if (at - this.textEnd > MAX_TAG_BYTES) {
          throw refuseMarkup(bytes, this.textEnd, limit);
        }
        return -1;
      }
    }
  }

  /**
   * Records bytes[nameStart, nameEnd) as the name of the tag's attribute number `count`.
   * @returns whether an earlier attribute has the same name
   */
  private isNamedBefore(count: number, nameStart: number, nameEnd: number): boolean {
    const { bytes, nameBounds } = this;
    const length = nameEnd - nameStart;
    for (let other = 0; other < count; other += 1) {
      const start = nameBounds[2 * other]!;
      if (nameBounds[2 * other + 1]! - start !== length) {
        continue;
      }
      let index = 0;
      while (index < length && bytes[start + index] === bytes[nameStart + index]) {
        index += 1;
      }
      if (index === length) {
        return true;
      }
    }
    nameBounds[2 * count] = nameStart;
    nameBounds[2 * count + 1] = nameEnd;
    return false;
  }

  is(name: string): boolean {
    return this.nameEnd - this.nameStart === name.length && isAt(this.bytes, this.nameStart, name);
  }

  get name(): string {
    return utf8(this.bytes, this.nameStart, this.nameEnd);
  }

  /**
   * What this step contributes to an element's text: the text before the markup, and the content of a CDATA section.
   */
  get content(): string {
    const { bytes } = this;
    const isLong = this.kind === Markup.cdata && this.nameEnd - this.nameStart > MAX_PIECE_BYTES;
    if (isLong || this.textEnd - this.textStart > MAX_PIECE_BYTES) {
      throw refuseLongText();
    }
    const before = this.textEnd === this.textStart ? '' : decodeContent(utf8(bytes, this.textStart, this.textEnd));
    return this.kind === Markup.cdata ? before + decodeCdata(utf8(bytes, this.nameStart, this.nameEnd)) : before;
  }

  /** @throws SheetError if the text before the markup is not valid in XML */
  checkText(): void {
    if (this.textEnd > this.textStart) {
      decodeContent(utf8(this.bytes, this.textStart, this.textEnd));
    }
  }

  /** @throws SheetError if there is text before the markup, or as CDATA, where only elements are allowed */
  refuseText(): void {
    const { bytes, textStart, textEnd } = this;
    for (let at = textStart; at < textEnd; at += 1) {
      const byte = bytes[at]!;
      if (byte !== 32 && byte !== 10 && byte !== 13 && byte !== 9) {
        throw refuseMarkup(bytes, at, textEnd);
      }
    }
    if (this.kind === Markup.cdata) {
      throw refuseMarkup(bytes, textEnd, this.limit);
    }
  }

  /** @throws SheetError that quotes the markup as misplaced */
  refuse(): never {
    throw refuseMarkup(this.bytes, this.textEnd, this.limit);
  }

  /**
   * Skips an opened element with its content.
   * @returns the position after its closing tag, or -1 if it does not end before the limit
   */
  skip(position: number): number {
    const open = [this.name];
    for (let at = this.read(position); at !== -1; at = this.read(at)) {
      if (this.kind === Markup.open) {
        if (open.push(this.name) > MAX_DEPTH) {
          this.refuse();
        }
      } else if (this.kind === Markup.close) {
        if (this.name !== open.pop()) {
          this.refuse();
        }
        if (open.length === 0) {
          return at;
        }
      }
    }
    return -1;
  }

  /**
   * The text of an attribute by its local name, entities decoded; undefined if the tag does not have it.
   * @throws SheetError if it occurs twice
   */
  attribute(name: string): string | undefined {
    const { bytes, tagEnd } = this;
    let found: string | undefined;
    let at = this.nameEnd;
    while (at < tagEnd) {
      while (at < tagEnd && (bytes[at]! <= 32 || bytes[at] === SLASH)) {
        at += 1;
      }
      let start = at;
      while (at < tagEnd && bytes[at] !== 61 && bytes[at]! > 32) {
        if (bytes[at] === 58) {
          start = at + 1;
        }
        at += 1;
      }
      const end = at;
      while (at < tagEnd && bytes[at] !== QUOTE && bytes[at] !== APOSTROPHE) {
        at += 1;
      }
      const quote = bytes[at];
      const valueStart = at + 1;
      at = valueStart;
      while (at < tagEnd && bytes[at] !== quote) {
        at += 1;
      }
      if (at < tagEnd && end - start === name.length && isAt(bytes, start, name)) {
        if (found !== undefined) {
          throw refuseMarkup(bytes, this.textEnd, this.limit);
        }
        found = decodeEntities(utf8(bytes, valueStart, at));
      }
      at += 1;
    }
    return found;
  }

  /**
   * Finds the `>` that follows one byte, or two if `before` is not 0.
   * @returns the position after it, or -1 if there is none before the limit
   */
  private endOf(start: number, last: number, before: number): number {
    const { bytes, limit } = this;
    for (let at = start + (before === 0 ? 1 : 2); at < limit; at += 1) {
      if (bytes[at] === GREATER && bytes[at - 1] === last && (before === 0 || bytes[at - 2] === before)) {
        return at + 1;
      }
    }
    return -1;
  }

  private readDeclaration(at: number): number {
    const { bytes, limit } = this;
    if (at + 9 > limit) {
      return -1;
    }
    if (bytes[at + 2] === 45 && bytes[at + 3] === 45) {
      this.kind = Markup.aside;
      this.nameEnd = this.nameStart;
      return this.endOf(at + 4, DASH, DASH);
    }
    if (isAt(bytes, at, '<![CDATA[')) {
      const end = this.endOf(at + 9, BRACKET, BRACKET);
      this.kind = Markup.cdata;
      this.nameStart = at + 9;
      this.nameEnd = end - 3;
      return end;
    }
    throw refuseSheet(
      'The workbook contains a document type declaration, which Excel never writes and which is unsafe. Save it again in Excel and open the new file.',
    );
  }
}

/** Whether these ASCII letters are at that position. */
function isAt(bytes: Uint8Array, start: number, letters: string): boolean {
  for (let index = 0; index < letters.length; index += 1) {
    if (bytes[start + index] !== letters.charCodeAt(index)) {
      return false;
    }
  }
  return true;
}

function refuseMarkup(bytes: Uint8Array, start: number, limit: number): Error {
  const shown = utf8(bytes, start, Math.min(limit, start + 30)).replace(/\s+/g, ' ');
  return refuseDamaged(`the XML of a part is not valid, "${shown}" does not belong there`);
}

/** @throws SheetError for bytes that are not UTF-8 */
export function utf8(bytes: Uint8Array, start: number, end: number): string {
  const piece = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
  const text = piece.toString('utf8');
  if (text.includes('\ufffd') && !isUtf8(piece)) {
    throw refuseDamaged('a text is not valid UTF-8');
  }
  return text;
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Decodes XML's five entities and character references.
 * @throws SheetError for any other ampersand, and for characters that XML does not allow
 */
export function decodeEntities(text: string): string {
  refuseControls(text);
  if (!text.includes('&')) {
    return text;
  }
  return text.replace(
    /&(?:#x([0-9a-fA-F]{1,6});|#(\d{1,7});|(amp|lt|gt|quot|apos);)?/g,
    (whole, hex, decimal, name) => {
      if (name !== undefined) {
        return ENTITIES[name as string]!;
      }
      const point = hex !== undefined ? Number.parseInt(hex, 16) : Number(decimal);
      if (!isCharacter(point)) {
        throw refuseDamaged(`"${whole}" is not a character`);
      }
      return String.fromCodePoint(point);
    },
  );
}

function refuseControls(text: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the search is for these
  if (/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(text)) {
    throw refuseDamaged('a text contains characters that XML does not allow');
  }
}

/** Whether the character is allowed in XML. False for NaN. */
const isCharacter = (point: number): boolean =>
  point === 9 ||
  point === 10 ||
  point === 13 ||
  (point >= 32 && point < 0xd800) ||
  (point > 0xdfff && point < 0xfffe) ||
  (point > 0xffff && point <= 0x10ffff);

/** Text content as XML defines it: line ends become one line feed, then entities are decoded. */
export function decodeContent(text: string): string {
  if (text.includes(']]>')) {
    throw refuseDamaged('the XML of a part is not valid, "]]>" does not belong there');
  }
  return decodeEntities(withLineFeeds(text));
}

/** The content of a CDATA section: unchanged except for line ends. */
export function decodeCdata(text: string): string {
  refuseControls(text);
  return withLineFeeds(text);
}

const withLineFeeds = (text: string): string => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);

/** Excel's own escapes in cell texts: `_x000D_` is a carriage return, `_x005F_` escapes an underscore. */
export function decodeEscapes(text: string): string {
  if (!text.includes('_x')) {
    return text;
  }
  return text.replace(/_x([0-9a-fA-F]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
