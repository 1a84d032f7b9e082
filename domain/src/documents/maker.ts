import type { DocumentMetadata } from './document.schema.ts';

/** The creator of a document, in words. Null if unknown. */
export function makerOf({ createdBy }: DocumentMetadata): string | null {
  const entity = createdBy?.entity;
  if (!entity) return null;
  return 'apiName' in entity ? entity.apiName : `${entity.firstName} ${entity.lastName}`;
}
