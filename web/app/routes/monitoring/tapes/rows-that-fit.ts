import { MAX_FIELDS, MAX_INDEX } from '../../../http/form-fields.ts';

interface Cell {
  readonly problems: readonly string[];
  readonly expects: string | null;
}

/** Number of form fields other than its rows. */
const OTHER_FIELDS = 10;
const FIELDS_OF_CELL = 2;

/**
 * The rows that one form can carry, for a sheet of any width. If a row has more cells than a form may list, the form
 * has the cells with errors and those that the mapping reads, and as many others as fit. A cell that is left out keeps
 * its value as read.
 */
export function rowsThatFit<Row extends { readonly cells: readonly Cell[] }>(
  rows: readonly Row[],
): { rows: Row[]; leftRows: number; leftCells: number } {
  const narrowed = rows.map((row) => ({ ...row, cells: cellsThatFit(row.cells) }));
  let fields = OTHER_FIELDS;
  const count = narrowed.findIndex(({ cells }) => {
    fields += 1 + cells.length * FIELDS_OF_CELL;
    return fields > MAX_FIELDS;
  });
  const shown = count === -1 ? narrowed : narrowed.slice(0, count);
  const leftCells = Math.max(0, ...shown.map(({ cells }, at) => (rows[at]?.cells.length ?? 0) - cells.length));
  return { rows: shown, leftRows: rows.length - shown.length, leftCells };
}

function cellsThatFit<Each extends Cell>(cells: readonly Each[]): Each[] {
  const most = MAX_INDEX + 1;
  if (cells.length <= most) return [...cells];
  const isNeeded = (cell: Each) => cell.problems.length > 0 || cell.expects !== null;
  let room = most - cells.filter(isNeeded).length;
  return cells
    .filter((cell) => {
      if (isNeeded(cell)) return true;
      room -= 1;
      return room >= 0;
    })
    .slice(0, most);
}
