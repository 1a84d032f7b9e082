import { writeFile } from 'node:fs/promises';
import { toEpochDay } from '@tapeline/domain/dates/calendar-date.ts';
import type { MappingInput } from '@tapeline/domain/tapes/mapping.schema.ts';
import { columnLetters, escapeXml, SHEET_END, SHEET_START, workbookParts } from '@tapeline/sheets/workbook-parts.ts';
import { ZipWriter } from '@tapeline/sheets/zip-writer.ts';

/** A calendar date as an Excel date, anything else unchanged. */
export type Cell = string | number | null | { readonly date: string };

/** Excel's day 25,569 is 1 January 1970. */
const EPOCH_SERIAL = 25_569;

function cellXml(cell: Cell, reference: string): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`;
  if (typeof cell === 'string') {
    return `<c r="${reference}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell)}</t></is></c>`;
  }
  return `<c r="${reference}" s="1"><v>${toEpochDay(cell.date) + EPOCH_SERIAL}</v></c>`;
}

/**
 * Writes a workbook with one sheet. An empty row stays blank.
 * @param level of deflate; 0 stores, so that a test may corrupt any byte
 */
export async function writeTapeFile(
  path: string,
  sheetName: string,
  rows: Iterable<readonly Cell[]>,
  level = 1,
): Promise<void> {
  function* sheet(): Generator<string> {
    let xml = SHEET_START;
    let number = 0;
    for (const row of rows) {
      number += 1;
      if (row.length > 0) {
        const cells = row.map((cell, column) => cellXml(cell, `${columnLetters(column)}${number}`));
        xml += `<row r="${number}">${cells.join('')}</row>`;
      }
      if (xml.length > 1 << 18) {
        yield xml;
        xml = '';
      }
    }
    yield xml + SHEET_END;
  }
  const parts = workbookParts({ sheets: [{ name: sheetName }], formats: ['General', 'yyyy-mm-dd'] });
  const writer = await ZipWriter.create(path);
  for (const [name, content] of Object.entries(parts)) await writer.add(name, [content], level);
  await writer.add('xl/worksheets/sheet1.xml', sheet(), level);
  await writer.finish();
}

/** A narrow loan tape: one loan for each row, with what every check and every kind of column needs. */
export interface Loan {
  readonly id: string;
  readonly balance: number | string;
  readonly original?: number;
  readonly state?: string | null;
}

export const LOAN_SHEET = 'Loans';
export const LOAN_MAPPING: MappingInput = {
  loanTapeSheetName: LOAN_SHEET,
  primaryCurrency: 'USD',
  rules: [
    {
      originCol: 'Loan',
      targetCol: 'assetId',
      serializations: [{ type: 'text' }, { type: 'trim' }],
      checks: ['Mandatory', 'Unique'],
    },
    {
      originCol: 'Original',
      targetCol: 'sums.sum',
      serializations: [{ type: 'SerializedSum', currency: 'USD' }],
      checks: ['Mandatory', 'Consistent'],
    },
    {
      originCol: 'Balance',
      targetCol: 'sums.outstandingSum',
      serializations: [{ type: 'SerializedSum', currency: 'USD' }],
      checks: ['Mandatory'],
    },
    { originCol: 'State', targetCol: 'address.state', serializations: [{ type: 'text' }] },
    { originCol: 'Financed', targetCol: 'dateFinanced', serializations: [{ type: 'date', format: 'excel' }] },
    { originCol: 'Status', targetCol: 'assetStatus', serializations: [{ type: 'assetStatus' }] },
  ],
};

const HEADERS = ['Loan', 'Original', 'Balance', 'State', 'Financed', 'Status'];

function* loanRows(loans: Iterable<Loan | null>): Generator<readonly Cell[]> {
  yield HEADERS;
  for (const loan of loans) {
    if (loan === null) {
      yield [];
      continue;
    }
    const { id, original = 25_000, balance, state = 'CA' } = loan;
    yield [id, original, balance, state, { date: '2024-05-17' }, 'current'];
  }
}

/** Writes loans as a tape, the header in the first row; null is a blank row. */
export const writeLoans = (path: string, loans: Iterable<Loan | null>, level?: number): Promise<void> =>
  writeTapeFile(path, LOAN_SHEET, loanRows(loans), level);

/** The same loans as a comma-separated file, for the mapping `LOAN_CSV_MAPPING`. */
export async function writeLoansCsv(path: string, loans: Iterable<Loan | null>): Promise<void> {
  const cellText = (cell: Cell) => {
    if (cell === null) return '';
    const text = typeof cell === 'object' ? cell.date : String(cell);
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = [...loanRows(loans)].map((row) => row.map(cellText).join(','));
  await writeFile(path, `${lines.join('\n')}\n`);
}

export const LOAN_CSV_MAPPING: MappingInput = {
  ...LOAN_MAPPING,
  rules: LOAN_MAPPING.rules.map((rule) =>
    rule.originCol === 'Financed' ? { ...rule, serializations: [{ type: 'date', format: 'ISO' }] } : rule,
  ),
};

/** The contents of `manyLoans`, counted while they are generated. */
export interface LoanCounts {
  dataRows: number;
  assets: number;
  errored: number;
  discarded: number;
  blankRows: number;
}

const STATES = ['CA', 'NY', 'TX', 'WA', null];

/**
 * Loans with every kind of row: every 97th has no amount, every 1,000th repeats the loan of row 2, every 500th row is
 * blank. The counts are known before anything reads them.
 */
export function manyLoans(rows: number): { loans: () => Generator<Loan | null>; counts: LoanCounts } {
  const kind = (at: number) =>
    at % 500 === 499 ? 'blank' : at % 97 === 96 ? 'unreadable' : at % 1000 === 998 ? 'repeated' : 'sound';
  const counts: LoanCounts = { dataRows: 0, assets: 0, errored: 0, discarded: 0, blankRows: 0 };
  for (let at = 0; at < rows; at += 1) {
    const found = kind(at);
    // Blank rows at the end of a sheet do not count as rows.
    if (found === 'blank') counts.blankRows += at < rows - 1 ? 1 : 0;
    else counts.dataRows += 1;
    if (found === 'sound') counts.assets += 1;
    if (found === 'unreadable' || found === 'repeated') counts.errored += 1;
  }
  function* loans(): Generator<Loan | null> {
    for (let at = 0; at < rows; at += 1) {
      const found = kind(at);
      yield found === 'blank'
        ? null
        : {
            id: found === 'repeated' ? 'L0' : `L${at}`,
            balance: found === 'unreadable' ? 'see notes' : 1000 + (at % 9000) + 0.25,
            state: STATES[at % STATES.length] ?? null,
          };
    }
  }
  return { loans, counts };
}
