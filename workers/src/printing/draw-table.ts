import type { PrintedBlock, PrintedColumn, PrintedRow } from '@tapeline/domain/printing/printed-document.ts';
import { drawTitle } from './draw-text.ts';
import { COLOURS, type Page, type TextStyle } from './page.ts';
import { BODY, HEAD, LETTER, LETTER_HEAD, LINE_HEIGHT, quiet, SMALL, strong, TONES } from './styles.ts';

type TableBlock = Extract<PrintedBlock, { kind: 'table' }>;

/** Rows drawn before other work of the process gets its turn. */
const ROWS_AT_ONCE = 40;
/** A table of a letter with at most so many rows stays on one page. Fewer than are drawn at once. */
const MAX_KEPT_ROWS = 12;
/** Enough for a name of 250 characters in a narrow column. */
const MAX_LINES = 8;
const PADDING = 5;
const INDENT = 10.5;
/** Text shrinks to this size rather than losing a digit. */
const SMALLEST = 4;
/** By how much the result of a table is larger. */
const LARGER = 0.6;

/** Figures are never broken or shortened. */
const isFigure = (text: string): boolean => !text.includes(' ');

interface Looks {
  body: TextStyle;
  head: TextStyle;
  lineHeight: number;
  /** Above and below the text of a row. */
  space: number;
}
const COMPACT: Looks = { body: BODY, head: HEAD, lineHeight: LINE_HEIGHT, space: 3 };
const ROOMY: Looks = { body: LETTER, head: LETTER_HEAD, lineHeight: 12.6, space: 3.45 };

interface Column extends PrintedColumn {
  x: number;
  /** Without the space between columns. */
  width: number;
  /** Below 1 if the widest figure would not fit: all figures of a column have one size, so that they align. */
  scale: number;
}

function placeColumns(page: Page, block: TableBlock, body: TextStyle): Column[] {
  const { columns } = block;
  const bold = strong(block.rows.some(({ isResult }) => isResult) ? { ...body, size: body.size + LARGER } : body);
  const widest = (index: number): number => {
    const texts = [...block.rows.map(({ cells }) => cells[index] ?? ''), block.total?.[index] ?? ''];
    return texts.reduce((most, text) => (isFigure(text) ? Math.max(most, page.widthOf(text, bold)) : most), 0);
  };
  const whole = columns.reduce((sum, { width }) => sum + width, 0);
  let from = page.left;
  return columns.map((column, index) => {
    const width = (column.width / whole) * page.width;
    const before = index === 0 ? 0 : PADDING;
    const after = index === columns.length - 1 ? 0 : PADDING;
    const inner = width - before - after;
    const scale = column.isNumeric ? Math.max(Math.min(1, inner / widest(index)), SMALLEST / body.size) : 1;
    const placed = { ...column, x: from + before, width: inner, scale };
    from += width;
    return placed;
  });
}

interface Cell {
  lines: string[];
  style: TextStyle;
  /** After the last line, or on lines of its own. */
  remark: string[];
  isRemarkBeside: boolean;
}

/** Draws a table, and repeats its header on each page. Yields now and then, so that other work gets its turn. */
export function* drawTable(page: Page, block: TableBlock): Generator<void, void, void> {
  const isShort = block.isRoomy && block.rows.length <= MAX_KEPT_ROWS;
  if (isShort) page.room(page.measure(() => drawRows(page, block).next()));
  yield* drawRows(page, block);
}

function* drawRows(page: Page, block: TableBlock): Generator<void, void, void> {
  const looks = block.isRoomy ? ROOMY : COMPACT;
  if (block.title !== '') drawTitle(page, block);
  if (block.rows.length === 0) {
    page.paragraph(block.empty ?? 'None.', quiet(BODY), { lineHeight: LINE_HEIGHT });
    page.down(18);
    return;
  }
  const columns = placeColumns(page, block, looks.body);
  const table = page.group('Table');
  drawHead(page, columns, looks);
  for (const [index, row] of block.rows.entries()) {
    const isLast = index === block.rows.length - 1;
    drawRow(page, columns, looks, row, isLast && block.total !== undefined);
    if (row.isResult) page.rule(COLOURS.ink, 1.4);
    else if (isLast && block.isRoomy && !block.total) page.rule(COLOURS.ink, 0.7);
    else if (row.isStrong && block.isRoomy) page.rule(COLOURS.lineStrong, 0.6);
    else page.rule(COLOURS.line, 0.5);
    if (index % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) yield;
  }
  if (block.total) {
    drawRow(page, columns, looks, { cells: block.total, isStrong: true });
    if (!block.isRoomy) page.rule(COLOURS.line, 0.5);
  }
  page.endGroup(table);
  if (block.remark) {
    page.down(5);
    page.paragraph(block.remark, SMALL, { lineHeight: 11 });
  }
  page.down(block.isRoomy ? 16 : 20);
}

function drawHead(page: Page, columns: readonly Column[], { head, lineHeight, space }: Looks): void {
  const hasNotes = columns.some(({ note }) => note !== undefined);
  if (!hasNotes && columns.every((column) => column.head === '')) {
    page.rule(COLOURS.ink, 0.7);
    return;
  }
  const style = hasNotes ? { ...head, weight: 600 as const, colour: COLOURS.ink } : head;
  const heads = columns.map((column) => page.wrap(column.head, style, column.width, MAX_LINES));
  const most = Math.max(...heads.map(({ length }) => length));
  page.room((most + 2) * lineHeight + 4 * space);
  const row = page.group('TR');
  for (const [index, column] of columns.entries()) {
    const lines = heads[index] ?? [];
    const place = {
      x: column.x,
      width: column.width,
      align: column.isNumeric ? ('right' as const) : ('left' as const),
    };
    page.cell(
      lines,
      style,
      { ...place, dy: space + (most - lines.length) * lineHeight, lineHeight },
      { as: 'TH', row },
    );
    if (column.note) {
      const note = page.fitted(column.note, { ...head, size: head.size - 0.5 }, column.width, SMALLEST);
      page.cell([column.note], note, { ...place, dy: space + most * lineHeight - 0.5, lineHeight }, { as: 'TH', row });
    }
  }
  page.endGroup(row);
  page.down((most + (hasNotes ? 1 : 0)) * lineHeight + 2 * space);
  page.rule(COLOURS.ink, 0.7);
}

function drawRow(page: Page, columns: readonly Column[], looks: Looks, row: PrintedRow, isBeforeTotal = false): void {
  const { lineHeight, space } = looks;
  const larger = row.isResult ? { ...looks.body, size: looks.body.size + LARGER } : looks.body;
  const style = row.isStrong ? strong(larger) : row.isIndented ? quiet(larger) : larger;
  const cells = columns.map((column, index): Cell => {
    const text = row.cells[index] ?? '';
    const tone = row.tones?.[index];
    // Figures keep the colour of the text where the label is less prominent.
    const base = index > 0 && row.isIndented && !row.isStrong ? larger : style;
    const toned = tone ? { ...base, colour: TONES[tone] } : base;
    const width = index === 0 && row.isIndented ? column.width - INDENT : column.width;
    if (column.isNumeric && isFigure(text)) {
      const scaled = column.scale < 1 ? { ...toned, size: toned.size * column.scale } : toned;
      return { lines: [text], style: scaled, remark: [], isRemarkBeside: false };
    }
    const lines = page.wrap(text, toned, width, MAX_LINES);
    if (index > 0 || !row.remark) return { lines, style: toned, remark: [], isRemarkBeside: false };
    const beside = ` \u00b7 ${row.remark}`;
    const isRemarkBeside =
      lines.length === 1 && page.widthOf(text, toned) + page.widthOf(beside, quiet(looks.body)) <= width;
    const remark = isRemarkBeside ? [beside] : page.wrap(row.remark, quiet(looks.body), width, MAX_LINES);
    return { lines, style: toned, remark, isRemarkBeside };
  });
  const height = Math.max(...cells.map((cell) => cell.lines.length + (cell.isRemarkBeside ? 0 : cell.remark.length)));
  const extra = row.isResult ? 1.5 : 0;
  // The total is never alone on a page.
  const total = isBeforeTotal ? lineHeight + 2 * space : 0;
  if (page.room(height * lineHeight + 2 * (space + extra) + total)) drawHead(page, columns, looks);
  const structure = page.group('TR');
  for (const [index, column] of columns.entries()) {
    const cell = cells[index];
    if (!cell) continue;
    const indent = index === 0 && row.isIndented ? INDENT : 0;
    const place = {
      x: column.x + indent,
      width: column.width - indent,
      align: column.isNumeric ? ('right' as const) : ('left' as const),
      dy: space + extra,
      lineHeight,
    };
    // A smaller figure stays on the baseline of its row.
    const lower = (style.size - cell.style.size) * 0.97;
    page.cell(cell.lines, cell.style, { ...place, dy: place.dy + lower }, { as: 'TD', row: structure });
    if (cell.remark.length === 0) continue;
    const beside = cell.isRemarkBeside
      ? { ...place, x: place.x + page.widthOf(cell.lines[0] ?? '', cell.style) }
      : { ...place, dy: place.dy + cell.lines.length * lineHeight };
    page.cell(cell.remark, quiet(looks.body), beside, { as: 'TD', row: structure });
  }
  page.down(height * lineHeight + 2 * (space + extra));
  page.endGroup(structure);
}
