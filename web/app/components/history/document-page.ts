import { pageOf } from '@tapeline/domain/collections/collections.ts';

/** The page of a document of the history; null also if the document can no longer be opened. */
export const documentPage = (of: {
  resource: string;
  documentId: string;
  isStored: boolean;
  isRemoved: boolean;
}): string | null => (of.isStored && !of.isRemoved ? pageOf(of.resource, of.documentId) : null);
