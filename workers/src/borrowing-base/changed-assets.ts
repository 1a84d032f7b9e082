import { DuckDBInstance } from '@duckdb/node-api';
import { AMOUNT_SCALE } from '@tapeline/domain/borrowing-base/result.ts';
import { BORROWING_BASE_STATUSES } from '@tapeline/domain/facilities/pools.ts';
import { fromScaled } from '@tapeline/domain/money/decimal.ts';
import { type ChangedAsset, MAX_CHANGED_ASSETS } from '@tapeline/workflows/preview/preview.ts';
import { toBigInt } from './amount-columns.ts';
import type { AssetColumns } from './engine.ts';
import { readTextLabels } from './labels.ts';
import { TapeParts } from './tape-parts.ts';

const ASSET_ID = { path: 'assetId', label: 'Asset', type: 'text' } as const;
const STATUSES = [...BORROWING_BASE_STATUSES, 'outOfScope'];

/**
 * The assets whose status differs between two results of one tape: the first ones, in the order of the tape.
 * @param before the statuses of the earlier result
 */
export async function changedAssets(
  parquetFiles: readonly string[],
  before: Uint8Array,
  after: AssetColumns,
): Promise<ChangedAsset[]> {
  const positions: number[] = [];
  for (let asset = 0; asset < after.length && positions.length < MAX_CHANGED_ASSETS; asset += 1) {
    if (before[asset] !== after.status[asset]) positions.push(asset);
  }
  if (positions.length === 0) return [];
  const read = await readTextLabels(parquetFiles, ASSET_ID.path, positions, after.length);
  const labels = read ?? (await idsByDuckDb(parquetFiles, positions));
  const wordOf = (status: number | undefined) => STATUSES[status ?? -1] ?? 'outOfScope';
  return positions.map((asset) => ({
    assetId: labels.get(asset) ?? null,
    from: wordOf(before[asset]),
    to: wordOf(after.status[asset]),
    amount: fromScaled(toBigInt(after.amount.whole[asset] ?? 0, after.amount.part[asset] ?? 0), AMOUNT_SCALE),
  }));
}

async function idsByDuckDb(parquetFiles: readonly string[], positions: readonly number[]) {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  try {
    return await (await TapeParts.open(connection, parquetFiles)).labels(ASSET_ID, positions);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
