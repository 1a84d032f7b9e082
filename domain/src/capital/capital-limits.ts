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

function roomToCall(ledger: CapitalLedger): Room {
  const [first] = [ledger.commitment.closingDate, ...ledger.calls.map(({ cutOffDate }) => cutOffDate)].sort();
  const { day, amount } = leastUnfundedFrom(ledger, first!);
  const issued = sum(ledger.calls.filter(({ cutOffDate }) => cutOffDate <= day).map(callAmount));
  return { day, room: amount, most: sum([amount, issued]) };
}

function roomToReturn({ calls, distributions }: CapitalLedger): Room | null {
  const days = [...new Set(distributions.map(({ cutOffDate }) => cutOffDate))].sort();
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
function roomToWriteOff(ledger: CapitalLedger): Room | null {
  const { distributions, writeOffs } = ledger;
  if (writeOffs.length === 0) return null;
  const days = [...distributions, ...writeOffs].map(({ cutOffDate }) => cutOffDate);
  return leastOf(
    [...new Set(days)].sort().map((day) => {
      const { netCapitalCalled, writtenOff } = capitalFigures(ledger, day);
      return { day, most: sum([netCapitalCalled, writtenOff]), room: netCapitalCalled };
    }),
  );
}

const ROOM: Readonly<Record<CapitalLimit, (ledger: CapitalLedger) => Room | null>> = {
  called: roomToCall,
  returned: roomToReturn,
  writtenOff: roomToWriteOff,
};

/** How far a history is from a limit on the day when it is closest, negative beyond it; null if it cannot reach it. */
export const roomWithin = (limit: CapitalLimit, ledger: CapitalLedger): DecimalText | null =>
  ROOM[limit](ledger)?.room ?? null;

/** The limits that a history goes beyond. @param limits those that a change of it can break */
export const capitalBreaches = (
  ledger: CapitalLedger,
  limits: readonly CapitalLimit[] = CAPITAL_LIMITS,
): CapitalBreach[] =>
  limits.flatMap((limit) => {
    const least = ROOM[limit](ledger);
    if (least === null || !isNegative(least.room)) return [];
    return [{ limit, day: least.day, most: least.most, excess: negate(least.room) }];
  });
