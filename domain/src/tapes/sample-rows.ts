import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import { TOTAL_WORDS } from '../tables/total-words.ts';
import type { SampleCell } from './suggest/column-summary.ts';
import { figureFormOf, readFigure } from './suggest/figures.ts';

const TOTAL = new RegExp(
  `^\\W*(?:report |portfolio )?${TOTAL_WORDS}(?!\\p{L})|(?<!\\p{L})totals?\\W*$|^\\W*(?:average|avg|mean|count)\\b`,
  'iu',
);
/** A totals row fills at most this share of the cells that a typical row fills, if its amounts are not seen to be sums. */
const LITTLE = 0.6;
/** A row with at most this many cells is a note, if a typical row has at least `NOTE_WIDTH`. */
const NOTE_CELLS = 2;
const NOTE_WIDTH = 6;
/** The sum of one row is that row again. */
const MIN_ADDED = 2;
/** Figures that are rounded to cents differ by less. */
const ROUNDED = 0.011;

type Columns = readonly { readonly cells: readonly SampleCell[] }[];

const isLabel = ({ tag, value }: SampleCell): boolean => tag === CellTag.text && TOTAL.test(value);

interface SampleRows {
  readonly isAsset: readonly boolean[];
  /** What the totals rows call themselves. */
  readonly labels: readonly string[];
}

/**
 * Tells assets from rows of totals, units and notes. A totals row is one whose amounts are sums of the rows above it, or one
 * with the word that fills little else: a company may be called Total.
 */
function readRows(columns: Columns): SampleRows | null {
  const rows = columns[0]?.cells.length ?? 0;
  if (columns.some(({ cells }) => cells.length !== rows)) return null;
  const filled = Array.from({ length: rows }, (_, row) =>
    columns.flatMap(({ cells }) => (cells[row]!.value.trim() === '' ? [] : [cells[row]!])),
  );
  const widths = filled.map((cells) => cells.length).sort((a, b) => a - b);
  const usual = widths[Math.floor(rows / 2)] ?? 0;
  const sums = sumRows(columns, rows);
  const labels: string[] = [];
  const isAsset = filled.map((cells, row) => {
    const label = cells.find(isLabel);
    const isLittle = cells.length <= usual * LITTLE;
    const isTotal = label === undefined ? isLittle && sums.has(row) : isLittle || sums.has(row);
    if (isTotal && label && sums.has(row)) labels.push(label.value.trim());
    return !isTotal && !(cells.length <= NOTE_CELLS && usual >= NOTE_WIDTH);
  });
  return { isAsset, labels };
}

/** The rows whose amount in some column is the sum of those above it, from the top or since the last such row. */
function sumRows(columns: Columns, rows: number): ReadonlySet<number> {
  const found = new Set<number>();
  for (const { cells } of columns) {
    const form = figureFormOf(cells);
    let [all, part, added] = [0, 0, 0];
    for (let row = 0; row < rows; row += 1) {
      const { tag, value } = cells[row]!;
      const figure = tag === CellTag.number || tag === CellTag.text ? readFigure(value, form) : null;
      if (figure === null) continue;
      const isSum = (sum: number): boolean => figure !== 0 && Math.abs(figure - sum) < ROUNDED;
      if (added >= MIN_ADDED && (isSum(all) || isSum(part))) {
        found.add(row);
        [part, added] = [0, 0];
        continue;
      }
      all += figure;
      part += figure;
      added += 1;
    }
  }
  return found;
}

/**
 * Removes rows of totals, units and notes from between the assets, because they would be mistaken for asset values. Also
 * returns what the rows call themselves whose amounts are sums: `Summe`.
 */
export function withoutTotals<Column extends { readonly cells: readonly SampleCell[] }>(
  columns: readonly Column[],
): { columns: Column[]; labels: readonly string[] } {
  const read = readRows(columns);
  if (read === null) return { columns: [...columns], labels: [] };
  const { isAsset, labels } = read;
  if (isAsset.every(Boolean)) return { columns: [...columns], labels };
  const kept = columns.map((column) => ({ ...column, cells: column.cells.filter((_, row) => isAsset[row]) }));
  return { columns: kept, labels };
}
