import type { ImportKind } from '@tapeline/domain/importer/kinds.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
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
const byBundle = (table: string, page: 'call' | 'distribution', name: string) =>
  `select '${page}' as page, coalesce(t.metadata ->> 'bundleId', min(t.id)) as id,
     f.title || ', ${name} ' || t.call_number as title, count(*)::int as count
   from ${table} t join funds f on f.id = t.fund_id
   where t.metadata ->> 'bulkActionCode' = $1 and t.status <> 'Removed'
   group by t.metadata ->> 'bundleId', f.title, t.call_number`;

const QUERIES: Readonly<Record<ImportKind, string>> = {
  funds: `select 'fund' as page, id, title, 1 as count from funds where ${OF_IMPORT}`,
  LPs: `select 'investor' as page, id, title, 1 as count from lps where ${OF_IMPORT}`,
  users: `select 'user' as page, id, first_name || ' ' || last_name as title, 1 as count from users where ${OF_IMPORT}`,
  LPCommitments: byFund('lp_commitments'),
  navs: byFund('navs'),
  capitalAccounts: byFund('capital_accounts'),
  reports: byFund('reports'),
  contributions: byBundle('contributions', 'call', 'call'),
  distributions: byBundle('distributions', 'distribution', 'distribution'),
};

/** The pages that show what an import created and is not removed, by title: at most `most`, and how many there are. */
export async function createdBy(
  session: ReadSession,
  { importId, kind, most, skip = 0 }: { importId: string; kind: ImportKind; most: number; skip?: number },
): Promise<{ records: CreatedRecord[]; total: number }> {
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
