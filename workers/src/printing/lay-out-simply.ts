interface Glyph {
  readonly id: number;
  readonly advanceWidth: number;
  readonly codePoints: readonly number[];
}

interface Position {
  xAdvance: number;
  yAdvance: number;
  xOffset: number;
  yOffset: number;
}

interface GlyphRun {
  glyphs: Glyph[];
  positions: Position[];
  advanceWidth: number;
}

interface Font {
  readonly unitsPerEm: number;
  layout(text: string, features?: readonly string[]): GlyphRun;
  glyphForCodePoint(point: number): Glyph;
}

/** A font with one glyph per character. */
export interface SimpleFont {
  /** As the PDF library knows it. */
  readonly font: object;
  /** The width of a text, where the font size is 1. */
  widthOf(text: string): number;
}

const DIGITS = '0123456789';

/**
 * The font remembers glyphs, and those that it first met as a part of another letter (the dotless i of i) without their
 * character, by which readers search and copy.
 */
const glyphFor = ({ id, advanceWidth }: Glyph, point: number): Glyph => ({ id, advanceWidth, codePoints: [point] });

const isFont = (value: unknown): value is Font =>
  typeof value === 'object' && value !== null && 'layout' in value && 'glyphForCodePoint' in value;

/**
 * Replaces the shaping of the PDF document's current font by one glyph per character, with digits of equal width. Latin,
 * Greek and Cyrillic text needs no more, and the font's contextual alternates take 20 times as long.
 * @returns the font, which other documents can register instead of reading its file again
 */
export function layOutSimply(pdf: object): SimpleFont {
  const embedded: unknown = Reflect.get(pdf, '_font');
  const font: unknown = typeof embedded === 'object' && embedded !== null ? Reflect.get(embedded, 'font') : null;
  if (!isFont(font)) throw new Error('The PDF library does not expose its font');
  const glyphs = new Map<number, Glyph>();
  const digits = font.layout(DIGITS, ['tnum']).glyphs;
  for (const [index, digit] of [...DIGITS].entries()) {
    const glyph = digits[index];
    const point = digit.codePointAt(0) ?? 0;
    if (glyph) glyphs.set(point, glyphFor(glyph, point));
  }
  const glyphOf = (point: number): Glyph => {
    const known = glyphs.get(point);
    if (known) return known;
    const glyph = glyphFor(font.glyphForCodePoint(point), point);
    glyphs.set(point, glyph);
    return glyph;
  };
  font.layout = (text) => {
    const run = [...text].map((character) => glyphOf(character.codePointAt(0) ?? 0));
    return {
      glyphs: run,
      positions: run.map(({ advanceWidth }) => ({ xAdvance: advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 })),
      // The library scales the positions first.
      get advanceWidth() {
        return this.positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
      },
    };
  };
  const widths = new Map<string, number>();
  const widthOf = (character: string): number => {
    const width = glyphOf(character.codePointAt(0) ?? 0).advanceWidth / font.unitsPerEm;
    widths.set(character, width);
    return width;
  };
  return {
    font,
    widthOf(text) {
      let width = 0;
      for (const character of text) width += widths.get(character) ?? widthOf(character);
      return width;
    },
  };
}
