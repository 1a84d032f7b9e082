import type { StoredSplit } from '@tapeline/domain/capital/own-amounts.schema.ts';
import type { CalledLine, Entrant } from '@tapeline/domain/closings/equalize.ts';
import { feeAsIfFirst } from '@tapeline/domain/closings/fee-as-if-first.ts';
import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { AgreedTerms } from '@tapeline/domain/funds/fee-terms.ts';
import { add, type DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { Contribution } from '../../entities/capital.ts';
import type { Session } from '../../store.ts';

/** An entrant with what decides its fees and which calls concern it. */
export interface FundEntrant extends Entrant {
  readonly Class: string | null;
  /** What it had committed before the closing. */
  readonly before: DecimalText;
  /** Its fee terms on each day. */
  readonly agreed: AgreedTerms;
}

interface CallRow {
  readonly call: string;
  readonly number: string;
  readonly dueDate: CalendarDate;
  readonly Class: string | null;
  readonly splits: readonly StoredSplit[];
  readonly commitment: string;
  readonly purposes: Contribution['purposes'];
}

/** What a closing that was issued moved for a line of an earlier call. */
interface MovedRow {
  readonly call: string;
  readonly line: number;
  readonly commitment: string;
  readonly amount: DecimalText;
}

/** The calls that were issued up to the day, apart from those of closings. */
const CALLS = `
  select h.id as call, h.number, h.due_date::text as "dueDate", t.holding_class as "Class", h.splits,
    t.commitment_id as commitment, t.purposes
  from capital_calls h join contributions t on t.activity_id = h.id and t.status in ('Active', 'Closed')
  where h.fund_id = $1 and h.cut_off_date <= $2 and not exists (select from closings c where c.call_id = h.id)
  order by h.due_date, h.cut_off_date, h.id, t.code`;

/** What earlier closings charged and returned: each counts while its call, or its distribution, is issued. */
const MOVED = `
  select line ->> 'call' as call, (line ->> 'line')::int as line, part ->> 'id' as commitment, part ->> 'amount' as amount
  from closings c join capital_calls h on h.id = c.call_id and h.status in ('Active', 'Closed')
    cross join jsonb_array_elements(c.figures -> 'lines') as line cross join jsonb_array_elements(line -> 'entrants') as part
  where c.fund_id = $1
  union all
  select line ->> 'call', (line ->> 'line')::int, part ->> 'id', '-' || (part ->> 'amount')
  from closings c join distribution_events h on h.id = c.distribution_id and h.status in ('Active', 'Closed')
    cross join jsonb_array_elements(c.figures -> 'lines') as line cross join jsonb_array_elements(line -> 'refunds') as part
  where c.fund_id = $1 and (part ->> 'amount')::numeric > 0`;

/** A purpose of an issued call, with its place in the call. */
export interface FundLine extends CalledLine {
  readonly line: number;
}

/** What was called from the fund up to the day of a closing, by purpose, with what everyone has paid of it. */
export async function calledLines(
  session: Session,
  {
    fundId,
    closingDate,
    firstClosing,
    entrants,
    digits,
  }: {
    fundId: string;
    closingDate: CalendarDate;
    firstClosing: CalendarDate;
    entrants: readonly FundEntrant[];
    digits: number;
  },
): Promise<FundLine[]> {
  const rows = await session.query<CallRow>(CALLS, [fundId, closingDate]);
  const moved = await session.query<MovedRow>(MOVED, [fundId]);
  const calls = Map.groupBy(rows, ({ call }) => call);
  const movedOf = Map.groupBy(moved, ({ call, line }) => `${call} ${line}`);
  return [...calls.values()].flatMap((parts) => {
    const [first] = parts;
    if (!first) return [];
    const { call, number: callNumber, dueDate, Class, splits } = first;
    const concerns = entrants.filter((one) => Class === null || one.Class === Class);
    return first.purposes.map(({ title, kind }, line): FundLine => {
      const paid = new Map<string, DecimalText>();
      const pay = (commitment: string, amount: DecimalText) =>
        paid.set(commitment, add(paid.get(commitment) ?? '0', amount));
      for (const { commitment, purposes } of parts) pay(commitment, purposes[line]?.amount ?? '0');
      for (const { commitment, amount } of movedOf.get(`${call} ${line}`) ?? []) pay(commitment, amount);
      const { rule, from, until } = splits[line] ?? {};
      const days = rule === 'terms' && from && until ? { from, until } : null;
      const owed = new Map(
        concerns.flatMap((entrant) => {
          if (!days) return [];
          const { before, weight: added, increases, agreed } = entrant;
          const owes = { before, added, paid: paid.get(increases ?? '') ?? '0', firstClosing };
          const amount = feeAsIfFirst(owes, agreed, days, digits);
          return amount === null ? [] : [[entrant.id, amount] as const];
        }),
      );
      return { call, callNumber, line, title, kind, dueDate, paid, owed, concerns: concerns.map(({ id }) => id) };
    });
  });
}
