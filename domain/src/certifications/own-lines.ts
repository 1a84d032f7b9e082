import { type DecimalText, decimalOf, isDecimal, negate } from '../money/decimal.ts';
import { MAX_OWN_LINES } from './certification-labels.ts';
import type { CertifiedLine } from './certified-lines.ts';

/** A line of the borrower's own certificate. */
export interface OwnLine {
  readonly label: string;
  readonly amount: DecimalText;
  /** The key of the line of ours that it is; null for one that we do not have. */
  readonly line: string | null;
  /** Why it differs. */
  readonly remark?: string | null | undefined;
}

/** Labels are the same whatever their case, spaces and punctuation. */
const normalised = (label: string): string =>
  label
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}%]+/gu, ' ')
    .trim();

/**
 * Assigns the lines of the borrower to ours: as in its certificate of before, otherwise by an equal label. What was assigned to
 * nothing before stays so.
 * @param before the lines of the latest certificate with figures of its own, of any month
 */
export function assignLines(
  lines: readonly Pick<OwnLine, 'label' | 'amount'>[],
  ours: readonly CertifiedLine[],
  before: readonly Pick<OwnLine, 'label' | 'line'>[],
): OwnLine[] {
  const known = new Set(ours.map(({ key }) => key));
  const byLabel = new Map(ours.map(({ key, label }) => [normalised(label), key]).reverse() as [string, string][]);
  const byBefore = new Map(before.map(({ label, line }) => [normalised(label), line]));
  return lines.map(({ label, amount }) => {
    const name = normalised(label);
    const earlier = byBefore.get(name);
    const line = earlier !== undefined && (earlier === null || known.has(earlier)) ? earlier : byLabel.get(name);
    return { label, amount, line: line ?? null };
  });
}

/** "1,234.50", "(100)", "$ 5" and "-3" as exact decimals; null for what is no figure. */
export function figureOf(text: string): DecimalText | null {
  const trimmed = text.trim().replace(/^([A-Z]{3}|[$€£])\s*/, '');
  const inBrackets = /^\((.*)\)$/.exec(trimmed);
  const digits = (inBrackets?.[1] ?? trimmed).replace(/^[$€£]\s*/, '');
  const plain = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(digits) ? digits.replaceAll(',', '') : digits;
  if (!/^-?\d/.test(plain) || plain.length > 40 || !isDecimal(plain)) return null;
  const value = decimalOf(plain);
  return inBrackets ? negate(value) : value;
}

/** An amount with the separators of another country: "1.234,50", "1 234,50", "1'234.50". A date such as "31.07.2026" is none. */
const FOREIGN_FIGURE = /^[-(]?(?:[A-Z]{3}|[$€£])?\s*\d{1,3}(?:[.,'’\s]\d{3})*(?:[.,]\d+)?\s*\)?$/;

/** An amount that is not read, because it could mean two figures. */
export interface UnreadAmount {
  readonly label: string;
  readonly text: string;
}

/**
 * The lines of a certificate in the rows of a workbook or of a text: the first cell that is no figure is the label, and the first
 * figure after it the amount. Rows without both, such as headings, are left out.
 * @returns `isCut` if there are more lines than a certificate can have, and `unread` for lines that have an amount we cannot read
 */
export function linesOfRows(rows: readonly (readonly string[])[]): {
  lines: Pick<OwnLine, 'label' | 'amount'>[];
  unread: UnreadAmount[];
  isCut: boolean;
} {
  const lines: Pick<OwnLine, 'label' | 'amount'>[] = [];
  const unread: UnreadAmount[] = [];
  for (const cells of rows) {
    const start = cells.findIndex(
      (cell) => cell.trim() !== '' && figureOf(cell) === null && !FOREIGN_FIGURE.test(cell.trim()),
    );
    if (start < 0) continue;
    const figures = cells.slice(start + 1).map((cell) => cell.trim());
    const first = figures.find((cell) => figureOf(cell) !== null || FOREIGN_FIGURE.test(cell));
    if (first === undefined) continue;
    if (lines.length + unread.length === MAX_OWN_LINES) return { lines, unread, isCut: true };
    const label = cells[start]!.trim().replaceAll(/\s+/g, ' ').slice(0, 200);
    const amount = figureOf(first);
    if (amount === null) unread.push({ label, text: first });
    else lines.push({ label, amount });
  }
  return { lines, unread, isCut: false };
}
