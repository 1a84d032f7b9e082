import { describe, expect, test } from 'vitest';
import { FontSubset, readFontTables } from './font-subset.ts';
import { fontFile } from './fonts.ts';

const file = fontFile('inter', 'latin', 400);
const tables = readFontTables(file);
const count = tables.get('maxp')!.readUInt16BE(4);

const subsetOf = (...ids: readonly number[]) => {
  const subset = new FontSubset(tables);
  const indexes = ids.map((id) => subset.includeGlyph(id));
  return { places: indexes, font: subset.encode() };
};
const outlinesOf = (font: Buffer): Buffer[] => {
  const read = readFontTables(font);
  const loca = read.get('loca')!;
  return Array.from({ length: read.get('maxp')!.readUInt16BE(4) }, (_, id) =>
    read.get('glyf')!.subarray(loca.readUInt32BE(id * 4), loca.readUInt32BE((id + 1) * 4)),
  );
};
/** The glyph with its outline and those of its parts, in the order of the parts. */
const drawn = (outlines: readonly Buffer[], id: number): string => {
  const outline = outlines[id]!;
  if (outline.length < 10 || outline.readInt16BE(0) >= 0) return outline.toString('hex').replace(/(00)+$/, '');
  const parts: string[] = [];
  for (let at = 10, flags = 0x20; flags & 0x20; ) {
    flags = outline.readUInt16BE(at);
    const length = 4 + (flags & 1 ? 4 : 2) + (flags & 8 ? 2 : flags & 0x40 ? 4 : flags & 0x80 ? 8 : 0);
    parts.push(outline.toString('hex', at + 4, at + length), drawn(outlines, outline.readUInt16BE(at + 2)));
    at += length;
  }
  return parts.join(',');
};

/** The outlines of the whole font, by a subset that includes every glyph in its place. */
const whole = outlinesOf(subsetOf(...Array.from({ length: count }, (_, id) => id)).font);

describe('the subset of a font', () => {
  test('draws each glyph as the font does, with its width, whichever others it has', () => {
    const ids = Array.from({ length: count }, (_, index) => (index * 37) % count).slice(0, 120);
    const { places: indexes, font } = subsetOf(...ids);
    const [outlines, hmtx, own] = [outlinesOf(font), tables.get('hmtx')!, readFontTables(font).get('hmtx')!];
    for (const [index, id] of ids.entries()) {
      expect(drawn(outlines, indexes[index]!)).toBe(drawn(whole, id));
      expect(own.readUInt16BE(indexes[index]! * 4)).toBe(hmtx.readUInt16BE(id * 4));
    }
    expect(whole.some((outline) => outline.length > 10 && outline.readInt16BE(0) < 0)).toBe(true);
  });

  test('is smaller than the font, has the checksums of its format, and the same bytes each time', () => {
    const { font } = subsetOf(40, 41, 42);
    expect(font.length).toBeLessThan(file.length / 4);
    let sum = 0;
    for (let at = 0; at < font.length; at += 4) sum = (sum + font.readUInt32BE(at)) >>> 0;
    expect(sum).toBe(0xb1b0afba);
    expect(subsetOf(40, 41, 42).font.equals(font)).toBe(true);
  });

  test('numbers a glyph once, after the one for missing characters', () => {
    expect(subsetOf(40, 41, 40, 0).places).toEqual([1, 2, 1, 0]);
  });
});

test('a font without TrueType outlines is refused', () => {
  expect(() => readFontTables(Buffer.alloc(12))).toThrow('no TrueType outlines');
});
