import { inflateSync } from 'node:zlib';

const SFNT_HEADER = 12;
const SFNT_ENTRY = 16;
const WOFF_HEADER = 44;
const WOFF_ENTRY = 20;
const padded = (length: number): number => (length + 3) & ~3;

/**
 * Unpacks a WOFF 1.0 font to the TrueType or OpenType file that it contains. The PDF library reads WOFF too, but
 * inflates a whole table for every glyph, which takes seconds per page.
 */
export function unpackWoff(woff: Buffer): Buffer {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new Error('The font is not a WOFF file');
  const count = woff.readUInt16BE(12);
  const tables = Array.from({ length: count }, (_, index) => {
    const at = WOFF_HEADER + index * WOFF_ENTRY;
    const [offset, packedLength, length] = [at + 4, at + 8, at + 12].map((place) => woff.readUInt32BE(place)) as [
      number,
      number,
      number,
    ];
    const packed = woff.subarray(offset, offset + packedLength);
    return {
      tag: woff.subarray(at, at + 4),
      checksum: woff.readUInt32BE(at + 16),
      data: packedLength < length ? inflateSync(packed, { maxOutputLength: length }) : packed,
    };
  });
  const directory = SFNT_HEADER + count * SFNT_ENTRY;
  const size = tables.reduce((sum, { data }) => sum + padded(data.length), directory);
  const font = Buffer.alloc(size);
  woff.copy(font, 0, 4, 8);
  const power = 2 ** Math.floor(Math.log2(count));
  font.writeUInt16BE(count, 4);
  font.writeUInt16BE(power * 16, 6);
  font.writeUInt16BE(Math.log2(power), 8);
  font.writeUInt16BE((count - power) * 16, 10);
  let offset = directory;
  for (const [index, { tag, checksum, data }] of tables.entries()) {
    const at = SFNT_HEADER + index * SFNT_ENTRY;
    tag.copy(font, at);
    font.writeUInt32BE(checksum, at + 4);
    font.writeUInt32BE(offset, at + 8);
    font.writeUInt32BE(data.length, at + 12);
    data.copy(font, offset);
    offset += padded(data.length);
  }
  return font;
}
