import { ColumnFiles, PageReader } from './column-pages.ts';
import { BLOCK_ROWS, type ColumnArray, ColumnValues, type ValueKind } from './column-values.ts';

/** A column to read, and the form of its values. */
export interface ColumnToRead {
  readonly name: string;
  readonly kind: ValueKind;
  /** For `listed`: the texts whose indexes are returned. */
  readonly literals?: readonly string[];
  /** Whether rows may lack a value. Reading fails if one does although this is false; a listed text then has index 0. */
  readonly isOptional: boolean;
}

/** A block of rows, a typed array for each column. */
export interface ColumnBlock {
  /** Undefined where the row lacks a value, except that a missing text has index 0. */
  readonly values: readonly ColumnArray[];
  /** 1 where the row has a value, otherwise 0. */
  readonly present: readonly Uint8Array[];
}

/** Receives the next rows, at most BLOCK_ROWS. The arrays are reused for the next block. */
export type TakeBlock = (rows: number, block: ColumnBlock) => void;

const ALL_PRESENT = new Uint8Array(BLOCK_ROWS).fill(1);

/**
 * Reads columns of files, one row group after the other, block by block. A column may be named several times, in
 * different forms.
 * @param claim the index of the next row group to read, over all files; reading ends after the last one. Several threads
 *   that share it read each row group once
 * @throws UnfamiliarParquet if a column is missing, or in a form that this package does not read
 * @throws Error if a file is damaged, or a row lacks a value that it must have
 */
export async function readColumns(
  paths: readonly string[],
  columns: readonly ColumnToRead[],
  take: TakeBlock,
  claim: () => number,
): Promise<void> {
  const names = [...new Set(columns.map(({ name }) => name))];
  const files = await ColumnFiles.open(paths, names);
  const pages = new PageReader();
  try {
    const readers = columns.map(({ name, kind, literals, isOptional }) => ({
      values: new ColumnValues(kind, literals),
      chunk: names.indexOf(name),
      isRequired: !isOptional && kind !== 'listed',
    }));
    const block: ColumnBlock = {
      values: readers.map(({ values }) => values.values),
      present: readers.map(({ values }, at) => (columns[at]!.isOptional ? values.present : ALL_PRESENT)),
    };
    for (let group = files.rowGroups[claim()]; group !== undefined; group = files.rowGroups[claim()]) {
      const chunks = await pages.read(group);
      for (const { values, chunk } of readers) values.begin(chunks[chunk]!);
      for (let done = 0; done < group.rows; done += BLOCK_ROWS) {
        const rows = Math.min(BLOCK_ROWS, group.rows - done);
        for (const { values, isRequired } of readers) {
          if (values.read(rows) && isRequired) throw new Error('a Parquet column lacks values that it must have');
        }
        take(rows, block);
      }
    }
  } finally {
    pages.close();
    await files.close();
  }
}
