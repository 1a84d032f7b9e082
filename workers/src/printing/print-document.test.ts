import type { PrintedBlock, PrintedDocument } from '@tapeline/domain/printing/printed-document.ts';
import { MAX_PRINTED_ROWS } from '@tapeline/domain/printing/printed-document.ts';
import PDFDocument from 'pdfkit';
import { extractText, getDocumentProxy } from 'unpdf';
import { expect, it } from 'vitest';
import { fontFile, runsOf } from './fonts.ts';
import { printDocument } from './print-document.ts';

const table = (rows: number, more: object = {}): PrintedBlock => ({
  kind: 'table',
  title: 'Rules',
  columns: [
    { head: 'Rule', width: 3 },
    { head: 'Amount (USD)', width: 1, isNumeric: true },
  ],
  rows: Array.from({ length: rows }, (_, index) => ({ cells: [`Rule ${index + 1}`, '8,811,204.10'] })),
  ...more,
});
const documentOf = (...blocks: PrintedBlock[]): PrintedDocument => ({
  title: 'Borrowing base certificate',
  subtitle: 'Senior note, 31 Oct 2026',
  issuer: 'Łódź Αθήνα Иван GmbH',
  reference: 'USD',
  issuedAt: '2026-11-02T09:14:00.000Z',
  footer: 'Confidential',
  facts: [{ label: 'Borrower', value: 'Łódź Αθήνα Иван GmbH' }],
  blocks,
});
const pagesOf = async (bytes: Uint8Array) => {
  const pdf = await getDocumentProxy(new Uint8Array(bytes));
  return { pdf, pages: (await extractText(pdf, { mergePages: false })).text };
};

it('prints every figure, with the page number on every page', async () => {
  const bytes = await printDocument(
    documentOf(
      { kind: 'figures', figures: [{ label: 'Net borrowing base', value: '156,106,227.73', unit: 'USD' }] },
      { kind: 'notices', notices: ['The tape has no exchange rate for ISK'] },
      {
        kind: 'waterfall',
        title: 'From pool',
        note: 'USD',
        steps: [
          { label: 'Pool', value: 10, shown: '10', kind: 'level' },
          { label: 'Excess', value: -12, shown: '−12', kind: 'change' },
        ],
      },
      table(120, { total: ['Total', '9.99'] }),
      {
        kind: 'signatures',
        title: 'Certification',
        statement: 'Certified.',
        parties: [{ role: 'For the lender', name: 'Harbour' }],
      },
    ),
  );
  const { pdf, pages } = await pagesOf(bytes);
  const whole = pages.join('\n');
  for (const text of ['156,106,227.73', 'Łódź Αθήνα Иван GmbH', 'no exchange rate for ISK', '−12', 'For the lender']) {
    expect(whole).toContain(text);
  }
  expect(whole.match(/Rule \d+/g)).toHaveLength(120);
  expect(pages.length).toBeGreaterThan(2);
  expect(pages.map((text) => /Page (\d+) of (\d+)/.exec(text)?.slice(1).map(Number))).toEqual(
    pages.map((_, index) => [index + 1, pages.length]),
  );
  expect((await pdf.getMetadata()).info).toMatchObject({
    Title: 'Borrowing base certificate, Senior note, 31 Oct 2026',
    CreationDate: 'D:20261102091400Z',
  });
  expect(await pdf.getMarkInfo()).toMatchObject({ Marked: true });
});

it('gives the same bytes for the same document, and others for another', async () => {
  const [first, second] = [await printDocument(documentOf(table(60))), await printDocument(documentOf(table(60)))];
  expect(first.equals(second)).toBe(true);
  expect((await printDocument(documentOf(table(61)))).equals(first)).toBe(false);
});

it('shortens what does not fit, and prints control and unknown characters as such', async () => {
  const { pages } = await pagesOf(
    await printDocument(
      documentOf(table(0, { rows: [{ cells: ['W'.repeat(4_000), `a\u0000\n${'x '.repeat(2_000)}`] }] })),
    ),
  );
  expect(pages).toHaveLength(1);
  expect(pages[0]).toContain('W…');
  expect(runsOf('≥ 中\u0001')).toEqual([{ script: 'latin', text: '>= \ufffd ' }]);
  expect(runsOf('e\u0301\u2011')).toEqual([{ script: 'latin', text: '\u00e9-' }]);
});

it('prints every letter of the alphabets of Europe, and a box for what no font has', async () => {
  const letters = 'ĄĆĐĘĞİŁŃŐŘŠȘȚŽąćđęğıłńőřšșțž ΑΒΓΔΩάέήίόύώϊΰς БДЖЩЪЫЭЮЯбджщъыэюяЁЂЄЇЉЊЋЌЎЏёђєїљњћќўџ';
  const { pages } = await pagesOf(
    await printDocument(documentOf(table(0, { rows: [{ cells: [letters, ''] }, { cells: ['中文 Ltd', ''] }] }))),
  );
  const printed = pages.join('').replaceAll(/\s/g, '');
  expect(printed).toContain(letters.replaceAll(' ', ''));
  expect(printed).not.toContain('?');
  // A letter that its font lacks would be a box, whatever text a reader extracts.
  const pdf = new PDFDocument();
  for (const { script, text } of runsOf(letters)) {
    const { font } = Reflect.get(pdf.registerFont(script, fontFile('inter', script, 400)).font(script), '_font');
    expect([...text].filter((letter) => !font.hasGlyphForCodePoint(letter.codePointAt(0)))).toEqual([]);
    expect(font.getGlyph(0).path.commands).not.toEqual([]);
  }
});

it('refuses more rows than may be printed', async () => {
  await expect(printDocument(documentOf(table(MAX_PRINTED_ROWS + 1)))).rejects.toThrow('at most 3000 rows');
});

it('prints the longest document while other work goes on, and stops if nobody waits', async () => {
  let turns = 0;
  let isPrinting = true;
  const count = () => {
    turns += 1;
    if (isPrinting) setImmediate(count);
  };
  setImmediate(count);
  const bytes = await printDocument(documentOf(table(MAX_PRINTED_ROWS)));
  isPrinting = false;
  expect(turns).toBeGreaterThan(MAX_PRINTED_ROWS / 50);
  expect(bytes.length).toBeLessThan(4_000_000);
  await expect(printDocument(documentOf(table(10)), AbortSignal.abort())).rejects.toThrow('aborted');
});
