import type { ImportRow } from './check.ts';
import { correctedRows, type ImportDraft, withReadAmounts } from './draft.ts';
import { formOfSheet, originalRows, type ReadSheet } from './sheet-rows.ts';
import { headingRowsOf, type TotalRow, totalRowsOf } from './total-rows.ts';
import { turned } from './turn-columns.ts';
import type { FoundForm } from './written-cells.ts';

/** A file as a person decided to read it. */
export interface ReadDraft<One> {
  /** With the turned columns as rows. */
  readonly table: One;
  readonly original: readonly ImportRow[];
  /** As they would be imported. */
  readonly rows: readonly ImportRow[];
  /** Rows of the file that add up or count others, and are no records. */
  readonly totalRows: readonly TotalRow[];
  /** Rows of the file that are headings of others. */
  readonly headings: readonly number[];
  /** How the file writes dates and numbers. */
  readonly form: FoundForm;
}

type Table = ReadSheet & { readonly columns: readonly { readonly letters: string; readonly header: string }[] };

/**
 * Reads the rows of a file as a person decided.
 * @throws Refusal badRequest if its turned columns are more rows than an import may have
 */
export function readDraft<One extends Table>(
  sheet: One,
  content: Pick<
    ImportDraft,
    'kind' | 'turn' | 'mapping' | 'values' | 'valuesBy' | 'written' | 'changes' | 'removedRows'
  >,
): ReadDraft<One> {
  const { kind, turn, values, valuesBy, written } = content;
  const table = turned(kind, sheet, turn);
  const mapping = content.mapping ?? {};
  const form = formOfSheet(kind, table, mapping, written);
  const reading = { mapping, values, valuesBy, form };
  const totalRows = totalRowsOf(kind, table, reading);
  const headings = headingRowsOf(kind, table, reading);
  const others = new Set([...totalRows.map(({ row }) => row), ...headings]);
  const records = table.rows.filter(({ row }) => !others.has(row));
  const original = originalRows(kind, { ...table, rows: records }, reading);
  const rows = withReadAmounts(kind, correctedRows(original, content), form);
  return { table, original, rows, totalRows, headings, form };
}
