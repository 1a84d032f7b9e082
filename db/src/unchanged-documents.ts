import { isDeepStrictEqual } from 'node:util';
import { type EventSubscriber, helper, JsonType } from '@mikro-orm/core';
import type { DocumentMetadata } from '@tapeline/domain/documents/document.schema.ts';

/** What the metadata was before a change that may turn out to change nothing. */
const beforeChange = new WeakMap<DocumentMetadata, DocumentMetadata>();

/** Remembers what the metadata was before a change, in case nothing else of the document changes. */
export function rememberMetadata(after: DocumentMetadata, before: DocumentMetadata): void {
  beforeChange.set(after, before);
}

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
      const isJson = (name: string): boolean => properties[name as never]?.customType instanceof JsonType;
      const same = changed.filter(
        (name) => name !== 'metadata' && isJson(name) && areSameJson(stored[name], now[name]),
      );
      if (same.length < changed.length - 1) continue;
      for (const name of same) document[name] = JSON.parse(String(stored[name]));
      document.metadata = before;
    }
  },
};
