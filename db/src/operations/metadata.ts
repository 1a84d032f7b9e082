import type { ChangedBy, DocumentMetadata } from '@tapeline/domain/documents/document.schema.ts';
import { changedBy } from '../changed-by.ts';
import type { Session } from '../store.ts';
import { rememberMetadata } from '../unchanged-documents.ts';

export const createdMetadata = (session: Session, more: Partial<DocumentMetadata> = {}): DocumentMetadata => ({
  iat: session.now.toISOString(),
  createdBy: changedBy(session),
  ...more,
});

/** What the metadata of the documents says that are made of these bodies. */
const origins = new WeakMap<object, Partial<DocumentMetadata>>();

/** Says in the metadata of the document that is made of this body where it comes from. */
export function rememberOrigin(body: object, origin: Partial<DocumentMetadata>): void {
  origins.set(body, origin);
}

/** The metadata of the document that is made of this body, with its origin if it has one. */
export const createdFrom = (session: Session, body: object): DocumentMetadata =>
  createdMetadata(session, origins.get(body));

/** The metadata after a change. A flush drops it, and the version stays, if nothing else of the document changed. */
export function changedMetadata(session: Session, before: DocumentMetadata): DocumentMetadata {
  const after = touchedMetadata(session, before);
  rememberMetadata(after, before);
  return after;
}

/** Stores a change of a document, with who made it. */
export async function storeChange<Document extends { metadata: DocumentMetadata }>(
  session: Session,
  document: Document,
  change: Partial<Omit<Document, 'metadata'>>,
): Promise<Document> {
  Object.assign(document, change, { metadata: changedMetadata(session, document.metadata) });
  await session.em.flush();
  return document;
}

/** The metadata after a change of what belongs to a document but is stored elsewhere: it raises the version. */
export const touchedMetadata = (session: Session, before: DocumentMetadata): DocumentMetadata => ({
  ...before,
  changedBy: changedBy(session),
});

/** Attributes later changes in this transaction to this person, on whose behalf a worker acts. */
export async function recordAs(session: Session, author: ChangedBy): Promise<ChangedBy> {
  const now = { ...author, timestamp: session.now.toISOString() };
  await session.query(`select set_config('tapeline.changed_by', $1, true)`, [JSON.stringify(now)]);
  return now;
}
