import type { CalendarDate } from '../dates/calendar-date.ts';
import { compare, type DecimalText, isNegative, negate, subtract, sum } from '../money/decimal.ts';
import { type CapitalLedger, callAmount, capitalFigures, leastUnfundedFrom } from './capital-figures.ts';

/**
 * What no history between an investor and a fund can go beyond, on any day:
 * - called: calls issued, less what can be called again, are at most the active commitment
 * - returned: principal paid back is at most the calls due
 * - writtenOff: write-offs are at most the calls due less what can be called again
 *
 * Together they keep what is unfunded between zero and the active commitment.
 */
export const CAPITAL_LIMITS = ['called', 'returned', 'writtenOff'] as const;
export type CapitalLimit = (typeof CAPITAL_LIMITS)[number];

/** A limit that a history goes beyond, on the day on which it does so most. Amounts are in the currency of the fund. */
export interface CapitalBreach {
  readonly limit: CapitalLimit;
  readonly day: CalendarDate;
  /** Beyond the most that is possible, above zero. */
  readonly excess: DecimalText;
  /** The most that is possible on that day. */
  readonly most: DecimalText;
}

/** How far each day is from a limit: negative is beyond it. */
interface Room {
  readonly day: CalendarDate;
  readonly most: DecimalText;
  readonly room: DecimalText;
}

const leastOf = (rooms: readonly Room[]): Room | null =>
  rooms.reduce<Room | null>((least, one) => (least && compare(least.room, one.room) <= 0 ? least : one), null);

/** Different days in their order: all of them, or those from a day on. */
const daysFrom = (from: CalendarDate | null, days: readonly CalendarDate[]): CalendarDate[] =>
  [...new Set(days)].filter((day) => from === null || day >= from).sort();

function roomToCall(ledger: CapitalLedger, from: CalendarDate | null): Room {
  const [first] = [ledger.commitment.closingDate, ...ledger.calls.map(({ cutOffDate }) => cutOffDate)].sort();
  const { day, amount } = leastUnfundedFrom(ledger, from ?? first!);
  const issued = sum(ledger.calls.filter(({ cutOffDate }) => cutOffDate <= day).map(callAmount));
  return { day, room: amount, most: sum([amount, issued]) };
}

function roomToReturn({ calls, distributions }: CapitalLedger, from: CalendarDate | null): Room | null {
  const days = daysFrom(
    from,
    distributions.map(({ cutOffDate }) => cutOffDate),
  );
  return leastOf(
    days.map((day) => {
      const called = sum(calls.filter(({ dueDate }) => dueDate <= day).map(callAmount));
      const returned = sum(
        distributions.filter(({ cutOffDate }) => cutOffDate <= day).map(({ principal }) => principal),
      );
      return { day, most: called, room: subtract(called, returned) };
    }),
  );
}

/** Net capital called falls on these days only; the end of recycling can only raise it. */
function roomToWriteOff(ledger: CapitalLedger, from: CalendarDate | null): Room | null {
  const { distributions, writeOffs } = ledger;
  if (writeOffs.length === 0) return null;
  const days = [...distributions, ...writeOffs].map(({ cutOffDate }) => cutOffDate);
  return leastOf(
    daysFrom(from, days).map((day) => {
      const { netCapitalCalled, writtenOff } = capitalFigures(ledger, day);
      return { day, most: sum([netCapitalCalled, writtenOff]), room: netCapitalCalled };
    }),
  );
}

const ROOM: Readonly<Record<CapitalLimit, (ledger: CapitalLedger, from: CalendarDate | null) => Room | null>> = {
  called: roomToCall,
  returned: roomToReturn,
  writtenOff: roomToWriteOff,
};

/**
 * How far a history is from a limit on the day when it is closest, negative beyond it; null if it cannot reach it.
 * @param from the day of a document: what was before it, no document of this day can bring closer to the limit
 */
export const roomWithin = (limit: CapitalLimit, ledger: CapitalLedger, from: CalendarDate): DecimalText | null =>
  ROOM[limit](ledger, from)?.room ?? null;

/** The limits that a history goes beyond. @param limits those that a change of it can break */
export const capitalBreaches = (
  ledger: CapitalLedger,
  limits: readonly CapitalLimit[] = CAPITAL_LIMITS,
): CapitalBreach[] =>
  limits.flatMap((limit) => {
    const least = ROOM[limit](ledger, null);
    if (least === null || !isNegative(least.room)) return [];
    return [{ limit, day: least.day, most: least.most, excess: negate(least.room) }];
  });
