import {
  type CalendarEvent,
  EVENT_KIND_NAMES,
  EVENT_KINDS,
  type EventKind,
} from '@tapeline/domain/calendar/calendar-event.ts';
import { type CalendarDate, daysBetween } from '@tapeline/domain/dates/calendar-date.ts';
import { ITEM_STATE_LABELS } from '@tapeline/domain/deliverables/deliverable-labels.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { DAYS_TO_DELIVER, REPORTING_TYPE } from '@tapeline/domain/tapes/tape-due.ts';
import type { ReadSession } from '../../read-session.ts';
import { todayOf } from '../../today.ts';
import { CALL_HEADERS, DISTRIBUTION_HEADERS } from '../capital/calls-and-distributions.ts';
import { TEST_MONTHS, testAfter, wholeMonthsTo } from '../covenants/urgent-covenants.ts';
import { deliverablesInForce } from '../deliverables/deliverables.ts';
import type { ListedTable } from '../listing/define-lists.ts';
import { NEXT as NEXT_TAPES } from '../monitoring/tapes-due.ts';

/** Days that one answer covers at most. */
const MAX_DAYS = 400;

/** $3 and $4 are the first and the last day, $5 the kinds that the actor may read, $6 today, $10 what is to be delivered. */
const within = (kind: EventKind, day: string): string =>
  `'${kind}' = any ($5) and ${day} between $3::date and $4::date`;

/**
 * Calls or distributions of a day, with what moves of the lines that are visible: what is settled with another one that
 * they are netted with is taken off.
 */
const headersOn = (kind: 'call' | 'distribution', headers: ListedTable, day: string): string => `
  select '${kind}' as kind, t.id, t.${day} as day, t.call_number as name, t.fund_title as party, t.fund_id as party_id,
    case when netting.is_netted then 'netted' end as part,
    jsonb_build_array(jsonb_build_object('sum', (t.amount - netting.settled)::text, 'currency', t.currency)) as amounts,
    t.status, t.investors, null as file_id
  from ${headers.table} t cross join lateral (
    select count(*) > 0 as is_netted, coalesce(sum((select o.netted from obligations o
      where o.document_id = l.id and o.kind = '${kind === 'call' ? 'contribution' : 'distribution'}')), 0) as settled
    from ${kind === 'call' ? 'contributions' : 'distributions'} l
    where l.activity_id = t.id and l.netted_with is not null and l.status <> 'Removed') as netting
  where ${within(kind, `t.${day}`)}`;

/** The amounts of a document's parts by currency. @param amounts a set-returning expression of {sum, currency} */
const byCurrency = (amounts: string): string => `(
    select jsonb_agg(jsonb_build_object('sum', total::text, 'currency', currency) order by currency collate "C") from (
      select amount ->> 'currency' as currency, sum((amount ->> 'sum')::numeric) as total from ${amounts} group by 1) as totals)`;

/** Dates of a note's timeline that fall due. The active tranche's terms override the note's. */
const NOTE_DATES = ['revolvingEnd', 'gracePeriod', 'firstPrincipalRepayment', 'termination', 'maturity'];

const EVENTS = `
  ${headersOn('call', CALL_HEADERS, 'due_date')}
  union all ${headersOn('distribution', DISTRIBUTION_HEADERS, 'cut_off_date')}
  union all
  select 'draw', d.id, d.due_date, d.code::text, concat_ws(', ', t.title, note.value ->> 'title'), t.id, null,
    ${byCurrency(`jsonb_array_elements(d.draws) as draw, jsonb_array_elements(draw -> 'amounts') as amount`)}, d.status, null, null
  from draws d join transactions t on t.id = d.transaction_id
    left join lateral jsonb_array_elements(t.notes) as note on note.value ->> 'id' = d.note_id
  where d.status in ('Pending', 'In Review', 'Approved') and ${within('draw', 'd.due_date')}
  union all
  select 'repayment', r.id, r.cut_off_date, r.code::text, concat_ws(', ', t.title, note.value ->> 'title'), t.id, null,
    ${byCurrency(`(select value -> 'amount' as amount from jsonb_array_elements(r.repayments)) as parts`)}, r.status, null, null
  from repayments r join transactions t on t.id = r.transaction_id
    left join lateral jsonb_array_elements(t.notes) as note on note.value ->> 'id' = r.note_id
  where r.status = 'Active' and r.invoice_id is null and ${within('repayment', 'r.cut_off_date')}
  union all
  select 'invoice', i.id, i.due_date, i.number::text, concat_ws(', ', t.title, note.value ->> 'title'), t.id, null,
    case when i.amount is not null then jsonb_build_array(jsonb_build_object('sum', i.amount::text, 'currency', i.currency)) end,
    i.status, null, null
  from invoices i join transactions t on t.id = i.transaction_id
    left join lateral jsonb_array_elements(t.notes) as note on note.value ->> 'id' = i.note_id
  where i.status in ('Draft', 'Active') and ${within('invoice', 'i.due_date')}
  union all
  select 'tape', due.company_id, due.due_date, due.cut_off_date::text, due.name, due.company_id, null, null,
    case when exists (select from loan_tapes l where l.company_id = due.company_id and l.status = 'Active'
        and l.scheduler_status = 'Processing' and l.cut_off_date >= due.cut_off_date) then 'Processing'
      when due.due_date < $6::date then 'Late' when due.cut_off_date < $6::date then 'Due' else 'Upcoming' end, null, null
  from (${NEXT_TAPES} select * from due) as due where ${within('tape', 'due.due_date')}
  union all
  select 'note', note.value ->> 'id', dates.day, note.value ->> 'title', t.title, t.id, dates.key, null, null, null, null
  from transactions t cross join lateral jsonb_array_elements(t.notes) as note
    cross join lateral (
      select coalesce(
        (select tranche #> '{terms,timeline}' from jsonb_array_elements(note.value -> 'tranches') as tranche
          where tranche -> 'sequenceActivated' = 'true' and jsonb_typeof(tranche #> '{terms,timeline}') = 'object'),
        note.value #> '{terms,timeline}') as timeline) as terms
    cross join lateral (
      select key, (terms.timeline ->> key)::date as day from unnest(array['${NOTE_DATES.join("', '")}']) as key) as dates
  where t.status = 'Active' and ${within('note', 'dates.day')}
  union all
  select 'covenant', k.id, dates.day, k.title, concat_ws(', ', t.title, note.value ->> 'title'), t.id, dates.part, null, null, null, null
  from covenants k join transactions t on t.id = k.transaction_id
    left join lateral jsonb_array_elements(t.notes) as note on note.value ->> 'id' = k.note_id
    cross join lateral (
      select ${testAfter(`test * (${TEST_MONTHS})`)} as day, 'test' as part
        from generate_series(greatest(${wholeMonthsTo('$3::date')} / (${TEST_MONTHS}), 0), ${wholeMonthsTo('$4::date')} / (${TEST_MONTHS})) as test
      union all
      select r.cure_until, 'cure' from covenant_results r where r.covenant_id = k.id and r.status = 'Active'
        and r.outcome = 'breached' and r.cured_on is null and r.cure_until is not null) as dates
  where k.status = 'Active' and t.status = 'Active' and ${within('covenant', 'dates.day')}
  union all
  select 'deliverable', d.id, d.day, d.name, d.party, d."partyId", d.part, null, d.status, null, null
  from jsonb_to_recordset($10::jsonb) as d (id text, day date, name text, party text, "partyId" text, part text, status text)
  where ${within('deliverable', 'd.day')}
  union all
  select 'fund', f.id, dates.day, entry ->> 'title', f.title, f.id, dates.part, null,
    case when dates.part = 'start' and entry ->> 'actual' is not null then 'Actual'
      when entry ->> 'actual' is not null or coalesce((entry ->> 'activated')::boolean, false) then 'Planned'
      else 'Not activated' end, null, null
  from funds f cross join lateral jsonb_array_elements(f.timeline) as entry
    cross join lateral (values
      (coalesce(entry ->> 'actual', entry ->> 'planned')::date, case when entry ->> 'endTime' is null then 'date' else 'start' end),
      ((entry ->> 'endTime')::date, 'end')) as dates (day, part)
  where f.status = 'Active' and ${within('fund', 'dates.day')}
  union all
  select 'statement', min(t.id), t.cut_off_date, null, coalesce(min(f.title), min(m.title)), min(t.fund_id),
    null, null, t.status, count(*)::int, case when count(*) = 1 then min(t.file_id) end
  from capital_accounts t left join funds f on f.id = t.fund_id left join main_funds m on m.id = t.main_fund_id
  where t.status <> 'Removed' and ${within('statement', 't.cut_off_date')}
  group by coalesce(t.fund_id, t.main_fund_id), t.cut_off_date, t.status
  union all
  select 'report', t.id, t.cut_off_date, null, coalesce(f.title, m.title), t.fund_id, null, null, t.status, null, t.file_id
  from reports t left join funds f on f.id = t.fund_id left join main_funds m on m.id = t.main_fund_id
  where t.status <> 'Removed' and ${within('report', 't.cut_off_date')}
  union all
  select 'record', l.id, l.expires_on, null, l.title, l.id, null, null, null, null, null
  from lps l where l.status = 'Active' and ${within('record', 'l.expires_on')}`;

/** What is to be delivered between two days: its due dates are calculated. */
async function deliverableEvents(session: ReadSession, { from, to }: { from: CalendarDate; to: CalendarDate }) {
  return (await deliverablesInForce(session)).flatMap(({ id, title, companyId, companyName, items }) =>
    items
      .filter(({ dueDate, state }) => dueDate >= from && dueDate <= to && state !== 'waived')
      .map(({ dueDate, period, state }) => ({
        id,
        day: dueDate,
        name: title,
        party: companyName,
        partyId: companyId,
        part: period.to,
        status: ITEM_STATE_LABELS[state],
      })),
  );
}

/** What the query returns: one row. */
interface Found {
  counts: Partial<Record<EventKind, number>> | null;
  events: CalendarEvent[];
}

const QUERY = `
  with everything as (${EVENTS}
  ), events as materialized (
    select * from everything where $9::text[] is null or party_id = any ($9)
  ), shown as (
    select kind, id, day::text as day, name, party, party_id as "partyId", part, amounts, status, investors,
      file_id as "fileId"
    from events where $7::text is null or kind = $7
    order by day, array_position($5, kind), party, name, id limit $8
  )
  select (select jsonb_object_agg(kind, count) from (select kind, count(*)::int as count from events group by 1) as kinds) as counts,
    (select coalesce(jsonb_agg(to_jsonb(shown)), '[]') from shown) as events`;

export interface CalendarEvents {
  /** The earliest first. */
  readonly events: readonly CalendarEvent[];
  /** Of all events of the kind that was asked for: more than `events` if there are more than the limit. */
  readonly total: number;
  /** Events of each kind that the actor may read. */
  readonly counts: Readonly<Partial<Record<EventKind, number>>>;
}

/**
 * What is due, or takes place, between two days: everything of the permitted kinds that the actor can see.
 * @param command.kind only these; all if omitted
 * @param command.parties ids of the funds, transactions and companies that the events are about; all if omitted
 * @throws Refusal badRequest for more than 400 days
 */
export async function listCalendarEvents(
  session: ReadSession,
  command: {
    from: CalendarDate;
    to: CalendarDate;
    kind?: EventKind | undefined;
    parties?: readonly string[];
    limit: number;
  },
): Promise<CalendarEvents> {
  const { from, to, kind, parties, limit } = command;
  if (daysBetween(from, to) >= MAX_DAYS) {
    throw new Refusal('badRequest', `A calendar covers at most ${MAX_DAYS} days`, { flags: { to: 'is too late' } });
  }
  const permitted = EVENT_KIND_NAMES.filter((name) => can(session.actor, EVENT_KINDS[name]));
  const values = [
    REPORTING_TYPE,
    DAYS_TO_DELIVER,
    from,
    to,
    permitted,
    todayOf(session),
    kind ?? null,
    limit,
    parties ?? null,
    JSON.stringify(permitted.includes('deliverable') ? await deliverableEvents(session, { from, to }) : []),
  ];
  const [found] = await session.query<Found>(QUERY, values, { kept: true });
  const counts = found?.counts ?? {};
  return {
    events: found?.events ?? [],
    total: kind ? (counts[kind] ?? 0) : Object.values(counts).reduce((total, count) => total + count, 0),
    counts: Object.fromEntries(permitted.map((name) => [name, counts[name] ?? 0])),
  };
}
