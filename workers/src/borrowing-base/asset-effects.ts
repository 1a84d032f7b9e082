import type { DuckDBConnection } from '@duckdb/node-api';
import { type CauseAssets, stepsOf } from '@tapeline/domain/borrowing-base/causes/base-comparison.ts';
import { ASSET_CAUSES, type AssetCause } from '@tapeline/domain/borrowing-base/causes/causes.ts';
import { SEQUENCE_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import { effectColumn, isAffected, ownColumn, STEP_VALUES, stepColumn } from '@tapeline/lake/asset-effects.ts';
import { quoteName, quoteText, readParquet } from '@tapeline/lake/lake.ts';
import { PAIRS } from './paired-assets.ts';

/** Whether the value that a cause replaces differs on an asset itself. */
function isOwn(cause: AssetCause): string {
  const [before, after] = stepsOf(cause);
  const differs = (name: (typeof STEP_VALUES)[number]) =>
    `${stepColumn(before, name)} IS DISTINCT FROM ${stepColumn(after, name)}`;
  switch (cause) {
    case 'onlyInOne':
      return 'earlier IS NULL OR later IS NULL';
    case 'amount':
    case 'exchange':
      return differs('amount');
    case 'status':
      return `${differs('status')} OR ${differs('scope')}`;
    case 'limit':
      return differs('remaining');
    case 'rate':
      return differs('rate');
  }
}

/**
 * Writes one row for each asset of the two tapes: its rows, what each step says of it, and the effect of each cause on
 * what is advanced against it.
 * @param files the results by asset of the certificate and of each cause of assets, in order
 */
export async function writeAssetEffects(
  connection: DuckDBConnection,
  files: readonly string[],
  file: string,
): Promise<void> {
  const values = files.flatMap((_, step) =>
    STEP_VALUES.map((name) => `s${step}.${quoteName(`borrowingBase.${name}`)} AS ${stepColumn(step, name)}`),
  );
  const joins = files.map(
    (path, step) =>
      `LEFT JOIN ${readParquet([path])} s${step} ON s${step}.${quoteName(SEQUENCE_COLUMN)} = p.${step === 0 ? 'earlier' : 'later'}`,
  );
  const columns = files.flatMap((_, step) => STEP_VALUES.map((name) => stepColumn(step, name)));
  const effects = ASSET_CAUSES.flatMap((cause) => {
    const [before, after] = stepsOf(cause);
    const advanced = (step: number) => `coalesce(${stepColumn(step, 'advanced')}, 0)`;
    return [
      `${advanced(after)} - ${advanced(before)} AS ${effectColumn(cause)}`,
      `(${isOwn(cause)}) AS ${ownColumn(cause)}`,
    ];
  });
  await connection.run(
    `COPY (SELECT ${['earlier_row', 'later_row', 'id', ...columns, ...effects].join(', ')}
       FROM (SELECT p.*, ${values.join(', ')} FROM ${PAIRS} p ${joins.join(' ')})
       ORDER BY later NULLS LAST, earlier) TO ${quoteText(file)} (FORMAT parquet, COMPRESSION zstd)`,
  );
}

/** How many assets each cause affects, and their effects added up. */
export async function countEffects(connection: DuckDBConnection, file: string): Promise<CauseAssets[]> {
  const columns = ASSET_CAUSES.flatMap((cause) => {
    const effect = effectColumn(cause);
    return [
      `count(*) FILTER (WHERE ${isAffected(cause)})`,
      `count(*) FILTER (WHERE ${ownColumn(cause)})`,
      `CAST(coalesce(sum(${effect}), 0) AS VARCHAR)`,
    ];
  });
  const read = await connection.runAndReadAll(`SELECT ${columns.join(', ')} FROM ${readParquet([file])}`);
  const [row = []] = read.getRows();
  return ASSET_CAUSES.map((cause, at) => ({
    cause,
    count: Number(row[at * 3]),
    ownCount: Number(row[at * 3 + 1]),
    effect: String(row[at * 3 + 2]),
  }));
}
