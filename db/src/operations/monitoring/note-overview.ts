import type { Amount } from '@tapeline/domain/money/amount.schema.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { Session } from '../../store.ts';

/** A note with the figures of its latest borrowing base. A figure that is not recorded is null, never zero. */
export interface NoteOverview {
  id: string;
  title: string;
  transactionId: string;
  transactionTitle: string;
  companyId: string;
  /** Id of the borrowing base; null if none has been calculated. */
  baseId: string | null;
  cutOffDate: string | null;
  currency: string | null;
  netBB: DecimalText | null;
  balance: Amount | null;
  commitments: Amount | null;
  availability: Amount | null;
  /** Titles of the breached concentration limits. */
  breaches: string[];
  warnings: string[];
}

/** Totals over all visible notes, not only the current page. */
export interface NoteTotals {
  notes: number;
  /** Number of notes with a borrowing base. */
  based: number;
  netBB: Amount[];
  availability: Amount[];
  /** Number of deficits, breached limits (one per note) and warnings of the latest borrowing bases. */
  exceptions: number;
}

/** Visible notes, and the latest borrowing base of each (none if `$1` is false). */
const LATEST = `
  with latest as (
    select distinct on (note_id) id, note_id, cut_off_date, currency, net_bb, balance, commitments, availability, breaches, warnings,
      (availability ->> 'sum')::numeric < 0 as deficit
    from borrowing_bases where status = 'Active' and $1::boolean
    order by note_id, cut_off_date desc, code desc
  ), notes as (
    select t.id as transaction_id, t.title as transaction_title, t.company_id, note.value ->> 'id' as note_id,
      note.value ->> 'title' as title, note.ordinality as place
    from transactions t cross join lateral jsonb_array_elements(t.notes) with ordinality as note
    where t.status <> 'Removed'
  ), shown as (
    select notes.*, latest.id as base_id, latest.cut_off_date, latest.currency, latest.net_bb, latest.balance,
      latest.commitments, latest.availability, latest.breaches, latest.warnings, latest.deficit
    from notes left join latest using (note_id)
  )`;

const FIELDS = `note_id as id, title, transaction_id as "transactionId", transaction_title as "transactionTitle",
  company_id as "companyId", base_id as "baseId", cut_off_date::text as "cutOffDate", currency, net_bb::text as "netBB",
  balance, commitments, availability, coalesce(breaches, '[]') as breaches, coalesce(warnings, '[]') as warnings`;

/**
 * A page of the notes of visible transactions, newest transaction first.
 * @param command.withBases whether the actor can read borrowing bases; `limit` null for all notes
 */
export const listNoteOverviews = (
  session: Session,
  command: { withBases: boolean; skip?: number; limit: number | null },
): Promise<NoteOverview[]> =>
  session.query<NoteOverview>(
    `${LATEST} select ${FIELDS} from shown order by transaction_id desc, place offset $2 limit $3`,
    [command.withBases, command.skip ?? 0, command.limit],
  );

/** The notes whose latest borrowing base shows a deficit, a breached limit or a warning; deficits first. */
export const listNotesWithExceptions = (
  session: Session,
  command: { withBases: boolean; limit: number },
): Promise<NoteOverview[]> =>
  session.query<NoteOverview>(
    `${LATEST} select ${FIELDS} from shown where deficit or breaches <> '[]' or warnings <> '[]'
     order by coalesce(deficit, false) desc, transaction_id desc, place limit $2`,
    [command.withBases, command.limit],
  );

/** Totals over every visible note. Amounts are added up by currency, ordered by currency code. */
export async function totalNotes(session: Session, command: { withBases: boolean }): Promise<NoteTotals> {
  const [counted] = await session.query<Pick<NoteTotals, 'notes' | 'based' | 'exceptions'>>(
    `${LATEST} select count(*)::int as notes, count(base_id)::int as based,
       coalesce(sum(coalesce(deficit, false)::int + (coalesce(breaches, '[]') <> '[]')::int
         + coalesce(jsonb_array_length(warnings), 0)), 0)::int as exceptions
     from shown`,
    [command.withBases],
  );
  const sums = await session.query<Amount & { figure: 'netBB' | 'availability' }>(
    `${LATEST} select 'netBB' as figure, currency, sum(net_bb)::text as sum from shown where net_bb is not null group by currency
     union all
     select 'availability', availability ->> 'currency', sum((availability ->> 'sum')::numeric)::text
     from shown where availability is not null group by 2
     order by 1, 2`,
    [command.withBases],
  );
  const sumsOf = (figure: 'netBB' | 'availability') =>
    sums.filter((one) => one.figure === figure).map(({ sum, currency }) => ({ sum, currency }));
  return {
    notes: counted?.notes ?? 0,
    based: counted?.based ?? 0,
    exceptions: counted?.exceptions ?? 0,
    netBB: sumsOf('netBB'),
    availability: sumsOf('availability'),
  };
}
