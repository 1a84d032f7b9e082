import { add, type DecimalText } from '../money/decimal.ts';
import { type CurrencySum, PoolConverter, type PoolCurrency } from './conversion.ts';
import { sharesOf } from './shares.ts';

/** Decimal places of a share of 1. */
export const SHARE_DIGITS = 6;

/** Assets of one opening state and currency that reached one state by the next tape. */
export interface AssetMovement<From extends string = string, To extends string = string> {
  readonly from: From;
  readonly to: To;
  /** Null: the assets have no outstanding sum. */
  readonly currency: string | null;
  readonly count: number;
  /** Outstanding on the earlier tape; null if no asset has it. */
  readonly opening: DecimalText | null;
}

export interface MovementCell<To extends string = string> {
  readonly to: To;
  readonly count: number;
  /** Share of the row's count, to six digits; a row's cells add up to exactly 1. */
  readonly countShare: DecimalText;
  /** Outstanding on the earlier tape; null if no asset of the cell has it. */
  readonly opening: DecimalText | null;
  /** Share of the row's opening balance; null if the row has none. A row's cells add up to exactly 1. */
  readonly balanceShare: DecimalText | null;
}

export interface MovementRow<From extends string = string, To extends string = string> {
  readonly from: From;
  readonly count: number;
  readonly opening: DecimalText | null;
  /** Assets without an outstanding sum: included in the count, not in the balance. */
  readonly withoutBalance: number;
  /** One for each state that can be reached, in order. */
  readonly cells: readonly MovementCell<To>[];
}

export interface MovementMatrix<From extends string = string, To extends string = string> {
  readonly currency: string;
  /** Currencies that have no rate; they are converted at 1. */
  readonly missingRates: readonly string[];
  /** States that have an asset on the earlier tape, in order. */
  readonly rows: readonly MovementRow<From, To>[];
  readonly count: number;
  readonly opening: DecimalText | null;
}

/** The matrix of movements in one currency: the share of each opening state that is in each state on the next tape. */
export function movementMatrix<From extends string, To extends string>(
  moves: readonly AssetMovement<From, To>[],
  states: { readonly from: readonly From[]; readonly to: readonly To[] },
  pool: PoolCurrency,
): MovementMatrix<From, To> {
  const converter = new PoolConverter(pool);
  const openingOf = (some: readonly AssetMovement[]) =>
    converter.total(
      some.flatMap(({ opening, currency }): CurrencySum[] =>
        opening === null || currency === null ? [] : [{ sum: opening, currency }],
      ),
    );
  const countOf = (some: readonly AssetMovement[]) => some.reduce((total, move) => total + move.count, 0);
  const rows = states.from.flatMap((from): MovementRow<From, To>[] => {
    const own = moves.filter((move) => move.from === from);
    if (own.length === 0) return [];
    const reached = states.to.map((to) => own.filter((move) => move.to === to));
    const counts = reached.map(countOf);
    const openings = reached.map(openingOf);
    const known = openings.flatMap((one) => one ?? []);
    const opening = known.length === 0 ? null : known.reduce(add, '0');
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
        cells: states.to.map((to, index) => ({
          to,
          count: counts[index] ?? 0,
          countShare: countShares?.[index] ?? '0',
          opening: openings[index] ?? (counts[index] === 0 && opening !== null ? '0' : null),
          balanceShare: balanceShares?.[index] ?? null,
        })),
      },
    ];
  });
  const openings = rows.flatMap(({ opening }) => opening ?? []);
  return {
    currency: converter.currency,
    missingRates: converter.missingRates,
    rows,
    count: countOf(moves),
    opening: openings.length === 0 ? null : openings.reduce(add, '0'),
  };
}
