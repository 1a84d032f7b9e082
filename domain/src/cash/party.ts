import { valuesOf } from '../documents/labels.ts';

/** With whom a payment is. */
export const PARTY_LABELS = { LP: 'Investor', fund: 'Fund that invests', company: 'Borrower' } as const;
export const PARTY_KINDS = valuesOf(PARTY_LABELS);
export type PartyKind = (typeof PARTY_KINDS)[number];
