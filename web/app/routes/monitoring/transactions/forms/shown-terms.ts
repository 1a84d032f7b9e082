/** The terms of a note or tranche as their form shows them: every group is there, and may be empty. */
export interface ShownAmount {
  sum: string;
  currency: string;
}
export interface ShownCommitment {
  amount: ShownAmount;
  additionalCurrencies: string;
}
export interface ShownRange {
  min: string;
  max: string;
}
export interface ShownInterest {
  kind: string;
  value: string;
  baseRate: string;
  spread: string;
  minimumInterest: string;
  numberRange: ShownRange;
  dayCount: string;
}
export interface ShownFee {
  title: string;
  kind: string;
  rate: ShownAmount;
  frequency: string;
  feeType: string;
  payee: { entity: string; name: string };
  dateRangeType: { start: string; end: string };
  dateRange: { start: string; end: string };
}
export interface ShownWarrant {
  shareClass: string;
  allocationMethod: string;
  outstandingIssuedValue: ShownAmount;
  totalExercisePrice: ShownAmount;
  holdingValue: ShownAmount;
  unallocatedShares: string;
  acquisitionDate: string;
  expirationDate: string;
  description: string;
  actual: { kind: string; percentage: string };
}
export interface ShownLimit {
  amountRange: ShownRange & { currency: string };
  frequency: { limit: string; interval: string };
  dueDateLimit: ShownRange;
  maxPercentage: string;
  defaultAmount: ShownAmount;
  maxAmount: ShownAmount;
  maxCollectionAccount: ShownAmount;
}
export type ShownTimeline = Readonly<Record<string, string>>;
export interface ShownTerms {
  commitments: ShownCommitment[];
  interest: ShownInterest;
  fees: ShownFee[];
  warrants: ShownWarrant[];
  timeline: ShownTimeline;
  maxBaseAgeDays: string;
  drawLimits: { draw: ShownLimit; prefunding: ShownLimit; recycling: ShownLimit };
}
