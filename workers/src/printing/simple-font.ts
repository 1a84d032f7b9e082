import { type FontTables, readFontTables } from './font-subset.ts';
import { type Family, fontFile, fontName, type Weight } from './fonts.ts';

interface ShapedGlyph {
  readonly id: number;
  readonly advanceWidth: number;
}

/** A font as the PDF library reads it. */
interface LibraryFont {
  readonly unitsPerEm: number;
  layout(text: string, features: readonly string[]): { readonly glyphs: readonly ShapedGlyph[] };
  glyphForCodePoint(point: number): ShapedGlyph;
}

export interface SimpleGlyph {
  readonly id: number;
  /** Where the font size is 1. */
  readonly width: number;
}

/**
 * A font with one glyph per character, and digits of equal width. Latin, Greek and Cyrillic text needs no more, and the
 * font's contextual alternates take 20 times as long.
 */
export interface SimpleFont {
  /** As the PDF library takes it: its file at first, later what the library read. */
  readonly source: object;
  readonly tables: FontTables;
  glyphOf(character: string): SimpleGlyph;
  /** The width of a text, where the font size is 1. */
  widthOf(text: string): number;
}

const DIGITS = '0123456789';

const isLibraryFont = (value: unknown): value is LibraryFont =>
  typeof value === 'object' && value !== null && 'layout' in value && 'glyphForCodePoint' in value;

/** Fonts by name. A process reads each file once, and only if a document uses it. */
const known = new Map<string, SimpleFont>();

/**
 * @param read lets the PDF library read the font's file
 * @returns the font, shared by all documents of the process
 */
export function simpleFont(
  { family, script, weight }: { family: Family; script: string; weight: Weight },
  read: (file: Buffer) => unknown,
): SimpleFont {
  const name = fontName(family, script, weight);
  const earlier = known.get(name);
  if (earlier) return earlier;
  const file = fontFile(family, script, weight);
  const font = read(file);
  if (!isLibraryFont(font)) throw new Error('The PDF library does not expose its font');
  const glyphs = new Map<string, SimpleGlyph>();
  const add = (character: string, { id, advanceWidth }: ShapedGlyph): SimpleGlyph => {
    const glyph = { id, width: advanceWidth / font.unitsPerEm };
    glyphs.set(character, glyph);
    return glyph;
  };
  for (const [index, glyph] of font.layout(DIGITS, ['tnum']).glyphs.entries()) add(DIGITS.charAt(index), glyph);
  const glyphOf = (character: string): SimpleGlyph =>
    glyphs.get(character) ?? add(character, font.glyphForCodePoint(character.codePointAt(0) ?? 0));
  const simple: SimpleFont = {
    source: font,
    tables: readFontTables(file),
    glyphOf,
    widthOf(text) {
      let width = 0;
      for (const character of text) width += glyphOf(character).width;
      return width;
    },
  };
  known.set(name, simple);
  return simple;
}
