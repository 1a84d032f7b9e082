import { CellTag } from './cell-tag.ts';
import type { SampleCell } from './suggest/column-shape.ts';

const TOTAL =
  /^\W*(grand |sub[- ]?|report |portfolio |overall )?totals?\b|\btotals?\W*$|^\W*(summe|gesamt|average|avg|mean|count)\b/i;
/** A row of a tape shows most of what the fullest rows show; a row of totals or a note shows little. */
const LITTLE = 0.6;
/** One or two cells among many are a note. */
const NOTE_CELLS = 2;
const NOTE_WIDTH = 6;

/** The columns without rows of totals, units and notes between the assets, which would be taken for what assets look like. */
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
