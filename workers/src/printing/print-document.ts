import { setImmediate } from 'node:timers/promises';
import type {
  PrintedBlock,
  PrintedDocument,
  PrintedFigure,
  PrintedTone,
} from '@tapeline/domain/printing/printed-document.ts';
import { MOST_PRINTED_ROWS } from '@tapeline/domain/printing/printed-document.ts';
import PDFDocument from 'pdfkit';
import { drawWaterfall } from './draw-waterfall.ts';
import { COLOURS, Page, type TextStyle } from './page.ts';

type TableBlock = Extract<PrintedBlock, { kind: 'table' }>;

/** Rows drawn before other work of the process gets its turn. */
const ROWS_AT_ONCE = 40;
const CELL = { padding: 5, lineHeight: 12, mostLines: 3 };
const BODY: TextStyle = { size: 8.5, weight: 400, colour: COLOURS.ink };
const HEAD: TextStyle = { size: 7.5, weight: 500, colour: COLOURS.ink2 };
const TITLE: TextStyle = { size: 10.5, weight: 600, colour: COLOURS.ink };
const SMALL: TextStyle = { size: 7.5, weight: 400, colour: COLOURS.ink3 };

const TONES: Record<PrintedTone, string> = { good: COLOURS.good, danger: COLOURS.danger, quiet: COLOURS.ink3 };

/**
 * Prints a document as a PDF of A4 pages: tagged, with embedded fonts. The same document gives the same bytes.
 * @throws RangeError if the document has more rows than may be printed
 */
export async function printDocument(printed: PrintedDocument, signal?: AbortSignal): Promise<Buffer> {
  const rows = printed.blocks.reduce((sum, block) => sum + (block.kind === 'table' ? block.rows.length : 0), 0);
  if (rows > MOST_PRINTED_ROWS) throw new RangeError(`A printed document has at most ${MOST_PRINTED_ROWS} rows`);
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
  const chunks: Buffer[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', resolve);
    pdf.on('error', reject);
  });
  const page = new Page(pdf, `${printed.title} \u00b7 ${printed.subtitle}`);
  drawHeader(page, printed);
  for (const block of printed.blocks) {
    signal?.throwIfAborted();
    await drawBlock(page, block);
    await setImmediate();
  }
  page.finish(printed.footer);
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}

function drawHeader(page: Page, { title, subtitle, issuer, reference, facts }: PrintedDocument): void {
  page.text(issuer, { ...BODY, size: 10.5, weight: 600 }, { width: page.width * 0.6 });
  page.text(reference, SMALL, { x: page.left + page.width * 0.6, dy: 2.5, align: 'right' });
  page.down(20);
  page.rule(COLOURS.ink, 0.8);
  page.down(22);
  page.paragraph(title, { size: 18, weight: 600, colour: COLOURS.ink }, { as: 'H1', lineHeight: 24 });
  page.paragraph(subtitle, { ...BODY, size: 10, colour: COLOURS.ink2 }, { lineHeight: 16 });
  page.down(10);
  const columns = 3;
  const width = page.width / columns;
  for (let first = 0; first < facts.length; first += columns) {
    const row = facts.slice(first, first + columns);
    let most = 1;
    for (const [index, fact] of row.entries()) {
      const x = page.left + index * width;
      page.text(fact.label, SMALL, { x, width: width - 12 });
      const lines = page.wrap(fact.value, { ...BODY, weight: 500 }, width - 12, 2);
      for (const [line, text] of lines.entries()) {
        page.text(text, { ...BODY, weight: 500 }, { x, width: width - 12, dy: 11 + line * CELL.lineHeight });
      }
      most = Math.max(most, lines.length);
    }
    page.down(16 + most * CELL.lineHeight);
  }
  page.down(6);
}

async function drawBlock(page: Page, block: PrintedBlock): Promise<void> {
  if (block.kind === 'figures') drawFigures(page, block.figures);
  else if (block.kind === 'notices') drawNotices(page, block.notices);
  else if (block.kind === 'waterfall') {
    page.room(250);
    drawTitle(page, block.title, block.note);
    drawWaterfall(page, block.steps);
  } else if (block.kind === 'table') await drawTable(page, block);
  else drawSignatures(page, block);
}

function drawTitle(page: Page, title: string, note?: string): void {
  page.room(70);
  page.text(title, TITLE, { as: 'H2' });
  if (note) page.text(note, SMALL, { x: page.left + page.widthOf(title, TITLE) + 10, dy: 2.5 });
  page.down(18);
}

function drawFigures(page: Page, figures: readonly PrintedFigure[]): void {
  const perRow = figures.length > 4 ? 3 : Math.max(1, figures.length);
  const height = 54;
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
    const style = page.fitted(figure.value, { size: 13, weight: 600, colour: tone }, inner - unit, 8);
    page.text(figure.value, style, { x: x + 10, dy: dy + 19, width: inner - unit });
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
    const height = lines.length * CELL.lineHeight + 10;
    page.room(height + 6);
    page.fill(page.left, page.y, page.width, height, COLOURS.warningSoft);
    page.fill(page.left, page.y, 2.5, height, COLOURS.warning);
    for (const [index, line] of lines.entries()) {
      page.text(line, { ...BODY, colour: COLOURS.warning }, { x: page.left + 12, dy: 5 + index * CELL.lineHeight });
    }
    page.down(height + 6);
  }
  if (notices.length > 0) page.down(10);
}

async function drawTable(page: Page, block: TableBlock): Promise<void> {
  drawTitle(page, block.title, block.note);
  if (block.rows.length === 0) {
    page.paragraph(block.empty ?? 'None.', { ...BODY, colour: COLOURS.ink2 }, { lineHeight: CELL.lineHeight });
    page.down(18);
    return;
  }
  const whole = block.columns.reduce((sum, { width }) => sum + width, 0);
  let from = page.left;
  const columns = block.columns.map((column) => {
    const width = (column.width / whole) * page.width;
    const placed = { ...column, x: from, width };
    from += width;
    return placed;
  });
  type Style = { style: TextStyle; tones?: Readonly<Record<number, PrintedTone>> | undefined };
  const drawCells = (cells: readonly string[], { style, tones }: Style, as: 'TH' | 'TD') => {
    const wrapped = columns.map((column, index) =>
      page.wrap(cells[index] ?? '', style, column.width - 2 * CELL.padding, CELL.mostLines),
    );
    const height = Math.max(...wrapped.map((lines) => lines.length)) * CELL.lineHeight + 6;
    if (page.room(height) && as === 'TD') drawCells(heads, { style: HEAD }, 'TH');
    const row = page.group('TR');
    for (const [index, column] of columns.entries()) {
      const tone = tones?.[index];
      const cellStyle = tone ? { ...style, colour: TONES[tone] } : style;
      page.cell(
        wrapped[index] ?? [],
        cellStyle,
        {
          x: column.x + (index === 0 ? 0 : CELL.padding),
          width: column.width - (index === 0 || index === columns.length - 1 ? CELL.padding : 2 * CELL.padding),
          align: column.isNumeric ? 'right' : 'left',
          dy: 3,
          lineHeight: CELL.lineHeight,
        },
        { as, row },
      );
    }
    page.down(height);
    page.rule(as === 'TH' ? COLOURS.ink : COLOURS.line, as === 'TH' ? 0.7 : 0.4);
    page.endGroup(row);
  };
  const heads = block.columns.map(({ head }) => head);
  const table = page.group('Table');
  drawCells(heads, { style: HEAD }, 'TH');
  for (const [index, { cells, isStrong, tones }] of block.rows.entries()) {
    drawCells(cells, { style: isStrong ? { ...BODY, weight: 600 } : BODY, tones }, 'TD');
    if (index % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await setImmediate();
  }
  if (block.total) drawCells(block.total, { style: { ...BODY, weight: 600 } }, 'TD');
  page.endGroup(table);
  if (block.remark) {
    page.down(5);
    page.paragraph(block.remark, SMALL, { lineHeight: 11 });
  }
  page.down(20);
}

function drawSignatures(page: Page, block: Extract<PrintedBlock, { kind: 'signatures' }>): void {
  const lines = page.wrap(block.statement, BODY, page.width, 8);
  page.room(40 + lines.length * CELL.lineHeight + 150);
  drawTitle(page, block.title);
  page.paragraph(block.statement, BODY, { lineHeight: CELL.lineHeight });
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
