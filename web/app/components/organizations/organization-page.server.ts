import { connectedUsers, connectionsOf, filesOf, type Owner } from '@tapeline/db/operations/entities/connections.ts';
import {
  type EntityView,
  getEntity,
  isUnchanged,
  listCategories,
  updateEntity,
} from '@tapeline/db/operations/entities/entities.ts';
import { suggestionsOf } from '@tapeline/db/operations/tables/tables.ts';
import type { Session } from '@tapeline/db/store.ts';
import { todayOf } from '@tapeline/db/today.ts';
import {
  type EntityCreate,
  type EntityReference,
  entityCreateSchema,
  entityUpdateSchema,
} from '@tapeline/domain/entities/entity.schema.ts';
import { flagsAt, refuseIssues } from '@tapeline/domain/errors/refusal.ts';
import { LIST_NAMES } from '@tapeline/domain/tables/table.schema.ts';
import type { z } from 'zod';
import { type EntityForm, entityOf, type newPartySchema } from './entity-form.ts';

/** The entity's fields that pages and forms show. */
export const shownEntity = (entity: EntityView) => {
  const { id, version, name, formalId, nationality, business, person, description, category, contacts, banks } = entity;
  return {
    id,
    version,
    name,
    formalId,
    nationality,
    business: business ?? null,
    person: person ?? null,
    description: description ?? null,
    category,
    contacts,
    banks,
  };
};
export type ShownEntity = ReturnType<typeof shownEntity>;

/** What an organization is connected to: its people, its files, and the other roles of its entity. */
export async function connectedTo(session: Session, owner: Owner, entityId: string) {
  const users = await connectedUsers(session, owner);
  const files = await filesOf(session, owner);
  const connections = await connectionsOf(session, entityId);
  return {
    users: users && {
      total: users.total,
      rows: users.rows.map(({ lastVisited, ...user }) => ({
        ...user,
        lastVisited: lastVisited && new Date(lastVisited).toISOString(),
      })),
    },
    files: {
      total: files.total,
      rows: files.rows.map(({ createdAt, ...file }) => ({ ...file, createdAt: new Date(createdAt).toISOString() })),
    },
    others: connections.rows.filter(({ id }) => id !== owner.id),
  };
}
export type Connected = Awaited<ReturnType<typeof connectedTo>>;

/** What the form of an organization suggests. */
export async function formData(session: Session) {
  return {
    categories: await listCategories(session),
    industries: await suggestionsOf(session, LIST_NAMES.industries),
    today: todayOf(session),
  };
}

/**
 * The new entity that a form gives, checked against the entity's own schema.
 * @throws Refusal badRequest with flags at the fields of the form
 */
export function newEntityOf(form: EntityForm | undefined): EntityCreate {
  const parsed = entityCreateSchema.safeParse(form ? entityOf(form) : {});
  if (parsed.success) return parsed.data;
  throw refuseIssues(parsed.error.issues.map(({ path, message }) => ({ path: ['entity', ...path], message })));
}

/** The entity of a form for a new organization: a new one, or one of the register. @throws Refusal as `newEntityOf` */
export const entityReferenceOf = (
  form: Pick<z.output<typeof newPartySchema>, 'entity' | 'entityId'>,
): EntityReference =>
  form.entityId ? { kind: 'known', id: form.entityId, fields: {} } : { kind: 'new', entity: newEntityOf(form.entity) };

/** The reference of a party's update: its entity stays the same and changes by itself. */
export const sameEntity = (id: string): EntityReference => ({ kind: 'known', id, fields: {} });

/**
 * Changes an entity as a form shows it. The paths of errors are those of the form.
 * @throws Refusal as `updateEntity` does
 */
export async function changeEntity(session: Session, id: string, form: EntityForm, version: number): Promise<void> {
  const stored = await getEntity(session, id);
  const parsed = entityUpdateSchema.safeParse({ ...entityOf(form, stored), version });
  if (!parsed.success) {
    throw refuseIssues(parsed.error.issues.map(({ path, message }) => ({ path: ['entity', ...path], message })));
  }
  // A new version of an entity concerns everyone who edits it.
  if (isUnchanged(stored, parsed.data)) return;
  await atEntity(updateEntity(session, { id, body: parsed.data }));
}

/** A change of an entity whose refusal has its flags at the fields of the form, which are under `entity`. */
export const atEntity = <Result>(change: Promise<Result>): Promise<Result> =>
  flagsAt(change, (path) => (path === 'version' ? path : `entity.${path}`));
