import { isDeepStrictEqual } from 'node:util';
import { type EventSubscriber, helper, JsonType } from '@mikro-orm/core';
import type { ChangedBy, DocumentMetadata } from '@tapeline/domain/documents/document.schema.ts';
import { changedBy } from '../changed-by.ts';
import type { Session } from '../store.ts';

/** The metadata of a new document. */
export const createdMetadata = (session: Session, more: Partial<DocumentMetadata> = {}): DocumentMetadata => ({
  iat: session.now.toISOString(),
  createdBy: changedBy(session),
  ...more,
});

/** What the metadata was before a change that may turn out to change nothing. */
const beforeChange = new WeakMap<DocumentMetadata, DocumentMetadata>();

/** The metadata after a change. A flush drops it, and the version stays, if nothing else of the document changed. */
export function changedMetadata(session: Session, before: DocumentMetadata): DocumentMetadata {
  const after = touchedMetadata(session, before);
  beforeChange.set(after, before);
  return after;
}

/** The metadata after a change of what belongs to a document but is stored elsewhere: it raises the version. */
export const touchedMetadata = (session: Session, before: DocumentMetadata): DocumentMetadata => ({
  ...before,
  changedBy: changedBy(session),
});

/** A value of a JSON column without what is null: a field that a body names as null equals one that it omits. */
const withoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (inner === null ? [] : [[name, withoutNulls(inner)]])),
  );
};

/** Whether two values of a JSON column, as text, say the same, whatever the order of their fields is. */
function areSameJson(one: unknown, other: unknown): boolean {
  if (typeof one !== 'string' || typeof other !== 'string' || !/^[[{]/.test(one) || !/^[[{]/.test(other)) return false;
  return isDeepStrictEqual(withoutNulls(JSON.parse(one)), withoutNulls(JSON.parse(other)));
}

/** Restores documents in which an update changed nothing but the metadata, so that their version stays. */
export const unchangedDocuments: EventSubscriber = {
  beforeFlush({ em, uow }) {
    for (const document of uow.getIdentityMap() as Iterable<Record<string, unknown>>) {
      const after = document.metadata as DocumentMetadata | undefined;
      const before = after && beforeChange.get(after);
      const stored = before && (uow.getOriginalEntityData(document) as Record<string, unknown> | undefined);
      if (!stored) continue;
      const { class: entity, properties } = helper(document).__meta;
      const comparator = em.getComparator();
      const now = comparator.prepareEntity(document) as Record<string, unknown>;
      const changed = Object.keys(comparator.diffEntities(entity, stored, now));
      if (!changed.includes('metadata')) continue;
      const isJson = (name: string): boolean => properties[name as never]?.['customType'] instanceof JsonType;
      const same = changed.filter(
        (name) => name !== 'metadata' && isJson(name) && areSameJson(stored[name], now[name]),
      );
      if (same.length < changed.length - 1) continue;
      for (const name of same) document[name] = JSON.parse(String(stored[name]));
      document.metadata = before;
    }
  },
};

/** Attributes later changes in this transaction to this person, on whose behalf a worker acts. */
export async function recordAs(session: Session, author: ChangedBy): Promise<ChangedBy> {
  const now = { ...author, timestamp: session.now.toISOString() };
  await session.query(`select set_config('tapeline.changed_by', $1, true)`, [JSON.stringify(now)]);
  return now;
}
