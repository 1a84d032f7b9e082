import { DuckDBBitValue, type DuckDBConnection, type DuckDBValue } from '@duckdb/node-api';
import type { SortKey } from '@tapeline/domain/filters/list-query.schema.ts';
import { type Lake, quoteName } from './lake.ts';
import { indexesOfPage, type Passing, type Ranks } from './page-indexes.ts';

/**
 * Lists longer than this are sorted by DuckDB, page by page: the ranks of one column would take more than a tenth of
 * the cache.
 */
export const MAX_RANKED_ROWS = 6_000_000;

/** A list of assets whose rows have indexes: 0 for the first row of the first tape, and so on. */
export interface PlacedRows {
  /** Identifies the parts that are read; they never change. */
  readonly key: string;
  readonly rows: number;
  /** A relation with every requested column and an INTEGER column "index". */
  readonly relation: string;
}

export interface PlacesQuery {
  /** SQL over the relation, with its parameters; null lets all rows pass. */
  readonly where: { readonly sql: string; readonly values: readonly DuckDBValue[] } | null;
  readonly sort: readonly SortKey[];
  readonly skip: number;
  readonly limit: number;
}

/**
 * The indexes of a page's rows in order, and how many rows pass. Which rows pass a filter, and the order of all rows by
 * a column, are computed once and cached: the next page, another filter in the same order, and the same filter in
 * another order need no scan.
 */
export async function findPlaces(
  lake: Lake,
  list: PlacedRows,
  query: PlacesQuery,
): Promise<{ indexes: Int32Array; total: number }> {
  const { where } = query;
  const [passing, ...keys] = await Promise.all([
    where ? passingRows(lake, list, where) : null,
    ...query.sort.map(async ({ field, direction }) => ({ ...(await ranksOf(lake, list, field.path)), direction })),
  ]);
  const indexes = indexesOfPage(list.rows, passing, keys, query);
  return { indexes, total: passing?.count ?? list.rows };
}

/** How many rows pass in each range of indexes; the end of a range is exclusive. */
export async function countPassing(
  lake: Lake,
  list: PlacedRows,
  where: PlacesQuery['where'],
  stretches: readonly (readonly [from: number, end: number])[],
): Promise<number[]> {
  if (!where) return stretches.map(([from, end]) => end - from);
  const { bits } = await passingRows(lake, list, where);
  return stretches.map(([from, end]) => {
    let count = 0;
    for (let index = from; index < end; index += 1) count += (bits[index >> 5]! >>> (index & 31)) & 1;
    return count;
  });
}

/** The same in DuckDB alone, without caching: for lists with too many rows to rank. */
export async function sortPlaces(
  lake: Lake,
  { relation }: PlacedRows,
  { where, sort, skip, limit }: PlacesQuery,
): Promise<{ indexes: Int32Array; total: number }> {
  const passing = `FROM ${relation} ${where ? `WHERE ${where.sql}` : ''}`;
  const order = sort.map(
    ({ field, direction }) => `${quoteName(field.path)} ${direction === 1 ? 'ASC' : 'DESC'} NULLS LAST`,
  );
  return lake.connected(async (connection) => {
    const values = [...(where?.values ?? [])];
    const counted = await connection.runAndReadAll(`SELECT count(*) ${passing}`, values);
    const found = await connection.runAndReadAll(
      `SELECT "index" ${passing} ORDER BY ${[...order, '"index"'].join(', ')} LIMIT ${limit} OFFSET ${skip}`,
      values,
    );
    return {
      indexes: Int32Array.from(found.getRows(), ([index]) => Number(index)),
      total: Number(counted.getColumns()[0]?.[0] ?? 0),
    };
  });
}

/** By byte: the same bits in the other order. */
const TURNED = Uint8Array.from({ length: 256 }, (_, byte) => {
  let turned = 0;
  for (let bit = 0; bit < 8; bit += 1) turned |= ((byte >> bit) & 1) << (7 - bit);
  return turned;
});

/** DuckDB's bits, of which the first byte says how many to skip, with the first bit of each byte as its lowest. */
function toBits(data: Uint8Array, rows: number): Uint32Array {
  const bits = new Uint32Array(Math.ceil(rows / 32));
  const bytes = new Uint8Array(bits.buffer);
  for (let at = 1; at < data.length; at += 1) bytes[at - 1] = TURNED[data[at]!]!;
  return bits;
}

function passingRows(
  lake: Lake,
  { key, rows, relation }: PlacedRows,
  where: NonNullable<PlacesQuery['where']>,
): Promise<Passing & { bytes: number }> {
  return lake.cache.get(`passing ${where.sql} ${JSON.stringify(where.values)} ${key}`, () =>
    lake.connected(async (connection) => {
      // One value: streaming the indexes would take a step of the event loop for every 2,048 of them, and many callers
      // would wait for each other's steps. The range ends with a whole byte, so DuckDB skips no bits at its start.
      const last = Math.ceil(rows / 8) * 8 - 1;
      const found = await connection.runAndReadAll(
        `SELECT bitstring_agg("index", 0, ${last}), CAST(count(*) AS INTEGER) FROM ${relation} WHERE ${where.sql}`,
        [...where.values],
      );
      const [passing, count] = found.getRows()[0] ?? [];
      const bits =
        passing instanceof DuckDBBitValue ? toBits(passing.data, rows) : new Uint32Array(Math.ceil(rows / 32));
      return { bits, count: Number(count ?? 0), bytes: bits.byteLength };
    }),
  );
}

function ranksOf(lake: Lake, { key, rows, relation }: PlacedRows, path: string): Promise<Ranks & { bytes: number }> {
  return lake.cache.get(`ranks ${path} ${key}`, () =>
    lake.connected(async (connection) => {
      const column = quoteName(path);
      const ranks = new Int32Array(rows);
      let missing = rows;
      // Rows without the value come last and are equal: their rank is the number of rows that have one.
      await eachChunk(
        connection,
        `SELECT "index", CAST(rank() OVER (ORDER BY ${column} NULLS LAST) - 1 AS INTEGER), CAST(${column} IS NULL AS INTEGER)
         FROM ${relation}`,
        [],
        ([indexes, found, lacking]) => {
          for (let at = 0; at < indexes!.length; at += 1) {
            ranks[indexes![at]!] = found![at]!;
            if (lacking![at] === 1) missing = found![at]!;
          }
        },
      );
      return { ranks, missing, bytes: ranks.byteLength };
    }),
  );
}

/** Iterates over a query of INTEGER columns without NULLs, a chunk at a time, with the values in DuckDB's memory. */
async function eachChunk(
  connection: DuckDBConnection,
  sql: string,
  values: DuckDBValue[],
  read: (columns: Int32Array[]) => void,
): Promise<void> {
  const result = await connection.stream(sql, values);
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    const rows = chunk.rowCount;
    read(
      Array.from({ length: chunk.columnCount }, (_, index) => {
        // Reading single values through the client would be slow.
        const { items } = chunk!.getColumnVector(index) as unknown as { items?: unknown };
        if (!(items instanceof Int32Array)) throw new Error('DuckDB returned a column that is not INTEGER');
        return items.subarray(0, rows);
      }),
    );
  }
}
