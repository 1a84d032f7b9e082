import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { ReadSession } from '../../read-session.ts';

/** A concentration limit of a note's latest borrowing base. */
export interface LimitRoom {
  readonly baseId: string;
  readonly noteTitle: string;
  readonly transactionTitle: string;
  readonly companyId: string;
  readonly cutOffDate: string;
  readonly currency: string;
  /** Position in the contract's rules. */
  readonly rule: number;
  readonly title: string;
  readonly breached: boolean;
  /** Of `measured` and `limit`: per cent of the pool, money in `currency`, or a plain number. */
  readonly unit: 'percent' | 'money' | 'number';
  readonly measured: DecimalText | null;
  readonly limit: DecimalText | null;
  /** What is left up to the limit, as a share of the limit; negative beyond it. Null if it is unknown. */
  readonly room: DecimalText | null;
}

const LIMITS = `
  with latest as (
    select distinct on (note_id) id, note_id, transaction_id, company_id, cut_off_date, currency, limits
    from borrowing_bases where status = 'Active' and ($1::text[] is null or note_id = any ($1))
    order by note_id, cut_off_date desc, code desc
  ), shown as (
    select latest.id as base_id, note.value ->> 'title' as note_title, t.title as transaction_title, latest.company_id,
      latest.cut_off_date, latest.currency, one.*
    from latest join transactions t on t.id = latest.transaction_id and t.status <> 'Removed'
    cross join lateral jsonb_array_elements(t.notes) as note
    cross join lateral jsonb_to_recordset(latest.limits)
      as one (rule integer, title text, breached boolean, unit text, measured numeric, "limit" numeric, room numeric)
    where note.value ->> 'id' = latest.note_id
  )`;

/**
 * The limits of the visible notes' latest borrowing bases, the smallest room first, with the number of all.
 * @param command.noteIds of these notes; of all visible ones if omitted
 */
export async function listLimitRooms(
  session: ReadSession,
  command: { limit: number; noteIds?: readonly string[] },
): Promise<{ limits: LimitRoom[]; total: number; breached: number }> {
  const noteIds = command.noteIds ?? null;
  const [counted] = await session.query<{ total: number; breached: number }>(
    `${LIMITS} select count(*)::int as total, count(*) filter (where breached)::int as breached from shown`,
    [noteIds],
  );
  const limits = await session.query<LimitRoom>(
    `${LIMITS} select base_id as "baseId", note_title as "noteTitle", transaction_title as "transactionTitle",
       company_id as "companyId", cut_off_date::text as "cutOffDate", currency, coalesce(rule, 0) as rule, title, breached, unit,
       measured::text as measured, "limit"::text as "limit", room::text as room
     from shown order by breached desc, shown.room nulls last, base_id, rule limit $2`,
    [noteIds, command.limit],
  );
  return { limits, total: counted?.total ?? 0, breached: counted?.breached ?? 0 };
}
