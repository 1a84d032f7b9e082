import type { DelinquencyBucket, RollOutcome } from '@tapeline/domain/pools/delinquency.ts';
import type { RollMove } from '@tapeline/domain/pools/roll-rates.ts';
import type { Lake } from './lake.ts';
import { type MovedAsset, movedAssets, movements, type TapePair } from './movements.ts';
import { bucketColumn, holdsColumn } from './tape-columns.ts';

/**
 * How the assets of the earlier tape rolled between buckets of days past due; null if either tape has no ids or no days
 * past due.
 */
export async function rollRates(lake: Lake, pair: TapePair): Promise<RollMove[] | null> {
  const canTell = [pair.before, pair.after].every(
    (source) => holdsColumn(source, 'assetId') && holdsColumn(source, 'daysPastDue'),
  );
  return canTell ? movements<DelinquencyBucket, RollOutcome>(lake, pair, bucketColumn) : null;
}

/** The assets of one cell of the roll-rate table, the largest first. */
export function rolledAssets(
  lake: Lake,
  pair: TapePair,
  cell: { from: DelinquencyBucket; to: RollOutcome; limit: number },
): Promise<{ assets: MovedAsset[]; total: number }> {
  return movedAssets(lake, pair, bucketColumn, cell);
}
