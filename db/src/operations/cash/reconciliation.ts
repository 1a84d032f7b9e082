import { CLOSING_PROBLEM_TEXTS, type ClosingProblem, type OpenItemKind } from '@tapeline/domain/cash/reconciliation.ts';
import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import {
  type CalendarMonth,
  daysOfMonth,
  isCalendarMonth,
  monthAfter,
  monthOf,
} from '@tapeline/domain/dates/calendar-month.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { type DecimalText, isZero, subtract } from '@tapeline/domain/money/decimal.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { todayOf } from '../../today.ts';
import { getDocument } from '../listing/list-documents.ts';
import { requirePermission } from '../permission.ts';
import { BANK_ACCOUNTS } from './bank-accounts.ts';

/** The balances of an account at the end of a day, in its currency. Bank = book + open + difference. */
export interface AccountDay {
  readonly day: CalendarDate;
  /** What the bank's statements say; null after the last one. */
  readonly bank: DecimalText | null;
  readonly book: DecimalText;
  readonly open: DecimalText;
  readonly difference: DecimalText | null;
}

/** A payment that the bank has and the book has not, or the other way round. */
export interface OpenItem {
  readonly paymentId: string;
  readonly code: number;
  readonly kind: OpenItemKind;
  readonly bookedOn: CalendarDate;
  /** Of the party, or the name or the text that the bank writes. */
  readonly name: string | null;
  /** What the bank has more than the book; negative if the book has more. */
  readonly amount: DecimalText;
}

/** A month that is closed, with the balances of its last day. */
export interface ClosedMonth {
  readonly month: CalendarMonth;
  readonly bankBalance: DecimalText;
  readonly bookBalance: DecimalText;
  readonly closedAt: string;
  readonly closedBy: string | null;
}

export interface Reconciliation {
  readonly account: {
    readonly id: string;
    readonly title: string;
    readonly currency: string;
    readonly openingDate: CalendarDate;
  };
  /** "2026-10". */
  readonly month: CalendarMonth;
  readonly days: readonly AccountDay[];
  /** On the last of the days, the oldest first, and at most `MAX_OPEN_ITEMS` of them. */
  readonly items: readonly OpenItem[];
  readonly itemCount: number;
  readonly closedUntil: CalendarDate | null;
  /** The latest first. */
  readonly closings: readonly ClosedMonth[];
  /** Why the month cannot be closed; null if it can. */
  readonly problem: ClosingProblem | null;
}

export const MAX_OPEN_ITEMS = 200;

const DAYS = `
  select day::text, stated::text as bank, reported::text, book::text from account_days($1, $2, $3) order by day`;

const ITEMS = `
  select i.payment_id as "paymentId", p.code::int, p.booked_on::text as "bookedOn", (i.at_bank - i.in_book)::text as amount,
    case when i.at_bank = 0 then 'notReported' when num_nonnulls(p.investor_lp_id, p.investor_fund_id, p.company_id) > 0 then 'credit'
      else 'toMatch' end as kind,
    coalesce((select title from lps where id = p.investor_lp_id), (select title from funds where id = p.investor_fund_id),
      (select name from companies where id = p.company_id), p.counterparty_name, nullif(left(p.remittance, 60), '')) as name,
    count(*) over ()::int as total
  from account_items($1, $2) i join payments p on p.id = i.payment_id order by p.booked_on, p.code limit $3`;

const CLOSINGS = `
  select to_char(month, 'YYYY-MM') as month, bank_balance::text as "bankBalance", book_balance::text as "bookBalance",
    closed_at as "closedAt", history_author(closed -> 'entity') as "closedBy"
  from account_closings where bank_account_id = $1 order by account_closings.month desc`;

/** The month after the last closed one; otherwise the last that a statement reaches, or the first of the account. */
async function monthToClose(
  session: ReadSession,
  account: { readonly id: string; readonly openingDate: CalendarDate },
  closedUntil: CalendarDate | null,
): Promise<CalendarMonth> {
  if (closedUntil !== null) return monthAfter(monthOf(closedUntil), 1);
  const [row] = await session.query<{ last: CalendarDate | null }>(
    'select max(closing_date)::text as last from bank_statements where bank_account_id = $1',
    [account.id],
  );
  const [, last = account.openingDate] = [row?.last ?? account.openingDate, account.openingDate].toSorted();
  return monthOf(last);
}

const lastOfClosed = (closings: readonly ClosedMonth[]): CalendarDate | null =>
  closings[0] ? daysOfMonth(closings[0].month).to : null;

function problemOf(
  month: CalendarMonth,
  { today, closedUntil, last }: { today: CalendarDate; closedUntil: CalendarDate | null; last: AccountDay | undefined },
): ClosingProblem | null {
  const end = daysOfMonth(month).to;
  if (closedUntil !== null && end <= closedUntil) return 'closed';
  if (end >= today || last?.day !== end) return 'notOver';
  if (last.difference === null) return 'noStatement';
  return isZero(last.difference) ? null : 'difference';
}

/**
 * Compares the balance of the bank with the book at the end of each day of a month, up to today, and lists the open items.
 * @param query.month "2026-10"; if omitted, the one that is to be closed next
 * @throws Refusal forbidden without payments/read, and for who may not see every payment of the account; notFound
 */
export async function reconcile(
  session: Session,
  id: string,
  query: { readonly month?: CalendarMonth | undefined },
): Promise<Reconciliation> {
  requirePermission(session, 'payments/read');
  const account = await getDocument(session, BANK_ACCOUNTS, id);
  const [sees] = await session.query<{ all: boolean }>('select sees_account($1) as all', [id]);
  if (!sees?.all)
    throw new Refusal('forbidden', 'You may not see every payment of this account, so its balances would be wrong');
  const closings = await session.query<ClosedMonth>(CLOSINGS, [id]);
  const closedUntil = lastOfClosed(closings);
  const month = query.month ?? (await monthToClose(session, account, closedUntil));
  const today = todayOf(session);
  const { from, to: end } = daysOfMonth(month);
  const [until = end] = [end, today].toSorted();
  const rows = await session.query<{
    day: CalendarDate;
    bank: DecimalText | null;
    reported: DecimalText;
    book: DecimalText;
  }>(DAYS, [id, from, until]);
  const days = rows.map(({ day, bank, reported, book }) => ({
    day,
    bank,
    book,
    open: subtract(reported, book),
    difference: bank === null ? null : subtract(bank, reported),
  }));
  const items = await session.query<OpenItem & { total: number }>(ITEMS, [id, until, MAX_OPEN_ITEMS]);
  const { title, currency, openingDate } = account;
  return {
    account: { id, title, currency, openingDate },
    month,
    days,
    items: items.map(({ total: _total, ...item }) => item),
    itemCount: items[0]?.total ?? 0,
    closedUntil,
    closings,
    problem: problemOf(month, { today, closedUntil, last: days.at(-1) }),
  };
}

/** The days on which something changed, and the last one. */
export const daysOfChange = (days: readonly AccountDay[]): AccountDay[] =>
  days.filter((day, index) => {
    const before = days[index - 1];
    if (!before || index === days.length - 1) return true;
    return day.bank !== before.bank || day.book !== before.book || day.open !== before.open;
  });

/**
 * Closes a month of an account, and every month before it: its payments stay as they are, and what is allocated or reversed
 * later counts in the first open month.
 * @throws Refusal forbidden without payments/write; as `reconcile` does; badRequest for a month that cannot be closed
 */
export async function closeMonth(
  session: Session,
  id: string,
  { month }: { readonly month: CalendarMonth },
): Promise<Reconciliation> {
  requirePermission(session, 'payments/write');
  if (!isCalendarMonth(month)) throw new Refusal('badRequest', undefined, { flags: { month: 'is not a month' } });
  await session.query('select from bank_accounts where id = $1 for no key update', [id]);
  const { problem } = await reconcile(session, id, { month });
  if (problem) {
    const text = CLOSING_PROBLEM_TEXTS[problem];
    throw new Refusal('badRequest', text, { flags: { month: `can’t be closed: ${text}` } });
  }
  await session.query(
    `insert into account_closings (bank_account_id, manager_id, month, bank_balance, book_balance)
     select id, manager_id, $2, 0, 0 from bank_accounts where id = $1`,
    [id, daysOfMonth(month).from],
  );
  return reconcile(session, id, { month });
}
