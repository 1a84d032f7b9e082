import type { ReadSession } from '../../read-session.ts';
import type { Listable } from '../listing/define-lists.ts';
import { type Views, viewsOf } from '../listing/views.ts';
import { type EntityView, entitiesById, selectEntities } from './entities.ts';

/** A document that represents a legal entity in some role. */
interface Party {
  id: string;
  entityId: string;
}

export type WithEntity<Stored extends Party> = Stored & { entity: EntityView };

/** The parties of a list with their entities. */
export const partyViews = <Stored extends Party>(listable: Listable<Stored>): Views<Stored, WithEntity<Stored>> =>
  viewsOf(
    listable,
    (session) => [selectEntities(session, 'array(select entity_id from page)')],
    (parties, [rows = []], session) => {
      const entities = entitiesById(session, rows);
      return parties.map((party) => withEntity(party, entities));
    },
  );

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
