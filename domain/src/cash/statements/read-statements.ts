import type { BankStatement } from '../bank-statement.ts';
import { MAX_STATEMENT_BYTES, MAX_STATEMENT_LINES } from '../statement-limits.ts';
import { readBai2 } from './bai2.ts';
import { readCamt } from './camt.ts';
import type { CsvMapping } from './csv-mapping.ts';
import { type CsvAccount, readCsvStatement } from './csv-statement.ts';
import { readMt940 } from './mt940.ts';
import { refuseStatement } from './refuse-statement.ts';
import { decodeStatementText } from './statement-text.ts';

/** How a CSV file is read, and whose lines it has. */
export interface CsvReading {
  readonly mapping: CsvMapping;
  readonly account: CsvAccount;
}

/**
 * The statements of a file, whatever its format. All of it is understood, or it is refused: camt.053 and camt.054, MT940,
 * BAI2, and CSV where `csv` says how. A function is called only for such a file.
 */
export function readStatements(bytes: Uint8Array, csv?: CsvReading | (() => CsvReading)): BankStatement[] {
  const statements = readInFormat(bytes, csv);
  if (statements.reduce((count, { lines }) => count + lines.length, 0) > MAX_STATEMENT_LINES) {
    throw refuseStatement(
      'limit',
      'The statements of the file have more than 50,000 lines. Ask the bank for one file a month.',
    );
  }
  return statements;
}

function readInFormat(bytes: Uint8Array, csv: CsvReading | (() => CsvReading) | undefined): BankStatement[] {
  if (bytes.length > MAX_STATEMENT_BYTES) {
    throw refuseStatement(
      'limit',
      `The file is larger than ${MAX_STATEMENT_BYTES >> 20} MB. Ask the bank for one file a month.`,
    );
  }
  if (isXml(bytes)) return readCamt(bytes);
  const text = decodeStatementText(bytes);
  const start = text.slice(0, 4_000).trimStart();
  if (start === '') throw refuseStatement('format', 'The file is empty. Choose another one.');
  if (/^01,/.test(start)) return readBai2(text);
  if (/(^|\n|\{4:\s*)(\{4:)?:20:/.test(start.replaceAll('\r', '\n'))) return readMt940(text);
  if (csv) {
    const { mapping, account } = typeof csv === 'function' ? csv() : csv;
    return [readCsvStatement(text, mapping, account)];
  }
  throw refuseStatement(
    'format',
    'The file is no camt.053, camt.054, MT940 or BAI2. If it is a CSV file, choose the bank account and describe its columns.',
  );
}

/** Whether the first sign is the one that XML begins with, in any of its encodings. */
function isXml(bytes: Uint8Array): boolean {
  const start = [...bytes.subarray(0, 400)].filter((byte) => byte !== 0);
  const mark = [0xef, 0xbb, 0xbf, 0xfe, 0xff];
  return start.find((byte) => !mark.includes(byte) && byte > 32) === 60;
}
