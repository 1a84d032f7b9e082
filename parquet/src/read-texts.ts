import { ColumnFiles, PageReader } from './column-pages.ts';
import { textsAt } from './column-texts.ts';
import { BLOCK_ROWS, ColumnValues } from './column-values.ts';

/**
 * The texts of the rows that an integer column numbers so, as far as they are found; null where such a row has no text.
 * Reading ends with the row group of the last one.
 * @param columns the column of numbers, which every row has and no two rows share, and the column of texts
 * @param end all numbers are below it, and none is negative
 * @throws UnfamiliarParquet if a column is missing, or in a form that this package does not read
 */
export async function readTexts(
  paths: readonly string[],
  columns: { readonly number: string; readonly text: string },
  numbers: readonly number[],
  end: number,
): Promise<Map<number, string | null>> {
  const isWanted = new Uint8Array(end);
  for (const number of numbers) isWanted[number] = 1;
  const { size } = new Set(numbers);
  const found = new Map<number, string | null>();
  const files = await ColumnFiles.open(paths, [columns.number, columns.text]);
  const pages = new PageReader();
  try {
    const order = new ColumnValues('integer');
    for (const group of files.rowGroups) {
      if (found.size === size) break;
      const [numbered, texts] = await pages.read(group);
      order.begin(numbered!);
      const rows: number[] = [];
      const wanted: number[] = [];
      for (let done = 0; done < group.rows; done += BLOCK_ROWS) {
        const count = Math.min(BLOCK_ROWS, group.rows - done);
        order.read(count);
        for (let row = 0; row < count; row += 1) {
          const number = order.values[row]!;
          if (isWanted[number] !== 1) continue;
          rows.push(done + row);
          wanted.push(number);
        }
      }
      for (const [at, text] of textsAt(texts!, rows).entries()) found.set(wanted[at]!, text);
    }
    return found;
  } finally {
    pages.close();
    await files.close();
  }
}
