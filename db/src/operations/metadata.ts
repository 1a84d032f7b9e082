import type { DocumentMetadata } from '../entities/base.ts';
import { changedBy } from '../history-writer.ts';
import type { Session } from '../store.ts';

/** What a new document says about its making. */
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
