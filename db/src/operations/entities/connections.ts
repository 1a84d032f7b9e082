import { can, type PermissionKey } from '@tapeline/domain/people/actor.ts';
import type { Session } from '../../store.ts';
import { readableBuckets } from '../files/readable-files.ts';

export type ConnectionKind = 'manager' | 'company' | 'LP' | 'fund' | 'serviceProvider';

/** A document that an entity is the legal entity of. */
export interface Connection {
  id: string;
  kind: ConnectionKind;
  title: string;
  status: string;
}

/** Rows of each list on an organization's page. A list with more says how many there are. */
export const MOST_CONNECTED = 100;

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
    `select *, (count(*) over ())::int as total from (${sql}) as found limit ${MOST_CONNECTED}`,
    values,
  );
  return { total: found[0]?.total ?? 0, rows: found };
}

const CONNECTED: Readonly<Record<ConnectionKind, { readonly read: PermissionKey; readonly sql: string }>> = {
  manager: { read: 'managers/read', sql: 'name as title, status from managers where entity_id = $1' },
  company: { read: 'companies/read', sql: 'name as title, status from companies where entity_id = $1' },
  LP: { read: 'LPs/read', sql: 'title, status from lps where entity_id = $1' },
  fund: { read: 'funds/read', sql: 'title, status from funds where entity_id = $1' },
  serviceProvider: {
    read: 'funds/read',
    sql: 'title, status from service_providers where $1::text = any (entity_ids::text[])',
  },
};

/**
 * The visible managers, companies, investors, funds and service providers of an entity, by kind and title: of each
 * collection that the actor may read.
 */
export async function connectionsOf(session: Session, entityId: string): Promise<ShownRows<Connection>> {
  const readable = Object.entries(CONNECTED).filter(([, { read }]) => can(session.actor, read));
  if (readable.length === 0) return { rows: [], total: 0 };
  const parts = readable.map(([kind, { sql }]) => `select id, '${kind}' as kind, ${sql} and status <> 'Removed'`);
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
export async function usersOf(session: Session, owner: Owner): Promise<ShownRows<ConnectedUser> | null> {
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

/** The files of an organization that the actor may read, latest first. A manager's files exclude those of its companies and investors. */
export const filesOf = (session: Session, owner: Owner): Promise<ShownRows<ConnectedFile>> =>
  page(
    session,
    `select id, name, bucket, key like 'distributions/%' or exists (select from distributions d where d.file_id = files.id) as "isDistribution",
       size::float8 as size, created_at as "createdAt" from files
     where status = 'Active' and ${FILES[owner.kind]} and bucket = any ($2) order by created_at desc, id`,
    [owner.id, readableBuckets(session.actor)],
  );
