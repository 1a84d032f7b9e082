import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { LoanMonthColumns } from '@tapeline/domain/tapes/latest-rows/latest-rows.schema.ts';
import { type LatestRows, LoanMonths } from '@tapeline/domain/tapes/latest-rows/loan-months.ts';
import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import { type InspectedSheet, showCell } from '@tapeline/sheets/inspect-sheet.ts';
import type { RawBatch } from '@tapeline/sheets/raw-batch.ts';
import { NO_FACTS, type SheetFacts } from '@tapeline/sheets/sheet-facts.ts';
import { readSheetFile, withoutRows } from '../tape/read-sheet-file.ts';

/** A sheet of a file, and how much of it is read at once. */
export interface ReadFrom {
  readonly path: string;
  readonly sheet: Pick<InspectedSheet, 'kind' | 'sheetName' | 'headerRow' | 'columns' | 'epoch'>;
  readonly batchRows: number;
  readonly signal: AbortSignal;
  /** @param share how much of the sheet is read, 0 to 1 */
  readonly onRead?: ((share: number) => void) | undefined;
}

/** The rows of the sheet, in batches. */
export const readBatches = (
  { path, sheet, batchRows, signal, onRead }: ReadFrom,
  onFacts?: (facts: SheetFacts) => void,
): AsyncGenerator<RawBatch> =>
  readSheetFile(path, {
    sheetName: sheet.sheetName,
    headerRow: sheet.headerRow,
    batchRows,
    signal,
    ...(onRead ? { onRead } : {}),
    ...(onFacts ? { onFacts } : {}),
  });

/**
 * Reads the id and the month of each row, and chooses the latest row of each loan.
 * @throws Refusal badRequest for a column that the sheet does not have, and as `LoanMonths`
 */
export async function findLatest(
  from: ReadFrom,
  { upTo, ...columns }: LoanMonthColumns & { readonly upTo: string | null },
): Promise<LatestRows & { facts: SheetFacts }> {
  const { sheet, signal } = from;
  const [id, month] = (['idColumn', 'monthColumn'] as const).map((name) => columnOf(sheet, columns, name));
  if (id === month) {
    throw new Refusal('badRequest', 'Choose two columns: one with the id of the loan, one with the month.', {
      flags: { monthColumn: 'is the same column as idColumn' },
    });
  }
  const found = new LoanMonths(columns);
  let facts = NO_FACTS;
  let rows = 0;
  const onFacts = (read: SheetFacts): void => {
    facts = read;
  };
  for await (const batch of readBatches(from, onFacts)) {
    signal.throwIfAborted();
    addBatch(found, batch, { id: id!, month: month!, epoch: sheet.epoch });
    rows += batch.rowCount;
  }
  if (rows === 0) throw withoutRows(sheet.sheetName);
  return { ...found.latest(upTo, sheet.epoch), facts };
}

function columnOf(
  { columns, sheetName }: ReadFrom['sheet'],
  asked: LoanMonthColumns,
  name: keyof LoanMonthColumns,
): number {
  const column = columns.find(({ header }) => header === asked[name]);
  if (column) return column.index;
  throw new Refusal('badRequest', `The sheet ${sheetName} has no column “${asked[name]}”.`, {
    flags: { [name]: 'is not a column of the sheet' },
  });
}

function addBatch(
  found: LoanMonths,
  { columns, rowCount, rowNumbers, texts, misfits }: RawBatch,
  { id, month, epoch }: { id: number; month: number; epoch: 1900 | 1904 },
): void {
  // A value may be in a large number of cells.
  const numberOf = (column: number, number: (cell: { tag: CellTag; value: string }) => number) => {
    const known = new Map<string, number>();
    const { tags, values } = columns[column]!;
    return (row: number): number => {
      const key = `${tags[row]} ${values[row]}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      const made = number(showCell(tags[row] as CellTag, values[row]!, (code) => texts.text(code), epoch));
      known.set(key, made);
      return made;
    };
  };
  const loanOf = numberOf(id, ({ tag, value }) => found.loanOf(tag === CellTag.error ? '' : value));
  const monthOf = numberOf(month, (cell) => found.monthOf(cell));
  for (let row = 0; row < rowCount; row += 1) {
    const number = rowNumbers[row]!;
    if (misfits.has(number)) found.addMisfit();
    else found.add(number, loanOf(row), monthOf(row));
  }
}
