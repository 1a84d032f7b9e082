import type { NotePosition } from '@tapeline/domain/facilities/ledger.ts';
import type { ReadSession } from '../../read-session.ts';
import { todayOf } from '../../today.ts';

const ofKind = (kind: keyof NotePosition): string =>
  `coalesce(jsonb_agg(jsonb_build_object('sum', sum, 'currency', currency) order by currency collate "C")
     filter (where kind = '${kind}'), '[]')`;

/**
 * SQL of the position of notes on a day, added up by the database (`notePosition` is the same for one ledger). A note
 * without any draw or repayment, in any status, is missing: its balance is unknown.
 * @param condition on `note_id`
 * @param day SQL of the day
 */
export const positionsOfNotes = (condition: string, day: string): string => `
  with amounts as (
    select d.note_id, amount ->> 'currency' as currency, (amount ->> 'sum')::numeric as sum,
      case when d.status <> 'Approved' then 'requested' when d.due_date > ${day} then 'approved' else 'balance' end as kind
    from draws d, jsonb_array_elements(d.draws) as draw, jsonb_array_elements(draw -> 'amounts') as amount
    where ${condition} and d.status in ('Approved', 'Pending', 'In Review') and draw ->> 'type' <> 'Recycling'
    union all
    select r.note_id, part #>> '{amount,currency}', -(part #>> '{amount,sum}')::numeric, 'balance'
    from repayments r, jsonb_array_elements(r.repayments) as part
    where ${condition} and r.status = 'Active' and r.cut_off_date <= ${day} and part ->> 'kind' = 'principal'
  ), recorded as (
    select note_id from draws where ${condition} union select note_id from repayments where ${condition}
  ), totals as (
    select note_id, kind, currency, trim_scale(sum(sum))::text as sum from amounts group by note_id, kind, currency
  )
  select note_id, jsonb_build_object('balance', ${ofKind('balance')}, 'approved', ${ofKind('approved')},
    'requested', ${ofKind('requested')}) as position
  from recorded left join totals using (note_id) group by note_id`;

/** The position of these notes today, by note id. A note for which nothing was ever recorded is missing. */
export async function notePositions(
  session: ReadSession,
  noteIds: readonly string[],
): Promise<ReadonlyMap<string, NotePosition>> {
  if (noteIds.length === 0) return new Map();
  const rows = await session.query<{ noteId: string; position: NotePosition }>(
    `select note_id as "noteId", position from (${positionsOfNotes('note_id = any ($1)', '$2::date')}) as positions`,
    [[...noteIds], todayOf(session)],
  );
  return new Map(rows.map(({ noteId, position }) => [noteId, position]));
}
