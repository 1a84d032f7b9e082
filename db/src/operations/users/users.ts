import type { Association } from '@tapeline/domain/documents/document.schema.ts';
import type { User } from '../../entities/people.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { LARGE, listOf } from '../listing/define-lists.ts';
import { getDocument, listDocuments, type Page } from '../listing/list-documents.ts';

export const USERS = listOf(
  'users',
  {
    'assoc.company.id': 't.company_id',
    'assoc.LP.id': 't.lp_id',
    'assoc.LPGroup.id': 't.lp_group_id',
  },
  { ...LARGE, neverNull: ['name', 'email', 'type', 'status'] },
);

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
export async function userViews(session: ReadSession, users: readonly User[]): Promise<UserView[]> {
  const rows = await session.query<Pick<UserView, 'id' | 'organization' | 'roleTitle' | 'roleLevel' | 'hasInvitation'>>(
    `select t.id, t.organization, r.title as "roleTitle", r.level as "roleLevel",
       exists (select from magic_links l where l.user_id = t.id and l.email = t.email and l.time_to_remove > $2) as "hasInvitation"
     from users t left join roles r on r.id = t.role_id where t.id = any ($1)`,
    [users.map(({ id }) => id), session.now],
    { kept: true },
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

export async function listUsers(session: ReadSession, query: unknown = {}): Promise<Page<UserView>> {
  const { documents, total } = await listDocuments(session, USERS, query);
  return { documents: await userViews(session, documents), total };
}

/** @throws Refusal notFound */
export async function getUser(session: Session, id: string): Promise<UserView> {
  return (await userViews(session, [await getDocument(session, USERS, id)]))[0]!;
}

/** The association with the organization's present name. */
export function namedAssociation({ assoc, organization }: Pick<UserView, 'assoc' | 'organization'>): Association {
  if (organization === null || 'admin' in assoc) return assoc;
  const [[key, target] = []] = Object.entries(assoc) as [string, { id: string }][];
  return key && target ? ({ [key]: { id: target.id, title: organization } } as Association) : assoc;
}
