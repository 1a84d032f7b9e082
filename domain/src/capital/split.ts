import type { CalendarDate } from '../dates/calendar-date.ts';
import { compare, type DecimalText, fromScaled, isZero, toScaled } from '../money/decimal.ts';
import { splitByLargestRemainder } from '../money/shares.ts';
import type { CapitalLedger } from './capital-figures.ts';
import { type CapitalLimit, roomWithin } from './capital-limits.ts';

/** An investor of a split, with the exact commitment that decides its share. */
export interface SplitInvestor {
  readonly id: string;
  /** The investor's sequential code, which decides ties. */
  readonly code: number;
  readonly weight: DecimalText;
}

/** Those with a commitment, in the order that decides ties: the larger commitment, then the lower code. */
export const inSplitOrder = <Own extends SplitInvestor>(investors: readonly Own[]): Own[] =>
  investors.filter(({ weight }) => !isZero(weight)).sort((a, b) => compare(b.weight, a.weight) || a.code - b.code);

/**
 * Splits each line of a document over the investors in proportion to their commitments. Each line adds up over the
 * investors: every share is rounded down to the minor unit, and the units left go to the largest remainders; ties go to
 * the larger commitment, then to the lower code.
 * @param lines amounts with at most `digits` decimals
 * @returns for each investor, by id, its part of each line; investors without a commitment are left out
 * @throws RangeError if nobody has a commitment
 */
export function splitLines(
  lines: readonly DecimalText[],
  investors: readonly SplitInvestor[],
  digits: number,
): Map<string, DecimalText[]> {
  const order = inSplitOrder(investors);
  const weights = order.map(({ weight }) => weight);
  const split = lines.map((line) => splitByLargestRemainder(line, weights, digits));
  return new Map(order.map(({ id }, index) => [id, split.map((parts) => parts[index] as DecimalText)]));
}

/** How a document counts towards a limit of capital. */
export interface LimitedSplit {
  readonly limit: CapitalLimit;
  /** The day of the document: it counts from then on. */
  readonly from: CalendarDate;
  /** The places of the lines that count. */
  readonly counted: readonly number[];
  /** The ledger of an investor with its part of the document. */
  readonly withDocument: (ledger: CapitalLedger, amounts: readonly DecimalText[]) => CapitalLedger;
}

/** One investor's part of a split. */
interface Part {
  /** Decides ties, as in a split. */
  readonly code: number;
  /** What happened before. */
  readonly ledger: CapitalLedger;
  /** In the order of the lines. */
  readonly amounts: readonly DecimalText[];
  /** Which amounts rounding can change: those that a rule came to. All without it. */
  readonly isRounded?: readonly boolean[] | undefined;
}

/**
 * Moves what rounding alone put beyond a limit to those who are furthest from it, so that every line still adds up. An
 * amount paid in parts is rounded with each part: of three equal investors, one would get back a cent more than it paid.
 * What is further beyond a limit than rounding explains (less than a minor unit for each document) stays, and is refused.
 * Of those who are equally far from it, the lowest code takes it over.
 * @returns the parts in their order
 */
export function roundedWithin<Own extends Part>(
  parts: readonly Own[],
  digits: number,
  { limit, from, counted, withDocument }: LimitedSplit,
): Own[] {
  const amounts = parts.map((part) => part.amounts.map((amount) => toScaled(amount, digits)));
  const rooms = parts.map(({ ledger, amounts: own }) => {
    const room = roomWithin(limit, withDocument(ledger, own), from);
    return room === null ? null : toScaled(room, digits);
  });
  const canMove = (index: number, line: number): boolean => parts[index]?.isRounded?.[line] ?? true;
  const order = [...parts.keys()].sort((a, b) => parts[a]!.code - parts[b]!.code);
  const furthest = (line: number): number | null =>
    order.reduce<number | null>((best, index) => {
      const room = rooms[index] ?? null;
      const isFurther = room !== null && room > 0n && (best === null || room > rooms[best]!);
      return isFurther && canMove(index, line) ? index : best;
    }, null);
  for (const giver of order) {
    const { ledger } = parts[giver]!;
    const documents = ledger.calls.length + ledger.distributions.length + ledger.writeOffs.length + 1;
    const own = amounts[giver]!;
    const room = rooms[giver] ?? null;
    if (room === null || -room > BigInt(documents)) continue;
    while (rooms[giver]! < 0n) {
      const line = counted.find((index) => (own[index] ?? 0n) > 0n && canMove(giver, index));
      const taker = line === undefined ? null : furthest(line);
      if (line === undefined || taker === null) break;
      own[line]! -= 1n;
      amounts[taker]![line]! += 1n;
      rooms[giver]! += 1n;
      rooms[taker]! -= 1n;
    }
  }
  return parts.map((part, index) => ({
    ...part,
    amounts: amounts[index]!.map((units) => fromScaled(units, digits)),
  }));
}
