import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Dice, diceOf } from './fuzz/mutate.ts';
import { inspectSheetFile } from './inspect-sheet.ts';
import { readSheetBatches } from './read-sheet.ts';
import { SheetError } from './sheet-error.ts';
import { temporaryPath } from './testing/temporary-path.ts';
import { type HandMade, writeWorkbook } from './testing/workbook-file.ts';

/** A fixed seed, so that every run is the same. */
const SEED = 20_261_122;
const BYTES = 2 << 20;
/**
 * How much longer a byte may take than one of an ordinary sheet in forms for the careful reader. Of an ordinary sheet,
 * the preview and the search for the header only read the beginning; of one long row, all of it.
 */
const MAX_TIMES = 40;
/** Time for a file of any size, including the compilation of code that it is the first to need. */
const FIXED_MS = 150;

const HEADER = '<row r="1"><c r="A1" t="inlineStr"><is><t>Loan</t></is></c></row>';
const FIRST = `${HEADER}<row r="2"><c r="A2" t="inlineStr"><is><t>LN-1</t></is></c></row>`;
const fill = (piece: string): string => piece.repeat(Math.ceil(BYTES / Buffer.byteLength(piece)));

/** Processor time of the preview and of reading all rows; an error counts as a result. */
async function measure(path: string): Promise<number> {
  const before = process.cpuUsage();
  try {
    await inspectSheetFile(path);
    for await (const batch of readSheetBatches(path)) batch.rowNumbers.at(0);
  } catch (error) {
    if (!(error instanceof SheetError)) throw error;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const ATTEMPTS = 3;

/** Like `measure`. On a busy machine, the same work can take a multiple: what takes too long is measured again. */
async function measureAgain(path: string, maxMs: number): Promise<number> {
  let least = await measure(path);
  for (let attempt = 1; attempt < ATTEMPTS && least > maxMs; attempt += 1) least = Math.min(least, await measure(path));
  return least;
}

const inRows = (content: string): HandMade => ({ rows: `${FIRST}${content}` });
const inCell = (content: string): HandMade =>
  inRows(`<row r="3"><c r="A3" t="inlineStr"><is>${content}</is></c></row>`);

/** Places that can contain a large number of bytes. */
const PLACES: readonly [string, (piece: string) => HandMade][] = [
  ['a comment between rows', (piece) => inRows(`<!--${fill(piece)}-->`)],
  ['a comment that does not end', (piece) => inRows(`<!--${fill(piece)}`)],
  ['an instruction', (piece) => inRows(`<?x ${fill(piece)}?>`)],
  ['CDATA of a text', (piece) => inCell(`<t><![CDATA[${fill(piece)}]]></t>`)],
  ['a text', (piece) => inCell(`<t>${fill(piece)}</t>`)],
  ['pieces of a text', (piece) => inCell(`<t>${fill(`${piece}<!-- -->`)}</t>`)],
  ['an attribute of a row', (piece) => inRows(`<row r="3" x="${fill(piece)}"/>`)],
  ['attributes of rows', (piece) => inRows(fill(`<row x="${piece.repeat(40)}" y='' z=" x=" />`))],
  ['attributes of cells', (piece) => inRows(`<row r="3">${fill(`<c r='A3' x='${piece}'/>`)}</row>`)],
  ['a formula', (piece) => inRows(`<row r="3"><c r="A3"><f>${fill(piece)}</f><v>1</v></c></row>`)],
  [
    'rows of a blank text far to the right',
    () => inRows(fill('<row><c r="A9" t="inlineStr"><is><t> </t></is></c></row>').replaceAll(' r="A9"', '')),
  ],
  [
    'before the rows',
    (piece) => ({ sheet: `<worksheet><!--${fill(piece)}--><sheetData>${FIRST}</sheetData></worksheet>` }),
  ],
  ['open elements before the rows', () => ({ sheet: `<worksheet>${fill('<a>')}` })],
  [
    'styles',
    (piece) => ({
      ...inRows(''),
      parts: { 'xl/styles.xml': `<styleSheet><!--${fill(piece)}--><cellXfs/></styleSheet>` },
    }),
  ],
  [
    'many styles of one long format',
    (piece) => ({
      ...inRows(''),
      parts: {
        'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${piece.replaceAll('"', '').repeat(5_000).slice(0, 30_000)}"/></numFmts><cellXfs>${fill('<xf numFmtId="200"/>')}</cellXfs></styleSheet>`,
      },
    }),
  ],
  ['shared strings', (piece) => ({ ...inRows(''), strings: [`<si><t>${fill(piece)}</t></si>`] })],
  ['shared strings in CDATA', (piece) => ({ ...inRows(''), strings: [fill(`<si><t><![CDATA[${piece}]]></t></si>`)] })],
  [
    'one long text in many cells',
    () => ({
      rows: `${HEADER}${Array.from({ length: 20_000 }, (_, row) => `<row r="${row + 2}"><c r="A${row + 2}" t="s"><v>0</v></c><c r="ZZ${row + 2}" t="s"><v>0</v></c></row>`).join('')}`,
      strings: [`<si><t>${' '.repeat(900_000)}</t></si>`],
    }),
  ],
];

const LETTERS = [
  '>',
  ']',
  ']]',
  '-',
  '?',
  '&amp;',
  '"',
  "'",
  '=',
  ' ',
  'a',
  'é',
  '_x',
  '&#65;',
  '/',
  ' a=',
  '\n',
  '\r',
];
const pieceOf = (dice: Dice): string =>
  Array.from({ length: 1 + dice(4) }, () => LETTERS[dice(LETTERS.length)]).join('');

/** Milliseconds for each byte of an ordinary sheet in the careful forms. */
async function floor(): Promise<number> {
  const rows = Array.from(
    { length: 20_000 },
    (_, row) =>
      `<row r='${row + 2}'><c t='n' r='A${row + 2}'><v>${row}</v></c><c r='B${row + 2}' t='inlineStr'><is><t>naïve</t></is></c></row>`,
  ).join('');
  const path = await writeWorkbook({ rows: `${HEADER}${rows}` });
  await measure(path);
  return (await measure(path)) / Buffer.byteLength(rows);
}

test('no byte of a workbook takes much longer than those of an ordinary one, wherever it is', async () => {
  const floorMs = await floor();
  const maxMs = floorMs * MAX_TIMES * BYTES + FIXED_MS;
  const dice = diceOf(SEED);
  const slow: string[] = [];
  for (const [place, made] of PLACES) {
    for (const piece of ['>', pieceOf(dice), pieceOf(dice)]) {
      const ms = await measureAgain(await writeWorkbook({ ...made(piece), level: 1 }), maxMs);
      if (ms > maxMs)
        slow.push(`${place}, of ${JSON.stringify(piece)}: ${Math.round(ms)} ms, at most ${Math.round(maxMs)}`);
    }
  }
  expect(slow, `seed ${SEED}`).toEqual([]);
}, 300_000);

test('no byte of a .csv file takes much longer than those of an ordinary one', async () => {
  const write = (content: string): string => {
    const path = temporaryPath('.csv');
    writeFileSync(path, content);
    return path;
  };
  const ordinary = `Loan,Balance,Note\n${Array.from({ length: 60_000 }, (_, row) => `LN-${row},${row}.25,"text ${row}"`).join('\n')}`;
  await measure(write(ordinary));
  const maxMs = ((await measure(write(ordinary))) / ordinary.length) * MAX_TIMES * BYTES + FIXED_MS;
  const wide = `${Array.from({ length: 16_384 }, (_, column) => `c${column}`).join(',')}\n1\n`;
  const dice = diceOf(SEED);
  const files: [string, string][] = [
    ['blank rows of a wide file', wide + fill('\n')],
    ['rows of a blank in a wide file', wide + fill(' \n')],
    ['a quote that is not closed', `Loan,Note\n1,"${fill('a\n')}`],
    ['quotes', `Loan,Note\n1,${fill('"')}`],
    ['quotes and text', `Loan,Note\n${fill('"a"b\n')}`],
    ['one field', `Loan,Note\n1,${fill('x')}`],
    ...Array.from({ length: 6 }, (): [string, string] => {
      const piece = pieceOf(dice);
      return [`of ${JSON.stringify(piece)}`, `Loan,Note\n1,${fill(piece)}`];
    }),
  ];
  const slow: string[] = [];
  for (const [what, content] of files) {
    const ms = await measureAgain(write(content), maxMs);
    if (ms > maxMs) slow.push(`${what}: ${Math.round(ms)} ms, at most ${Math.round(maxMs)}`);
  }
  expect(slow, `seed ${SEED}`).toEqual([]);
}, 300_000);
