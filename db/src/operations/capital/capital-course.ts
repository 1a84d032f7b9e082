import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { daysOfMonth, monthAfter, monthOf } from '@tapeline/domain/dates/calendar-month.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { FundFigureQuery } from '@tapeline/domain/funds/fund.schema.ts';
import { type DecimalText, isZero, negate, round, sum } from '@tapeline/domain/money/decimal.ts';
import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import { convert } from '@tapeline/domain/money/rates.ts';
import { type DatedFlow, internalRateOfReturn, NO_NAV } from '@tapeline/domain/returns/irr.ts';
import { type ShownReturn, shownReturn } from '@tapeline/domain/returns/shown-return.ts';
import type { ReadSession } from '../../read-session.ts';
import { todayOf } from '../../today.ts';
import { ratesByDay } from '../currencies/rates.ts';
import { figureCurrency } from './figure-currency.ts';
import { HELD_CALLS, HELD_DISTRIBUTIONS, HELD_NAVS, HELD_WRITE_OFFS } from './transferred-lines.ts';

/** Month ends that a course shows at most, the last day included. Longer courses show the latest ones. */
const MAX_POINTS = 37;

/** The capital figures of a selection at the end of a month, or on the last day. */
export interface CoursePoint {
  readonly day: CalendarDate;
  readonly committed: DecimalText;
  readonly called: DecimalText;
  readonly distributed: DecimalText;
  /** Null if an investor of the day has no NAV yet. */
  readonly nav: DecimalText | null;
  readonly netIrr: ShownReturn;
}

export interface CapitalCourse {
  readonly currency: string;
  /** The day of the rates; null if nothing was converted. */
  readonly ratesDate: CalendarDate | null;
  /** The earliest first. */
  readonly points: readonly CoursePoint[];
}

const ISSUED = `status in ('Active', 'Closed')`;

/**
 * The visible commitments that are selected, as in `positionsAt`: $1 to $3 are the fund, the investor and the class, $4
 * the last day.
 */
const SELECTED = `
  with selected as (
    select id, exclude_from_irr_calculations as is_excluded from funds where ${ISSUED} and ($1::text is null or id = $1)
  ), own as (
    select c.id, c.currency, c.closing_date, c.active_commitment, c.deltas, $1::text is null and f.is_excluded as is_excluded
    from lp_commitments c join selected f on f.id = c.fund_id
    where c.${ISSUED} and c.closing_date <= $4::date
      and ($2::text is null or coalesce(c.investor_lp_id, c.investor_fund_id) = $2)
      and ($3::text is null or c.class = $3)
      and (c.investor_fund_id is null or c.investor_fund_id not in (select id from selected))
  ), moves as (
    select d.commitment_id as id, d.due_date as day, d.paid_on, d.amount as called, d.interest, 0::numeric as distributed, 0::numeric as written_off
    from ${HELD_CALLS} d where d.due_date <= $4::date and d.commitment_id in (select id from own)
    union all
    select d.commitment_id, d.cut_off_date, d.paid_on, 0, 0, d.total_distributed, 0
    from ${HELD_DISTRIBUTIONS} d where d.cut_off_date <= $4::date and d.commitment_id in (select id from own)
    union all
    select d.commitment_id, d.cut_off_date, d.cut_off_date, 0, 0, 0, d.amount
    from ${HELD_WRITE_OFFS} d where d.cut_off_date <= $4::date and d.commitment_id in (select id from own)
  )`;

const EXTENT = `${SELECTED}
  select (select min(closing_date)::text from own) as first, (select coalesce(array_agg(distinct currency), '{}') from own) as currencies`;

/**
 * The figures of each currency on each of the days $5. The moves, NAVs and days of a commitment are put in order once, and
 * added up on the way: a NAV counts with what moved after its day, as \`capitalFigures\` rolls it forward.
 */
const POINTS = `${SELECTED}, days as (
    select day from unnest($5::date[]) as day
  ), entries as (
    select id, day, 0 as place, called, distributed, written_off, false as is_value, null::numeric as net, null::date as marked from moves
    union all
    select n.commitment_id, n.cut_off_date, 1, 0, 0, 0, true, n.net, null
    from ${HELD_NAVS} n where n.cut_off_date <= $4::date and n.commitment_id in (select id from own)
    union all
    select own.id, days.day, 2, 0, 0, 0, false, null, days.day from own join days on own.closing_date <= days.day
  ), running as (
    select *, sum(called) over so_far as called_so_far, sum(distributed) over so_far as distributed_so_far,
      sum(called - distributed - written_off) over so_far as moved_so_far, count(*) filter (where is_value) over so_far as valued
    from entries window so_far as (partition by id order by day, place range between unbounded preceding and current row)
  ), rolled as (
    select *, coalesce(moved_so_far + max(net - moved_so_far) filter (where is_value) over (partition by id, valued),
      case when called_so_far = 0 then 0 end) as nav
    from running
  )
  select own.currency, own.is_excluded as "isExcluded", rolled.marked::text as day,
    sum(committed_at(own.closing_date, own.active_commitment, own.deltas, rolled.marked))::text as committed,
    sum(called_so_far)::text as called, sum(distributed_so_far)::text as distributed,
    case when count(nav) = count(*) then sum(nav)::text end as nav
  from rolled join own using (id) where rolled.marked is not null
  group by own.currency, own.is_excluded, rolled.marked order by rolled.marked, own.currency`;

/**
 * The net flows of those that count in rates of return, by currency, day, and from which day on they count. Interest for
 * having closed later was paid, although it is no called capital.
 */
const FLOWS = `${SELECTED}
  select own.currency, moves.paid_on::text as "when", moves.day::text as since, sum(called + interest)::text as paid,
    sum(distributed)::text as distributed
  from moves join own using (id) where not own.is_excluded group by own.currency, moves.paid_on, moves.day
  order by moves.paid_on, moves.day, own.currency`;

interface PointRow {
  currency: string;
  isExcluded: boolean;
  day: CalendarDate;
  committed: DecimalText;
  called: DecimalText;
  distributed: DecimalText;
  nav: DecimalText | null;
}
interface FlowRow {
  currency: string;
  when: CalendarDate;
  /** A transfer of an interest moves earlier flows. */
  since: CalendarDate;
  paid: DecimalText;
  distributed: DecimalText;
}

/** The last day, and the month ends before it from the first day on, at most so many. */
function pointsBetween(first: CalendarDate, last: CalendarDate): CalendarDate[] {
  const days = [last];
  for (let month = monthAfter(monthOf(last), -1); days.length < MAX_POINTS; month = monthAfter(month, -1)) {
    const { to } = daysOfMonth(month);
    if (to < first) break;
    days.unshift(to);
  }
  return days;
}

/** NAVs of currencies and groups together; unknown if one is. */
const knownSum = (values: readonly (DecimalText | null)[]): DecimalText | null =>
  values.length > 0 && values.every((value) => value !== null) ? sum(values) : null;

/**
 * The course of capital figures of what the query selects: at each month end up to its day, and on that day. Amounts
 * convert at the rates of the last day; for rates of return, each flow and NAV converts at the rates of its own day.
 * Every point equals what `selectionFigures` and `selectionReturns` answer for its day, apart from the rates of amounts.
 */
export async function capitalCourse(session: ReadSession, query: FundFigureQuery): Promise<CapitalCourse> {
  const { fundId = null, investorId = null, Class = null } = query;
  const at = query.cutOffDate ?? todayOf(session);
  const managerId = session.actor.kind === 'user' ? session.actor.managerId : null;
  const selection = [fundId, investorId, Class, at];
  const [[fund], [manager], [extent]] = await session.queries<
    [{ currency: string }[], { currency: string | null }[], { first: CalendarDate | null; currencies: string[] }[]]
  >([
    { sql: `select currency from funds where id = $1 and status <> 'Removed'`, values: [fundId], kept: true },
    {
      sql: `select e.business ->> 'currency' as currency from managers m join entities e on e.id = m.entity_id where m.id = $1`,
      values: [managerId],
      kept: true,
    },
    { sql: EXTENT, values: selection },
  ]);
  if (fundId !== null && !fund) throw new Refusal('notFound');
  const currency = figureCurrency(session, {
    asked: query.currency,
    fund: fund?.currency,
    investorId,
    manager: manager?.currency,
    currencies: extent?.currencies ?? [],
  });
  if (!extent?.first) return { currency, ratesDate: null, points: [] };
  const days = pointsBetween(extent.first, at);
  const [points, flows] = await session.queries<[PointRow[], FlowRow[]]>([
    { sql: POINTS, values: [...selection, days] },
    { sql: FLOWS, values: selection },
  ]);
  const foreign = extent.currencies.filter((one) => one !== currency);
  const tables = await ratesByDay(session, {
    days: foreign.length === 0 ? [] : [...new Set([...days, ...flows.map(({ when }) => when)])],
    currencies: [...foreign, currency],
  });
  const converted = (amount: DecimalText, from: string, day: CalendarDate): DecimalText =>
    from === currency ? amount : convert(amount, from, currency, tables.get(day)?.rates ?? {}).sum;
  const digits = minorUnitDigits(currency);
  const dated = flows.flatMap(({ when, since, currency: from, paid, distributed }): CountedFlow[] =>
    (['paid', 'distributed'] as const).flatMap((side) => {
      const amount = side === 'paid' ? negate(paid) : distributed;
      return isZero(amount) ? [] : [{ when, since, side, amount: converted(amount, from, when) }];
    }),
  );
  const byDay = Map.groupBy(points, ({ day }) => day);
  return {
    currency,
    ratesDate: foreign.length === 0 ? null : (tables.get(at)?.lastUpdate ?? null),
    points: days.flatMap((day) => {
      const rows = byDay.get(day);
      if (!rows) return [];
      const total = (name: 'committed' | 'called' | 'distributed') =>
        round(sum(rows.map((row) => converted(row[name], row.currency, at))), digits);
      const navOf = (on: CalendarDate, counted: readonly PointRow[]) =>
        knownSum(counted.map((row) => row.nav && converted(row.nav, row.currency, on)));
      const nav = navOf(at, rows);
      return [
        {
          day,
          committed: total('committed'),
          called: total('called'),
          distributed: total('distributed'),
          nav: nav && round(nav, digits),
          netIrr: returnAt(
            day,
            dated,
            navOf(
              day,
              rows.filter(({ isExcluded }) => !isExcluded),
            ),
          ),
        },
      ];
    }),
  };
}

/** A flow with the day from which on it counts. */
interface CountedFlow extends DatedFlow {
  readonly since: CalendarDate;
  readonly side: 'paid' | 'distributed';
}

/** What was given away is no flow of the other direction. */
const flowsUntil = (day: CalendarDate, flows: readonly CountedFlow[]): DatedFlow[] =>
  [
    ...Map.groupBy(
      flows.filter(({ since }) => since <= day),
      ({ when, side }) => `${when} ${side}`,
    ).values(),
  ].flatMap((own) => {
    const amount = sum(own.map((flow) => flow.amount));
    return isZero(amount) ? [] : [{ when: own[0]!.when, amount }];
  });

function returnAt(day: CalendarDate, flows: readonly CountedFlow[], nav: DecimalText | null): ShownReturn {
  const until = flowsUntil(day, flows);
  const net =
    nav === null ? { rate: null, reason: NO_NAV } : internalRateOfReturn([...until, { when: day, amount: nav }]);
  return shownReturn(net, until[0]?.when, day);
}
