import { SEQUENCE_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import { readTexts, UnfamiliarParquet } from '@tapeline/parquet';

/**
 * Reads the texts of a column at tape positions from the pages of the tape's files, as far as they are needed: groups
 * are named by their first asset, which is often in the first row group. DuckDB would read the whole column.
 * @param length the number of assets of the tape
 * @returns null if only DuckDB can read the column
 */
export async function readTextLabels(
  paths: readonly string[],
  column: string,
  positions: readonly number[],
  length: number,
): Promise<Map<number, string | null> | null> {
  try {
    return await readTexts(paths, { number: SEQUENCE_COLUMN, text: column }, positions, length);
  } catch (error) {
    if (error instanceof UnfamiliarParquet) return null;
    throw error;
  }
}
