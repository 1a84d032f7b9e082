import type { CalendarDate } from '../dates/calendar-date.ts';
import { add, type DecimalText } from '../money/decimal.ts';
import { type CurrencySum, PoolConverter, type PoolCurrency } from './conversion.ts';
import {
  bucketOf,
  DELINQUENCY_BUCKETS,
  type DelinquencyBucket,
  type DelinquencyFacts,
  ROLL_OUTCOMES,
  type RollOutcome,
} from './delinquency.ts';
import { sharesOf } from './shares.ts';

/** Digits after the point of a share of 1. */
export const SHARE_DIGITS = 6;

/** An asset as the roll from one tape to the next sees it. */
export interface RollAsset extends DelinquencyFacts {
  /** Null: nobody can say which asset of the other tape it is. */
  readonly assetId: string | null;
  /** Of assets with one id on a tape the later row counts. */
  readonly row: number;
  readonly outstanding: { readonly sum: DecimalText; readonly currency: string } | null;
}

/** Assets of one opening bucket and currency that reached one outcome. */
export interface RollMove {
  readonly from: DelinquencyBucket;
  readonly to: RollOutcome;
  /** Null: the assets name no outstanding sum. */
  readonly currency: string | null;
  readonly count: number;
  /** Outstanding on the earlier tape; null where no asset names it. */
  readonly opening: DecimalText | null;
}

export interface RollCell {
  readonly to: RollOutcome;
  readonly count: number;
  /** Of the row's count, to six digits; a row's cells add up to 1 exactly. */
  readonly countShare: DecimalText;
  /** Outstanding on the earlier tape; null where no asset of the cell names it. */
  readonly opening: DecimalText | null;
  /** Of the row's opening balance; null where the row has none. A row's cells add up to 1 exactly. */
  readonly balanceShare: DecimalText | null;
}

export interface RollRow {
  readonly from: DelinquencyBucket;
  readonly count: number;
  readonly opening: DecimalText | null;
  /** Assets that name no outstanding sum: in the count, not in the balance. */
  readonly withoutBalance: number;
  /** One for each of ROLL_OUTCOMES, in their order. */
  readonly cells: readonly RollCell[];
}

export interface RollMatrix {
  readonly currency: string;
  /** Currencies that the rates lack; they are counted at 1. */
  readonly missingRates: readonly string[];
  /** Buckets that hold an asset on the earlier tape, from best to worst. */
  readonly rows: readonly RollRow[];
  readonly count: number;
  readonly opening: DecimalText | null;
}

/** The moves of the assets of one tape to the next, by id; assets of the earlier tape without one are not followed. */
export function rollMoves(
  before: { readonly cutOffDate: CalendarDate; readonly assets: readonly RollAsset[] },
  after: { readonly cutOffDate: CalendarDate; readonly assets: readonly RollAsset[] },
): RollMove[] {
  const later = new Map<string, RollAsset>();
  for (const asset of after.assets) {
    if (asset.assetId === null) continue;
    const known = later.get(asset.assetId);
    if (!known || known.row < asset.row) later.set(asset.assetId, asset);
  }
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

/** The matrix of moves in one currency: what share of each opening bucket is where at the next tape. */
export function rollMatrix(moves: readonly RollMove[], pool: PoolCurrency): RollMatrix {
  const converter = new PoolConverter(pool);
  const openingOf = (some: readonly RollMove[]) =>
    converter.total(
      some.flatMap(({ opening, currency }): CurrencySum[] =>
        opening === null || currency === null ? [] : [{ sum: opening, currency }],
      ),
    );
  const countOf = (some: readonly RollMove[]) => some.reduce((total, move) => total + move.count, 0);
  const rows = DELINQUENCY_BUCKETS.flatMap((from): RollRow[] => {
    const own = moves.filter((move) => move.from === from);
    if (own.length === 0) return [];
    const reached = ROLL_OUTCOMES.map((to) => own.filter((move) => move.to === to));
    const counts = reached.map(countOf);
    const openings = reached.map(openingOf);
    const opening = openings.every((one) => one === null)
      ? null
      : openings.reduce<DecimalText>((total, one) => add(total, one ?? '0'), '0');
    const countShares = sharesOf(counts.map(String), SHARE_DIGITS);
    const balanceShares = sharesOf(
      openings.map((one) => one ?? '0'),
      SHARE_DIGITS,
    );
    return [
      {
        from,
        count: countOf(own),
        opening,
        withoutBalance: countOf(own.filter((move) => move.opening === null)),
        cells: ROLL_OUTCOMES.map((to, index) => ({
          to,
          count: counts[index] ?? 0,
          countShare: countShares?.[index] ?? '0',
          opening: openings[index] ?? (counts[index] === 0 && opening !== null ? '0' : null),
          balanceShare: balanceShares?.[index] ?? null,
        })),
      },
    ];
  });
  const known = rows.flatMap(({ opening }) => opening ?? []);
  return {
    currency: converter.currency,
    missingRates: converter.missingRates,
    rows,
    count: countOf(moves),
    opening: known.length === 0 ? null : known.reduce(add, '0'),
  };
}
