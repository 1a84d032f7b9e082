import type { FieldOfList } from '../collections/collection.ts';

/** Fields of the list of every document of an investor's commitment. */
export const COMMITMENT_FIELDS = {
  'metadata.bundleId': ['Issued together', 'text'],
  fund: ['Fund', 'text'],
  'fund.title': ['Fund title', 'text'],
  'investor.id': ['Investor', 'text'],
  'investor.kind': ['Investor kind', 'text'],
  'investor.title': ['Investor title', 'text'],
  Class: ['Class', 'text'],
  currency: ['Currency', 'text'],
  cutOffDate: ['Cut-off date', 'date'],
} as const satisfies Readonly<Record<string, FieldOfList>>;
