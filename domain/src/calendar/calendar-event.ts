import {
  addMonths,
  type CalendarDate,
  fromEpochDay,
  isCalendarDate,
  monthEndOf,
  toEpochDay,
} from '../dates/calendar-date.ts';
import type { Amount } from '../money/amount.schema.ts';
import type { PermissionKey } from '../people/actor.ts';

/** What a calendar lists, in the order in which one day shows it, with the permission that each kind needs. */
export const EVENT_KINDS = {
  call: 'contributions/read',
  distribution: 'distributions/read',
  draw: 'transactionDraw/read',
  repayment: 'repayments/read',
  tape: 'assets/read',
  note: 'transactions/read',
  fund: 'funds/read',
  statement: 'funds/read',
  report: 'funds/read',
  record: 'LPs/read',
} as const satisfies Record<string, PermissionKey>;

export type EventKind = keyof typeof EVENT_KINDS;
export const EVENT_KIND_NAMES = Object.keys(EVENT_KINDS) as EventKind[];

/** Something that is due or takes place on a day. */
export interface CalendarEvent {
  readonly kind: EventKind;
  /** Of the document; documents that were issued together have one. */
  readonly id: string;
  readonly day: CalendarDate;
  /** What the document is called: the number of a call or a draw, the title of a note, a stage of a fund. */
  readonly name: string | null;
  /** The fund, the transaction with its note, or the company. */
  readonly party: string | null;
  /** The id of the fund, the transaction or the company. */
  readonly partyId: string | null;
  /** Which of several dates of the document this is: `maturity`, `start`, `end`. */
  readonly part: string | null;
  /** One per currency. Null for what has no amount. */
  readonly amounts: readonly Amount[] | null;
  readonly status: string | null;
  /** Investors whose documents these are; null where there are none. */
  readonly investors: number | null;
  /** The file, if the event is about exactly one. */
  readonly fileId: string | null;
}

/** A month: '2026-11'. */
export type CalendarMonth = string;

export const isCalendarMonth = (value: unknown): value is CalendarMonth =>
  typeof value === 'string' && isCalendarDate(`${value}-01`);

export const monthOf = (day: CalendarDate): CalendarMonth => day.slice(0, 7);

/** The month that is so many months later, or earlier. */
export const monthAfter = (month: CalendarMonth, months: number): CalendarMonth =>
  monthOf(addMonths(`${month}-01`, months));

/** The first and the last day of a month. */
export const daysOfMonth = (month: CalendarMonth): { from: CalendarDate; to: CalendarDate } => ({
  from: `${month}-01`,
  to: monthEndOf(`${month}-01`),
});

/** The whole weeks, from Monday to Sunday, that a month covers. */
export function weeksOfMonth(month: CalendarMonth): CalendarDate[][] {
  const { from, to } = daysOfMonth(month);
  // 1970-01-01 was a Thursday: day 3 of a week that starts on a Monday.
  const monday = (day: number): number => day - ((((day + 3) % 7) + 7) % 7);
  const weeks: CalendarDate[][] = [];
  for (let first = monday(toEpochDay(from)); first <= toEpochDay(to); first += 7) {
    weeks.push(Array.from({ length: 7 }, (_, index) => fromEpochDay(first + index)));
  }
  return weeks;
}
