import { fontFile, fontName, runsOf, type Weight } from './fonts.ts';
import { layOutSimply } from './lay-out-simply.ts';

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
} as const;

export interface TextStyle {
  size: number;
  weight: Weight;
  colour: string;
}

interface Place {
  x?: number;
  /** Distance below the current line. */
  dy?: number;
  width?: number;
  align?: 'left' | 'right' | 'center';
}

type Tag = 'P' | 'H1' | 'H2' | 'TH' | 'TD';

const MARGIN = { left: 46, right: 46, top: 46, bottom: 52 };
const ON_ONE_LINE = { lineBreak: false };
const ELLIPSIS = '\u2026';

/** Where the next content goes on the current A4 page, and the tags of what is drawn. */
export class Page {
  readonly left = MARGIN.left;
  y = 0;
  private readonly pdf: Pdf;
  private readonly heading: string;
  private readonly root: Structure;
  private parents: Structure[];
  private readonly fonts = new Set<string>();
  /** Measuring is most of the work, and cells repeat. */
  private readonly widths = new Map<string, number>();

  constructor(pdf: Pdf, heading: string) {
    this.pdf = pdf;
    this.heading = heading;
    this.root = pdf.struct('Document');
    pdf.addStructure(this.root);
    this.parents = [this.root];
    pdf.addPage({ margin: 0, size: 'A4' });
    this.y = MARGIN.top;
  }

  get width(): number {
    return this.pdf.page.width - MARGIN.left - MARGIN.right;
  }

  get right(): number {
    return this.pdf.page.width - MARGIN.right;
  }

  down(distance: number): void {
    this.y += distance;
  }

  /** Starts a new page if less than `height` is left. @returns whether it did */
  room(height: number): boolean {
    if (this.y + height <= this.pdf.page.height - MARGIN.bottom) return false;
    this.pdf.addPage({ margin: 0, size: 'A4' });
    this.y = MARGIN.top + 22;
    return true;
  }

  private font(script: string, { size, weight }: TextStyle): void {
    const name = fontName(script, weight);
    if (!this.fonts.has(name)) {
      this.pdf.registerFont(name, fontFile(script, weight)).font(name);
      layOutSimply(this.pdf);
      this.fonts.add(name);
    }
    this.pdf.font(name).fontSize(size);
  }

  widthOf(text: string, style: TextStyle): number {
    const key = `${style.size} ${style.weight} ${text}`;
    const known = this.widths.get(key);
    if (known !== undefined) return known;
    let width = 0;
    for (const run of runsOf(text)) {
      this.font(run.script, style);
      width += this.pdf.widthOfString(run.text, ON_ONE_LINE);
    }
    if (this.widths.size > 20_000) this.widths.clear();
    this.widths.set(key, width);
    return width;
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

  /** Breaks text into lines between words. A word that is too long, and what exceeds the lines, is shortened. */
  wrap(text: string, style: TextStyle, width: number, mostLines: number): string[] {
    if (this.widthOf(text, style) <= width) return [text];
    const lines: string[] = [];
    const words = text.split(/\s+/);
    for (let next = 0; next < words.length; ) {
      if (lines.length === mostLines - 1) {
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
    { as, row }: { as: Tag; row?: Structure },
  ): void {
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
    for (const run of runsOf(line)) {
      this.font(run.script, style);
      this.pdf.fillColor(style.colour);
      this.pdf.text(run.text, at, y, ON_ONE_LINE);
      at += this.pdf.widthOfString(run.text, ON_ONE_LINE);
    }
  }

  private parent(): Structure {
    return this.parents.at(-1) ?? this.root;
  }

  /** Opens an element of the document's structure that holds what follows. */
  group(tag: 'Table' | 'TR'): Structure {
    const structure = this.pdf.struct(tag);
    this.parent().add(structure);
    this.parents.push(structure);
    return structure;
  }

  endGroup(structure: Structure): void {
    this.parents = this.parents.filter((parent) => parent !== structure);
    structure.end();
  }

  /** Draws a picture with its description for readers that cannot see it. */
  figure(description: string, draw: () => void): void {
    this.parent().add(this.pdf.struct('Figure', { alt: description }, [draw]));
  }

  /** Draws what has no meaning of its own. */
  private decorate(draw: () => void): void {
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
    this.decorate(() => this.pdf.roundedRect(x, y, width, height, 4).lineWidth(0.6).stroke(colour));
  }

  fill(x: number, y: number, width: number, height: number, colour: string): void {
    this.decorate(() => this.pdf.rect(x, y, width, height).fill(colour));
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
