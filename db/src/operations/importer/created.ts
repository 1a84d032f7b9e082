import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import {
  type FileKind,
  type ImportKind,
  isChangeKind,
  isFileKind,
  type RecordKind,
} from '@tapeline/domain/importer/kinds.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { changeReports } from '../capital/reports.ts';
import { changeCapitalAccounts } from '../capital/statements.ts';
import { usersWithMagicLink } from '../identity/magic-links.ts';

/** What an import created, as people look at it: a fund, an investor, a call with its parts, a user. */
export interface CreatedRecord {
  readonly page: 'fund' | 'investor' | 'call' | 'distribution' | 'user';
  readonly id: string;
  readonly title: string;
  /** Documents of the import that this page shows. */
  readonly count: number;
}

const OF_IMPORT = `metadata ->> 'bulkActionCode' = $1 and status <> 'Removed'`;
const byFund = (table: string) =>
  `select 'fund' as page, f.id, f.title, count(*)::int as count from ${table} t join funds f on f.id = t.fund_id
   where t.metadata ->> 'bulkActionCode' = $1 and t.status <> 'Removed' group by f.id, f.title`;
const byHeader = (table: string, page: 'call' | 'distribution') =>
  `select '${page}' as page, t.activity_id as id, f.title || ', ${page} ' || t.call_number as title, count(*)::int as count
   from ${table} t join funds f on f.id = t.fund_id
   where t.metadata ->> 'bulkActionCode' = $1 and t.status <> 'Removed' group by t.activity_id, f.title, t.call_number`;

const QUERIES: Readonly<Record<RecordKind, string>> = {
  funds: `select 'fund' as page, id, title, 1 as count from funds where ${OF_IMPORT}`,
  LPs: `select 'investor' as page, id, title, 1 as count from lps where ${OF_IMPORT}`,
  users: `select 'user' as page, id, first_name || ' ' || last_name as title, 1 as count from users where ${OF_IMPORT}`,
  LPCommitments: byFund('lp_commitments'),
  navs: byFund('navs'),
  capitalAccounts: byFund('capital_accounts'),
  reports: byFund('reports'),
  contributions: byHeader('contributions', 'call'),
  distributions: byHeader('distributions', 'distribution'),
};

/** The pages that show what an import created and is not removed, by title: at most `most`, and how many there are. */
export async function createdBy(
  session: ReadSession,
  { importId, kind, most, skip = 0 }: { importId: string; kind: ImportKind; most: number; skip?: number },
): Promise<{ records: CreatedRecord[]; total: number }> {
  if (isChangeKind(kind)) return { records: [], total: 0 };
  const rows = await session.query<CreatedRecord & { total: number }>(
    `select *, count(*) over ()::int as total from (${QUERIES[kind]}) created order by title, id limit $2 offset $3`,
    [importId, most, skip],
  );
  return {
    records: rows.map(({ page, id, title, count }) => ({ page, id, title, count })),
    total: rows[0]?.total ?? 0,
  };
}

/** The users of an import who were not invited yet, by name. */
export async function uninvitedUsers(session: Session, importId: string): Promise<{ id: string; name: string }[]> {
  const users = await session.query<{ id: string; name: string }>(
    `select id, first_name || ' ' || last_name as name from users
     where metadata ->> 'bulkActionCode' = $1 and status = 'Pending' order by name, id`,
    [importId],
  );
  const invited = await usersWithMagicLink(
    session,
    users.map(({ id }) => id),
  );
  return users.filter(({ id }) => !invited.has(id));
}

/** The drafts of an import that are published together: statements and reports. */
const PUBLISHED = {
  capitalAccounts: { table: 'capital_accounts', publish: changeCapitalAccounts },
  reports: { table: 'reports', publish: changeReports },
} as const;

const draftsOf = (session: ReadSession, { id, kind }: { id: string; kind: FileKind }) =>
  session.query<{ id: string; version: number }>(
    `select id, version from ${PUBLISHED[kind].table} where metadata ->> 'bulkActionCode' = $1 and status = 'Draft' order by code`,
    [id],
  );

/** How many statements or reports of an import are not published yet. */
export async function unpublishedCount(
  session: ReadSession,
  record: { id: string; kind: ImportKind },
): Promise<number> {
  const { id, kind } = record;
  return isFileKind(kind) ? (await draftsOf(session, { id, kind })).length : 0;
}

/**
 * Publishes the statements or reports of an import that are drafts, all or none.
 * @returns how many
 * @throws Refusal forbidden without `funds/write`; badRequest for an import of other records
 */
export async function publishImported(session: Session, record: { id: string; kind: ImportKind }): Promise<number> {
  const { id, kind } = record;
  if (!isFileKind(kind)) throw new Refusal('badRequest', 'Only statements and reports are published');
  const drafts = await draftsOf(session, { id, kind });
  if (drafts.length > 0)
    await PUBLISHED[kind].publish(
      session,
      drafts.map((one) => ({ ...one, status: 'Active' as const })),
    );
  return drafts.length;
}
