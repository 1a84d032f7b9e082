import { refuseSheet } from './limits.ts';

export const Markup = { open: 1, close: 2, empty: 3, aside: 4, cdata: 5 } as const;

const LESS = 60;
const GREATER = 62;
const SLASH = 47;
const QUOTE = 34;
const APOSTROPHE = 39;

/**
 * Steps through XML one piece of markup at a time, in place, whatever its prefixes, quoting and white space. It is the
 * careful reader: parts of the workbook go through it whole, rows only where the fast path does not know a form.
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
   * @throws Refusal for a document type declaration, which no spreadsheet has and which can be made to do harm.
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
      if (byte === 58) {
        this.nameStart = at + 1;
      }
    }
    this.nameEnd = at;
    for (; at < limit; at += 1) {
      const byte = bytes[at]!;
      if (byte === GREATER) {
        this.tagEnd = at;
        if (this.kind === Markup.open && bytes[at - 1] === SLASH) {
          this.kind = Markup.empty;
        }
        return at + 1;
      }
      if (byte === QUOTE || byte === APOSTROPHE) {
        at += 1;
        while (at < limit && bytes[at] !== byte) {
          at += 1;
        }
      }
    }
    return -1;
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

  /** The text of an attribute by its local name, entities decoded; undefined where the tag has none such. */
  attribute(name: string): string | undefined {
    const { bytes, tagEnd } = this;
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
        return decodeEntities(utf8(bytes, valueStart, at));
      }
      at += 1;
    }
    return undefined;
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

function endOf(bytes: Uint8Array, start: number, limit: number, end: string): number {
  const last = end.charCodeAt(end.length - 1);
  for (let at = start + end.length - 1; at < limit; at += 1) {
    if (bytes[at] === last && utf8(bytes, at - end.length + 1, at + 1) === end) {
      return at + 1;
    }
  }
  return -1;
}

export function utf8(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** XML's five entities and character references; anything else stays as it is written. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) {
    return text;
  }
  return text.replace(/&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/g, (whole, hex, decimal, name) => {
    if (name !== undefined) {
      return ENTITIES[name as string]!;
    }
    const point = hex !== undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff)
      ? String.fromCodePoint(point)
      : whole;
  });
}

/** Text content as XML means it: line ends are one line feed, then entities. */
export function decodeContent(text: string): string {
  return decodeEntities(text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);
}

/** Excel's own escapes in cell texts: `_x000D_` is a carriage return, `_x005F_` guards an underscore. */
export function decodeEscapes(text: string): string {
  if (!text.includes('_x')) {
    return text;
  }
  return text.replace(/_x([0-9a-fA-F]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
