import type { PoolCurrency } from './conversion.ts';
import { DELINQUENCY_BUCKETS, type DelinquencyBucket, ROLL_OUTCOMES, type RollOutcome } from './delinquency.ts';
import { type AssetMovement, type MovementMatrix, movementMatrix } from './movements.ts';

export type RollMove = AssetMovement<DelinquencyBucket, RollOutcome>;
export type RollMatrix = MovementMatrix<DelinquencyBucket, RollOutcome>;

/**
 * The share of each bucket of the earlier tape that is in each bucket on the later one; `vanished` is no longer listed.
 */
export function rollMatrix(moves: readonly RollMove[], pool: PoolCurrency): RollMatrix {
  return movementMatrix(moves, { from: DELINQUENCY_BUCKETS, to: ROLL_OUTCOMES }, pool);
}
