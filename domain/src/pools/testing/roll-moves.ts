import type { CalendarDate } from '../../dates/calendar-date.ts';
import { add, type DecimalText } from '../../money/decimal.ts';
import type { RollOutcome } from '../delinquency.ts';
import type { RollMove } from '../roll-rates.ts';
import { bucketOf, type DelinquencyFacts } from './bucket-of.ts';
import { type FollowedAsset, lastById } from './followed.ts';

/** An asset in the roll from one tape to the next. */
export interface RollAsset extends DelinquencyFacts, FollowedAsset {
  readonly outstanding: { readonly sum: DecimalText; readonly currency: string } | null;
}

/**
 * The moves of the assets of one tape to the next, by id; assets of the earlier tape without an id are not followed.
 */
export function rollMoves(
  before: { readonly cutOffDate: CalendarDate; readonly assets: readonly RollAsset[] },
  after: { readonly cutOffDate: CalendarDate; readonly assets: readonly RollAsset[] },
): RollMove[] {
  const later = lastById(after.assets);
  const moves = new Map<string, RollMove>();
  for (const asset of before.assets) {
    if (asset.assetId === null) continue;
    const found = later.get(asset.assetId);
    const from = bucketOf(asset, before.cutOffDate);
    const to: RollOutcome = found ? bucketOf(found, after.cutOffDate) : 'vanished';
    const currency = asset.outstanding?.currency ?? null;
    const key = `${from} ${to} ${currency}`;
    const known = moves.get(key) ?? { from, to, currency, count: 0, opening: null };
    const sum = asset.outstanding?.sum ?? null;
    moves.set(key, {
      ...known,
      count: known.count + 1,
      opening: sum === null ? known.opening : add(known.opening ?? '0', sum),
    });
  }
  return [...moves.values()];
}
