import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { calendarDateOf } from '@tapeline/domain/dates/calendar-day.ts';
import {
  columnLetters,
  escapeXml,
  SHEET_END,
  SHEET_START,
  sharedStringsXml,
  workbookParts,
} from '@tapeline/sheets/workbook-parts.ts';
import { ZipWriter } from '@tapeline/sheets/zip-writer.ts';

const STATES = ['CA', 'NY', 'TX', 'FL', 'IL', 'NJ', 'PA', 'OH', 'GA', 'NC', 'VA', 'MI', 'AZ', 'WA', 'MA'];
const STATUSES = ['Current', 'Fully paid', 'In grace period', 'Late (16-30 days)', 'Late (31-120 days)', 'Charged off'];
const SECTORS = [
  'Healthcare',
  'Software',
  'Consumer goods',
  'Transport & logistics',
  'Real estate',
  'Energy',
  'Education',
];
const GRADES = ['A', 'B', 'C', 'D', 'E', 'F', 'G'];
const STATIC_TEXTS = [...STATES, ...STATUSES, ...SECTORS, ...GRADES];

type Cell =
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'date' | 'rate' | 'whole' | 'amount'; readonly value: number }
  | { readonly kind: 'blank' };

const idOf = (row: number): string => `LN-${String(row).padStart(8, '0')}`;

/** A generated cell. Dates are Excel's serials. @param row counted from 1, below the header */
function tapeCell(random: () => number, row: number, column: number): Cell {
  if (column === 0) return { kind: 'text', value: idOf(row) };
  if (column % 4 === 1) {
    const list = [STATES, STATUSES, SECTORS, GRADES][column % 3]!;
    return { kind: 'text', value: list[Math.floor(random() * list.length)]! };
  }
  if (column % 7 === 3) return { kind: 'date', value: 40_000 + Math.floor(random() * 6_000) };
  if (random() < 0.03) return { kind: 'blank' };
  if (column % 5 === 0) return { kind: 'rate', value: random() * 0.3 };
  if (column % 3 === 0) return { kind: 'whole', value: Math.floor(random() * 850) };
  return { kind: 'amount', value: Math.round(random() * 5_000_000) / 100 };
}

/** The names of the 40 columns: an id, 10 texts, 6 dates, 4 rates, 6 whole numbers and 13 amounts. */
export const HEADERS: readonly string[] = [
  ['Loan ID', 'Status', 'Funded amount', 'Funded date', 'Outstanding balance', 'Sector', 'FICO', 'Principal paid'],
  ['Interest paid', 'State', 'Maturity date', 'Arrears', 'Months left', 'Status a month ago', 'Fees', 'Rate'],
  ['Collateral value', 'Sector of guarantor', 'Score of guarantor', 'Late fees', 'LTV', 'State of guarantor'],
  ['Payment', 'Last payment', 'Last payment date', 'Status at sale', 'Recoveries', 'Payments made', 'Income'],
  ['Sector of employer', 'Debt to income', 'Next payment date', 'Revolving balance', 'State of property'],
  ['Total debt', 'Utilisation', 'Inquiries', 'Status at origination', 'Statement date', 'Open accounts'],
].flat();

const FORMATS = ['General', '#,##0.00', '0.00%', 'yyyy-mm-dd'];

/** A seeded stream of numbers in [0, 1): the same tape every time (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Up to 17 significant digits and an exponent for small numbers, as Excel itself writes doubles. */
function excelNumber(value: number): string {
  const shortest = String(value);
  const digits = shortest.replace(/^0\.0*|\D/g, '').length;
  return digits >= 16 || (value !== 0 && Math.abs(value) < 0.1)
    ? value
        .toExponential(digits >= 16 ? 16 : digits - 1)
        .toUpperCase()
        .replace('E+0', '')
    : shortest;
}

/** The folder of the generated files, which are kept; a test of a bench has one of its own. */
export const DATA_FOLDER =
  process.env.BENCH_FOLDER ?? join(fileURLToPath(new URL('../../..', import.meta.url)), '.cache', 'bench');

/**
 * A loan tape of `rows` data rows with the 40 columns of HEADERS, as Excel writes it; 3 in 100 numbers are blank. It is
 * streamed to disk once and cached.
 * @returns the file's path
 */
export async function makeTapeWorkbook(rows: number, folder = DATA_FOLDER): Promise<string> {
  const columns = HEADERS.length;
  const path = join(folder, `tape-${rows}x${columns}-2.xlsx`);
  if (existsSync(path)) {
    return path;
  }
  await mkdir(folder, { recursive: true });
  const random = randomNumbers(20_260_630);
  const texts: string[] = [...HEADERS];
  const staticStart = texts.length;
  texts.push(...STATIC_TEXTS);
  const letters = texts.slice(0, columns).map((_, column) => columnLetters(column));

  function cell(row: number, column: number): string {
    const reference = `${letters[column]}${row}`;
    const made = tapeCell(random, row - 1, column);
    switch (made.kind) {
      case 'blank':
        return `<c r="${reference}" s="1"/>`;
      case 'text':
        if (column === 0) texts.push(made.value);
        return `<c r="${reference}" t="s"><v>${column === 0 ? texts.length - 1 : staticStart + STATIC_TEXTS.indexOf(made.value)}</v></c>`;
      case 'date':
        return `<c r="${reference}" s="3"><v>${made.value}</v></c>`;
      case 'rate':
        return `<c r="${reference}" s="2"><v>${excelNumber(made.value)}</v></c>`;
      case 'whole':
        return `<c r="${reference}"><v>${made.value}</v></c>`;
      case 'amount':
        return `<c r="${reference}" s="1"><v>${excelNumber(made.value)}</v></c>`;
    }
  }

  function* sheet(): Generator<string> {
    yield `${SHEET_START}<row r="1" spans="1:${columns}">${letters.map((letter, column) => `<c r="${letter}1" t="s"><v>${column}</v></c>`).join('')}</row>`;
    let pending = '';
    for (let row = 2; row <= rows + 1; row += 1) {
      pending += `<row r="${row}" spans="1:${columns}">`;
      for (let column = 0; column < columns; column += 1) {
        pending += cell(row, column);
      }
      pending += '</row>';
      if (pending.length > 500_000) {
        yield pending;
        pending = '';
      }
    }
    yield pending + SHEET_END;
  }

  const writer = await ZipWriter.create(`${path}.part`);
  const parts = workbookParts({ sheets: [{ name: 'Tape' }], formats: FORMATS, sharedStrings: true });
  for (const [name, content] of Object.entries(parts)) {
    await writer.add(name, [content]);
  }
  await writer.add('xl/worksheets/sheet1.xml', sheet());
  await writer.add('xl/sharedStrings.xml', [
    sharedStringsXml(texts.map((text) => `<si><t>${escapeXml(text)}</t></si>`)),
  ]);
  await writer.finish();
  await rename(`${path}.part`, path);
  return path;
}

const DAY_MS = 86_400_000;
/** Day zero of Excel's serials from 61 on. */
const ORIGIN_MS = Date.UTC(1899, 11, 30);

/** The columns of the tape as CSV: those that the mapping reads, so that five million rows are less than 1 GB. */
export const CSV_HEADERS: readonly string[] = [
  ['Loan ID', 'Status', 'Funded amount', 'Funded date', 'Outstanding balance', 'Sector', 'FICO', 'State'],
  ['Maturity date', 'Arrears', 'Months left', 'Rate', 'LTV', 'Income', 'Total debt'],
].flat();

/** The cells of these rows repeat, all but their ids. */
const DISTINCT_ROWS = 100_000;

/** The same tape as CSV, for more rows than a worksheet holds. Dates are ISO 8601. @returns the file's path */
export async function makeTapeCsv(rows: number, folder = DATA_FOLDER): Promise<string> {
  const path = join(folder, `tape-${rows}x${CSV_HEADERS.length}-1.csv`);
  if (existsSync(path)) return path;
  await mkdir(folder, { recursive: true });
  const random = randomNumbers(20_260_630);
  const days = new Map<number, string>();
  const dayOf = (serial: number): string => {
    const known = days.get(serial) ?? calendarDateOf(new Date(ORIGIN_MS + serial * DAY_MS));
    days.set(serial, known);
    return known;
  };
  const cellsOf = (row: number): string => {
    const cells = CSV_HEADERS.map((header) => tapeCell(random, row, HEADERS.indexOf(header)));
    const written = cells.map((cell) =>
      cell.kind === 'blank' ? '' : cell.kind === 'date' ? dayOf(cell.value) : cell.value,
    );
    return `,${written.slice(1).join(',')}\n`;
  };
  const made: string[] = [];
  function* lines(): Generator<string> {
    let pending = `${CSV_HEADERS.join(',')}\n`;
    for (let row = 1; row <= rows; row += 1) {
      if (made.length < DISTINCT_ROWS) made.push(cellsOf(row));
      pending += `${idOf(row)}${made[(row - 1) % DISTINCT_ROWS]!}`;
      if (pending.length > 500_000) {
        yield pending;
        pending = '';
      }
    }
    yield pending;
  }
  await writeFile(`${path}.part`, lines());
  await rename(`${path}.part`, path);
  return path;
}
