import type { ChangedBy, DocumentMetadata } from '@tapeline/domain/documents/document.schema.ts';
import { changedBy } from '../changed-by.ts';
import type { Session } from '../store.ts';

/** The metadata of a new document. */
export const createdMetadata = (session: Session, more: Partial<DocumentMetadata> = {}): DocumentMetadata => ({
  iat: session.now.toISOString(),
  createdBy: changedBy(session),
  ...more,
});

/** The metadata after a change. */
export const changedMetadata = (session: Session, before: DocumentMetadata): DocumentMetadata => ({
  ...before,
  changedBy: changedBy(session),
});

/** Attributes later changes in this transaction to this person, on whose behalf a worker acts. */
export async function recordAs(session: Session, author: ChangedBy): Promise<ChangedBy> {
  const now = { ...author, timestamp: session.now.toISOString() };
  await session.query(`select set_config('tapeline.changed_by', $1, true)`, [JSON.stringify(now)]);
  return now;
}
