import {
  EMPTY_LEDGER,
  type LedgerDraw,
  type LedgerRepayment,
  type NoteLedger,
} from '@tapeline/domain/facilities/ledger.ts';
import type { Session } from '../../store.ts';

interface LedgerRow {
  noteId: string;
  draws: LedgerDraw[];
  repayments: LedgerRepayment[];
}

/**
 * The ledgers of these notes: approved draws and active repayments, by note id, in one query. A note without any draw
 * or repayment, in any status, has the empty ledger.
 */
export async function noteLedgers(
  session: Session,
  noteIds: readonly string[],
): Promise<ReadonlyMap<string, NoteLedger>> {
  const ledgers = new Map<string, NoteLedger>(noteIds.map((id) => [id, EMPTY_LEDGER]));
  if (noteIds.length === 0) return ledgers;
  const rows = await session.query<LedgerRow>(
    `select note_id as "noteId",
       coalesce(jsonb_agg(jsonb_build_object('dueDate', day, 'draws', draws) order by day, code)
         filter (where draws is not null), '[]') as draws,
       coalesce(jsonb_agg(jsonb_build_object('cutOffDate', day, 'repayments', repayments) order by day, code)
         filter (where repayments is not null), '[]') as repayments
     from (
       select note_id, due_date::text as day, code,
         case when status = 'Approved' then draws end as draws, null::jsonb as repayments
       from draws where note_id = any ($1)
       union all
       select note_id, cut_off_date::text, code, null, case when status = 'Active' then repayments end
       from repayments where note_id = any ($1)
     ) as entries
     group by note_id`,
    [[...noteIds]],
  );
  for (const { noteId, draws, repayments } of rows) ledgers.set(noteId, { isRecorded: true, draws, repayments });
  return ledgers;
}

/** The ledger of one note. */
export async function noteLedger(session: Session, noteId: string): Promise<NoteLedger> {
  return (await noteLedgers(session, [noteId])).get(noteId) ?? EMPTY_LEDGER;
}
