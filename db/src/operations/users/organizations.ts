import type { Association } from '@tapeline/domain/documents/document.schema.ts';
import { can, type PermissionKey, type UserType } from '@tapeline/domain/people/actor.ts';
import type { User } from '../../entities/people.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { contains, MAX_LETTERS, patternOf } from '../listing/choices.ts';
import { wholeTenantOf } from '../listing/define-lists.ts';
import { countOf } from '../listing/list-documents.ts';

/** An organization that users act for. Its type is the type of its users. */
export interface OrganizationChoice {
  type: Exclude<UserType, 'admin'>;
  id: string;
  name: string;
}

/** Maximum number of organizations of each type that a picker offers at once. */
export const MAX_OFFERED = 50;

const ORGANIZATIONS = {
  // Users are invited to the manager that they are invited by, whoever may read managers.
  manager: { table: 'managers', name: 'name', read: null },
  company: { table: 'companies', name: 'name', read: 'companies/read' },
  LP: { table: 'lps', name: 'title', read: 'LPs/read' },
  LPGroup: { table: 'lp_groups', name: 'title', read: 'LPs/read' },
} as const satisfies Record<string, { table: string; name: string; read: PermissionKey | null }>;

/**
 * A bounded page of the organizations that the actor can read, for a picker, which searches on the server.
 * @param command.search part of the name, case-insensitive; all organizations if empty
 * @param command.chosen always one of the choices, if it is visible
 */
export async function organizationChoices(
  session: ReadSession,
  command: { search: string; chosen: { type: string; id: string } | null },
): Promise<{ choices: OrganizationChoice[]; found: number; search: string }> {
  const search = command.search.trim().slice(0, MAX_LETTERS);
  const managerId = wholeTenantOf(session.actor);
  const choices: OrganizationChoice[] = [];
  let found = 0;
  for (const [type, { table, name, read }] of Object.entries(ORGANIZATIONS) as [
    OrganizationChoice['type'],
    { table: string; name: string; read: PermissionKey | null },
  ][]) {
    const chosen = command.chosen?.type === type ? command.chosen.id : null;
    const isReader = read === null || can(session.actor, read);
    if (!isReader && !chosen) continue;
    const own =
      managerId && table !== 'managers' ? { sql: 'and manager_id = $1', values: [managerId] } : { sql: '', values: [] };
    const index = own.values.length;
    const matches = search ? contains(name, `$${index + 1}`) : 'true';
    const among = `from ${table} where status = 'Active' ${own.sql} and ${isReader ? matches : 'false'}`;
    const values = [...own.values, ...(search && isReader ? [patternOf(search)] : [])];
    const isCounted = isReader && !search && own.sql !== '';
    const [counted] = isCounted
      ? await session.query<{ total: number }>(countOf(table, `t.status = 'Active'`))
      : await session.query<{ total: number }>(`select count(*)::int as total ${among}`, values);
    const rows = await session.query<{ id: string; name: string }>(
      `select id, ${name} as name ${among} order by ${name} collate "C", id limit ${MAX_OFFERED}`,
      values,
    );
    if (chosen && !rows.some(({ id }) => id === chosen)) {
      rows.unshift(
        ...(await session.query<{ id: string; name: string }>(
          `select id, ${name} as name from ${table} where status = 'Active' and id = $1`,
          [chosen],
        )),
      );
    }
    found += counted?.total ?? 0;
    choices.push(...rows.map((row) => ({ type, id: row.id, name: row.name })));
  }
  return { choices, found, search };
}

/** The email domains of the organization that an association names; empty if it has none. */
async function domainsOf(session: ReadSession, { type, assoc }: Pick<User, 'type' | 'assoc'>): Promise<string[]> {
  if (type === 'admin') return [];
  const [target] = Object.values(assoc as Exclude<Association, { admin: true }>) as { id: string }[];
  const condition = type === 'LPGroup' ? 'group_id = $1' : 'id = $1';
  const table = type === 'LPGroup' ? 'lps' : ORGANIZATIONS[type].table;
  const rows = await session.query<{ domain: string }>(
    `select distinct domain from ${table}, jsonb_array_elements_text(domains) as domain where ${condition}`,
    [target?.id ?? null],
  );
  return rows.map(({ domain }) => domain);
}

/** The investors that a user of the type LP can act for. */
export interface InvestorChoices {
  /** By title: at most `MAX_OFFERED` that match the search, and those of the user. */
  choices: { id: string; title: string }[];
  found: number;
  search: string;
  /** The investor of the user's association. */
  own: string;
}

/** The investors of a user's manager, for a user of the type LP; null for all others. */
export async function investorsOfManager(
  session: ReadSession,
  { assoc, managerId, LPs }: Pick<User, 'assoc' | 'managerId' | 'LPs'>,
  searched: string,
): Promise<InvestorChoices | null> {
  if (!('LP' in assoc)) return null;
  const search = searched.trim().slice(0, MAX_LETTERS);
  const isReader = can(session.actor, 'LPs/read');
  const own = assoc.LP.id;
  const among = `from lps t where t.manager_id = $1 and t.status <> 'Removed'`;
  const matches = !isReader ? 'and false' : search ? `and ${contains('t.title', '$2')}` : '';
  const values = [managerId, ...(search && isReader ? [patternOf(search)] : [])];
  const isCounted = isReader && !search && wholeTenantOf(session.actor) === managerId;
  const [counted] = isCounted
    ? await session.query<{ total: number }>(countOf('lps'))
    : await session.query<{ total: number }>(`select count(*)::int as total ${among} ${matches}`, values);
  const mine = await session.query<{ id: string; title: string }>(
    `select t.id, t.title ${among} and t.id = any ($2) order by t.title collate "C", t.id`,
    [managerId, [own, ...LPs]],
  );
  const others = await session.query<{ id: string; title: string }>(
    `select t.id, t.title ${among} ${matches} order by t.title collate "C", t.id limit ${MAX_OFFERED}`,
    values,
  );
  const known = new Set(mine.map(({ id }) => id));
  const choices = [...mine, ...others.filter(({ id }) => !known.has(id))];
  return { choices, found: counted?.total ?? 0, search, own };
}

/**
 * The organization whose people have emails of the domain (in lower case), as a picker names it. Null if none that the
 * actor can read has it, or several do.
 */
export async function organizationOfDomain(
  session: ReadSession,
  domain: string,
): Promise<Pick<OrganizationChoice, 'type' | 'id' | 'name'> | null> {
  const managerId = wholeTenantOf(session.actor);
  const found: OrganizationChoice[] = [];
  for (const type of ['manager', 'company', 'LP'] as const) {
    const { table, name, read } = ORGANIZATIONS[type];
    if (read !== null && !can(session.actor, read)) continue;
    const own = managerId && type !== 'manager' ? 'and manager_id = $2' : '';
    const rows = await session.query<{ id: string; name: string }>(
      `select id, ${name} as name from ${table}
       where status = 'Active' and domains @> jsonb_build_array($1::text) ${own} limit 2`,
      own ? [domain, managerId] : [domain],
    );
    found.push(...rows.map((row) => ({ type, ...row })));
  }
  const [only, other] = found;
  return only && !other ? only : null;
}

/** The domain of a user's email, if their organization has domains and it is none of them. */
export async function unusualDomainOf(
  session: ReadSession,
  user: Pick<User, 'type' | 'assoc' | 'email'>,
): Promise<string | null> {
  const domains = await domainsOf(session, user);
  const domain = user.email.slice(user.email.lastIndexOf('@') + 1).toLowerCase();
  return domains.length > 0 && !domains.includes(domain) ? domain : null;
}

/** Asks before a user is invited at an address that is not one of their organization. */
export async function warnOfUnusualDomain(
  session: Session,
  user: Pick<User, 'type' | 'assoc' | 'email'>,
): Promise<void> {
  const domain = await unusualDomainOf(session, user);
  if (domain === null) return;
  session.warn({
    documentId: null,
    message: `${domain} is not one of the email domains of the organization. Check the address before you invite ${user.email}.`,
  });
}
