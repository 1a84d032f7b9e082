import { valuesOf } from '../documents/labels.ts';

/**
 * The sets of a tape's relevant assets that a contract may measure. `eligibleOrPerforming` is the one advanced against.
 */
export const VALUE_POOL_LABELS = {
  relevant: 'Relevant',
  eligible: 'Eligible',
  performing: 'Performing',
  eligibleOrPerforming: 'Eligible Or Performing',
  inEligible: 'InEligible',
  nonPerforming: 'Non Performing',
  inEligibleOrNonPerforming: 'InEligible Or Non Performing',
} as const;
export const VALUE_POOLS = valuesOf(VALUE_POOL_LABELS);
export type ValuePool = (typeof VALUE_POOLS)[number];

export const DEFAULT_VALUE_POOL: ValuePool = 'eligibleOrPerforming';

/** Every relevant asset has exactly one of these. */
export const BORROWING_BASE_STATUS_LABELS = {
  inEligible: 'Ineligible',
  eligible: 'Eligible',
  performing: 'Performing',
  nonPerforming: 'Non-performing',
} as const;
export const BORROWING_BASE_STATUSES = valuesOf(BORROWING_BASE_STATUS_LABELS);
/** Of any asset of a tape. */
export const STATUS_IN_BASE_LABELS: Readonly<Record<string, string>> = {
  ...BORROWING_BASE_STATUS_LABELS,
  outOfScope: 'Out of scope',
};
export type BorrowingBaseStatus = (typeof BORROWING_BASE_STATUSES)[number];

export const POOL_MEMBERS: Readonly<Record<ValuePool, readonly BorrowingBaseStatus[]>> = {
  relevant: BORROWING_BASE_STATUSES,
  eligible: ['eligible'],
  performing: ['performing'],
  eligibleOrPerforming: ['eligible', 'performing'],
  inEligible: ['inEligible'],
  nonPerforming: ['nonPerforming'],
  inEligibleOrNonPerforming: ['inEligible', 'nonPerforming'],
};

/** The values that every contract has by default. */
export const TOTAL_ELIGIBLE_AND_PERFORMING = 'Total Eligible & Performing Pool';
export const TOTAL_RELEVANT = 'Total Relevant Pool';
export const DEFAULT_VALUES = [TOTAL_ELIGIBLE_AND_PERFORMING, TOTAL_RELEVANT] as const;
