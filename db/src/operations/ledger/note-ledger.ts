import {
  EMPTY_LEDGER,
  type LedgerDraw,
  type LedgerRepayment,
  type NoteLedger,
} from '@tapeline/domain/facilities/ledger.ts';
import { asProgram, type Session } from '../../store.ts';

interface LedgerRow {
  noteId: string;
  draws: LedgerDraw[];
  requests: LedgerDraw[];
  repayments: LedgerRepayment[];
}

interface LedgerOptions {
  withoutDraw?: string | null;
  isWhole?: boolean;
}

/**
 * The ledgers of these notes: approved and requested draws and active repayments, by note id, in one query. A note
 * without any draw or repayment, in any status, has the empty ledger.
 * @param options.withoutDraw the draw to leave out
 * @param options.isWhole whether draws and repayments that the actor cannot see count as well: for what is checked
 *   against a limit
 */
export async function noteLedgers(
  session: Session,
  noteIds: readonly string[],
  { withoutDraw = null, isWhole = false }: LedgerOptions = {},
): Promise<ReadonlyMap<string, NoteLedger>> {
  const ledgers = new Map<string, NoteLedger>(noteIds.map((id) => [id, EMPTY_LEDGER]));
  if (noteIds.length === 0) return ledgers;
  const read = () =>
    session.query<LedgerRow>(
      // What pays an invoice was due, and what is paid in kind repays nothing.
      `select note_id as "noteId",
       coalesce(jsonb_agg(jsonb_build_object('dueDate', day, 'draws', draws) order by day, code)
         filter (where status = 'Approved'), '[]') as draws,
       coalesce(jsonb_agg(jsonb_build_object('dueDate', day, 'draws', draws) order by day, code)
         filter (where status in ('Pending', 'In Review')), '[]') as requests,
       coalesce(jsonb_agg(jsonb_build_object('cutOffDate', day, 'repayments', repayments)
           || case when is_scheduled then '{"isScheduled": true}' else '{}' end::jsonb order by day, code)
         filter (where status = 'Active'), '[]') as repayments
     from (
       select note_id, due_date::text as day, code, status, draws, null::jsonb as repayments, false as is_scheduled
       from draws where note_id = any ($1) and id is distinct from $2
       union all
       select note_id, cut_off_date::text, code, status, null, repayments, scheduled or allocation_id is not null or invoice_id is not null
       from repayments where note_id = any ($1)
     ) as entries
     group by note_id`,
      [[...noteIds], withoutDraw],
    );
  const rows = await (isWhole ? asProgram(session, read) : read());
  for (const { noteId, ...ledger } of rows) ledgers.set(noteId, { isRecorded: true, ...ledger });
  return ledgers;
}

export async function noteLedger(session: Session, noteId: string, options?: LedgerOptions): Promise<NoteLedger> {
  return (await noteLedgers(session, [noteId], options)).get(noteId) ?? EMPTY_LEDGER;
}
