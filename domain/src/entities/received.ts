import { valuesOf } from '../documents/labels.ts';

/** What a contact of an investor receives. Tax documents and announcements are recorded for whoever sends them. */
export const RECEIVED_LABELS = {
  calls: 'Call notices',
  distributions: 'Distribution notices',
  statements: 'Statements and reports',
  tax: 'Tax documents',
  announcements: 'Announcements',
} as const;
export const RECEIVED = valuesOf(RECEIVED_LABELS);
export type Received = (typeof RECEIVED)[number];

/**
 * The contacts who receive a kind. One of whom nothing is known receives everything; if none receives the kind, all do.
 */
export function receiversOf<Contact extends { readonly receives?: readonly Received[] | null | undefined }>(
  contacts: readonly Contact[],
  kind: Received,
): { readonly contacts: readonly Contact[]; readonly isFallback: boolean } {
  const named = contacts.filter(({ receives }) => receives?.includes(kind) ?? true);
  return named.length > 0 ? { contacts: named, isFallback: false } : { contacts, isFallback: contacts.length > 0 };
}
