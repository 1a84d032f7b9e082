import type { ChangedBy } from '@tapeline/domain/documents/document.schema.ts';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { maskBankField } from '@tapeline/domain/entities/masking.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import {
  type Difference,
  differencesOf,
  isRecord,
  readValue,
  type Step,
} from '@tapeline/domain/history/differences.ts';
import { type Actor, can } from '@tapeline/domain/people/actor.ts';
import { visibleCalculations } from '@tapeline/domain/tapes/visible-calculations.ts';
import { z } from 'zod';
import { History } from '../../entities/records.ts';
import { findDocuments, type ReadSession } from '../../read-session.ts';
import { defineListable, type Narrowing } from '../listing/define-lists.ts';
import { listDocuments, type Page } from '../listing/list-documents.ts';
import { type Groups, groupDocuments } from '../listing/list-figures.ts';

/**
 * The tenant is part of the condition, as in the policy: PostgreSQL cannot use an index for a policy that has
 * exceptions. The list is then read from an index in its order, however many changes other tenants have.
 */
const within = (actor: Actor): Narrowing | null =>
  actor.kind === 'user' && actor.managerId
    ? { condition: (parameter) => `t.manager_id = ${parameter}`, value: actor.managerId }
    : null;

export const HISTORY = defineListable(
  History,
  'history',
  [
    ['id', 'Id', 'text', 't.id'],
    ['resource', 'Collection', 'text', 't.resource'],
    ['documentId', 'Document', 'text', 't.document_id'],
    ['operation', 'Operation', 'text', 't.operation'],
    ['changedAt', 'Changed', 'instant', 't.changed_at'],
    ['recordedAt', 'Recorded', 'instant', 't.recorded_at'],
    ['changedBy.entity.id', 'Changed by', 'text', 't.changed_by_id'],
    ['changedBy.name', 'Name of the author', 'text', 't.changed_by_name'],
  ],
  [],
  { order: 't.changed_at desc nulls last, t.id desc', within },
);

/** The author of a change, without their browser and address. */
export const withoutCall = (changedBy: ChangedBy): ChangedBy => ({ ...changedBy, agent: null, ip: null, locale: null });

/** One change, with what differs between the document before and after it. */
export interface Change
  extends Pick<
    History,
    'id' | 'resource' | 'documentId' | 'operation' | 'updatedFields' | 'changedBy' | 'changedAt' | 'recordedAt'
  > {
  readonly differences: readonly Difference[];
}

/** The documents whose changes are asked for, by collection. */
export type Documents = readonly { readonly resource: string; readonly ids: readonly string[] }[];

/** SQL of the changes to these documents, of which there is at least one; `t` is the history. */
export const documentsCondition = (documents: Documents): { sql: string; values: unknown[] } => ({
  sql: `(${documents.map((_, at) => `(t.resource = $${2 * at + 1} and t.document_id = any ($${2 * at + 2}))`).join(' or ')})`,
  values: documents.flatMap(({ resource, ids }) => [resource, [...ids]]),
});

/** A page of the changes to these documents that the actor can see, latest first, and the number of all of them. */
export async function historyOf(
  session: ReadSession,
  documents: Documents,
  { skip = 0, limit = 50 }: { skip?: number; limit?: number } = {},
): Promise<Page<Change>> {
  if (documents.length === 0) return { documents: [], total: 0 };
  const { sql, values } = documentsCondition(documents);
  const changes = await findDocuments(
    session,
    History,
    `where ${sql} order by changed_at desc, id desc offset $${values.length + 1} limit $${values.length + 2}`,
    [...values, skip, limit],
  );
  const [counted] = await session.query<{ total: string }>(
    `select count(*)::text as total from history t where ${sql}`,
    values,
  );
  return { documents: changes.map((change) => shown(session, change)), total: Number(counted?.total ?? 0) };
}

/** One change that the actor can see. @throws Refusal notFound */
export async function getChange(session: ReadSession, id: string): Promise<Change> {
  const [change] = isId(id) ? await findDocuments(session, History, 'where id = $1', [id]) : [];
  if (!change) throw new Refusal('notFound');
  return shown(session, change);
}

/** The part of a list of banks at the end of a path, masked: the banks, one of them, or one field. */
function maskPart(value: unknown, steps: readonly Step[]): unknown {
  const part = readValue(value);
  if (Array.isArray(part)) return part.map((entry) => maskPart(entry, steps));
  if (isRecord(part)) {
    return Object.fromEntries(Object.entries(part).map(([name, field]) => [name, maskBankField(name, field)]));
  }
  const last = steps.at(-1);
  return last?.kind === 'field' ? maskBankField(last.name, part) : part;
}

/**
 * The difference as the actor can see it. Bank details are masked for actors who see them masked in the entity, after
 * the comparison: two accounts may look the same once they are masked.
 */
function masked({ actor }: Pick<ReadSession, 'actor'>, resource: string, difference: Difference): Difference {
  const [first] = difference.steps;
  if (first?.kind !== 'field' || first.name !== 'banks') return difference;
  if (resource !== 'entities' || can(actor, 'entities/write')) return difference;
  const { steps } = difference;
  return { ...difference, old: maskPart(difference.old, steps), new: maskPart(difference.new, steps) };
}

/** A tape is recorded with the calculations of all its notes, also of facilities that the actor cannot see. */
function withoutHidden<Field extends History['updatedFields'][number]>(
  { actor }: Pick<ReadSession, 'actor'>,
  field: Field,
): Field {
  if (field.field !== 'borrowingBaseStatuses') return field;
  const visible = (value: unknown) => (Array.isArray(value) ? visibleCalculations(actor, value) : value);
  return { ...field, old: visible(field.old), new: visible(field.new) };
}

/** A change as the actor can see it. */
export function shown(session: Pick<ReadSession, 'actor'>, change: History): Change {
  const { id, resource, documentId, operation, changedBy, changedAt, recordedAt } = change;
  const updatedFields = change.updatedFields.map((one) => withoutHidden(session, one));
  return {
    id,
    resource,
    documentId,
    operation,
    changedBy,
    changedAt,
    recordedAt,
    updatedFields: updatedFields.map((one) => {
      const steps = [{ kind: 'field', name: one.field }] as const;
      const { old, new: now } = masked(session, resource, { steps, kind: 'changed', old: one.old, new: one.new });
      return { field: one.field, old, new: now };
    }),
    differences: Array.from(differencesOf(updatedFields), (difference) => masked(session, resource, difference)),
  };
}

/** The parameters of the list of changes, in addition to those of every list. */
export const historyListParameters = z.object({
  field: z
    .string()
    .max(100, 'At most 100 characters')
    .optional()
    .meta({ description: 'Only changes of this field', example: 'hardCap' }),
});

/** The changes of the same action as this one (`actions.ts`), if the actor can see it. */
const ofActionWith = (changeId: string): Narrowing => ({
  condition: (parameter) => {
    const shared = (name: string) => `(select same.${name} from history same where same.id = ${parameter})`;
    return `t.changed_at = ${shared('changed_at')} and ${['changed_by_id', 'changed_by_name', 'action_id']
      .map((name) => `t.${name} is not distinct from ${shared(name)}`)
      .join(' and ')}`;
  },
  value: changeId,
});

/** Separates a list's query from the field that narrows it. */
export function narrowed(query: unknown): [query: unknown, options: { narrowing?: Narrowing }] {
  const { field, ...list } = historyListParameters.loose().parse(query);
  if (!field) return [list, {}];
  const condition = (parameter: string) => `t.fields @> array[${parameter}::text]`;
  return [list, { narrowing: { condition, value: field } }];
}

const changesOf = (session: Pick<ReadSession, 'actor'>, { documents, total }: Page<History>): Page<Change> => ({
  total,
  documents: documents.map((change) => shown(session, change)),
});

/** A page of the changes that the actor can see, latest first by default. @param query with `field`, if only its changes are asked for */
export const listHistory = async (session: ReadSession, query: unknown = {}): Promise<Page<Change>> =>
  changesOf(session, await listDocuments(session, HISTORY, ...narrowed(query)));

/** A page of all changes of the action that a change belongs to. None if the actor cannot see the change. */
export const listChangesOfAction = async (
  session: ReadSession,
  changeId: string,
  page: { skip: number; limit: number },
): Promise<Page<Change>> =>
  changesOf(session, await listDocuments(session, HISTORY, page, { narrowing: ofActionWith(changeId) }));

export const groupHistory = (session: ReadSession, query: unknown): Promise<Groups> =>
  groupDocuments(session, HISTORY, ...narrowed(query));
