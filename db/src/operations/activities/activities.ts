import type { UserType } from '@tapeline/domain/people/actor.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { INVESTOR_TYPES, type MailDocument } from '../outbox/readers.ts';

/** Records that the actor has read documents: once for each, with the first and the latest time. */
export async function recordReads(session: Session, documents: readonly MailDocument[]): Promise<void> {
  const { actor, now } = session;
  if (actor.kind !== 'user' || documents.length === 0) return;
  const reads = documents.map(({ resource, documentId }) => ({ id: newId(now), resource, document_id: documentId }));
  await session.query(
    `insert into activities (id, manager_id, user_id, resource, document_id, first_read_at, last_read_at)
     select id, $2, $3, resource, document_id, $4, $4
     from jsonb_to_recordset($1) as read (id text, resource text, document_id text)
     on conflict (user_id, resource, document_id) do update set last_read_at = $4`,
    [JSON.stringify(reads), actor.managerId, actor.userId, now],
  );
}

/** When the actor first read each of these documents. Those that are not read are not in it. */
export async function ownReads(
  session: ReadSession,
  documentIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (documentIds.length === 0) return new Map();
  const rows = await session.query<{ id: string; at: string }>(
    `select document_id as id, to_json(first_read_at) #>> '{}' as at from activities
     where user_id = (select actor_user()) and document_id = any ($1)`,
    [[...documentIds]],
  );
  return new Map(rows.map(({ id, at }) => [id, at]));
}

/** The notices, statements and reports whose file is one of these, as far as the actor can see them. */
const DOCUMENTS_OF_FILES = Object.entries({
  contributions: 'contributions',
  distributions: 'distributions',
  capitalAccounts: 'capital_accounts',
  reports: 'reports',
})
  .map(
    ([resource, table]) =>
      `select '${resource}' as resource, id as "documentId", status from ${table} where file_id = any ($1) and status <> 'Removed'`,
  )
  .join(' union all ');

/** The visible announcements that have one of these files. */
const ANNOUNCEMENTS_OF_FILES = `
  select 'announcements' as resource, id as "documentId", status from announcements
  where exists (select from unnest(file_ids) as file where file = any ($1)) and status = 'Active'`;

/** The visible notices, statements and reports that are these files. */
export const documentsOfFiles = (
  session: ReadSession,
  fileIds: readonly string[],
): Promise<(MailDocument & { status: string })[]> =>
  session.query<MailDocument & { status: string }>(DOCUMENTS_OF_FILES, [[...fileIds]]);

/**
 * Records that the actor has opened or downloaded files: a read of each notice, statement and report among them, and of the
 * announcements they belong to.
 */
export async function recordFileReads(session: Session, fileIds: readonly string[]): Promise<void> {
  if (fileIds.length === 0) return;
  const inForce = `${DOCUMENTS_OF_FILES} union all ${ANNOUNCEMENTS_OF_FILES}`;
  await recordReads(session, await session.query<MailDocument>(inForce, [[...fileIds]]));
}

export interface Reader {
  readonly userId: string;
  readonly name: string;
  readonly firstReadAt: string;
}

/** Whether the actor sees who has read documents: managers and administrators do. */
export const seesReaders = ({ actor }: Pick<ReadSession, 'actor'>): boolean =>
  actor.kind === 'user' && (actor.type === 'manager' || actor.type === 'admin');

/**
 * Who has read a document, the latest first, with the number of all. Nobody for those who are not managers.
 * @param options.among the types of users that the document is for; left out, the people of investors
 * @param options.except somebody it is not for
 */
export async function listReaders(
  session: ReadSession,
  { resource, documentId }: MailDocument,
  {
    limit,
    among = INVESTOR_TYPES,
    except,
  }: { limit: number; among?: readonly UserType[]; except?: string | undefined },
): Promise<{ readers: Reader[]; total: number }> {
  if (!seesReaders(session)) return { readers: [], total: 0 };
  const rows = await session.query<Reader & { total: number }>(
    `select a.user_id as "userId", u.first_name || ' ' || u.last_name as name,
       to_json(a.first_read_at) #>> '{}' as "firstReadAt", count(*) over ()::int as total
     from activities a join users u on u.id = a.user_id
     where a.resource = $1 and a.document_id = $2 and u.type = any ($3) and u.id is distinct from $4
     order by a.first_read_at desc, a.id limit $5`,
    [resource, documentId, [...among], except ?? null, limit],
  );
  return { readers: rows.map(({ total: _, ...reader }) => reader), total: rows[0]?.total ?? 0 };
}

export interface ReadCount {
  /** Active users of the investors that the document is for. */
  readonly people: number;
  readonly read: number;
}

/** The investors of each document: one for a notice or statement, those of its funds and class for a report. */
const INVESTORS_OF = `
  select 'contributions' as resource, t.id, t.investor_lp_id as lp from contributions t join asked a on a.id = t.id
  union all select 'distributions', t.id, t.investor_lp_id from distributions t join asked a on a.id = t.id
  union all select 'capitalAccounts', t.id, t.investor_lp_id from capital_accounts t join asked a on a.id = t.id
  union all select 'reports', t.id, c.investor_lp_id from reports t join asked a on a.id = t.id
    join funds f on f.id = t.fund_id or f.main_fund_id = t.main_fund_id
    join lp_commitments c on c.fund_id = f.id and c.status in ('Active', 'Closed')
      and (t.class is null or c.class = t.class)`;

const USERS_OF_INVESTORS = `
  select id as user_id, lp_id as lp from users where type = 'LP' and status = 'Active' and lp_id is not null
  union select id, unnest(lps) from users where type = 'LP' and status = 'Active'
  union select u.id, l.id from users u join lps l on l.group_id = u.lp_group_id
    where u.type = 'LPGroup' and u.status = 'Active'`;

/**
 * How many of the people that notices, statements and reports are for have read them, by document. Null for those who
 * are not managers.
 */
export async function readCounts(
  session: ReadSession,
  documentIds: readonly string[],
): Promise<ReadonlyMap<string, ReadCount> | null> {
  if (!seesReaders(session)) return null;
  if (documentIds.length === 0) return new Map();
  const rows = await session.query<ReadCount & { id: string }>(
    `with asked as (select unnest($1::text[]) as id),
       investors as materialized (${INVESTORS_OF}),
       members as materialized (${USERS_OF_INVESTORS})
     select i.id, count(distinct m.user_id)::int as people, count(distinct a.user_id)::int as read
     from investors i join members m on m.lp = i.lp
     left join activities a on a.user_id = m.user_id and a.resource = i.resource and a.document_id = i.id
     group by i.id`,
    [[...documentIds]],
  );
  return new Map(rows.map(({ id, people, read }) => [id, { people, read }]));
}

/** The same documents, each with how many have read it. */
export async function withReads<Document extends { readonly id: string }>(
  session: ReadSession,
  documents: readonly Document[],
): Promise<(Document & { reads: ReadCount | null })[]> {
  const counts = await readCounts(
    session,
    documents.map(({ id }) => id),
  );
  return documents.map((document) => ({ ...document, reads: counts?.get(document.id) ?? null }));
}
