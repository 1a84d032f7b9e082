import type { PrintedBlock } from '@tapeline/domain/printing/printed-document.ts';
import { COLOURS, type Page } from './page.ts';
import { LETTER, LETTER_SMALL, LETTER_TITLE, medium, mono, quiet, SMALL, strong, TITLE } from './styles.ts';

type Block<Kind extends PrintedBlock['kind']> = Extract<PrintedBlock, { kind: Kind }>;

const LINE = 13.9;
const ROW = 15.75;
const DETAIL_ROW = 15;
const LABEL_WIDTH = 105;

export function drawTitle(
  page: Page,
  { title, note, isRoomy = false }: { title: string; note?: string; isRoomy?: boolean },
): void {
  page.room(isRoomy ? 60 : 70);
  const style = isRoomy ? LETTER_TITLE : TITLE;
  page.text(title, style, { as: 'H2' });
  if (note) page.text(note, SMALL, { x: page.left + page.widthOf(title, style) + 10, dy: 2.5 });
  page.down(isRoomy ? 15.5 : 18);
}

/** To whom a letter goes, with its facts on the right. */
export function drawAddressee(page: Page, { name, lines, facts }: Block<'addressee'>): void {
  const factsLeft = page.left + page.width * 0.56;
  const width = factsLeft - page.left - 20;
  const height = Math.max(
    page.within(page.left, width, () => {
      for (const [index, text] of [name, ...lines].entries()) {
        const style = index === 0 ? strong(LETTER) : LETTER;
        const wrapped = page.wrapWhole(text, style, width);
        page.cell(wrapped, style, { lineHeight: LINE }, { as: 'P' });
        page.down(wrapped.length * LINE);
      }
    }),
    page.within(factsLeft, page.right - factsLeft, () => {
      page.down(1.5);
      for (const { label, value } of facts) drawPair(page, label, value);
    }),
  );
  page.down(height + 15);
}

function drawPair(page: Page, label: string, value: string): void {
  page.text(label, quiet(LETTER));
  const left = page.left + page.widthOf(label, LETTER) + 8;
  const style = page.fitted(value, medium(LETTER), page.right - left, 5);
  page.text(value, style, { x: left, align: 'right' });
  page.down(ROW);
}

/** Paragraphs, over as many pages as they take. */
export function drawParagraphs(page: Page, { title, text, isSmall = false }: Block<'text'>): void {
  if (title) drawTitle(page, { title, isRoomy: true });
  const style = isSmall ? LETTER_SMALL : LETTER;
  const lineHeight = isSmall ? 11.25 : LINE;
  let lines = page.wrapWhole(text.trim(), style, page.width);
  while (lines.length > 0) {
    page.room(lineHeight);
    const fitting = lines.slice(0, Math.max(1, Math.floor(page.rest / lineHeight)));
    page.cell(fitting, style, { lineHeight }, { as: 'P' });
    page.down(fitting.length * lineHeight);
    lines = lines.slice(fitting.length);
  }
  page.down(isSmall ? 6 : 15);
}

/** Labels with values to be copied, such as an account number. They are never shortened. */
export function drawDetails(page: Page, { title, details }: Block<'details'>): void {
  drawTitle(page, { title, isRoomy: true });
  page.down(1.5);
  const left = page.left + LABEL_WIDTH;
  for (const { label, value, isCode } of details) {
    const style = isCode ? mono({ ...LETTER, size: 9 }) : medium(LETTER);
    const lines = page.wrapWhole(value, style, page.right - left - 12);
    page.room(lines.length * LINE);
    page.text(label, quiet(LETTER), { width: LABEL_WIDTH });
    page.cell(lines, style, { x: left, lineHeight: LINE }, { as: 'P' });
    page.down(DETAIL_ROW + (lines.length - 1) * LINE);
  }
  page.down(6);
}

/** Who signs, with a line to sign on. */
export function drawSignatory(page: Page, { title, organization, name, role }: Block<'signatory'>): void {
  drawTitle(page, { title, isRoomy: true });
  const organizationLines = page.wrapWhole(organization, LETTER_SMALL, page.width);
  page.cell(organizationLines, LETTER_SMALL, { lineHeight: 11.25 }, { as: 'P' });
  page.down(organizationLines.length * 11.25 + 30);
  page.line(page.left, page.y, page.right, page.y, COLOURS.lineStrong);
  page.down(4.5);
  for (const [text, style] of [
    [name, strong(LETTER)],
    [role, quiet(LETTER)],
  ] as const) {
    if (!text) continue;
    const lines = page.wrapWhole(text, style, page.width);
    page.cell(lines, style, { lineHeight: LINE }, { as: 'P' });
    page.down(lines.length * LINE);
  }
  page.down(6);
}
