import { ASSET_STATUSES, type AssetStatus } from '../tapes/statuses.ts';
import type { PoolCurrency } from './conversion.ts';
import { type AssetMovement, type MovementMatrix, movementMatrix } from './movements.ts';

/** A status of the earlier tape; `unknown` if it has none. */
export type OpeningStatus = AssetStatus | 'unknown';
export type ClosingStatus = OpeningStatus | 'vanished';
export type StatusMove = AssetMovement<OpeningStatus, ClosingStatus>;

/** In the order of severity, as statuses are listed everywhere. */
const OPENING: readonly OpeningStatus[] = [...ASSET_STATUSES, 'unknown'];

/**
 * The share of each status of the earlier tape that has each status on the later one; `vanished` is no longer listed.
 */
export function statusMatrix(
  moves: readonly StatusMove[],
  pool: PoolCurrency,
): MovementMatrix<OpeningStatus, ClosingStatus> {
  return movementMatrix(moves, { from: OPENING, to: [...OPENING, 'vanished'] }, pool);
}
