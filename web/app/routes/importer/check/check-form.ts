import type { ImportRow } from '@tapeline/domain/importer/check.ts';
import type { ImportColumn } from '@tapeline/domain/importer/columns.ts';
import type { ImportDraft } from '@tapeline/domain/importer/draft.ts';
import { sameCells } from '@tapeline/domain/importer/propose.ts';
import { MAX_CELL } from '@tapeline/domain/importer/read-rows.ts';
import { z } from 'zod';

/** Rows on one page of the check. */
export const ROWS_PER_PAGE = 50;

/** The field of a cell: its row in the file, and the index of its column among those of the kind. */
export const cellField = (row: number, index: number): string => `x-${row}-${index}`;

const rowSchema = z.coerce.number().int().min(1).max(1_048_576);
const CELL = /^(\d{1,7})-(\d{1,3})$/;

/**
 * The cells of the page that can be corrected, and what the pressed button asks for: another check, the import, or a
 * change of one row. An emptied field is not sent, so `shown` names the cells that the page had.
 */
export const checkForm = z.looseObject({
  version: z.coerce.number().int(),
  shown: z.string().max(100_000).default(''),
  go: z.enum(['check', 'import']).default('check'),
  remove: rowSchema.optional(),
  restore: rowSchema.optional(),
  undo: rowSchema.optional(),
  /** A proposed value of a cell. */
  use: z
    .string()
    .regex(/^\d{1,7}-\d{1,3}-/)
    .max(200)
    .optional(),
  /** The same for all rows where this cell means the same. */
  useAll: z
    .string()
    .regex(/^\d{1,7}-\d{1,3}-/)
    .max(200)
    .optional(),
});
export type CheckForm = z.output<typeof checkForm>;

type Change = ImportDraft['changes'][number];

/** The change that a proposed value is. */
function proposedChange(proposed: string | undefined, columns: readonly ImportColumn[]): Change | null {
  const [, row, index, value] = /^(\d{1,7})-(\d{1,3})-(.*)$/s.exec(proposed ?? '') ?? [];
  const column = columns[Number(index)];
  return row !== undefined && column !== undefined ? { row: Number(row), column: column.key, text: value ?? '' } : null;
}

/** The proposed value in each row whose cell means the same as that of the row that it was proposed for. */
function changesOfAll(form: CheckForm, columns: readonly ImportColumn[], rows: readonly ImportRow[]): Change[] {
  const change = proposedChange(form.useAll, columns);
  const column = columns.find(({ key }) => key === change?.column);
  const first = rows.find(({ row }) => row === change?.row);
  if (!change || !column || !first) return [];
  const meant = sameCells(column, first.cells);
  const same = rows.filter((one) => one === first || (meant !== null && sameCells(column, one.cells) === meant));
  return same.map(({ row }) => ({ ...change, row }));
}

/**
 * The cells as the form has them.
 * @param columns the kind's columns, by index
 * @param rows the rows as the page shows them
 */
export function changesOf(form: CheckForm, columns: readonly ImportColumn[], rows: readonly ImportRow[]): Change[] {
  const keys = columns.map(({ key }) => key);
  const entered = form.shown.split(' ').flatMap((name): Change[] => {
    const [, row, index] = CELL.exec(name) ?? [];
    const column = keys[Number(index)];
    if (row === undefined || column === undefined) return [];
    const text = form[cellField(Number(row), Number(index))];
    return [{ row: Number(row), column, text: (typeof text === 'string' ? text : '').trim().slice(0, MAX_CELL) }];
  });
  const proposed = proposedChange(form.use, columns);
  return [...entered, ...(proposed ? [proposed] : []), ...changesOfAll(form, columns, rows)];
}
