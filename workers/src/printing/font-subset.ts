/** A font file's tables that a PDF needs, by name. */
export type FontTables = ReadonlyMap<string, Buffer>;

const HEADER = 12;
const ENTRY = 16;
/** All tables that a PDF viewer reads of a TrueType font. The last three hold instructions for small sizes. */
const NEEDED = ['head', 'hhea', 'maxp', 'hmtx', 'loca', 'glyf', 'cvt ', 'fpgm', 'prep'];

/** @throws Error if the font has no TrueType outlines */
export function readFontTables(font: Buffer): FontTables {
  const tables = new Map<string, Buffer>();
  for (let index = 0; index < font.readUInt16BE(4); index += 1) {
    const at = HEADER + index * ENTRY;
    const name = font.toString('latin1', at, at + 4);
    const start = font.readUInt32BE(at + 8);
    if (NEEDED.includes(name)) tables.set(name, font.subarray(start, start + font.readUInt32BE(at + 12)));
  }
  if (NEEDED.slice(0, 6).some((name) => !tables.has(name))) throw new Error('The font has no TrueType outlines');
  return tables;
}

/** Where `head` has the number that makes the checksum of the whole font `WHOLE`. */
const ADJUSTMENT = 8;
const WHOLE = 0xb1b0afba;

/** What follows an index in a part of a composite glyph, by its flags. */
const WORDS = 0x01;
const SCALE = 0x08;
const MORE = 0x20;
const TWO_SCALES = 0x40;
const MATRIX = 0x80;

/** Where the parts of a composite glyph name their glyphs. */
function partPlaces(glyph: Buffer): number[] {
  if (glyph.length < 10 || glyph.readInt16BE(0) >= 0) return [];
  const indexes: number[] = [];
  for (let at = 10; ; ) {
    const flags = glyph.readUInt16BE(at);
    indexes.push(at + 2);
    at += 4 + (flags & WORDS ? 4 : 2) + (flags & SCALE ? 2 : flags & TWO_SCALES ? 4 : flags & MATRIX ? 8 : 0);
    if (!(flags & MORE)) return indexes;
  }
}

/**
 * The glyphs of a TrueType font that a document uses. It replaces the PDF library's own subset, which decodes each glyph
 * and describes each table again for every document: a quarter of the time of a page.
 */
export class FontSubset {
  private readonly tables: FontTables;
  private readonly isLong: boolean;
  private readonly glyphs = [0];
  private readonly places = new Map([[0, 0]]);

  constructor(tables: FontTables) {
    this.tables = tables;
    this.isLong = this.table('head').readInt16BE(50) === 1;
  }

  private table(name: string): Buffer {
    const table = this.tables.get(name);
    if (!table) throw new Error(`The font has no table ${name}`);
    return table;
  }

  /** @returns the number of the glyph in the subset */
  includeGlyph(id: number): number {
    const known = this.places.get(id);
    if (known !== undefined) return known;
    const index = this.glyphs.length;
    this.glyphs.push(id);
    this.places.set(id, index);
    return index;
  }

  private outline(id: number): Buffer {
    const loca = this.table('loca');
    const at = (index: number): number =>
      this.isLong ? loca.readUInt32BE(index * 4) : loca.readUInt16BE(index * 2) * 2;
    return this.table('glyf').subarray(at(id), at(id + 1));
  }

  encode(): Buffer {
    const outlines: Buffer[] = [];
    // The parts of a composite glyph are added behind it.
    for (let index = 0; index < this.glyphs.length; index += 1) {
      const outline = this.outline(this.glyphs[index] ?? 0);
      const parts = partPlaces(outline);
      const own = parts.length > 0 ? Buffer.from(outline) : outline;
      for (const at of parts) own.writeUInt16BE(this.includeGlyph(own.readUInt16BE(at)), at);
      outlines.push(own, Buffer.alloc(-own.length & 3));
    }
    const count = this.glyphs.length;
    const loca = Buffer.alloc((count + 1) * 4);
    for (let index = 0, end = 0; index < count; index += 1) {
      end += (outlines[index * 2]?.length ?? 0) + (outlines[index * 2 + 1]?.length ?? 0);
      loca.writeUInt32BE(end, (index + 1) * 4);
    }
    const head = Buffer.from(this.table('head'));
    head.writeUInt32BE(0, ADJUSTMENT);
    head.writeInt16BE(1, 50);
    const maxp = Buffer.from(this.table('maxp'));
    maxp.writeUInt16BE(count, 4);
    const hhea = Buffer.from(this.table('hhea'));
    hhea.writeUInt16BE(count, 34);
    return writeFont(
      new Map([
        ...this.tables,
        ['head', head],
        ['maxp', maxp],
        ['hhea', hhea],
        ['hmtx', this.metrics()],
        ['loca', loca],
        ['glyf', Buffer.concat(outlines)],
      ]),
    );
  }

  /** The advance and the left side of each glyph. The last advance of the font counts for all glyphs after it. */
  private metrics(): Buffer {
    const hmtx = this.table('hmtx');
    const most = this.table('hhea').readUInt16BE(34);
    const metrics = Buffer.alloc(this.glyphs.length * 4);
    for (const [index, id] of this.glyphs.entries()) {
      const last = Math.min(id, most - 1);
      metrics.writeUInt16BE(hmtx.readUInt16BE(last * 4), index * 4);
      metrics.writeInt16BE(hmtx.readInt16BE(id < most ? id * 4 + 2 : most * 4 + (id - most) * 2), index * 4 + 2);
    }
    return metrics;
  }
}

function writeFont(tables: FontTables): Buffer {
  const names = [...tables.keys()].sort();
  const header = Buffer.alloc(HEADER + names.length * ENTRY);
  const power = 2 ** Math.floor(Math.log2(names.length));
  header.writeUInt32BE(0x00010000, 0);
  header.writeUInt16BE(names.length, 4);
  header.writeUInt16BE(power * ENTRY, 6);
  header.writeUInt16BE(Math.log2(power), 8);
  header.writeUInt16BE((names.length - power) * ENTRY, 10);
  const pieces: Buffer[] = [header];
  let offset = header.length;
  let headAt = 0;
  for (const [index, name] of names.entries()) {
    const table = tables.get(name) ?? Buffer.alloc(0);
    const padded = table.length & 3 ? Buffer.concat([table, Buffer.alloc(-table.length & 3)]) : table;
    const at = HEADER + index * ENTRY;
    header.write(name, at, 'latin1');
    header.writeUInt32BE(checksum(padded), at + 4);
    header.writeUInt32BE(offset, at + 8);
    header.writeUInt32BE(table.length, at + 12);
    pieces.push(padded);
    if (name === 'head') headAt = offset;
    offset += padded.length;
  }
  const font = Buffer.concat(pieces);
  font.writeUInt32BE((WHOLE - checksum(font)) >>> 0, headAt + ADJUSTMENT);
  return font;
}

function checksum(table: Buffer): number {
  let sum = 0;
  for (let at = 0; at < table.length; at += 4) sum = (sum + table.readUInt32BE(at)) | 0;
  return sum >>> 0;
}
