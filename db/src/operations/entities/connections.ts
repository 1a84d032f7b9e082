import { type RecordedName, readableCollections } from '@tapeline/domain/collections/collections.ts';
import { can, type PermissionKey } from '@tapeline/domain/people/actor.ts';
import { PARTIES } from '../../collections/collections.ts';
import type { Session } from '../../store.ts';
import { readableBuckets } from '../files/readable-files.ts';

/** A document that an entity is the legal entity of. */
export interface Connection {
  id: string;
  /** Its collection. */
  kind: RecordedName;
  title: string;
  status: string;
}

/** Rows of each list on an organization's page. A list with more says how many there are. */
export const MAX_CONNECTED = 100;

export interface ShownRows<Row> {
  rows: Row[];
  total: number;
}

async function page<Row extends object>(
  session: Session,
  sql: string,
  values: readonly unknown[],
): Promise<ShownRows<Row>> {
  const found = await session.query<Row & { total: number }>(
    `select *, (count(*) over ())::int as total from (${sql}) as found limit ${MAX_CONNECTED}`,
    values,
    { kept: true },
  );
  return { total: found[0]?.total ?? 0, rows: found };
}

/**
 * The visible managers, companies, investors, funds and service providers of an entity, by collection and title: of each
 * collection that the actor may read.
 */
export async function connectionsOf(session: Session, entityId: string): Promise<ShownRows<Connection>> {
  const readable = PARTIES.filter(({ read }) => can(session.actor, read));
  if (readable.length === 0) return { rows: [], total: 0 };
  const parts = readable.map(
    ({ name, title, table, isEntity }) =>
      `select id, '${name}' as kind, ${title} as title, status from ${table} where ${isEntity} and status <> 'Removed'`,
  );
  return page(session, `${parts.join(' union all ')} order by kind, title, id`, [entityId]);
}

/** Whose people or files are shown. */
export interface Owner {
  readonly kind: 'manager' | 'company' | 'LP';
  readonly id: string;
  /** The group of an LP: its users act for each of its investors. */
  readonly groupId?: string | null;
}

export interface ConnectedUser {
  id: string;
  name: string;
  email: string;
  status: string;
  /** An instant, as the database writes it. */
  lastVisited: string | null;
}

const USERS: Readonly<Record<Owner['kind'], string>> = {
  manager: `u.type = 'manager' and u.manager_id = $1 and $2::text is null`,
  company: `u.type = 'company' and u.company_id = $1 and $2::text is null`,
  LP: `(u.lp_id = $1 or u.lps @> array[$1::text] or u.lp_group_id = $2)`,
};

/** The visible users who act for an organization, by name. Null without `users/read`. */
export async function connectedUsers(session: Session, owner: Owner): Promise<ShownRows<ConnectedUser> | null> {
  if (!can(session.actor, 'users/read')) return null;
  return page(
    session,
    `select u.id, u.first_name || ' ' || u.last_name as name, u.email, u.status, u.last_visited as "lastVisited"
     from users u where u.status <> 'Removed' and ${USERS[owner.kind]} order by 2, u.id`,
    [owner.id, owner.groupId ?? null],
  );
}

export interface ConnectedFile {
  id: string;
  name: string;
  bucket: string;
  /** Notices of calls and of distributions are in one bucket. */
  isDistribution: boolean;
  size: number;
  /** An instant, as the database writes it. */
  createdAt: string;
}

const FILES: Readonly<Record<Owner['kind'], string>> = {
  manager: 'manager_id = $1 and company_id is null and lp_id is null',
  company: 'company_id = $1',
  LP: 'lp_id = $1',
};

const IS_DISTRIBUTION = `(key like 'distributions/%' or exists (select from distributions d where d.file_id = files.id))`;
const IS_OF_DRAW = `exists (select from draws d where d.attachments @> jsonb_build_array(jsonb_build_object('key', files.key)))`;

/** The files of an organization that the actor may read, latest first. A manager's files exclude those of its companies and investors. */
export const filesOf = (session: Session, owner: Owner): Promise<ShownRows<ConnectedFile>> => {
  const { actor } = session;
  // Two kinds of documents share each of these buckets.
  const mayRead = (one: PermissionKey, other: PermissionKey) => [
    ...(can(actor, one) ? [false] : []),
    ...(can(actor, other) ? [true] : []),
  ];
  return page(
    session,
    `with unreadable as materialized (select named from document_files() where resource <> all ($5) and named is not null)
     select id, name, bucket, ${IS_DISTRIBUTION} as "isDistribution", size::float8 as size, created_at as "createdAt" from files
     where status = 'Active' and ${FILES[owner.kind]} and bucket = any ($2)
       and (bucket <> 'capitalCalls' or ${IS_DISTRIBUTION} = any ($3))
       and (bucket <> 'loanTapes' or ${IS_OF_DRAW} = any ($4))
       and id not in (select named from unreadable) and key not in (select named from unreadable) order by created_at desc, id`,
    [
      owner.id,
      readableBuckets(actor),
      mayRead('contributions/read', 'distributions/read'),
      mayRead('assets/read', 'transactionDraw/read'),
      readableCollections(actor),
    ],
  );
};
