import { atItem, isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { serviceProviderCollection } from '@tapeline/domain/service-providers/service-provider.collection.ts';
import type {
  ServiceProviderCreate,
  ServiceProviderUpdate,
} from '@tapeline/domain/service-providers/service-provider.schema.ts';
import { staleRefusal } from '../../database-refusals.ts';
import { ServiceProvider } from '../../entities/service-providers.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import {
  type EntityView,
  entitiesById,
  entitiesNamedBy,
  resolveEntities,
  selectEntities,
} from '../entities/entities.ts';
import { type ChoiceQuery, type Choices, findChoices } from '../listing/choices.ts';
import { listOf } from '../listing/define-lists.ts';
import { getDocument } from '../listing/list-documents.ts';
import { viewsOf } from '../listing/views.ts';
import { changedMetadata, createdMetadata } from '../metadata.ts';
import { requirePermission, tenantOf } from '../permission.ts';

export const SERVICE_PROVIDERS = listOf('serviceProviders', {});

export type ServiceProviderView = ServiceProvider & { entities: EntityView[] };

const VIEWS = viewsOf(
  SERVICE_PROVIDERS,
  (session) => [selectEntities(session, 'array(select unnest(entity_ids) from page)')],
  (providers, [rows = []], session): ServiceProviderView[] => {
    const entities = entitiesById(session, rows);
    return providers.map((provider) => ({
      ...provider,
      entities: provider.entityIds.flatMap((id) => entities.get(id) ?? []),
    }));
  },
);
export const listServiceProviders = VIEWS.list;

/** @throws Refusal notFound */
export const getServiceProvider = async (session: Session, id: string): Promise<ServiceProviderView> =>
  VIEWS.one(session, await getDocument(session, SERVICE_PROVIDERS, id));

/**
 * Creates service providers of the actor's manager, with as many statements for many as for one.
 * @param bodies as `serviceProviderCreateSchema` returns them
 * @throws Refusal forbidden without the permission to write; as `resolveEntities` does; badRequest without a manager. It names the
 *   item
 */
export async function createServiceProviders(
  session: Session,
  bodies: readonly ServiceProviderCreate[],
): Promise<ServiceProviderView[]> {
  requirePermission(session, serviceProviderCollection.write);
  const tenants = new Map<string | undefined, string>();
  const known = new Map<string, Awaited<ReturnType<typeof entitiesNamedBy>>>();
  const providers: ServiceProvider[] = [];
  for (const [index, body] of bodies.entries()) {
    try {
      const managerId = tenants.get(body.manager) ?? (await tenantOf(session, body.manager));
      tenants.set(body.manager, managerId);
      if (!known.has(managerId)) {
        const references = bodies.flatMap(({ entities }) => entities);
        known.set(managerId, await entitiesNamedBy(session, managerId, references));
      }
      const options = { flush: false, known: known.get(managerId)! };
      providers.push(
        session.em.create(ServiceProvider, {
          id: newId(session.now),
          managerId,
          title: body.title,
          description: body.description || null,
          type: body.type,
          entityIds: await resolveEntities(session, managerId, body.entities, (at) => `entities.${at}`, options),
          metadata: createdMetadata(session),
        }),
      );
    } catch (error) {
      throw atItem(error, index);
    }
  }
  await session.em.flush();
  return VIEWS.all(session, providers);
}

/** Creates a service provider. @throws Refusal as `createServiceProviders` does, without an item */
export async function createServiceProvider(
  session: Session,
  body: ServiceProviderCreate,
): Promise<ServiceProviderView> {
  try {
    return (await createServiceProviders(session, [body]))[0]!;
  } catch (error) {
    throw isRefusal(error) && isRefusal(error.cause) ? error.cause : error;
  }
}

/**
 * Changes a service provider.
 * @throws Refusal notFound; as `createServiceProvider` does; badRequest if the version is stale
 */
export async function updateServiceProvider(
  session: Session,
  command: { id: string; body: ServiceProviderUpdate },
): Promise<ServiceProviderView> {
  requirePermission(session, serviceProviderCollection.write);
  const { id, body } = command;
  const provider = await getDocument(session, SERVICE_PROVIDERS, id);
  if (provider.version !== body.version) throw staleRefusal(provider, body.version);
  provider.title = body.title;
  provider.description = body.description || null;
  provider.type = body.type;
  provider.entityIds = await resolveEntities(
    session,
    provider.managerId,
    body.entities,
    (index) => `entities.${index}`,
  );
  provider.metadata = changedMetadata(session, provider.metadata);
  await session.em.flush();
  return VIEWS.one(session, provider);
}

/** A page of a manager's service providers for a picker, by title. */
export const serviceProviderChoices = (
  session: ReadSession,
  managerId: string,
  query: ChoiceQuery = {},
): Promise<Choices<{ id: string; name: string }>> =>
  findChoices(session, query, {
    read: serviceProviderCollection.read,
    columns: `t.id, t.title || ', ' || t.type as name`,
    offered: `service_providers t where t.status <> 'Removed' and t.manager_id = $1`,
    values: [managerId],
  });
