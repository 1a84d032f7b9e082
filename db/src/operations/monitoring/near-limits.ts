import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { ReadSession } from '../../read-session.ts';

/** A limit is near when less is left of it, in percentage points. */
const NEAR_POINTS = 2;

/** A concentration limit that the note's latest borrowing base almost reaches. */
export interface NearLimit {
  readonly baseId: string;
  readonly noteTitle: string;
  readonly transactionTitle: string;
  readonly companyId: string;
  readonly cutOffDate: string;
  readonly title: string;
  /** Per cent of the pool. */
  readonly measured: DecimalText;
  readonly limit: DecimalText;
}

/**
 * The limits of the visible notes' latest borrowing bases with less than two percentage points left, those with the
 * least left first, and in how many borrowing bases there are any. What is beyond a limit is already deducted.
 */
export async function listNearLimits(
  session: ReadSession,
  command: { limit: number },
): Promise<{ limits: NearLimit[]; bases: number }> {
  const rows = await session.query<NearLimit & { bases: number }>(
    `with latest as (
       select distinct on (note_id) id, note_id, transaction_id, company_id, cut_off_date, limits
       from borrowing_bases where status = 'Active' order by note_id, cut_off_date desc, code desc
     ), near as (
       select b.id, t.title as transaction_title, b.company_id, b.cut_off_date, b.note_id, t.notes, one.*
       from latest b join transactions t on t.id = b.transaction_id and t.status <> 'Removed'
       cross join lateral jsonb_to_recordset(b.limits)
         as one (rule integer, title text, breached boolean, unit text, measured numeric, "limit" numeric)
       where one.unit = 'percent' and not one.breached and one."limit" - one.measured < $1
     )
     select id as "baseId", (select note.value ->> 'title' from jsonb_array_elements(notes) as note
         where note.value ->> 'id' = note_id) as "noteTitle", transaction_title as "transactionTitle",
       company_id as "companyId", cut_off_date::text as "cutOffDate", title, measured::text as measured,
       "limit"::text as "limit", (select count(distinct id)::int from near) as bases
     from near order by "limit" - measured, id, rule limit $2`,
    [NEAR_POINTS, command.limit],
    { kept: true },
  );
  return { limits: rows.map(({ bases: _, ...limit }) => limit), bases: rows[0]?.bases ?? 0 };
}
