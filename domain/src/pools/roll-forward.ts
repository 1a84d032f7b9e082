import { valuesOf } from '../documents/labels.ts';
import { add, compare, type DecimalText, subtract, sum } from '../money/decimal.ts';
import { type ExchangeRates, exchangeFactor } from '../money/rates.ts';
import { PoolConverter } from './conversion.ts';

/**
 * What happened to an asset between two tapes, in the order in which a roll-forward lists it. Each row of the two tapes
 * is in exactly one line.
 */
export const ROLL_LINE_LABELS = {
  originated: 'Originated',
  addedLate: 'Added late',
  undated: 'New, origination date unknown',
  increased: 'Balance increases',
  collected: 'Principal collected',
  paidOff: 'Paid off',
  writtenOff: 'Written off',
  closed: 'Closed before, no longer reported',
  sold: 'Sold',
  repurchased: 'Repurchased',
  paid: 'Paid off, no longer reported',
  substituted: 'Substituted',
  left: 'No longer reported, unexplained',
  currencyChanged: 'Currency changed',
  balanceUnknown: 'Balance unknown on one tape',
  withoutId: 'Without an id',
  repeated: 'Id listed more than once',
  unchanged: 'Unchanged',
} as const;
export type RollLine = keyof typeof ROLL_LINE_LABELS;
export const ROLL_LINES = valuesOf(ROLL_LINE_LABELS);

/** What a person can say of loans that are no longer reported. Until then they are unexplained. */
export const DEPARTURES = ['sold', 'repurchased', 'paid', 'substituted'] as const satisfies RollLine[];
export type DepartureKind = (typeof DEPARTURES)[number];

/** Loans of which somebody said so. */
export interface Departed {
  readonly kind: DepartureKind;
  readonly assetIds: readonly string[];
}

/** Lines whose assets are on both tapes with a known balance in one currency: only these move between pools. */
export const FOLLOWED_LINES: readonly RollLine[] = ['increased', 'collected', 'paidOff', 'writtenOff', 'unchanged'];
const FOLLOWED: ReadonlySet<RollLine> = new Set(FOLLOWED_LINES);

/** The part of the pool that an asset is in, by its status and its days past due. */
export const POOL_PART_LABELS = {
  current: 'Current',
  pastDue: 'Past due',
  chargedOff: 'Charged off',
  paidOff: 'Paid off',
  unknown: 'Days past due unknown',
} as const;
export type PoolPart = keyof typeof POOL_PART_LABELS;
export const POOL_PARTS = valuesOf(POOL_PART_LABELS);

/** What a move from one part to another is called. */
export function partMoveLabel({ from, to }: { readonly from: PoolPart; readonly to: PoolPart }): string {
  if (from === 'current' && to === 'pastDue') return 'Became past due';
  if (from === 'pastDue' && to === 'current') return 'Cured';
  return `${POOL_PART_LABELS[from]} to ${POOL_PART_LABELS[to].toLowerCase()}`;
}

/** Assets of one tape: how many, for how many the balance is known, and these balances together. */
export interface PoolSize {
  readonly count: number;
  readonly known: number;
  readonly balance: DecimalText;
}

/** The assets of one line that moved between the same parts and currencies. A side without assets has no part. */
export interface RollCell {
  readonly line: RollLine;
  readonly from: PoolPart | null;
  readonly to: PoolPart | null;
  /** Null: the balance is unknown, or there are no assets on this tape. */
  readonly currencyBefore: string | null;
  readonly currencyAfter: string | null;
  readonly before: PoolSize;
  readonly after: PoolSize;
}

/** A line in one currency: the assets on each tape whose balance is known, and the change of the balance. */
export interface RollChange {
  readonly line: RollLine;
  readonly before: number;
  readonly after: number;
  readonly change: DecimalText;
}

export interface CountedBalance {
  readonly count: number;
  readonly balance: DecimalText;
}

/** A part of the pool in one currency: opening, its lines, what moved in and out, and closing add up. */
export interface RollPart {
  readonly part: PoolPart;
  readonly opening: CountedBalance;
  readonly changes: readonly RollChange[];
  readonly movedIn: CountedBalance;
  readonly movedOut: CountedBalance;
  readonly closing: CountedBalance;
}

/** Assets that moved from one part to another, with their closing balance. */
export interface PartMove extends CountedBalance {
  readonly from: PoolPart;
  readonly to: PoolPart;
}

/** The assets whose balance is known in one currency: opening and every change add up to closing, in amount and count. */
export interface CurrencyRoll {
  readonly currency: string;
  readonly opening: CountedBalance;
  readonly changes: readonly RollChange[];
  readonly closing: CountedBalance;
  readonly parts: readonly RollPart[];
  readonly moves: readonly PartMove[];
}

/** All currencies in one: opening and changes at the earlier tape's rates, closing at the later one's. */
export interface ConvertedRoll {
  readonly currency: string;
  readonly opening: DecimalText;
  readonly changes: readonly { readonly line: RollLine; readonly change: DecimalText }[];
  /** The closing balance at the later tape's rates, less that at the earlier one's. */
  readonly exchange: DecimalText;
  readonly closing: DecimalText;
  /** Currencies that are left out because a tape has no rate for them. */
  readonly leftOut: readonly string[];
}

/** What made the balances of one tape those of another. */
export interface RollForward {
  /** Rows of each tape; the balance is that of `known` rows, in all currencies together if there is one. */
  readonly opening: { readonly count: number; readonly known: number };
  readonly closing: { readonly count: number; readonly known: number };
  /** By code. */
  readonly currencies: readonly CurrencyRoll[];
  /** Rows of each line on each tape, also those without a balance. */
  readonly lines: readonly { readonly line: RollLine; readonly before: number; readonly after: number }[];
}

const NOTHING: CountedBalance = { count: 0, balance: '0' };
const plus = (one: CountedBalance, count: number, balance: DecimalText): CountedBalance => ({
  count: one.count + count,
  balance: add(one.balance, balance),
});

/** The sides of cells in one currency. */
interface Side {
  readonly line: RollLine;
  readonly isAfter: boolean;
  readonly part: PoolPart;
  readonly size: PoolSize;
  /** Where an asset that is followed is on the other tape. */
  readonly other: PoolPart | null;
}

const sidesOf = (cells: readonly RollCell[], currency: string): Side[] =>
  cells.flatMap((cell) => [
    ...(cell.currencyBefore === currency && cell.before.known > 0
      ? [{ line: cell.line, isAfter: false, part: cell.from ?? 'unknown', size: cell.before, other: cell.to } as const]
      : []),
    ...(cell.currencyAfter === currency && cell.after.known > 0
      ? [{ line: cell.line, isAfter: true, part: cell.to ?? 'unknown', size: cell.after, other: cell.from } as const]
      : []),
  ]);

function totalOf(sides: readonly Side[]): CountedBalance {
  return sides.reduce((total, { size }) => plus(total, size.known, size.balance), NOTHING);
}

function changesOf(sides: readonly Side[]): RollChange[] {
  return ROLL_LINES.flatMap((line) => {
    const own = sides.filter((side) => side.line === line);
    if (own.length === 0) return [];
    const before = totalOf(own.filter(({ isAfter }) => !isAfter));
    const after = totalOf(own.filter(({ isAfter }) => isAfter));
    return [{ line, before: before.count, after: after.count, change: subtract(after.balance, before.balance) }];
  });
}

/**
 * A change belongs to the part that the asset was in on the earlier tape; its closing balance then moves to the part
 * that it is in on the later one. What is on one tape only, or cannot be followed, changes its own part.
 */
function partOf(part: PoolPart, sides: readonly Side[]): RollPart {
  const isFollowed = ({ line }: Side) => FOLLOWED.has(line);
  const changing = sides.filter((side) =>
    isFollowed(side) && side.isAfter ? side.other === part : side.part === part,
  );
  const moved = sides.filter((side) => isFollowed(side) && side.isAfter && side.part !== side.other);
  return {
    part,
    opening: totalOf(sides.filter((side) => !side.isAfter && side.part === part)),
    changes: changesOf(changing),
    movedIn: totalOf(moved.filter((side) => side.part === part)),
    movedOut: totalOf(moved.filter((side) => side.other === part)),
    closing: totalOf(sides.filter((side) => side.isAfter && side.part === part)),
  };
}

function movesOf(sides: readonly Side[]): PartMove[] {
  return POOL_PARTS.flatMap((from) =>
    POOL_PARTS.flatMap((to) => {
      if (from === to) return [];
      const moved = sides.filter(
        (side) => FOLLOWED.has(side.line) && side.isAfter && side.other === from && side.part === to,
      );
      return moved.length === 0 ? [] : [{ from, to, ...totalOf(moved) }];
    }),
  );
}

function rollOf(cells: readonly RollCell[], currency: string): CurrencyRoll {
  const sides = sidesOf(cells, currency);
  const held = POOL_PARTS.filter((part) => sides.some((side) => side.part === part));
  return {
    currency,
    opening: totalOf(sides.filter(({ isAfter }) => !isAfter)),
    changes: changesOf(sides),
    closing: totalOf(sides.filter(({ isAfter }) => isAfter)),
    parts: held.map((part) => partOf(part, sides)),
    moves: movesOf(sides),
  };
}

/** The roll-forward of cells that together hold each row of the two tapes once. */
export function rollForwardOf(cells: readonly RollCell[]): RollForward {
  const codes = new Set(cells.flatMap(({ currencyBefore, currencyAfter }) => [currencyBefore, currencyAfter]));
  const sizeOf = (sizes: readonly PoolSize[]) => ({
    count: sizes.reduce((total, { count }) => total + count, 0),
    known: sizes.reduce((total, { known }) => total + known, 0),
  });
  return {
    opening: sizeOf(cells.map(({ before }) => before)),
    closing: sizeOf(cells.map(({ after }) => after)),
    currencies: [...codes]
      .filter((code) => code !== null)
      .sort()
      .map((currency) => rollOf(cells, currency)),
    lines: ROLL_LINES.flatMap((line) => {
      const own = cells.filter((cell) => cell.line === line);
      if (own.length === 0) return [];
      return [
        {
          line,
          before: sizeOf(own.map(({ before }) => before)).count,
          after: sizeOf(own.map(({ after }) => after)).count,
        },
      ];
    }),
  };
}

/**
 * All currencies of a roll-forward in one. A currency without a rate on either tape is left out and named: at a rate of
 * 1 it would be wrong, and as zero too.
 */
export function convertedRoll(
  { currencies }: Pick<RollForward, 'currencies'>,
  currency: string,
  rates: { readonly before: ExchangeRates; readonly after: ExchangeRates },
): ConvertedRoll {
  const lacksRate = (code: string) =>
    [rates.before, rates.after].some((table) => exchangeFactor(code, currency, table).missing.length > 0);
  const leftOut = currencies.map((roll) => roll.currency).filter(lacksRate);
  const included = currencies.filter((roll) => !leftOut.includes(roll.currency));
  const earlier = new PoolConverter({ currency, rates: rates.before });
  const later = new PoolConverter({ currency, rates: rates.after });
  const opening = sum(included.map((roll) => earlier.convert(roll.opening.balance, roll.currency)));
  const changes = ROLL_LINES.flatMap((line) => {
    const own = included.flatMap((roll) =>
      roll.changes.filter((change) => change.line === line).map(({ change }) => earlier.convert(change, roll.currency)),
    );
    return own.length === 0 ? [] : [{ line, change: sum(own) }];
  });
  const closing = sum(included.map((roll) => later.convert(roll.closing.balance, roll.currency)));
  const atEarlierRates = sum([opening, ...changes.map(({ change }) => change)]);
  return { currency, opening, changes, exchange: subtract(closing, atEarlierRates), closing, leftOut };
}

const sameAmount = (one: DecimalText, other: DecimalText): boolean => compare(one, other) === 0;

/**
 * The currency whose roll-forward explains the change between two certified pools to the last digit. Null if a contract
 * takes only a part of the tapes, values assets by another balance, or there are several currencies.
 */
export function explainedBy(
  { currencies }: Pick<RollForward, 'currencies'>,
  pool: { readonly currency: string; readonly before: DecimalText; readonly now: DecimalText },
): CurrencyRoll | null {
  const [roll] = currencies;
  return currencies.length === 1 &&
    roll &&
    roll.currency === pool.currency &&
    sameAmount(roll.opening.balance, pool.before) &&
    sameAmount(roll.closing.balance, pool.now)
    ? roll
    : null;
}
