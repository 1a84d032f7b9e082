import { setImmediate } from 'node:timers/promises';
import type {
  PrintedBlock,
  PrintedDocument,
  PrintedFigure,
  PrintedSide,
} from '@tapeline/domain/printing/printed-document.ts';
import { MAX_PRINTED_ROWS } from '@tapeline/domain/printing/printed-document.ts';
import PDFDocument from 'pdfkit';
import { drawBars } from './draw-bars.ts';
import { drawHeader } from './draw-header.ts';
import { drawTable } from './draw-table.ts';
import { drawAddressee, drawDetails, drawParagraphs, drawSignatory, drawTitle } from './draw-text.ts';
import { drawWaterfall } from './draw-waterfall.ts';
import { COLOURS, Page, type TextStyle } from './page.ts';
import { BODY, LINE_HEIGHT, mono, SMALL, TONES } from './styles.ts';

/**
 * Prints a document as a PDF of A4 pages: tagged, with embedded fonts. The same document gives the same bytes.
 * @throws RangeError if the document has more rows than may be printed
 */
export async function printDocument(printed: PrintedDocument, signal?: AbortSignal): Promise<Buffer> {
  if (countRows(printed.blocks) > MAX_PRINTED_ROWS)
    throw new RangeError(`A printed document has at most ${MAX_PRINTED_ROWS} rows`);
  const issued = new Date(printed.issuedAt);
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    tagged: true,
    pdfVersion: '1.7',
    lang: 'en',
    displayTitle: true,
    autoFirstPage: false,
    // Without the library's default font, which no text uses.
    font: '',
    info: {
      Title: `${printed.title}, ${printed.subtitle}`,
      Author: printed.issuer,
      Subject: printed.reference,
      Creator: 'Tapeline',
      Producer: 'Tapeline',
      CreationDate: issued,
      ModDate: issued,
    },
  });
  // The library writes many small pieces. As a stream, each would be an event. The first one is there already.
  const chunks: Uint8Array[] = [pdf.read()];
  pdf.push = (chunk: Uint8Array | null) => {
    if (chunk !== null) chunks.push(chunk);
    return true;
  };
  const page = new Page(pdf, `${printed.title} \u00b7 ${printed.subtitle}`, printed.isLandscape);
  drawHeader(page, printed);
  for (const block of printed.blocks) {
    signal?.throwIfAborted();
    for (const _ of drawBlock(page, block)) await setImmediate();
    await setImmediate();
  }
  page.finish(printed.footer);
  pdf.end();
  return Buffer.concat(chunks);
}

/** Rows of all tables, also of those side by side. */
function countRows(blocks: readonly PrintedBlock[]): number {
  return blocks.reduce((sum, block) => {
    if (block.kind === 'sides') return sum + block.sides.reduce((rows, side) => rows + countRows(side.blocks), 0);
    return sum + (block.kind === 'table' ? block.rows.length : 0);
  }, 0);
}

/** Draws a block. Yields now and then, so that other work gets its turn. */
function* drawBlock(page: Page, block: PrintedBlock): Generator<void, void, void> {
  switch (block.kind) {
    case 'addressee':
      return drawAddressee(page, block);
    case 'figures':
      return drawFigures(page, block.figures);
    case 'notices':
      return drawNotices(page, block.notices);
    case 'text':
      return drawParagraphs(page, block);
    case 'details':
      return drawDetails(page, block);
    case 'signatory':
      return drawSignatory(page, block);
    case 'bars':
      return drawBars(page, block);
    case 'waterfall':
      page.room(250);
      drawTitle(page, block);
      return drawWaterfall(page, block.steps);
    case 'table':
      return yield* drawTable(page, block);
    case 'signatures':
      return drawSignatures(page, block);
    case 'sides':
      return drawSides(page, block.sides);
  }
}

const GUTTER = 33;
/** The least space below any block. It needs no room at the end of a page. */
const SPACE_BELOW = 6;

function drawSides(page: Page, sides: readonly PrintedSide[]): void {
  const whole = sides.reduce((sum, { width }) => sum + width, 0);
  const free = page.width - GUTTER * (sides.length - 1);
  const draw = (): number => {
    let left = page.left;
    const heights = sides.map(({ width, blocks }) => {
      const share = (width / whole) * free;
      const height = page.within(left, share, () => {
        for (const block of blocks) for (const _ of drawBlock(page, block));
      });
      left += share + GUTTER;
      return height;
    });
    return Math.max(0, ...heights);
  };
  let height = 0;
  page.measure(() => {
    height = draw();
  });
  page.room(height - SPACE_BELOW);
  page.down(draw());
}

function drawFigures(page: Page, figures: readonly PrintedFigure[]): void {
  const perRow = figures.length > 4 ? 3 : Math.max(1, figures.length);
  const height = figures.some(({ note }) => note) ? 54 : 46;
  const rows = Math.ceil(figures.length / perRow);
  page.room(rows * height + 16);
  const width = page.width / perRow;
  page.box(page.left, page.y, page.width, rows * height, COLOURS.lineStrong);
  for (const [index, figure] of figures.entries()) {
    const [column, row] = [index % perRow, Math.floor(index / perRow)];
    const x = page.left + column * width;
    const dy = row * height;
    if (column > 0) page.line(x, page.y + dy, x, page.y + dy + height, COLOURS.line);
    if (row > 0 && column === 0) page.line(page.left, page.y + dy, page.right, page.y + dy, COLOURS.line);
    const inner = width - 20;
    const tone = figure.tone ? TONES[figure.tone] : COLOURS.ink;
    page.text(figure.label, SMALL, { x: x + 10, dy: dy + 8, width: inner });
    const unit = figure.unit ? page.widthOf(figure.unit, SMALL) + 4 : 0;
    const large: TextStyle = { size: 13, weight: 600, colour: tone };
    const style = page.fitted(figure.value, figure.isCode ? mono({ ...large, size: 10 }) : large, inner - unit, 5);
    page.text(figure.value, style, { x: x + 10, dy: dy + 19 + (13 - style.size) * 0.8, width: inner - unit });
    if (figure.unit) page.text(figure.unit, SMALL, { x: x + 14 + page.widthOf(figure.value, style), dy: dy + 24.5 });
    if (figure.note) {
      const colour = figure.tone ? TONES[figure.tone] : SMALL.colour;
      page.text(
        page.shortened(figure.note, SMALL, inner),
        { ...SMALL, colour },
        { x: x + 10, dy: dy + 38, width: inner },
      );
    }
  }
  page.down(rows * height + 20);
}

function drawNotices(page: Page, notices: readonly string[]): void {
  for (const notice of notices) {
    const lines = page.wrap(notice, BODY, page.width - 20, 6);
    const height = lines.length * LINE_HEIGHT + 10;
    page.room(height + 6);
    page.fill(page.left, page.y, page.width, height, COLOURS.warningSoft);
    page.fill(page.left, page.y, 2.5, height, COLOURS.warning);
    for (const [index, line] of lines.entries()) {
      page.text(line, { ...BODY, colour: COLOURS.warning }, { x: page.left + 12, dy: 5 + index * LINE_HEIGHT });
    }
    page.down(height + 6);
  }
  if (notices.length > 0) page.down(10);
}

function drawSignatures(page: Page, block: Extract<PrintedBlock, { kind: 'signatures' }>): void {
  const lines = page.wrap(block.statement, BODY, page.width, 8);
  page.room(40 + lines.length * LINE_HEIGHT + 150);
  drawTitle(page, block);
  page.paragraph(block.statement, BODY, { lineHeight: LINE_HEIGHT });
  page.down(14);
  const gap = 32;
  const width = (page.width - gap * (block.parties.length - 1)) / block.parties.length;
  for (const [index, { role, name }] of block.parties.entries()) {
    const x = page.left + index * (width + gap);
    page.text(role, { ...BODY, weight: 600 }, { x, width });
    page.text(page.shortened(name, BODY, width), { ...BODY, colour: COLOURS.ink2 }, { x, width, dy: 13 });
    for (const [row, label] of ['Signature', 'Name', 'Title', 'Date'].entries()) {
      const dy = 54 + row * 26;
      page.text(label, SMALL, { x, width: 50, dy: dy - 9 });
      page.line(x + 50, page.y + dy, x + width, page.y + dy, COLOURS.lineStrong);
    }
  }
  page.down(150);
}
