import type { Consequence, CovenantBound, CovenantUnit } from '@tapeline/domain/covenants/covenant-labels.ts';
import type { CalendarDate } from '@tapeline/domain/dates/calendar-day.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { ReadSession } from '../../read-session.ts';
import { todayOf } from '../../today.ts';

/** SQL of the months from one test of a covenant to the next; `k` is the covenant. */
export const TEST_MONTHS = `case k.frequency when 'monthly' then 1 when 'quarterly' then 3 when 'halfYearly' then 6 else 12 end`;

/** SQL of the end of a month, so many months after the first test of a covenant. */
export const testAfter = (months: string): string =>
  `(date_trunc('month', k.first_test) + ((${months}) + 1) * interval '1 month' - interval '1 day')::date`;

/** SQL of the whole months from the first test of a covenant to a day, below zero before it. */
export const wholeMonthsTo = (day: string): string => `(
  (extract(year from ${day}) - extract(year from k.first_test)) * 12 + extract(month from ${day}) - extract(month from k.first_test)
  - (${day} < (date_trunc('month', ${day}) + interval '1 month - 1 day')::date)::int)::int`;

/** SQL of the last test date that is not after a day; null before the first one. The same as `latestTestDate`. */
const lastTest = (day: string): string =>
  `case when ${wholeMonthsTo(day)} >= 0 then ${testAfter(`${wholeMonthsTo(day)} / (${TEST_MONTHS}) * (${TEST_MONTHS})`)} end`;

/** A covenant that is breached and neither waived nor cured, or whose figures are late. */
export interface UrgentCovenant {
  readonly id: string;
  readonly title: string;
  readonly companyName: string;
  readonly noteTitle: string | null;
  readonly state: 'breached' | 'unknown';
  readonly testDate: CalendarDate;
  readonly unit: CovenantUnit;
  readonly currency: string | null;
  readonly bound: CovenantBound;
  readonly consequence: Consequence;
  /** Null for one that is unknown. */
  readonly value: DecimalText | null;
  readonly limitValue: DecimalText | null;
  readonly headroom: DecimalText | null;
  readonly cureUntil: CalendarDate | null;
}

/** The covenants that are breached, then those that are unknown, and how many there are of each. */
export async function urgentCovenants(
  session: ReadSession,
  { limit }: { limit: number },
): Promise<{ covenants: UrgentCovenant[]; breached: number; unknown: number }> {
  const rows = await session.query<UrgentCovenant & { breached: number; unknown: number }>(
    `with standing as (
       select k.*, r.id as result_id, r.test_date, r.value, r.limit_value, r.headroom, r.cure_until,
         case when r.outcome = 'breached' and r.cured_on is null then
             case when exists (select from covenant_waivers w
               where w.result_id = r.id and w.status = 'Approved' and w.waived_until >= $1::date) then null else 'breached' end
           when ${lastTest('($1::date - k.days_to_report - 1)')} > coalesce(r.test_date, '-infinity') then 'unknown' end as state,
         ${lastTest('($1::date - k.days_to_report - 1)')} as expected
       from covenants k join transactions t on t.id = k.transaction_id and t.status not in ('Closed', 'Removed')
       left join lateral (select * from covenant_results r where r.covenant_id = k.id and r.status = 'Active'
         order by r.test_date desc limit 1) as r on true
       where k.status = 'Active'
     ), urgent as (select * from standing where state is not null)
     select u.id, u.title, c.name as "companyName", (select note.value ->> 'title' from transactions t
         cross join lateral jsonb_array_elements(t.notes) as note where t.id = u.transaction_id and note.value ->> 'id' = u.note_id) as "noteTitle",
       u.state, case u.state when 'breached' then u.test_date else u.expected end::text as "testDate", u.unit, u.currency, u.bound,
       u.consequence, case u.state when 'breached' then u.value end::text as value,
       case u.state when 'breached' then u.limit_value end::text as "limitValue",
       case u.state when 'breached' then u.headroom end::text as headroom, case u.state when 'breached' then u.cure_until end::text as "cureUntil",
       (select count(*)::int from urgent where state = 'breached') as breached,
       (select count(*)::int from urgent where state = 'unknown') as unknown
     from urgent u join companies c on c.id = u.company_id
     order by u.state, u.cure_until, u.id limit $2`,
    [todayOf(session), limit],
  );
  const [first] = rows;
  return {
    covenants: rows.map(({ breached: _, unknown: __, ...covenant }) => covenant),
    breached: first?.breached ?? 0,
    unknown: first?.unknown ?? 0,
  };
}
