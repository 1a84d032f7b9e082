/** Maximum characters of a cell as Excel counts them: UTF-16 units. */
const CELL_CHARACTERS = 32_767;

/** Maximum bytes for one byte of text: a character written as _xHHHH_. */
export const GROWTH = 7;

const [UNDERSCORE, LETTER_X] = [0x5f, 0x78];
const ENTITIES = new Map(
  Object.entries({ '&': '&amp;', '<': '&lt;', '>': '&gt;' }).map(([text, entity]) => [
    text.charCodeAt(0),
    Buffer.from(entity),
  ]),
);

/**
 * By byte, whether it can be written unchanged. The exceptions are characters that XML cannot hold, a carriage return
 * (which XML would lose), an underscore (which may look like the start of such an escape), and the first byte of U+FFFE
 * and U+FFFF.
 */
const IS_PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  (byte < 32 && byte !== 9 && byte !== 10) || ENTITIES.has(byte) || byte === UNDERSCORE || byte === 0xef ? 0 : 1,
);

/**
 * Writes a text's UTF-8 bytes as the content of an XML element. Characters that XML cannot hold are written as
 * `_xHHHH_`, as Excel does; in text that already looks like this the underscore is escaped. The target must have
 * `GROWTH` times the text's bytes.
 * @returns the next position in the target
 */
export function writeText(target: Uint8Array, start: number, source: Uint8Array, from: number, to: number): number {
  let at = start;
  for (let index = from; index < to; index += 1) {
    const byte = source[index]!;
    if (IS_PLAIN[byte] === 1) {
      target[at] = byte;
      at += 1;
      continue;
    }
    const entity = ENTITIES.get(byte);
    if (entity) {
      target.set(entity, at);
      at += entity.length;
    } else if (byte < 32) {
      at = writeEscape(target, at, byte);
    } else if (byte === UNDERSCORE && isEscape(source, index, to)) {
      at = writeEscape(target, at, UNDERSCORE);
    } else if (byte === 0xef && source[index + 1] === 0xbf && source[index + 2]! >= 0xbe && index + 2 < to) {
      at = writeEscape(target, at, 0xff40 + source[index + 2]!);
      index += 2;
    } else {
      target[at] = byte;
      at += 1;
    }
  }
  return at;
}

function writeEscape(target: Uint8Array, at: number, code: number): number {
  const escaped = `_x${code.toString(16).toUpperCase().padStart(4, '0')}_`;
  for (let index = 0; index < escaped.length; index += 1) target[at + index] = escaped.charCodeAt(index);
  return at + escaped.length;
}

/** Whether `_xHHHH_` begins here, with hex digits in either case. */
function isEscape(source: Uint8Array, at: number, to: number): boolean {
  if (at + 6 >= to || source[at + 1] !== LETTER_X || source[at + 6] !== UNDERSCORE) return false;
  for (let index = at + 2; index < at + 6; index += 1) {
    const byte = source[index]! | 0x20;
    const isDigit = source[index]! >= 48 && source[index]! <= 57;
    if (!isDigit && (byte < 97 || byte > 102)) return false;
  }
  return true;
}

/** Whether the text has leading or trailing space, which a reader trims without `xml:space="preserve"`. */
export function hasOuterSpace(source: Uint8Array, from: number, to: number): boolean {
  return to > from && (source[from]! <= 32 || source[to - 1]! <= 32);
}

/** The text cut to a cell's limit, never within a character; the same bytes if it is short enough. */
export function cutText(source: Uint8Array): Uint8Array {
  if (source.length <= CELL_CHARACTERS) return source;
  const text = new TextDecoder().decode(source);
  if (text.length <= CELL_CHARACTERS) return source;
  const isSplit = (text.charCodeAt(CELL_CHARACTERS) & 0xfc00) === 0xdc00;
  return Buffer.from(text.slice(0, isSplit ? CELL_CHARACTERS - 1 : CELL_CHARACTERS));
}
