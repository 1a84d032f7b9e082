import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import { TOTAL_WORDS } from '../tables/total-words.ts';
import type { SampleCell } from './suggest/column-summary.ts';

const TOTAL = new RegExp(
  `^\\W*(?:report |portfolio )?${TOTAL_WORDS}(?!\\p{L})|(?<!\\p{L})totals?\\W*$|^\\W*(?:average|avg|mean|count)\\b`,
  'iu',
);
/** A totals row fills at most this share of the cells that a typical row fills. */
const LITTLE = 0.6;
/** A row with at most this many cells is a note, if a typical row has at least `NOTE_WIDTH`. */
const NOTE_CELLS = 2;
const NOTE_WIDTH = 6;

/** Removes rows of totals, units and notes from between the assets, because they would be mistaken for asset values. */
export function withoutTotals<Column extends { readonly cells: readonly SampleCell[] }>(
  columns: readonly Column[],
): Column[] {
  const rows = columns[0]?.cells.length ?? 0;
  if (columns.some(({ cells }) => cells.length !== rows)) return [...columns];
  const filled = Array.from({ length: rows }, (_, row) =>
    columns.flatMap(({ cells }) => (cells[row]!.value.trim() === '' ? [] : [cells[row]!])),
  );
  const widths = filled.map((cells) => cells.length).sort((a, b) => a - b);
  const usual = widths[Math.floor(rows / 2)] ?? 0;
  const isAsset = filled.map((cells) => {
    const isTotal =
      cells.length <= usual * LITTLE && cells.some(({ tag, value }) => tag === CellTag.text && TOTAL.test(value));
    return !isTotal && !(cells.length <= NOTE_CELLS && usual >= NOTE_WIDTH);
  });
  if (isAsset.every(Boolean)) return [...columns];
  return columns.map((column) => ({ ...column, cells: column.cells.filter((_, row) => isAsset[row]) }));
}
