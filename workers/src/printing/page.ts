import { DocumentFont } from './document-font.ts';
import { type Family, fontName, runsOf, type Weight } from './fonts.ts';

type Pdf = InstanceType<typeof import('pdfkit')>;
type Structure = ReturnType<Pdf['struct']>;

/** The light theme of the screens. */
export const COLOURS = {
  ink: '#14191d',
  ink2: '#4b555d',
  ink3: '#636d75',
  line: '#e3e6e8',
  lineStrong: '#cfd4d8',
  good: '#1b7a4b',
  warning: '#8a5208',
  warningSoft: '#fbf0dc',
  danger: '#b3322c',
  chart1: '#0b6b72',
  chart2: '#d98a1f',
  chart4: '#8fa3ad',
  bar: '#b9c1c8',
} as const;

export interface TextStyle {
  size: number;
  weight: Weight;
  colour: string;
  family?: Family;
}

interface Place {
  x?: number;
  /** Distance below the current line. */
  dy?: number;
  width?: number;
  align?: 'left' | 'right' | 'center';
}

type Tag = 'P' | 'H1' | 'H2' | 'TH' | 'TD';

const MARGIN = { left: 49.5, right: 49.5, top: 46, bottom: 54 };
const ELLIPSIS = '\u2026';

/** Where the next content goes on the current A4 page, and the tags of what is drawn. */
export class Page {
  left = MARGIN.left;
  right: number;
  y = 0;
  private readonly pdf: Pdf;
  private readonly heading: string;
  private readonly layout: 'portrait' | 'landscape';
  private readonly root: Structure;
  private parents: Structure[];
  private isMeasuring = false;
  private readonly fonts = new Map<string, DocumentFont>();

  constructor(pdf: Pdf, heading: string, isLandscape = false) {
    this.pdf = pdf;
    this.heading = heading;
    this.layout = isLandscape ? 'landscape' : 'portrait';
    this.root = pdf.struct('Document');
    pdf.addStructure(this.root);
    this.parents = [this.root];
    this.addPage();
    this.right = pdf.page.width - MARGIN.right;
    this.y = MARGIN.top;
  }

  private addPage(): void {
    this.pdf.addPage({ margin: 0, size: 'A4', layout: this.layout });
  }

  get width(): number {
    return this.right - this.left;
  }

  down(distance: number): void {
    this.y += distance;
  }

  /** The height that is left on the page. */
  get rest(): number {
    return this.isMeasuring ? Number.POSITIVE_INFINITY : this.pdf.page.height - MARGIN.bottom - this.y;
  }

  /** Starts a new page if less than `height` is left. @returns whether it did */
  room(height: number): boolean {
    if (this.isMeasuring || this.y + height <= this.pdf.page.height - MARGIN.bottom) return false;
    this.addPage();
    this.y = MARGIN.top + 22;
    return true;
  }

  /** Draws into a part of the width. The position stays. @returns the height of what was drawn */
  within(left: number, width: number, draw: () => void): number {
    const before = { left: this.left, right: this.right, y: this.y };
    Object.assign(this, { left, right: left + width });
    draw();
    const height = this.y - before.y;
    Object.assign(this, before);
    return height;
  }

  /** The height of what would be drawn. */
  measure(draw: () => void): number {
    const { y, isMeasuring } = this;
    this.isMeasuring = true;
    draw();
    this.isMeasuring = isMeasuring;
    const height = this.y - y;
    this.y = y;
    return height;
  }

  private font(script: string, { weight, family = 'inter' }: TextStyle): DocumentFont {
    const name = fontName(family, script, weight);
    const known = this.fonts.get(name);
    if (known) return known;
    const font = new DocumentFont(this.pdf, family, script, weight);
    this.fonts.set(name, font);
    return font;
  }

  widthOf(text: string, style: TextStyle): number {
    let width = 0;
    for (const run of runsOf(text, style.family)) width += this.font(run.script, style).widthOf(run.text);
    return width * style.size;
  }

  /** The style, smaller if the text would not fit. */
  fitted(text: string, style: TextStyle, width: number, smallest: number): TextStyle {
    let fitting = style;
    while (fitting.size > smallest && this.widthOf(text, fitting) > width) {
      fitting = { ...fitting, size: fitting.size - 0.5 };
    }
    return fitting;
  }

  shortened(text: string, style: TextStyle, width: number): string {
    if (this.widthOf(text, style) <= width) return text;
    const characters = [...text];
    let [fits, tooLong] = [0, characters.length];
    while (tooLong - fits > 1) {
      const middle = (fits + tooLong) >> 1;
      const cut = `${characters.slice(0, middle).join('').trimEnd()}${ELLIPSIS}`;
      if (this.widthOf(cut, style) <= width) fits = middle;
      else tooLong = middle;
    }
    return `${characters.slice(0, fits).join('').trimEnd()}${ELLIPSIS}`;
  }

  /** Breaks text into lines between words, as many as it takes. A word that is too long is broken. */
  wrapWhole(text: string, style: TextStyle, width: number): string[] {
    const lines: string[] = [];
    for (const paragraph of text.split(/\r?\n/)) {
      let line = '';
      for (const word of paragraph.split(/[ \t]+/)) {
        const longer = line === '' ? word : `${line} ${word}`;
        if (this.widthOf(longer, style) <= width) {
          line = longer;
          continue;
        }
        if (line !== '') lines.push(line);
        line = '';
        for (const character of word) {
          if (this.widthOf(line + character, style) > width) {
            lines.push(line);
            line = '';
          }
          line += character;
        }
      }
      lines.push(line);
    }
    return lines;
  }

  /** Breaks text into lines between words. A word that is too long, and what exceeds the lines, is shortened. */
  wrap(text: string, style: TextStyle, width: number, maxLines: number): string[] {
    if (this.widthOf(text, style) <= width) return [text];
    const lines: string[] = [];
    const words = text.split(/\s+/);
    for (let next = 0; next < words.length; ) {
      if (lines.length === maxLines - 1) {
        lines.push(this.shortened(words.slice(next).join(' '), style, width));
        break;
      }
      let line = words[next] ?? '';
      next += 1;
      while (next < words.length && this.widthOf(`${line} ${words[next]}`, style) <= width) {
        line = `${line} ${words[next]}`;
        next += 1;
      }
      lines.push(this.shortened(line, style, width));
    }
    return lines;
  }

  /** Draws one line. It does not move on. */
  text(text: string, style: TextStyle, { as = 'P', ...place }: Place & { as?: Tag } = {}): void {
    this.cell([text], style, { ...place, lineHeight: 0 }, { as });
  }

  paragraph(text: string, style: TextStyle, { as = 'P', lineHeight }: { as?: Tag; lineHeight: number }): void {
    const lines = this.wrap(text, style, this.width, 20);
    this.cell(lines, style, { lineHeight }, { as });
    this.down(lines.length * lineHeight);
  }

  cell(
    lines: readonly string[],
    style: TextStyle,
    { x = this.left, dy = 0, width = this.right - x, align = 'left', lineHeight }: Place & { lineHeight: number },
    { as, row }: { as: Tag; row?: Structure | null },
  ): void {
    if (this.isMeasuring) return;
    const draw = () => {
      for (const [index, line] of lines.entries()) {
        const free = align === 'left' ? 0 : width - this.widthOf(line, style);
        this.drawLine(line, style, x + (align === 'center' ? free / 2 : free), this.y + dy + index * lineHeight);
      }
    };
    (row ?? this.parent()).add(this.pdf.struct(as, {}, draw));
  }

  private drawLine(line: string, style: TextStyle, x: number, y: number): void {
    let at = x;
    for (const run of runsOf(line, style.family)) {
      const font = this.font(run.script, style);
      font.write(run.text, style, at, y);
      at += font.widthOf(run.text) * style.size;
    }
  }

  private parent(): Structure {
    return this.parents.at(-1) ?? this.root;
  }

  /** Opens an element of the document's structure that holds what follows. */
  group(tag: 'Table' | 'TR'): Structure | null {
    if (this.isMeasuring) return null;
    const structure = this.pdf.struct(tag);
    this.parent().add(structure);
    this.parents.push(structure);
    return structure;
  }

  endGroup(structure: Structure | null): void {
    if (structure === null) return;
    this.parents = this.parents.filter((parent) => parent !== structure);
    structure.end();
  }

  /** Draws a picture with its description for readers that cannot see it. */
  figure(description: string, draw: () => void): void {
    if (this.isMeasuring) return;
    this.parent().add(this.pdf.struct('Figure', { alt: description }, [draw]));
  }

  /** Draws what has no meaning of its own. */
  private decorate(draw: () => void): void {
    if (this.isMeasuring) return;
    this.pdf.markContent('Artifact', { type: 'Layout' });
    draw();
    this.pdf.endMarkedContent();
  }

  rule(colour: string, thickness: number): void {
    this.line(this.left, this.y, this.right, this.y, colour, thickness);
  }

  line(x1: number, y1: number, x2: number, y2: number, colour: string, thickness = 0.5): void {
    this.decorate(() => this.pdf.moveTo(x1, y1).lineTo(x2, y2).lineWidth(thickness).stroke(colour));
  }

  box(x: number, y: number, width: number, height: number, colour: string): void {
    this.decorate(() => this.pdf.roundedRect(x, y, width, height, 4.5).lineWidth(0.6).stroke(colour));
  }

  fill(x: number, y: number, width: number, height: number, colour: string): void {
    this.decorate(() => this.pdf.rect(x, y, width, height).fill(colour));
  }

  picture(image: Buffer, description: string, place: { x: number; y: number; width: number; height: number }): void {
    const { x, y, width, height } = place;
    this.figure(description, () => this.pdf.image(image, x, y, { width, height }));
  }

  // Inside a figure, everything belongs to the figure.
  bar(x: number, y: number, width: number, height: number, colour: string): void {
    this.pdf.roundedRect(x, y, width, height, Math.min(1.5, height / 2)).fill(colour);
  }

  stroke(x1: number, y1: number, x2: number, y2: number, colour: string, isDashed = false): void {
    this.pdf.moveTo(x1, y1).lineTo(x2, y2).lineWidth(0.4);
    if (isDashed) this.pdf.dash(1.5, { space: 2 });
    this.pdf.stroke(colour).undash();
  }

  label(text: string, style: TextStyle, x: number, y: number, align: 'left' | 'center' | 'right'): void {
    const width = this.widthOf(text, style);
    this.drawLine(text, style, align === 'center' ? x - width / 2 : align === 'right' ? x - width : x, y);
  }

  /** Adds the heading of later pages and the footer with the page number, once their number is known. */
  finish(footer: string): void {
    this.root.end();
    const { start, count } = this.pdf.bufferedPageRange();
    const style: TextStyle = { size: 7.5, weight: 400, colour: COLOURS.ink3 };
    for (let index = 0; index < count; index += 1) {
      this.pdf.switchToPage(start + index);
      const bottom = this.pdf.page.height - MARGIN.bottom + 16;
      this.pdf.markContent('Artifact', { type: 'Pagination' });
      this.stroke(this.left, bottom, this.right, bottom, COLOURS.line);
      const number = `Page ${index + 1} of ${count}`;
      this.label(this.shortened(footer, style, this.width - 90), style, this.left, bottom + 7, 'left');
      this.label(number, style, this.right, bottom + 7, 'right');
      if (index > 0) {
        this.label(this.shortened(this.heading, style, this.width), style, this.left, MARGIN.top - 10, 'left');
        this.stroke(this.left, MARGIN.top + 5, this.right, MARGIN.top + 5, COLOURS.line);
      }
      this.pdf.endMarkedContent();
    }
  }
}
