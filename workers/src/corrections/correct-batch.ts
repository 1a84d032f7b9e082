import type { CorrectionRecord, OriginCell } from '@tapeline/domain/tapes/corrections.schema.ts';
import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import type { RawBatch, RawColumn, TextTable } from '@tapeline/sheets/raw-batch.ts';
import { type OriginFacts, rawCell } from './raw-cells.ts';

/** Corrected cells by header, by sheet row. */
export type CorrectedCells = ReadonlyMap<number, Readonly<Record<string, OriginCell>>>;

/** The cells of each row after all corrections: a later one replaces an earlier one of the same cell. */
export function cellsAfter(records: readonly CorrectionRecord[]): CorrectedCells {
  const cells = new Map<number, Record<string, OriginCell>>();
  for (const { row, cells: changed } of records) {
    const after = Object.entries(changed).map(([header, { after }]) => [header, after]);
    cells.set(row, { ...cells.get(row), ...Object.fromEntries(after) });
  }
  return cells;
}

/**
 * The batch with corrected cells. A corrected row is no longer a misfit: a person has entered which value belongs to which
 * column.
 * @param keys the headers by which corrections name the columns, by column index; null for one without a header
 */
export function correctBatch(
  batch: RawBatch,
  keys: readonly (string | null)[],
  corrected: CorrectedCells,
  facts: OriginFacts,
): RawBatch {
  const rows = [...batch.rowNumbers].flatMap((row, index) => {
    const cells = corrected.get(row);
    return cells ? [{ row, index, cells }] : [];
  });
  if (rows.length === 0) return batch;
  const texts = new AddedTexts(batch.texts);
  const columns = batch.columns.map((column, at): RawColumn => {
    const key = keys[at];
    if (key === null || key === undefined || !rows.some(({ cells }) => Object.hasOwn(cells, key))) return column;
    const [tags, values] = [column.tags.slice(), column.values.slice()];
    for (const { index, cells } of rows) {
      if (!Object.hasOwn(cells, key)) continue;
      const { tag, number, text } = rawCell(cells[key] ?? null, facts);
      tags[index] = tag;
      values[index] = tag === CellTag.text || tag === CellTag.error ? texts.add(text ?? '') : (number ?? 0);
    }
    return { tags, values };
  });
  const misfits = new Map([...batch.misfits].filter(([row]) => !corrected.has(row)));
  return { ...batch, columns, texts: texts.table, misfits };
}

/** The texts of a batch, and more after them. */
class AddedTexts {
  readonly #texts: TextTable;
  readonly #added: { readonly text: string; readonly bytes: Uint8Array }[] = [];

  constructor(texts: TextTable) {
    this.#texts = texts;
  }

  /** @returns the code of the text */
  add(text: string): number {
    this.#added.push({ text, bytes: Buffer.from(text) });
    return this.#texts.count + this.#added.length - 1;
  }

  get table(): TextTable {
    const [texts, added] = [this.#texts, this.#added];
    const of = (code: number) => added[code - texts.count];
    return {
      count: texts.count + added.length,
      bytes: (code) => of(code)?.bytes ?? texts.bytes(code),
      start: (code) => (of(code) ? 0 : texts.start(code)),
      length: (code) => of(code)?.bytes.length ?? texts.length(code),
      text: (code) => of(code)?.text ?? texts.text(code),
    };
  }
}
