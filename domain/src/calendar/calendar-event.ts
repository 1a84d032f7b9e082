import type { CalendarDate } from '../dates/calendar-date.ts';
import type { Amount } from '../money/amount.schema.ts';
import type { PermissionKey } from '../people/actor.ts';

/** What a calendar lists, in the order in which one day shows it, with the permission that each kind needs. */
export const EVENT_KINDS = {
  call: 'contributions/read',
  distribution: 'distributions/read',
  draw: 'transactionDraw/read',
  repayment: 'repayments/read',
  invoice: 'repayments/read',
  tape: 'assets/read',
  note: 'transactions/read',
  covenant: 'transactions/read',
  deliverable: 'transactions/read',
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
  /** Which of several dates of the document this is: `maturity`, `start`, `end`; the test of a covenant, or the last day of its `cure`; the end of the period of a deliverable. `netted` if a call or distribution is. */
  readonly part: string | null;
  /** One per currency. Null for what has no amount. */
  readonly amounts: readonly Amount[] | null;
  readonly status: string | null;
  /** Investors whose documents these are; null where there are none. */
  readonly investors: number | null;
  /** The file, if the event is about exactly one. */
  readonly fileId: string | null;
}
