import type { HeadedColumn } from './column-shape.ts';
import { figureFormOf, readFigure } from './figures.ts';

/** With fewer rows, figures add up by chance. */
const MIN_ROWS = 5;
/** The rows after these may come from anywhere in the sheet. */
const MAX_ROWS = 60;
const MIN_SHARE = 0.9;
/** Amounts of an account differ. */
const MIN_CHANGES = 3;
/** Figures that are rounded to cents differ by less. */
const ROUNDED = 0.011;
/** Comparing every pair of more columns takes too long. */
const MAX_FIGURES = 60;

interface Figures {
  readonly header: string;
  readonly values: readonly (number | null)[];
}

/**
 * The column that is the running balance of others, as on the statement of an account: each of its figures is the one
 * before it, plus or minus the amount of its row, whichever row comes first. The amounts are in one column, or in two for
 * what comes in and what goes out.
 */
export function runningBalance(
  columns: readonly HeadedColumn[],
): { readonly balance: string; readonly amounts: readonly string[] } | null {
  const figures = columns.flatMap((column): Figures[] => {
    const cells = column.cells.slice(0, MAX_ROWS);
    const form = figureFormOf(cells);
    const values = cells.map(({ value }) => (value.trim() === '' ? null : readFigure(value, form)));
    return values.some((value) => value !== null) ? [{ header: column.header, values }] : [];
  });
  if (figures.length > MAX_FIGURES) return null;
  for (const balance of figures) {
    const changes = changesOf(balance.values);
    if (changes === null) continue;
    const others = figures.filter((each) => each !== balance);
    for (const isDescending of [false, true]) {
      const matched = others
        .map(({ header, values }) => ({ header, rows: rowsThatMatch(changes, values, isDescending) }))
        .filter(({ rows }) => rows.length > 0)
        .sort((a, b) => b.rows.length - a.rows.length);
      const amounts = coverOf(matched, changes.length);
      if (amounts !== null) return { balance: balance.header, amounts };
    }
  }
  return null;
}

interface Change {
  /** The row of the later figure. */
  readonly row: number;
  readonly change: number;
}

/** The changes from row to row; null if the column cannot be a balance. */
function changesOf(values: readonly (number | null)[]): Change[] | null {
  const changes: Change[] = [];
  for (let row = 1; row < values.length; row += 1) {
    const [before, now] = [values[row - 1], values[row]];
    if (before === null || before === undefined || now === null || now === undefined) continue;
    changes.push({ row, change: Math.abs(now - before) });
  }
  const moved = changes.filter(({ change }) => change >= ROUNDED);
  const different = new Set(moved.map(({ change }) => Math.round(change * 100)));
  // Numbers that count up, beside a column of ones, are no amounts.
  if (changes.length < MIN_ROWS - 1 || different.size < MIN_CHANGES) return null;
  return moved.length >= changes.length * MIN_SHARE ? changes : null;
}

/** The rows whose change is the amount; none if most amounts of the column are something else. */
function rowsThatMatch(
  changes: readonly Change[],
  amounts: readonly (number | null)[],
  isDescending: boolean,
): number[] {
  let filled = 0;
  const rows: number[] = [];
  for (const { row, change } of changes) {
    const amount = amounts[isDescending ? row - 1 : row] ?? null;
    if (amount === null || amount === 0) continue;
    filled += 1;
    if (Math.abs(change - Math.abs(amount)) < ROUNDED) rows.push(row);
  }
  return rows.length >= filled * MIN_SHARE ? rows : [];
}

/** One column that explains nearly all changes, or the first two that do so together. */
function coverOf(matched: readonly { header: string; rows: readonly number[] }[], changes: number): string[] | null {
  const [most, ...others] = matched;
  if (!most) return null;
  if (most.rows.length >= changes * MIN_SHARE) return [most.header];
  const own = new Set(most.rows);
  const second = others.find(
    ({ rows }) => rows.every((row) => !own.has(row)) && own.size + rows.length >= changes * MIN_SHARE,
  );
  return second ? [most.header, second.header] : null;
}
