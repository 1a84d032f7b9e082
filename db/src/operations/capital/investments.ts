import type { Investment } from '@tapeline/domain/capital/waterfall-split.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { ReadSession } from '../../read-session.ts';

/** An investment of a fund, which is what its calls name, with what was called for it and distributed of it. */
export interface FundInvestment {
  readonly title: string;
  readonly called: DecimalText;
  /** Principal of the distributions that name it, and all that they paid. */
  readonly returned: DecimalText;
  readonly distributed: DecimalText;
}

/** Most investments of one fund that a form offers. */
const MAX_INVESTMENTS = 500;

const ISSUED = `status in ('Active', 'Closed')`;
/** What a closing calls is for the same investments, and goes to those who paid for them. */
const INVESTMENTS = `
  with called as (
    select purpose ->> 'title' as title, sum((purpose ->> 'amount')::numeric) as amount
    from contributions t cross join lateral jsonb_array_elements(t.purposes) as purpose
    where t.fund_id = $1 and t.${ISSUED} and purpose ->> 'kind' = 'investments'
      and not exists (select from closings c where c.call_id = t.activity_id)
    group by 1),
  paid as (
    select basis -> 0 ->> 'investment' as title, sum(principal) as principal, sum(total_distributed) as distributed
    from distributions where fund_id = $1 and ${ISSUED} and basis -> 0 ? 'investment' group by 1)
  select title, called.amount::text as called, coalesce(paid.principal, 0)::text as returned,
    coalesce(paid.distributed, 0)::text as distributed
  from called left join paid using (title) order by title limit ${MAX_INVESTMENTS}`;

/** The investments that the issued calls of a fund name, as far as they are visible. */
export const fundInvestments = (session: ReadSession, fundId: string): Promise<FundInvestment[]> =>
  session.query<FundInvestment>(INVESTMENTS, [fundId]);

/** What the issued call and distribution of each closing moved of an investment, by commitment. */
const MOVED = `
  select part ->> 'id' as commitment, h.due_date::text as "when", '-' || (part ->> 'amount') as amount
  from closings c join capital_calls h on h.id = c.call_id and h.${ISSUED}
    cross join lateral jsonb_array_elements(c.figures -> 'lines') as line
    cross join lateral jsonb_array_elements(line -> 'entrants') as part
  where c.fund_id = $1 and line ->> 'title' = $2 and line ->> 'kind' = 'investments' and (part ->> 'amount')::numeric > 0
  union all
  select part ->> 'id', h.cut_off_date::text, part ->> 'amount'
  from closings c join distribution_events h on h.id = c.distribution_id and h.${ISSUED}
    cross join lateral jsonb_array_elements(c.figures -> 'lines') as line
    cross join lateral jsonb_array_elements(line -> 'refunds') as part
  where c.fund_id = $1 and line ->> 'title' = $2 and line ->> 'kind' = 'investments' and (part ->> 'amount')::numeric > 0`;

/** One investment of a fund, for each commitment. Runs as the program. */
export async function investmentOf(
  session: ReadSession,
  fundId: string,
  title: string,
): Promise<(commitmentId: string) => Investment> {
  const rows = await session.query<{ commitment: string; when: string; amount: DecimalText }>(MOVED, [fundId, title]);
  const moved = Map.groupBy(rows, ({ commitment }) => commitment);
  return (id) => ({ title, moved: moved.get(id) ?? [] });
}
