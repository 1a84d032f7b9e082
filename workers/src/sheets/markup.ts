import { isUtf8 } from 'node:buffer';
import { refuseDamaged, refuseSheet } from './limits.ts';

export const Markup = { open: 1, close: 2, empty: 3, aside: 4, cdata: 5 } as const;

const LESS = 60;
const GREATER = 62;
const SLASH = 47;
const EQUALS = 61;
const QUOTE = 34;
const APOSTROPHE = 39;

/** No tag of a spreadsheet comes near these; each attribute's name is looked for among all before it. */
const MAX_ATTRIBUTES = 128;
const MAX_TAG_BYTES = 64 << 10;

/** Bytes that the names of a spreadsheet's elements and attributes are made of. */
const IS_NAME = Uint8Array.from({ length: 256 }, (_, byte) => (/[\w:.-]/.test(String.fromCharCode(byte)) ? 1 : 0));

/**
 * Steps through XML one piece of markup at a time, in place, whatever its prefixes, quoting and white space. It is the
 * careful reader: parts of the workbook go through it whole, rows only where the fast path does not know a form.
 * What is no XML is refused rather than guessed at.
 */
export class MarkupReader {
  bytes: Uint8Array = new Uint8Array(0);
  limit = 0;
  /** What `read` came upon, of `Markup`. */
  kind = 0;
  /** The text before it. */
  textStart = 0;
  textEnd = 0;
  /** Its local name (without prefix); for CDATA its content. */
  nameStart = 0;
  nameEnd = 0;
  private tagEnd = 0;

  over(bytes: Uint8Array, limit: number): this {
    this.bytes = bytes;
    this.limit = limit;
    return this;
  }

  /**
   * Reads on from `position` to the end of the next markup.
   * @returns the place after it, or -1 where it does not end before the limit.
   * @throws Refusal for what is no XML, and for a document type declaration, which no spreadsheet has and which can be
   * made to do harm.
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
      return endOf(bytes, at + 2, limit, '?>');
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

  /** From behind a tag's name to behind the tag. */
  private readAttributes(start: number): number {
    const { bytes, limit } = this;
    let at = start;
    let attributes = 0;
    for (;;) {
      const blanksStart = at;
      while (at < limit && bytes[at]! <= 32) {
        at += 1;
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
      if (attributes > MAX_ATTRIBUTES || at - start > MAX_TAG_BYTES || this.isNamedBefore(start, nameStart, nameEnd)) {
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
        return -1;
      }
    }
  }

  /** Whether an attribute of the name in bytes[nameStart, nameEnd) stands between `start` and there. */
  private isNamedBefore(start: number, nameStart: number, nameEnd: number): boolean {
    const { bytes } = this;
    const length = nameEnd - nameStart;
    for (let at = start; at + length < nameStart; at += 1) {
      // a name begins behind white space and ends before white space or =
      if (bytes[at]! <= 32 && (bytes[at + length + 1] === EQUALS || bytes[at + length + 1]! <= 32)) {
        let index = 0;
        while (index < length && bytes[at + 1 + index] === bytes[nameStart + index]) {
          index += 1;
        }
        if (index === length && !this.isWithinQuotes(start, at)) {
          return true;
        }
      }
    }
    return false;
  }

  private isWithinQuotes(start: number, end: number): boolean {
    let quote = 0;
    for (let at = start; at < end; at += 1) {
      const byte = this.bytes[at]!;
      if (quote === 0 ? byte === QUOTE || byte === APOSTROPHE : byte === quote) {
        quote = quote === 0 ? byte : 0;
      }
    }
    return quote !== 0;
  }

  is(name: string): boolean {
    const { bytes, nameStart } = this;
    if (this.nameEnd - nameStart !== name.length) {
      return false;
    }
    for (let index = 0; index < name.length; index += 1) {
      if (bytes[nameStart + index] !== name.charCodeAt(index)) {
        return false;
      }
    }
    return true;
  }

  get name(): string {
    return utf8(this.bytes, this.nameStart, this.nameEnd);
  }

  /** What the step gives to an element's text: what stands before the markup, and a CDATA section itself. */
  get content(): string {
    const { bytes } = this;
    const before = this.textEnd === this.textStart ? '' : decodeContent(utf8(bytes, this.textStart, this.textEnd));
    return this.kind === Markup.cdata ? before + decodeCdata(utf8(bytes, this.nameStart, this.nameEnd)) : before;
  }

  /** @throws Refusal where the text before the markup is none that XML allows. */
  checkText(): void {
    if (this.textEnd > this.textStart) {
      decodeContent(utf8(this.bytes, this.textStart, this.textEnd));
    }
  }

  /** @throws Refusal where text stands before the markup, or as CDATA, and only elements may. */
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

  /** @throws Refusal that shows the markup as one that does not belong where it stands. */
  refuse(): never {
    throw refuseMarkup(this.bytes, this.textEnd, this.limit);
  }

  /**
   * Reads on behind an element that was opened, past whatever it holds.
   * @returns the place after its closing tag, or -1 where it does not end before the limit.
   */
  skip(position: number): number {
    const open = [this.name];
    for (let at = this.read(position); at !== -1; at = this.read(at)) {
      if (this.kind === Markup.open) {
        open.push(this.name);
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
   * The text of an attribute by its local name, entities decoded; undefined where the tag has none such.
   * @throws Refusal where it is there twice.
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
      if (at < tagEnd && end - start === name.length && utf8(bytes, start, end) === name) {
        if (found !== undefined) {
          throw refuseMarkup(bytes, this.textEnd, this.limit);
        }
        found = decodeEntities(utf8(bytes, valueStart, at));
      }
      at += 1;
    }
    return found;
  }

  private readDeclaration(at: number): number {
    const { bytes, limit } = this;
    if (at + 9 > limit) {
      return -1;
    }
    if (bytes[at + 2] === 45 && bytes[at + 3] === 45) {
      this.kind = Markup.aside;
      this.nameEnd = this.nameStart;
      return endOf(bytes, at + 4, limit, '-->');
    }
    if (utf8(bytes, at, at + 9) === '<![CDATA[') {
      const end = endOf(bytes, at + 9, limit, ']]>');
      this.kind = Markup.cdata;
      this.nameStart = at + 9;
      this.nameEnd = end - 3;
      return end;
    }
    throw refuseSheet(
      'The workbook carries a document type declaration, which Excel never writes and which can do harm. Save it again in Excel and upload the new file.',
    );
  }
}

function refuseMarkup(bytes: Uint8Array, start: number, limit: number): Error {
  const shown = utf8(bytes, start, Math.min(limit, start + 30)).replace(/\s+/g, ' ');
  return refuseDamaged(`the XML of a part is not sound, "${shown}" does not belong there`);
}

function endOf(bytes: Uint8Array, start: number, limit: number, end: string): number {
  const last = end.charCodeAt(end.length - 1);
  for (let at = start + end.length - 1; at < limit; at += 1) {
    if (bytes[at] === last && utf8(bytes, at - end.length + 1, at + 1) === end) {
      return at + 1;
    }
  }
  return -1;
}

/** @throws Refusal for bytes that are no UTF-8. */
export function utf8(bytes: Uint8Array, start: number, end: number): string {
  const piece = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
  const text = piece.toString('utf8');
  if (text.includes('\ufffd') && !isUtf8(piece)) {
    throw refuseDamaged('a text is not in the encoding it should be in (UTF-8)');
  }
  return text;
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * XML's five entities and character references.
 * @throws Refusal for any other ampersand, and for characters that XML has no place for.
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
        throw refuseDamaged(`"${whole}" stands for no character`);
      }
      return String.fromCodePoint(point);
    },
  );
}

function refuseControls(text: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(text)) {
    throw refuseDamaged('a text holds characters that XML does not allow');
  }
}

/** Whether XML has such a character. False for what is no number. */
const isCharacter = (point: number): boolean =>
  point === 9 ||
  point === 10 ||
  point === 13 ||
  (point >= 32 && point < 0xd800) ||
  (point > 0xdfff && point < 0xfffe) ||
  (point > 0xffff && point <= 0x10ffff);

/** Text content as XML means it: line ends are one line feed, then entities. */
export function decodeContent(text: string): string {
  if (text.includes(']]>')) {
    throw refuseDamaged('the XML of a part is not sound, "]]>" does not belong there');
  }
  return decodeEntities(withLineFeeds(text));
}

/** The content of a CDATA section: as it stands, but for line ends. */
export function decodeCdata(text: string): string {
  refuseControls(text);
  return withLineFeeds(text);
}

const withLineFeeds = (text: string): string => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);

/** Excel's own escapes in cell texts: `_x000D_` is a carriage return, `_x005F_` guards an underscore. */
export function decodeEscapes(text: string): string {
  if (!text.includes('_x')) {
    return text;
  }
  return text.replace(/_x([0-9a-fA-F]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
