import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import {
  DAYS_TO_DELIVER,
  daysLeftOf,
  REPORTING_TYPE,
  type TapeDueState,
  tapeDueState,
} from '@tapeline/domain/tapes/tape-due.ts';
import type { ReadSession } from '../../read-session.ts';
import { todayOf } from '../../today.ts';

/** The next tape of a company that has a facility to report on. */
export interface TapeDue {
  readonly managerId: string;
  readonly companyId: string;
  readonly companyName: string;
  /** Titles of the transactions that need the tape. */
  readonly transactions: string[];
  readonly cutOffDate: CalendarDate;
  readonly dueDate: CalendarDate;
  /** Cut-off date of the latest published tape. */
  readonly latestTape: CalendarDate | null;
  /** Whether a tape for the date was uploaded and is being processed. */
  readonly isProcessing: boolean;
  readonly state: TapeDueState;
  /** Negative after the due date. */
  readonly daysLeft: number;
}

/**
 * The next tape of each visible company with an active facility (`due`), as `nextCutOffDate` and `dueDateOf` in domain
 * define it. $1 is the type of the facilities, $2 the days to deliver.
 */
export const NEXT = `
  with latest as (
    select company_id, max(cut_off_date) as cut_off_date from loan_tapes
    where status = 'Active' and generation_id is not null group by company_id
  ), facilities as (
    select t.manager_id, t.company_id, min(contracts.first) as contracts_from, json_agg(t.title order by t.code) as transactions
    from transactions t join (
      select transaction_id, min(cut_off_date) as first from contracts where status = 'Active' group by transaction_id
    ) contracts on contracts.transaction_id = t.id
    where t.status = 'Active' and t.type = $1 group by t.manager_id, t.company_id
  ), next as (
    select f.*, c.name, latest.cut_off_date as latest_tape,
      (date_trunc('month', greatest(latest.cut_off_date + 1, f.contracts_from)) + interval '1 month - 1 day')::date as cut_off_date
    from facilities f join companies c on c.id = f.company_id and c.status = 'Active' left join latest using (company_id)
  ), due as (
    select next.*, next.cut_off_date + $2::integer as due_date from next
  )`;

const FIELDS = `manager_id as "managerId", company_id as "companyId", name as "companyName", transactions,
  cut_off_date::text as "cutOffDate", due_date::text as "dueDate", latest_tape::text as "latestTape",
  exists (select from loan_tapes where loan_tapes.company_id = due.company_id and status = 'Active'
    and scheduler_status = 'Processing' and loan_tapes.cut_off_date >= due.cut_off_date) as "isProcessing"`;

type Row = Omit<TapeDue, 'state' | 'daysLeft'>;

function withState(row: Row, at: CalendarDate): TapeDue {
  return { ...row, state: tapeDueState(row.cutOffDate, at), daysLeft: daysLeftOf(row.cutOffDate, at) };
}

export interface TapesDue {
  /** Those due first. */
  readonly tapes: TapeDue[];
  readonly total: number;
  readonly late: number;
  readonly due: number;
}

/** The next tapes of the visible companies, those due first, with the number of all. */
export async function listTapesDue(session: ReadSession, command: { limit: number }): Promise<TapesDue> {
  const at = todayOf(session);
  const given = [REPORTING_TYPE, DAYS_TO_DELIVER];
  const [[counted], rows] = await session.queries<[[Pick<TapesDue, 'total' | 'late' | 'due'>], Row[]]>([
    {
      sql: `${NEXT} select count(*)::int as total, count(*) filter (where due_date < $3)::int as late,
         count(*) filter (where due_date >= $3 and cut_off_date < $3)::int as due from due`,
      values: [...given, at],
      kept: true,
    },
    {
      sql: `${NEXT} select ${FIELDS} from due order by due_date, name collate "C", company_id limit $3`,
      values: [...given, command.limit],
      kept: true,
    },
  ]);
  return { ...counted, tapes: rows.map((row) => withState(row, at)) };
}

/**
 * Late tapes that nobody was told about yet, those due first. A tape that is being processed has arrived. Called as the
 * program.
 */
export async function listUnreportedLateTapes(session: ReadSession, command: { limit: number }): Promise<TapeDue[]> {
  const at = todayOf(session);
  const rows = await session.query<Row>(
    `select * from (${NEXT} select ${FIELDS} from due where due_date < $3
       and not exists (select from outbox where starts_with(outbox.key, 'tapeLate/' || due.company_id || '/' || due.cut_off_date || '/'))
       and not exists (select from notifications n where starts_with(n.key, 'tapeLate/' || due.company_id || '/' || due.cut_off_date || '/')
         and n.resource = 'companies' and n.document_id = due.company_id)
         -- A deliverable says when this tape is due, and tells of it.
       and not exists (select from deliverables d where d.company_id = due.company_id and d.kind = 'tape' and d.status = 'Active'
         and due.cut_off_date between d.first_period_end and coalesce(d.last_period_end, due.cut_off_date))
     ) late where not "isProcessing" order by "dueDate", "companyId" limit $4`,
    [REPORTING_TYPE, DAYS_TO_DELIVER, at, command.limit],
  );
  return rows.map((row) => withState(row, at));
}
