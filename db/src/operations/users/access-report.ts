import type { DocumentCollection } from '@tapeline/domain/people/access.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import type { User } from '../../entities/people.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Store } from '../../store.ts';
import { loadActorOfAnyStatus } from '../identity/load-actor.ts';
import { DOCUMENT_KINDS, DOCUMENTS } from './named-documents.ts';

/** Whether a user holds a permission, and why. */
export interface PermissionSource {
  key: string;
  title: string;
  /** Whether users of the type can hold it. */
  allowed: boolean;
  inRole: boolean;
  blocked: boolean;
  granted: boolean;
  held: boolean;
}

/** Every permission, and why the user holds it or not. */
export const sourcesOf = (session: ReadSession, user: User): Promise<PermissionSource[]> =>
  session.query<PermissionSource>(
    `select r.key, p.title, r.allowed, r.in_role as "inRole", r.blocked, r.granted, r.held
     from rights_of($1, $2, $3, $4) as r join permissions p on p.id = r.id order by r.id`,
    [user.type, user.roleId ?? null, user.exclusiveResources, user.inclusiveResources],
  );

/** The number of documents of each collection that the reader can see. */
export async function visibleCounts(session: ReadSession): Promise<Record<DocumentCollection, number>> {
  const [row] = await session.query<Record<DocumentCollection, number>>(
    `select ${DOCUMENT_KINDS.map(([collection, { table }]) => `(select count(*)::int from ${table} where status <> 'Removed') as "${collection}"`).join(', ')}`,
  );
  return row!;
}

/** The user as row-level security sees them, also while they cannot sign in. Null if their organization is gone. */
export const actorToExplain = (store: Store, userId: string): Promise<UserActor | null> =>
  loadActorOfAnyStatus(store, userId);

/** Whether a user can read one row, by row-level security, and what their own entries have to do with it. */
export interface RowVisibility {
  visible: boolean;
  /** Visible if none of the user's entries blocked documents. */
  withoutBlocks: boolean;
  /** Visible if none of the user's entries allowed documents. */
  withoutGrants: boolean;
}

/** Asks row-level security itself, as the user. */
export async function rowVisibility(
  store: Store,
  actor: UserActor,
  document: { collection: DocumentCollection; id: string },
): Promise<RowVisibility> {
  const { table } = DOCUMENTS[document.collection];
  const sees = async (as: UserActor) =>
    (
      await store.read(as, ({ query }) =>
        query(`select 1 from ${table} where id = $1 and status <> 'Removed'`, [document.id]),
      )
    ).length > 0;
  return {
    visible: await sees(actor),
    withoutBlocks: await sees({ ...actor, blockedDocuments: [] }),
    withoutGrants: await sees({ ...actor, allowedDocuments: [] }),
  };
}
