import type { ReadSession } from '../../read-session.ts';
import { type Listable, listDocuments, type Page } from '../listing/list-documents.ts';
import { type EntityView, entitiesById, entitiesOf, selectEntities } from './entities.ts';

/** A document that represents a legal entity in some role. */
interface Party {
  id: string;
  entityId: string;
}

/** A party with its entity embedded. */
export type WithEntity<Stored extends Party> = Stored & { entity: EntityView };

/** A page of the parties that the actor can see, with their entities. */
export async function listParties<Stored extends Party>(
  session: ReadSession,
  listable: Listable<Stored>,
  query: unknown,
): Promise<Page<WithEntity<Stored>>> {
  const entities = selectEntities(session, 'array(select entity_id from page)');
  const { documents, total, rows } = await listDocuments(session, listable, query, { statements: [entities] });
  const byId = entitiesById(session, rows[0] ?? []);
  return { documents: documents.map((party) => withEntity(party, byId)), total };
}

/** @throws if the entity is not among those that were read: whoever sees a party sees its entity */
export function withEntity<Stored extends Party>(
  party: Stored,
  entities: ReadonlyMap<string, EntityView>,
): WithEntity<Stored> {
  const entity = entities.get(party.entityId);
  if (!entity) throw new Error(`The entity ${party.entityId} of ${party.id} is not visible to who sees the party`);
  return { ...party, entity };
}

/** The most parties of one name that a page lists. */
const MAX_NAMESAKES = 5;

/** Other companies, or investors, of the same name: probably one that was entered twice. Letter case is ignored. */
export const namesakesOf = (
  session: ReadSession,
  table: 'companies' | 'lps',
  party: { id: string; managerId: string; name: string },
): Promise<{ id: string; name: string }[]> =>
  session.query(
    `select id, name from ${table} where manager_id = $1 and id <> $2 and status <> 'Removed' and lower(name) = lower($3)
     order by code limit ${MAX_NAMESAKES}`,
    [party.managerId, party.id, party.name],
  );

/** A party with its entity. */
export async function embedEntity<Stored extends Party>(
  session: ReadSession,
  party: Stored,
): Promise<WithEntity<Stored>> {
  const entities = await entitiesOf(session, [party.entityId]);
  return withEntity(party, entities);
}
