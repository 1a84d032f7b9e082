import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { ManagerCreate, ManagerUpdate } from '@tapeline/domain/managers/manager.schema.ts';
import { MANAGER_TRANSITIONS, type ManagerStatus } from '@tapeline/domain/managers/states.ts';
import { staleRefusal } from '../../database-refusals.ts';
import { Manager } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import { asProgram, type Session } from '../../store.ts';
import { PARTY_SQL, resolveEntities } from '../entities/entities.ts';
import { partyViews, type WithEntity } from '../entities/parties.ts';
import { listOf } from '../listing/define-lists.ts';
import { getDocument } from '../listing/list-documents.ts';
import { changedMetadata, createdMetadata } from '../metadata.ts';
import { requirePermission } from '../permission.ts';
import { addDefaultTables } from '../tables/tables.ts';
import { giveRules } from './second-person.ts';

export const MANAGERS = listOf('managers', PARTY_SQL);

export type ManagerView = WithEntity<Manager>;

const VIEWS = partyViews(MANAGERS);
export const listManagers = VIEWS.list;

/** The names of managers by id, of those that the actor can see: for lists of an administrator who acts for all. */
export async function managerNames(session: ReadSession, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await session.query<{ id: string; name: string }>('select id, name from managers where id = any ($1)', [
    [...new Set(ids)],
  ]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The active managers, by name, as choices of a form. */
export const managerChoices = (session: ReadSession): Promise<{ value: string; label: string }[]> =>
  session.query(`select id as value, name as label from managers where status = 'Active' order by lower(name), id`);

/** @throws Refusal notFound */
export const getManager = async (session: Session, id: string): Promise<ManagerView> =>
  VIEWS.one(session, await getDocument(session, MANAGERS, id));

/** Managers are tenants: only an admin who is not acting for one of them can create or change one. */
function requireAdmin(session: Session): void {
  requirePermission(session, 'managers/write');
  if (session.actor.kind === 'user' && session.actor.managerId !== null) {
    throw new Refusal('forbidden', 'Only an admin who is not acting for a manager can create or change managers');
  }
}

/**
 * Creates a manager: a new tenant, whose register starts with the manager's own entity, with the default option lists.
 * @param body as `managerCreateSchema` returns it
 * @throws Refusal forbidden for anyone but an admin; badRequest for an entity of another register
 */
export async function createManager(session: Session, body: ManagerCreate): Promise<ManagerView> {
  requireAdmin(session);
  const id = newId(session.now);
  if (body.entity.kind === 'known') {
    throw new Refusal('badRequest', 'Give a new entity: a new manager has no entities yet', {
      flags: { entity: 'must be a new entity' },
    });
  }
  const [entityId] = await resolveEntities(session, id, [body.entity], () => 'entity', {
    // The entity and its manager refer to each other, so they are inserted together.
    flush: false,
  });
  const manager = session.em.create(Manager, {
    id,
    entityId: entityId!,
    domains: body.domains,
    endsIdleSessions: body.endsIdleSessions,
    metadata: createdMetadata(session),
  });
  addDefaultTables(session, id);
  await session.em.flush();
  return VIEWS.one(session, manager);
}

/**
 * Changes a manager. A disabled manager's users cannot sign in.
 * @throws Refusal notFound; as `createManager` does; badRequest if the version is stale
 */
export async function updateManager(
  session: Session,
  command: { id: string; body: ManagerUpdate },
): Promise<ManagerView> {
  requireAdmin(session);
  const { id, body } = command;
  const manager = await getDocument(session, MANAGERS, id);
  if (manager.version !== body.version) throw staleRefusal(manager, body.version);
  if (body.status !== undefined && body.status !== manager.status) {
    MANAGER_TRANSITIONS.require(manager.status as ManagerStatus, body.status);
    manager.status = body.status;
  }
  const [entityId] = await resolveEntities(session, id, [body.entity], () => 'entity');
  manager.entityId = entityId!;
  manager.domains = body.domains;
  manager.endsIdleSessions = body.endsIdleSessions ?? manager.endsIdleSessions;
  if (body.secondPerson) giveRules(session, manager, body.secondPerson);
  manager.metadata = changedMetadata(session, manager.metadata);
  await session.em.flush();
  return VIEWS.one(session, manager);
}

/** The number of documents that belong to a manager, and whether its people use the product. */
export interface ManagerCounts {
  companies: number;
  investors: number;
  funds: number;
  /** Active users of the manager, its borrowers and its investors. */
  users: number;
  /** ISO instant: when one of its users was last here; null if none ever was. */
  lastVisited: string | null;
}

export const NO_COUNTS: ManagerCounts = { companies: 0, investors: 0, funds: 0, users: 0, lastVisited: null };

/** What each of these managers has that the actor can see, by manager id. */
export async function countsOfManagers(
  session: Session,
  managerIds: readonly string[],
): Promise<ReadonlyMap<string, ManagerCounts>> {
  const rows = await session.query<ManagerCounts & { id: string }>(
    `select id,
       (select count(*)::int from companies where manager_id = id_of.id and status <> 'Removed') as companies,
       (select count(*)::int from lps where manager_id = id_of.id and status <> 'Removed') as investors,
       (select count(*)::int from funds where manager_id = id_of.id and status <> 'Removed') as funds,
       (select count(*)::int from users where manager_id = id_of.id and status = 'Active') as users,
       (select to_json(max(last_visited)) #>> '{}' from users where manager_id = id_of.id) as "lastVisited"
     from unnest($1::text[]) as id_of (id)`,
    [[...managerIds]],
  );
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}

/**
 * The name of the manager of a document that the actor sees. An investor or a borrower does not see the manager's own
 * document, but knows its name from every notice and email.
 */
export async function managerNameOf(session: Session, managerId: string): Promise<string | null> {
  const [manager] = await asProgram(session, () =>
    session.query<{ name: string }>('select name from managers where id = $1', [managerId]),
  );
  return manager?.name ?? null;
}
