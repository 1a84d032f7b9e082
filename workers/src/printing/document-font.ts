import { FontSubset } from './font-subset.ts';
import { type Family, fontName, type Weight } from './fonts.ts';
import { type SimpleFont, simpleFont } from './simple-font.ts';

type Pdf = InstanceType<typeof import('pdfkit')>;

/** A font of a document as the PDF library embeds it when the document ends. */
interface EmbeddedFont {
  readonly id: string;
  readonly font: object;
  readonly ascender: number;
  readonly scale: number;
  subset: { includeGlyph(id: number): number; encode(): Uint8Array };
  /** By the glyph's number in the subset, in thousandths of the font size. */
  readonly widths: number[];
  /** The characters of each glyph, by which readers search and copy. */
  readonly unicode: number[][];
  ref(): object;
}

const isEmbedded = (value: unknown): value is EmbeddedFont =>
  typeof value === 'object' && value !== null && 'subset' in value && 'unicode' in value;

function currentFont(pdf: Pdf): EmbeddedFont {
  const font: unknown = Reflect.get(pdf, '_font');
  if (!isEmbedded(font)) throw new Error('The PDF library does not expose its font');
  return font;
}

const hex = (value: number): string => value.toString(16).padStart(4, '0');
/** Six decimals are more than any printer resolves. */
const number = (value: number): string => String(Math.round(value * 1e6) / 1e6);

const colourOperators = new Map<string, string>();

/** Sets the colour of what is filled, from `#rrggbb`. */
function colourOperator(colour: string): string {
  const known = colourOperators.get(colour);
  if (known) return known;
  const parts = [1, 3, 5].map((at) => number(Number.parseInt(colour.slice(at, at + 2), 16) / 255));
  const operator = `${parts.join(' ')} rg`;
  colourOperators.set(colour, operator);
  return operator;
}

/**
 * A font of one document. It writes the operators of text itself, since the PDF library's way, with line breaks and
 * shaping, takes several times as long.
 */
export class DocumentFont {
  private readonly pdf: Pdf;
  private readonly embedded: EmbeddedFont;
  private readonly simple: SimpleFont;
  /** The codes of characters that were written. */
  private readonly codes = new Map<string, string>();

  constructor(pdf: Pdf, family: Family, script: string, weight: Weight) {
    this.pdf = pdf;
    const name = fontName(family, script, weight);
    // The library also takes a font that it has already read, which its types do not say.
    const register = (source: object) => pdf.registerFont(name, source as Uint8Array).font(name);
    this.simple = simpleFont({ family, script, weight }, (file) => {
      register(file);
      return currentFont(pdf).font;
    });
    register(this.simple.source);
    this.embedded = currentFont(pdf);
    this.embedded.subset = new FontSubset(this.simple.tables);
  }

  widthOf(text: string): number {
    return this.simple.widthOf(text);
  }

  private codeOf(character: string): string {
    const known = this.codes.get(character);
    if (known) return known;
    const { id, width } = this.simple.glyphOf(character);
    const index = this.embedded.subset.includeGlyph(id);
    this.embedded.widths[index] ??= width * 1000;
    this.embedded.unicode[index] ??= [character.codePointAt(0) ?? 0];
    const code = hex(index);
    this.codes.set(character, code);
    return code;
  }

  /** Writes text on the current page. @param y of its top edge */
  write(text: string, { size, colour }: { size: number; colour: string }, x: number, y: number): void {
    const { fonts } = this.pdf.page as unknown as { fonts: Record<string, object> };
    fonts[this.embedded.id] ??= this.embedded.ref();
    let codes = '';
    for (const character of text) codes += this.codeOf(character);
    const baseline = y + (this.embedded.ascender / 1000) * size;
    // Pages have their origin at the top left, so text is turned upright again.
    this.pdf.addContent(
      `BT ${colourOperator(colour)} /${this.embedded.id} ${number(size)} Tf 1 0 0 -1 ${number(x)} ${number(baseline)} Tm <${codes}> Tj ET`,
    );
  }
}
