import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { type Actor, can } from '@tapeline/domain/people/actor.ts';
import { asProgram, BLOCKED_FOR_ACTOR, type Session } from '../../store.ts';
import { withdrawnAnnouncementOf } from '../announcements/withdrawn-announcements.ts';
import type { Withdrawn } from '../outbox/withdrawn-page.ts';
import { HEADERS, type LineTable } from './headers.ts';
import { MAILED, type MailedTable, withdrawnText } from './notice-mails.ts';
import { partiesOf } from './tell-investors.ts';

interface RemovedRow {
  id: string;
  callNumber: string | null;
  cutOffDate: string;
  dueDate: string | null;
  isBlocked: boolean;
  fundTitle: string;
  LPs: readonly string[];
  wasIssued: boolean;
  reason: string | null;
  on: string;
}

const COLUMNS: Readonly<Record<MailedTable, string>> = {
  contributions: `t.call_number as "callNumber", t.due_date::text as "dueDate", t.issued_on is not null as "wasIssued"`,
  distributions: `t.call_number as "callNumber", null as "dueDate", t.issued_on is not null as "wasIssued"`,
  // Only what was published needs a reason.
  capital_accounts: `null as "callNumber", null as "dueDate", t.removal_reason is not null as "wasIssued"`,
  reports: `null as "callNumber", null as "dueDate", t.removal_reason is not null as "wasIssued"`,
};

const removedSql = (table: MailedTable, condition: string): string => `
  select t.id, t.cut_off_date::text as "cutOffDate", ${COLUMNS[table]},
    document_owners('${MAILED[table].resource}', to_jsonb(t)) && ${BLOCKED_FOR_ACTOR} as "isBlocked",
    coalesce(f.title${table === 'contributions' || table === 'distributions' ? '' : ', g.title'}, 'The fund') as "fundTitle",
    array(select p.investor_lp_id::text from (${partiesOf(table)}) p where p.investor_lp_id is not null) as "LPs",
    t.removal_reason as reason,
    left(coalesce(t.metadata #>> '{changedBy,timestamp}', t.metadata ->> 'iat'), 10) as on
  from ${table} t left join funds f on f.id = t.fund_id
  ${table === 'contributions' || table === 'distributions' ? '' : 'left join main_funds g on g.id = t.main_fund_id'}
  where t.status = 'Removed' and ${condition} order by t.code`;

/** Whether an investor's user could see a document while it was issued. */
const couldSee = (actor: Actor, { LPs, wasIssued, isBlocked }: RemovedRow): boolean =>
  actor.kind === 'user' && wasIssued && !isBlocked && LPs.some((id) => actor.lpIds.includes(id));

async function withdrawnAmong(
  session: Session,
  table: MailedTable,
  condition: string,
  value: string,
): Promise<Withdrawn | null> {
  const { actor } = session;
  if (!isId(value) || !can(actor, MAILED[table].permission)) return null;
  const read = () => session.query<RemovedRow>(removedSql(table, condition), [value]);
  const isInvestor = actor.kind === 'user' && actor.lpIds.length > 0;
  // An investor sees nothing of what is removed, so that what it could see before is decided here.
  const rows = isInvestor ? (await asProgram(session, read)).filter((row) => couldSee(actor, row)) : await read();
  const [first] = rows;
  if (!first) return null;
  const issued = rows.find(({ wasIssued }) => wasIssued);
  return {
    resource: MAILED[table].resource,
    callNumber: first.callNumber,
    text: issued ? withdrawnText(table, issued, issued.on) : 'This draft was removed. It was never issued.',
    reason: isInvestor ? null : (issued ?? first).reason,
    documentIds: rows.map(({ id }) => id),
  };
}

/** What is said where a call or distribution was, if the actor could see it; null if there was none. */
export const withdrawnHeader = (
  session: Session,
  table: 'contributions' | 'distributions',
  id: string,
): Promise<Withdrawn | null> => withdrawnAmong(session, table, 't.activity_id = $1', id);

/**
 * What is said where the file of a notice, statement, report or announcement was, if the actor could see it; null if there
 * was none.
 */
export async function withdrawnFile(session: Session, fileId: string): Promise<Withdrawn | null> {
  for (const table of ['contributions', 'distributions', 'capital_accounts', 'reports'] as const) {
    const found = await withdrawnAmong(session, table, 't.file_id = $1', fileId);
    if (found) return found;
  }
  return withdrawnAnnouncementOf(session, { fileId });
}

/** The call or distribution that has the number of one that was withdrawn, if the actor sees it: it was issued again. */
export async function issuedAgain(session: Session, table: LineTable, id: string): Promise<string | null> {
  const headers = HEADERS[table].table;
  const sql = `select fund_id as fund, number from ${headers} where id = $1`;
  const [former] = await asProgram(session, () => session.query<{ fund: string; number: string }>(sql, [id]));
  if (!former) return null;
  const [again] = await session.query<{ id: string }>(
    `select id from ${headers} where fund_id = $1 and number = $2 and status not in ('Draft', 'Removed')`,
    [former.fund, former.number],
  );
  return again?.id ?? null;
}
