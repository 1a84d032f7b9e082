import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { ReferenceAsset } from '@tapeline/domain/borrowing-base/testing/reference.ts';
import { codeColumn, type LakeColumn, TARGET_FIELDS } from '@tapeline/domain/tapes/target-schema.ts';
import { quoteName, quoteText } from '@tapeline/lake/lake.ts';

const LAKE_COLUMNS = new Map<string, LakeColumn>(
  TARGET_FIELDS.flatMap((field) => field.columns.map((column) => [column.name, column] as const)),
);

function literal(value: unknown, type: string): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'boolean') return String(value);
  return `CAST(${quoteText(String(value))} AS ${type})`;
}

/**
 * Writes assets in the format of a published tape: Parquet parts in row order with small row groups, a column for each
 * field that any asset has, and integer codes of the texts that are consistent across all parts.
 * @param connection the DuckDB connection to use; opens a new one if omitted
 */
export async function writeTape(
  assets: readonly ReferenceAsset[],
  files: readonly string[],
  options: { codes?: boolean; columns?: readonly string[] } = {},
  connection?: DuckDBConnection,
): Promise<void> {
  if (connection !== undefined) return write(assets, files, options, connection);
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const own = await instance.connect();
  try {
    await write(assets, files, options, own);
  } finally {
    own.closeSync();
    instance.closeSync();
  }
}

let written = 0;

async function write(
  assets: readonly ReferenceAsset[],
  files: readonly string[],
  options: { codes?: boolean; columns?: readonly string[] },
  connection: DuckDBConnection,
): Promise<void> {
  const names = options.columns ?? [...new Set(assets.flatMap((asset) => Object.keys(asset)))].sort();
  const columns = names.map((name) => {
    const column = LAKE_COLUMNS.get(name);
    if (!column) throw new Error(`${name} is no column of the lake`);
    return column;
  });
  // Tests that share a connection do not share tables.
  written += 1;
  const [tape, coded] = [`tape_${written}`, `coded_${written}`];
  const types = columns.map((column) => `${quoteName(column.name)} ${column.type}`);
  await connection.run(`CREATE TABLE ${tape} (${['"row" INTEGER', '"sequenceIndex" INTEGER', ...types].join(', ')})`);
  for (let from = 0; from < assets.length; from += 1000) {
    const rows = assets.slice(from, from + 1000).map((asset, at) => {
      const index = from + at;
      return `(${[index + 2, index, ...columns.map((column) => literal(asset[column.name], column.type))].join(', ')})`;
    });
    await connection.run(`INSERT INTO ${tape} VALUES ${rows.join(', ')}`);
  }
  const texts = options.codes === false ? [] : columns.filter(({ type }) => type === 'VARCHAR' || type === 'BOOLEAN');
  const codes = texts.map(({ name }) => {
    const code = `CAST(dense_rank() OVER (ORDER BY ${quoteName(name)} NULLS LAST) - 1 AS INTEGER)`;
    return `CASE WHEN ${quoteName(name)} IS NOT NULL THEN ${code} END AS ${quoteName(codeColumn(name))}`;
  });
  await connection.run(`CREATE TABLE ${coded} AS SELECT ${['*', ...codes].join(', ')} FROM ${tape}`);
  const perFile = Math.ceil(assets.length / files.length);
  for (const [at, file] of files.entries()) {
    const rows = `"sequenceIndex" >= ${at * perFile} AND "sequenceIndex" < ${(at + 1) * perFile}`;
    await connection.run(
      `COPY (SELECT * FROM ${coded} WHERE ${rows} ORDER BY "sequenceIndex") TO '${file}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 2048)`,
    );
  }
  await connection.run(`DROP TABLE ${tape}; DROP TABLE ${coded}`);
}
