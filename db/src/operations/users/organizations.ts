import type { Association } from '@tapeline/domain/documents/document.schema.ts';
import { containing } from '@tapeline/domain/filters/like.ts';
import type { UserType } from '@tapeline/domain/people/actor.ts';
import type { User } from '../../entities/people.ts';
import type { ReadSession } from '../../read-session.ts';

/** An organization that users act for. Its type is the type of its users. */
export interface OrganizationChoice {
  type: Exclude<UserType, 'admin'>;
  id: string;
  name: string;
}

/** Maximum number of organizations of each type that a picker offers at once. */
export const MOST_OFFERED = 50;

const ORGANIZATIONS = {
  manager: { table: 'managers', name: 'name' },
  company: { table: 'companies', name: 'name' },
  LP: { table: 'lps', name: 'title' },
  LPGroup: { table: 'lp_groups', name: 'title' },
} as const;

/**
 * A bounded page of the visible organizations for a picker, which searches on the server.
 * @param command.search part of the name, case-insensitive; all organizations if empty
 * @param command.chosen always one of the choices, if it is visible
 */
export async function organizationChoices(
  session: ReadSession,
  command: { search: string; chosen: { type: string; id: string } | null },
): Promise<{ choices: OrganizationChoice[]; found: number; search: string }> {
  const search = command.search.trim().slice(0, 200);
  const pattern = containing(search);
  const choices: OrganizationChoice[] = [];
  let found = 0;
  for (const [type, { table, name }] of Object.entries(ORGANIZATIONS) as [
    OrganizationChoice['type'],
    { table: string; name: string },
  ][]) {
    const chosen = command.chosen?.type === type ? command.chosen.id : null;
    const rows = await session.query<{ id: string; name: string; total: number; matches: boolean }>(
      `select id, ${name} as name, ${name} ilike $1 as matches, count(*) filter (where ${name} ilike $1) over ()::int as total
       from ${table} where status = 'Active' and (${name} ilike $1 or id = $2)
       order by id = $2 desc nulls last, ${name} collate "C", id limit ${MOST_OFFERED}`,
      [pattern, chosen],
    );
    found += rows[0]?.total ?? 0;
    choices.push(...rows.map((row) => ({ type, id: row.id, name: row.name })));
  }
  return { choices, found, search };
}

/** The email domains of the organization that an association names; empty if it has none. */
export async function domainsOf(
  session: ReadSession,
  { type, assoc }: Pick<User, 'type' | 'assoc'>,
): Promise<string[]> {
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
  /** By title: at most `MOST_OFFERED` that match the search, and those of the user. */
  choices: { id: string; title: string }[];
  found: number;
  search: string;
  /** The investor of the user's association. */
  own: string;
}

/** The investors of a user's manager, for a user of the type LP; null for all others. */
export async function investorsOf(
  session: ReadSession,
  { assoc, managerId, LPs }: Pick<User, 'assoc' | 'managerId' | 'LPs'>,
  searched: string,
): Promise<InvestorChoices | null> {
  if (!('LP' in assoc)) return null;
  const search = searched.trim().slice(0, 200);
  const pattern = containing(search);
  const own = assoc.LP.id;
  const rows = await session.query<{ id: string; title: string; found: number }>(
    `select id, title, count(*) filter (where title ilike $2) over ()::int as found
     from lps where manager_id = $1 and status <> 'Removed' and (title ilike $2 or id = any ($3))
     order by id = any ($3) desc, title collate "C", id limit $4`,
    [managerId, pattern, [own, ...LPs], MOST_OFFERED + LPs.length + 1],
  );
  return { choices: rows.map(({ id, title }) => ({ id, title })), found: rows[0]?.found ?? 0, search, own };
}
