import { type EventSubscriber, helper } from '@mikro-orm/core';
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

/** Restores the metadata of documents in which nothing else changed, so that an update without a change is none. */
export const unchangedDocuments: EventSubscriber = {
  beforeFlush({ em, uow }) {
    for (const document of uow.getIdentityMap() as Iterable<{ metadata?: DocumentMetadata }>) {
      const after = document.metadata;
      const before = after && beforeChange.get(after);
      const stored = before && uow.getOriginalEntityData(document);
      if (!stored) continue;
      const comparator = em.getComparator();
      const changed = comparator.diffEntities(
        helper(document).__meta.class,
        stored,
        comparator.prepareEntity(document),
      );
      if (Object.keys(changed).join() === 'metadata') document.metadata = before;
    }
  },
};

/** Attributes later changes in this transaction to this person, on whose behalf a worker acts. */
export async function recordAs(session: Session, author: ChangedBy): Promise<ChangedBy> {
  const now = { ...author, timestamp: session.now.toISOString() };
  await session.query(`select set_config('tapeline.changed_by', $1, true)`, [JSON.stringify(now)]);
  return now;
}
