import { guessEncoding } from '@tapeline/sheets/text-encoding.ts';
import { NOT_IN_NAMES } from '../../documents/text.schema.ts';
import { MAX_STATEMENT_TEXT } from '../statement-limits.ts';
import { refuseStatement } from './refuse-statement.ts';

const UTF8_MARK = [0xef, 0xbb, 0xbf];
/** Encodings that files declare, by the names that they have there. */
const DECLARED: Readonly<Record<string, string>> = {
  'utf-8': 'utf-8',
  'us-ascii': 'utf-8',
  'utf-16': 'utf-16',
  'iso-8859-1': 'windows-1252',
  'windows-1252': 'windows-1252',
  'iso-8859-15': 'iso-8859-15',
};

const startsWith = (bytes: Uint8Array, mark: readonly number[]): boolean =>
  mark.every((byte, index) => bytes[index] === byte);

const utf16Of = (bytes: Uint8Array): string | null =>
  startsWith(bytes, [0xff, 0xfe]) ? 'utf-16le' : startsWith(bytes, [0xfe, 0xff]) ? 'utf-16be' : null;

function decode(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw refuseStatement(
      'encoding',
      `The file contains bytes that are not valid in ${encoding.toUpperCase()}. Download the file from the bank again, and do not open it in another program before you upload it.`,
    );
  }
}

/** The encoding that the first line of an XML file declares; UTF-8 if it declares none. */
function declaredEncoding(bytes: Uint8Array): string {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  return /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.-]+)["']/.exec(start.replace(/^ï»¿/, ''))?.[1] ?? 'utf-8';
}

/** The text of an XML file, in the encoding that it declares. */
export function decodeXml(bytes: Uint8Array): string {
  const utf16 = utf16Of(bytes);
  if (utf16) return decode(bytes, utf16);
  const declared = declaredEncoding(bytes);
  const encoding = DECLARED[declared.toLowerCase()];
  if (!encoding || encoding === 'utf-16') {
    throw refuseStatement(
      'encoding',
      `The file declares the encoding ${declared}, which is not read or not true. Ask the bank for the file in UTF-8.`,
    );
  }
  return decode(bytes, encoding);
}

/** The text of a file that declares no encoding: UTF-8, UTF-16 with its mark, or Windows-1252. */
export function decodeStatementText(bytes: Uint8Array): string {
  const utf16 = utf16Of(bytes);
  if (utf16) return decode(bytes, utf16);
  if (startsWith(bytes, UTF8_MARK)) return decode(bytes, 'utf-8');
  const guess = guessEncoding(bytes, true);
  if (guess.encoding === null) {
    throw refuseStatement(
      'encoding',
      `The encoding of the file is ${guess.name ?? 'not known'}, which is not read. Ask the bank for the file in UTF-8.`,
    );
  }
  return decode(bytes, guess.encoding);
}

/** @param line in the file, from 1 */
export function requireShort(length: number, line: number): void {
  if (length <= MAX_STATEMENT_TEXT) return;
  throw refuseStatement(
    'limit',
    `Line ${line} has a text of more than 10,000 characters, which no bank writes. Download the file from the bank again, and do not change it before you upload it.`,
  );
}

/** The lines of a file, each of which an expression may search from each of its characters. */
export function statementLines(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  for (const [index, line] of lines.entries()) requireShort(line.length, index + 1);
  return lines;
}

const UNFIT = new RegExp(`[\\s\\u0000${NOT_IN_NAMES}]+`, 'g');

/** Text as it is stored: in one line, without control characters and those that no name may hold. */
export const oneLine = (text: string): string => text.replaceAll(UNFIT, ' ').trim();

export const textOrNull = (text: string | undefined | null): string | null => oneLine(text ?? '') || null;

/** The beginning of a text, without half a character at its end. */
export const beginningOf = (text: string, most: number): string =>
  text
    .slice(0, most)
    .replace(/[\ud800-\udbff]$/, '')
    .trim();
