import { SEQUENCE_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import { ColumnFiles, PageReader, UnfamiliarParquet } from '../parquet/column-pages.ts';
import { textsAt } from '../parquet/column-texts.ts';
import { BLOCK_ROWS, ColumnValues } from '../parquet/column-values.ts';

/**
 * Reads the texts of a column at tape positions from the pages of the tape's files, as far as they are needed: groups
 * are named by their first asset, which is often in the first row group. DuckDB would read the whole column.
 * @param length the number of assets of the tape
 * @returns null if only DuckDB can read the column
 */
export async function readTexts(
  paths: readonly string[],
  column: string,
  positions: readonly number[],
  length: number,
): Promise<Map<number, string | null> | null> {
  const wanted = new Uint8Array(length);
  for (const position of positions) wanted[position] = 1;
  const { size } = new Set(positions);
  const found = new Map<number, string | null>();
  try {
    const files = await ColumnFiles.open(paths, [SEQUENCE_COLUMN, column]);
    const pages = new PageReader();
    try {
      const sequence = new ColumnValues('integer');
      for (const group of files.rowGroups) {
        if (found.size === size) break;
        const [order, texts] = await pages.read(group);
        sequence.begin(order!);
        const rows: number[] = [];
        const places: number[] = [];
        for (let done = 0; done < group.rows; done += BLOCK_ROWS) {
          const count = Math.min(BLOCK_ROWS, group.rows - done);
          sequence.read(count);
          for (let row = 0; row < count; row += 1) {
            const place = sequence.values[row]!;
            if (wanted[place] !== 1) continue;
            rows.push(done + row);
            places.push(place);
          }
        }
        for (const [at, text] of textsAt(texts!, rows).entries()) found.set(places[at]!, text);
      }
    } finally {
      pages.close();
      await files.close();
    }
    return found;
  } catch (error) {
    if (error instanceof UnfamiliarParquet) return null;
    throw error;
  }
}
