import type { PrintedDocument } from '@tapeline/domain/printing/printed-document.ts';
import { readLogo } from './logo.ts';
import { COLOURS, type Page, type TextStyle } from './page.ts';
import { BODY, LINE_HEIGHT, medium, quiet, SMALL, TITLE } from './styles.ts';

/** Height of a logo in points. One that is so many times as wide as high shows the name itself. */
const LOGO = { height: 23, wide: 1.8 };
const MAX_CONTACT_LINES = 3;

/** The issuer, the title and the facts of a document. */
export function drawHeader(page: Page, printed: PrintedDocument): void {
  const { title, subtitle, facts } = printed;
  page.down(drawIssuer(page, printed));
  page.rule(COLOURS.ink, 0.8);
  page.down(22);
  page.paragraph(title, { size: 18, weight: 600, colour: COLOURS.ink }, { as: 'H1', lineHeight: 24 });
  page.paragraph(subtitle, { ...BODY, size: 9.75, colour: COLOURS.ink2 }, { lineHeight: 16 });
  page.down(10);
  const columns = 3;
  const width = page.width / columns;
  for (let first = 0; first < facts.length; first += columns) {
    const row = facts.slice(first, first + columns);
    let most = 1;
    for (const [index, fact] of row.entries()) {
      const x = page.left + index * width;
      page.text(fact.label, SMALL, { x, width: width - 12 });
      const lines = page.wrap(fact.value, medium(BODY), width - 12, 2);
      for (const [line, text] of lines.entries()) {
        page.text(text, medium(BODY), { x, width: width - 12, dy: 11 + line * LINE_HEIGHT });
      }
      most = Math.max(most, lines.length);
    }
    page.down(16 + most * LINE_HEIGHT);
  }
  page.down(6);
}

/** The logo and the name of the issuer, and its contact or the reference on the right. @returns the height */
function drawIssuer(page: Page, { issuer, contact, reference, logo: file }: PrintedDocument): number {
  const width = page.width * 0.55;
  const right = { x: page.left + width, align: 'right' as const };
  if (contact === undefined) {
    page.text(issuer, TITLE, { width });
    page.text(reference, SMALL, { ...right, dy: 2.5 });
    return 20;
  }
  let left = page.left;
  const logo = file ? readLogo(file) : null;
  if (logo) {
    const scale = Math.min(LOGO.height / logo.height, width / logo.width);
    const size = { width: logo.width * scale, height: logo.height * scale };
    page.picture(logo.bytes, issuer, { x: left, y: page.y - 7 + (LOGO.height - size.height) / 2, ...size });
    left += size.width + 8;
  }
  // A wide logo shows the name itself.
  const isNamed = logo === null || logo.width < LOGO.wide * logo.height;
  const style: TextStyle = { ...TITLE, size: 11 };
  const nameWidth = page.left + width - left;
  const names = isNamed ? page.wrap(issuer, style, nameWidth, 2) : [];
  page.cell(
    names,
    style,
    { x: left, width: nameWidth, dy: names.length > 1 ? -8.5 : -2.5, lineHeight: 13 },
    { as: 'P' },
  );
  const lines = contact.slice(0, MAX_CONTACT_LINES);
  for (const [index, line] of lines.entries()) {
    const smaller = page.fitted(line, quiet({ ...SMALL, size: 7.9 }), page.right - right.x, 5);
    page.text(page.shortened(line, smaller, page.right - right.x), smaller, {
      ...right,
      dy: index * 10.5 - 2 - (lines.length - 1) * 4.5,
    });
  }
  return 29;
}
