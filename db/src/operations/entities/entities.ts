import { isDeepStrictEqual } from 'node:util';
import { type Bank, MAX_BANKS } from '@tapeline/domain/entities/bank.schema.ts';
import type { EntityCreate, EntityReference, EntityUpdate } from '@tapeline/domain/entities/entity.schema.ts';
import { maskBanks } from '@tapeline/domain/entities/masking.ts';
import type { PARTY_FIELDS } from '@tapeline/domain/entities/party-fields.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { z } from 'zod';
import { staleRefusal } from '../../database-refusals.ts';
import { Manager } from '../../entities/people.ts';
import { LegalEntity } from '../../entities/register.ts';
import { newId } from '../../ids.ts';
import { plainJson } from '../../plain-json.ts';
import type { Row } from '../../read-batch.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { todayOf } from '../../today.ts';
import { keepImages, uploadedFile } from '../files/files.ts';
import { holdChangedPayouts } from '../investors/payout-accounts.ts';
import { LARGE, listOf, type Narrowing, wholeTenantOf } from '../listing/define-lists.ts';
import { getDocument, listDocuments, type Page } from '../listing/list-documents.ts';
import { type Groups, groupDocuments } from '../listing/list-figures.ts';
import { changedMetadata, createdMetadata } from '../metadata.ts';
import { requirePermission, tenantOf } from '../permission.ts';
import { tellOfChangedBanks } from './bank-mails.ts';

export const LEGAL_ENTITIES = listOf(
  'entities',
  {
    'nationality.country': 't.country',
    'business.type': "(t.business ->> 'type')",
  },
  { ...LARGE, neverNull: ['name', 'formalId', 'nationality.country', 'status'] },
);

/** SQL of the fields of every party's list, from its entity. The database keeps them with the party. */
export const PARTY_SQL = {
  'entity.name': 't.name',
  'entity.formalId': 't.formal_id',
  'entity.nationality.country': 't.country',
} as const satisfies Readonly<Record<keyof typeof PARTY_FIELDS, string>>;

/** The options of lists of parties. */
export const PARTY_LIST = {
  ...LARGE,
  neverNull: [...Object.keys(PARTY_SQL), 'title', 'status'],
};

/** An entity as the actor can see it: without `entities/write`, its bank details are masked. */
export type EntityView = Pick<
  LegalEntity,
  'id' | 'status' | 'code' | 'version' | 'metadata' | 'managerId' | keyof EntityCreate
>;

function viewOf(session: Pick<ReadSession, 'actor'>, entity: LegalEntity): EntityView {
  const { id, status, code, version, metadata, managerId, name, formalId, nationality } = entity;
  const { business, person, description, domains, category, contacts, banks } = entity;
  return {
    id,
    status,
    code,
    version,
    metadata,
    managerId,
    name,
    formalId,
    nationality,
    business: business ?? null,
    person: person ?? null,
    description: description ?? null,
    domains,
    category,
    contacts,
    banks: can(session.actor, 'entities/write') ? banks : maskBanks(banks),
  };
}

/** The parameters of the list of entities, in addition to those of every list. */
export const entityListParameters = z.object({
  category: z.string().max(100).optional().meta({ description: 'Only entities of this category' }),
});

/** Separates a list's query from the category that narrows it. */
function narrowed(query: unknown): [query: unknown, options: { narrowing?: Narrowing }] {
  const { category, ...list } = entityListParameters.loose().parse(query);
  if (!category) return [list, {}];
  const condition = (parameter: string) => `t.category @> jsonb_build_array(${parameter}::text)`;
  return [list, { narrowing: { condition, value: category } }];
}

/** A page of the entities that the actor can see. @param query with `category`, if only its entities are asked for */
export async function listEntities(session: ReadSession, query: unknown = {}): Promise<Page<EntityView>> {
  const { documents, total } = await listDocuments(session, LEGAL_ENTITIES, ...narrowed(query));
  return { documents: documents.map((entity) => viewOf(session, entity)), total };
}

export const groupEntities = (session: ReadSession, query: unknown): Promise<Groups> =>
  groupDocuments(session, LEGAL_ENTITIES, ...narrowed(query));

/** @throws Refusal notFound */
export async function getEntity(session: Session, id: string): Promise<EntityView> {
  return viewOf(session, await getDocument(session, LEGAL_ENTITIES, id));
}

/** The distinct categories of visible entities, in alphabetical order. */
export async function listCategories(session: ReadSession): Promise<string[]> {
  const managerId = wholeTenantOf(session.actor);
  if (managerId !== null) {
    const counted = await session.query<{ category: string }>(
      `select status as category from document_counts where collection = 'entities.category' and manager_id = $1
       group by status having sum(count) > 0 order by status collate "C"`,
      [managerId],
    );
    return counted.map(({ category }) => category);
  }
  const rows = await session.query<{ category: string }>(
    `select category from (
       select distinct used.category from entities t, jsonb_array_elements_text(t.category) as used (category)
       where t.status <> 'Removed'
     ) as categories order by category collate "C"`,
  );
  return rows.map(({ category }) => category);
}

/**
 * A logo or icon must be an uploaded file that the actor can see; the server never fetches an address from a caller.
 */
async function checkImages(session: Session, entity: EntityCreate, path = ''): Promise<void> {
  if (entity.business?.logo || entity.business?.icon) await keepImages(session);
  for (const field of ['logo', 'icon'] as const) {
    const keyOrId = entity.business?.[field];
    if (!keyOrId) continue;
    try {
      await uploadedFile(session, { bucket: 'publicFiles', keyOrId });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw new Refusal('badRequest', `The ${field} is not an uploaded file: upload it, then send its key`, {
        flags: { [`${path}business.${field}`]: 'is not the key of an uploaded file' },
      });
    }
  }
}

/** The schema has no clock, so this rule is checked here. */
function checkDateOfBirth(session: Session, { person }: EntityCreate, path = ''): void {
  if (!person?.dob || person.dob < todayOf(session)) return;
  throw new Refusal('badRequest', 'The date of birth must be in the past', {
    flags: { [`${path}person.dob`]: 'must be in the past' },
  });
}

const fieldsOf = (entity: EntityCreate): EntityCreate => {
  const { name, formalId, nationality, business, person, description, domains, category, contacts, banks } = entity;
  const fields = { name, formalId, nationality, domains, category, contacts, banks };
  return { ...fields, business: business ?? null, person: person ?? null, description: description || null };
};

/**
 * Adds an entity to the register of the actor's manager.
 * @param body as `entityCreateSchema` returns it; `manager` if an admin selects the tenant in the body
 * @throws Refusal forbidden without `entities/write`; badRequest for a logo that was not uploaded, or without a manager
 */
export async function createEntity(session: Session, body: EntityCreate & { manager?: string }): Promise<EntityView> {
  const managerId = await tenantOf(session, body.manager);
  return viewOf(session, await addEntity(session, managerId, body));
}

async function addEntity(
  session: Session,
  managerId: string,
  body: EntityCreate,
  { path = '', flush = true } = {},
): Promise<LegalEntity> {
  requirePermission(session, 'entities/write');
  checkDateOfBirth(session, body, path);
  await checkImages(session, body, path);
  const entity = session.em.create(LegalEntity, {
    id: newId(session.now),
    managerId,
    ...fieldsOf(body),
    metadata: createdMetadata(session),
  });
  if (flush) await session.em.flush();
  return entity;
}

/**
 * Changes an entity, for every party that refers to it.
 * @throws Refusal notFound; forbidden without `entities/write`, or without `managers/write` for the entity of a
 *   manager; badRequest if the version is stale
 */
export async function updateEntity(session: Session, command: { id: string; body: EntityUpdate }): Promise<EntityView> {
  requirePermission(session, 'entities/write');
  const entity = await getDocument(session, LEGAL_ENTITIES, command.id);
  await requireNotManager(session, entity);
  if (entity.version !== command.body.version) throw staleRefusal(entity, command.body.version);
  checkDateOfBirth(session, command.body);
  await checkImages(session, command.body);
  await storeChange(session, entity, fieldsOf(command.body));
  return viewOf(session, entity);
}

/** If its bank accounts change, every party that is paid to one waits for a second person again, and those concerned are told. */
async function storeChange(session: Session, entity: LegalEntity, fields: Partial<EntityCreate>): Promise<void> {
  const { banks } = entity;
  session.em.assign(entity, fields);
  entity.metadata = changedMetadata(session, entity.metadata);
  await session.em.flush();
  await holdChangedPayouts(session, entity);
  await tellOfChangedBanks(session, entity, banks);
}

/** @throws Refusal forbidden for the entity of a manager, without `managers/write` */
async function requireNotManager(session: Session, { id }: LegalEntity): Promise<void> {
  if ((await session.em.count(Manager, { entityId: id })) === 0) return;
  requirePermission(session, 'managers/write');
  if (session.actor.kind === 'user' && session.actor.managerId !== null) {
    throw new Refusal('forbidden', "Only an admin who is not acting for a manager can change a manager's entity");
  }
}

/**
 * Adds a bank account to an entity, in place of the one with its title if there is one.
 * @throws Refusal notFound; forbidden as `updateEntity`; badRequest if the entity has as many accounts as it can
 */
export async function putBank(session: Session, { id, bank }: { id: string; bank: Bank }): Promise<void> {
  requirePermission(session, 'entities/write');
  const entity = await getDocument(session, LEGAL_ENTITIES, id);
  await requireNotManager(session, entity);
  await storeChange(session, entity, { banks: banksWith(entity.banks, bank) });
}

/** The accounts of an entity with one more, or with another one of the same title. @throws Refusal badRequest */
export function banksWith(banks: readonly Bank[], bank: Bank): Bank[] {
  const others = banks.filter(({ title }) => title !== bank.title);
  if (others.length < MAX_BANKS) return [...others, bank];
  throw new Refusal('badRequest', `An organization has at most ${MAX_BANKS} bank accounts`, {
    flags: { 'bank.title': 'must be the title of one of the accounts, which it then replaces' },
  });
}

/** The entities of a manager's register that references name, by id. */
export async function entitiesNamedBy(
  session: Session,
  managerId: string,
  references: readonly EntityReference[],
): Promise<ReadonlyMap<string, LegalEntity>> {
  const wanted = references.flatMap((reference) => (reference.kind === 'known' ? [reference.id] : []));
  if (wanted.length === 0) return new Map();
  const found = await session.em.find(LegalEntity, { id: { $in: wanted }, managerId, status: { $ne: 'Removed' } });
  return new Map(found.map((entity) => [entity.id, entity]));
}

/**
 * The ids of the entities in a party's body, in the same order; new ones are added to the register.
 * @param path of each reference in the body, for flags
 * @param options.flush false if the caller inserts the new entities together with what refers to them
 * @param options.known the result of `entitiesNamedBy` for a list of bodies, which then is read once
 * @throws Refusal badRequest for an entity that the manager does not have, or whose fields differ from the stored ones
 *   (entities are changed separately); forbidden for a new one without `entities/write`
 */
export async function resolveEntities(
  session: Session,
  managerId: string,
  references: readonly EntityReference[],
  path: (index: number) => string,
  options: { flush?: boolean; known?: ReadonlyMap<string, LegalEntity> } = {},
): Promise<string[]> {
  const { flush = true } = options;
  const known = options.known ?? (await entitiesNamedBy(session, managerId, references));
  const ids: string[] = [];
  for (const [index, reference] of references.entries()) {
    if (reference.kind === 'new') {
      const options = { path: `${path(index)}.`, flush };
      ids.push((await addEntity(session, managerId, reference.entity, options)).id);
      continue;
    }
    const entity = known.get(reference.id);
    if (!entity) {
      throw new Refusal('badRequest', 'The entity is not in the register of this manager', {
        flags: { [path(index)]: 'is not an entity of this manager' },
      });
    }
    requireUnchanged(viewOf(session, entity), reference.fields, path(index));
    ids.push(entity.id);
  }
  return ids;
}

/** A body that contains an entity as it was returned must not change it: the change would be silently lost. */
function requireUnchanged(view: EntityView, fields: Readonly<Record<string, unknown>>, path: string): void {
  const stored = plainJson<Record<string, unknown>>({ ...view });
  for (const [field, value] of Object.entries(fields)) {
    // Only the server writes how the entity was created.
    if (!(field in stored) || ['metadata', 'assoc', 'status', 'code', 'version', 'managerId'].includes(field)) continue;
    if (isDeepStrictEqual(withNumbersAsText(value), withNumbersAsText(stored[field]))) continue;
    throw new Refusal('badRequest', 'Update the entity itself: the change applies to every party that refers to it', {
      flags: { [`${path}.${field}`]: 'differs from the stored value: update the entity itself' },
    });
  }
}

/** Whether a body has the values that the entity has, as the actor sees it. */
export function isUnchanged(view: EntityView, body: EntityCreate): boolean {
  const stored = plainJson(fieldsOf(view));
  const sent = plainJson(fieldsOf(body));
  return isDeepStrictEqual(withNumbersAsText(sent), withNumbersAsText(stored));
}

/** Decimals are text inside the program and numbers in the API: 1.5 and "1.5" are the same value. */
function withNumbersAsText(value: unknown): unknown {
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map(withNumbersAsText);
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
    return Object.fromEntries(entries.map(([key, inner]) => [key, withNumbersAsText(inner)]));
  }
  return value ?? null;
}

/** SQL that reads entities by their ids. @param ids SQL of an array, which finds them by index where `in (select ...)` may not */
export const selectEntities = (session: ReadSession, ids: string): string =>
  `select ${session.shapeOf(LegalEntity).columns} from entities t where t.id = any (${ids})`;

/** The rows of `selectEntities`, as entities by id. */
export function entitiesById(session: ReadSession, rows: Row[]): ReadonlyMap<string, EntityView> {
  const found = session.shapeOf(LegalEntity).read(rows);
  return new Map(found.map((entity) => [entity.id, viewOf(session, entity)]));
}

/** The entities with these ids that the actor can see, by id, in one query. */
export async function entitiesOf(
  session: ReadSession,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, EntityView>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return new Map();
  return entitiesById(session, await session.query(selectEntities(session, '$1'), [wanted]));
}
