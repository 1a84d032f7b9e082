import type { Association } from '@tapeline/domain/documents/document.schema.ts';
import { User } from '../../entities/people.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { defineListable, getDocument, listDocuments, type Page } from '../listing/list-documents.ts';

/** SQL of the name of the organization that a user acts for, as it is called now; null for an administrator. */
const ORGANIZATION = `(case t.type
  when 'manager' then (select name from managers where managers.id = t.manager_id)
  when 'company' then (select name from companies where companies.id = t.company_id)
  when 'LP' then (select title from lps where lps.id = t.assoc #>> '{LP,id}')
  when 'LPGroup' then (select title from lp_groups where lp_groups.id = t.assoc #>> '{LPGroup,id}') end)`;

export const USERS = defineListable(User, 'users', [
  ['firstName', 'First name', 'text', 't.first_name'],
  ['lastName', 'Last name', 'text', 't.last_name'],
  ['name', 'Name', 'text', "(t.first_name || ' ' || t.last_name)"],
  ['email', 'Email', 'text', 't.email'],
  ['type', 'Type', 'text', 't.type'],
  ['role', 'Role', 'text', 't.role_id'],
  ['roleTitle', 'Title of the role', 'text', '(select title from roles where roles.id = t.role_id)'],
  ['organization', 'Organization', 'text', ORGANIZATION],
  ['lastVisited', 'Last visited', 'instant', 't.last_visited'],
  ['assoc.manager.id', 'Manager', 'text', 't.manager_id'],
  ['assoc.company.id', 'Company', 'text', 't.company_id'],
  ['assoc.LP.id', 'LP', 'text', "(t.assoc #>> '{LP,id}')"],
  ['assoc.LPGroup.id', 'LP group', 'text', "(t.assoc #>> '{LPGroup,id}')"],
]);

/** A user with what lists show besides the stored document. */
export interface UserView extends User {
  /** The name of the organization that the user acts for; null for an administrator. */
  organization: string | null;
  roleTitle: string | null;
  roleLevel: number | null;
  /** Whether the user has an invitation that can still be used. */
  hasInvitation: boolean;
}

/** The users with their organizations, roles and invitations, in one query. */
export async function viewsOf(session: ReadSession, users: readonly User[]): Promise<UserView[]> {
  const rows = await session.query<Pick<UserView, 'id' | 'organization' | 'roleTitle' | 'roleLevel' | 'hasInvitation'>>(
    `select t.id, ${ORGANIZATION} as organization, r.title as "roleTitle", r.level as "roleLevel",
       exists (select from magic_links l where l.user_id = t.id and l.email = t.email and l.time_to_remove > $2) as "hasInvitation"
     from users t left join roles r on r.id = t.role_id where t.id = any ($1)`,
    [users.map(({ id }) => id), session.now],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return users.map((user) => ({
    ...user,
    organization: byId.get(user.id)?.organization ?? null,
    roleTitle: byId.get(user.id)?.roleTitle ?? null,
    roleLevel: byId.get(user.id)?.roleLevel ?? null,
    hasInvitation: byId.get(user.id)?.hasInvitation ?? false,
  }));
}

/** A page of the users that the actor can see. */
export async function listUsers(session: ReadSession, query: unknown = {}): Promise<Page<UserView>> {
  const { documents, total } = await listDocuments(session, USERS, query);
  return { documents: await viewsOf(session, documents), total };
}

/** @throws Refusal notFound */
export async function getUser(session: Session, id: string): Promise<UserView> {
  return (await viewsOf(session, [await getDocument(session, USERS, id)]))[0]!;
}

/** The association with the organization's present name. */
export function namedAssociation({ assoc, organization }: Pick<UserView, 'assoc' | 'organization'>): Association {
  if (organization === null || 'admin' in assoc) return assoc;
  const [[key, target] = []] = Object.entries(assoc) as [string, { id: string }][];
  return key && target ? ({ [key]: { id: target.id, title: organization } } as Association) : assoc;
}
