import { valuesOf } from '../../documents/labels.ts';

/**
 * Why a certificate differs from another one, in the order in which the parts of the first are replaced by those of the
 * second.
 */
export const CAUSE_LABELS = {
  onlyInOne: 'Only in one',
  amount: 'Other amount',
  status: 'Other status',
  limit: 'Other limit',
  rate: 'Other rate',
  reserve: 'Reserve',
  adjustment: 'Adjustment',
  balance: 'Balance',
  commitments: 'Commitments',
  exchange: 'Exchange rates',
} as const;
export const CAUSES = valuesOf(CAUSE_LABELS);
export type Cause = (typeof CAUSES)[number];

/** What each cause replaces. */
export const CAUSE_MEANINGS: Readonly<Record<Cause, string>> = {
  onlyInOne: 'Loans of only one of the tapes leave or join the pool.',
  amount: 'Loans have their later current balance.',
  status: 'Scopes, eligibility and performance rules, and the fields that they read, are the later ones.',
  limit: 'Concentration limits, offsets and values, and the fields that they read, are the later ones.',
  rate: 'Advance rates, and the fields that they read, are the later ones.',
  reserve: 'Reserves are those of the later contract.',
  adjustment: 'Approved adjustments are those of the later certificate.',
  balance: 'The balance of the note is the later one.',
  commitments: 'The commitments of the note are the later ones.',
  exchange: 'Amounts are converted at the exchange rates of the later tape.',
};

/** The causes that change what is advanced against single loans. The others are of the note. */
export const ASSET_CAUSES = ['onlyInOne', 'amount', 'status', 'limit', 'rate', 'exchange'] as const satisfies Cause[];
export type AssetCause = (typeof ASSET_CAUSES)[number];

export const isAssetCause = (cause: Cause): cause is AssetCause => (ASSET_CAUSES as readonly Cause[]).includes(cause);
