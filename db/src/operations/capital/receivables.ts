import { DUE_STATES, type DueState } from '@tapeline/domain/capital/receivables.ts';
import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { ReadSession } from '../../read-session.ts';
import { todayOf } from '../currencies/rates.ts';
import { interestSql } from './transferred-lines.ts';

/** What one investor is called for. */
export interface Receivable {
  readonly id: string;
  /** The capital call. */
  readonly callId: string;
  readonly callNumber: string;
  /** Null if the actor cannot see the fund or the investor. */
  readonly fund: string | null;
  readonly investor: string | null;
  readonly dueDate: CalendarDate;
  readonly amount: DecimalText;
  readonly currency: string;
}

/** What is called in one currency, by when it is due. */
export interface ReceivableTotal {
  readonly due: DueState;
  readonly currency: string;
  readonly amount: DecimalText;
  readonly count: number;
}

/** What comes on top of a call for having closed later. */
const INTEREST = interestSql('c.purposes');

/** When a call is due, compared with the day $1. */
const COMPARED: Readonly<Record<DueState, string>> = {
  upcoming: 'c.due_date > $1::date',
  today: 'c.due_date = $1::date',
  passed: 'c.due_date < $1::date',
};
/** Issued calls that are not closed. */
const OPEN = `from contributions c where c.status = 'Active'`;
const DUE = `case ${DUE_STATES.map((state) => `when ${COMPARED[state]} then '${state}'`).join(' ')} end`;

/**
 * The amounts of the visible calls that are issued and not closed, with the total of each currency: the next ones first,
 * and of those whose date has passed the latest. Nothing records whether a call was paid.
 */
export async function listReceivables(
  session: ReadSession,
  { due, skip, limit }: { due: DueState; skip: number; limit: number },
): Promise<{ today: CalendarDate; totals: ReceivableTotal[]; rows: Receivable[] }> {
  const today = todayOf(session);
  const totals = await session.query<ReceivableTotal>(
    `select ${DUE} as due, c.currency, sum(c.amount + ${INTEREST})::text as amount, count(*)::int as count ${OPEN}
     group by 1, 2 order by 2`,
    [today],
  );
  const order = due === 'passed' ? 'desc' : 'asc';
  const rows = await session.query<Receivable>(
    `select c.id, c.activity_id as "callId", c.call_number as "callNumber", f.title as fund,
       coalesce(l.title, i.title) as investor, c.due_date::text as "dueDate", (c.amount + ${INTEREST})::text as amount, c.currency
     from (select c.* ${OPEN} and ${COMPARED[due]} order by c.due_date ${order}, c.code, c.id offset $2 limit $3) c
       left join funds f on f.id = c.fund_id left join lps l on l.id = c.investor_lp_id
       left join funds i on i.id = c.investor_fund_id
     order by c.due_date ${order}, c.code, c.id`,
    [today, skip, limit],
  );
  return { today, totals, rows };
}
