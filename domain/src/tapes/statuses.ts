import { valuesOf } from '../documents/labels.ts';

/** Asset statuses, as reported by the lender's servicer. */
export const ASSET_STATUS_LABELS = {
  current: 'Current',
  pastDue: 'Past due',
  delinquent: 'Delinquent',
  default: 'Default',
  chargedOff: 'Charged off',
  paid: 'Paid',
  prePaid: 'Prepaid',
  pending: 'Pending',
  canceled: 'Canceled',
  slowPayment: 'Slow payment',
  performingAsset: 'Performing asset',
  nonPerformingAsset: 'Non-performing asset',
} as const;
export const ASSET_STATUSES = valuesOf(ASSET_STATUS_LABELS);
export type AssetStatus = (typeof ASSET_STATUSES)[number];

/** Whether an interest rate is fixed, and what people call it. */
export const INTEREST_KIND_LABELS = { fix: 'Fixed', variable: 'Variable' } as const;

export const ASSET_TYPES = ['loan', 'investment'] as const;

/** Normalizes a text for comparison with statuses: case and spaces are ignored. */
export const statusKey = (text: string): string => text.toLowerCase().replace(/[\s\u00a0]+/g, '');

/** Texts of tapes and the status that each means, by `statusKey`. */
export const STATUS_BY_KEY: ReadonlyMap<string, AssetStatus> = new Map([
  ...ASSET_STATUSES.map((status) => [statusKey(status), status] as const),
  [statusKey('1-30 dpd'), 'delinquent'],
  [statusKey('31-60 dpd'), 'delinquent'],
  [statusKey('charged off'), 'chargedOff'],
]);

/** The status that a tape's text means; null if it means none. */
export function assetStatusOf(text: string): AssetStatus | null {
  return STATUS_BY_KEY.get(statusKey(text)) ?? null;
}
