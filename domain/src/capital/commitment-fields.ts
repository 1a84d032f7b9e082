import type { FieldOfList } from '../collections/collection.ts';

/** Fields of the list of every document of an investor's commitment. */
export const COMMITMENT_FIELDS = {
  'metadata.bundleId': ['Issued together', 'text'],
  fund: 'text',
  'fund.title': ['Fund title', 'text'],
  'investor.id': 'text',
  'investor.kind': 'text',
  'investor.title': ['Investor title', 'text'],
  Class: 'text',
  currency: 'text',
  cutOffDate: 'date',
} as const satisfies Readonly<Record<string, FieldOfList>>;
