import type { DAY_COUNTS } from '../facilities/terms-labels.ts';
import type { DecimalText } from '../money/decimal.ts';

export const COMPOUNDING_LABELS = { simple: 'Simple', yearly: 'Compounded yearly' } as const;
export const INTEREST_RECIPIENT_LABELS = { manager: 'The manager', investors: 'Earlier investors' } as const;

/** By what terms a fund equalizes what those who close later pay with what the earlier investors paid. */
export interface EqualizationTerms {
  readonly ratePercent: DecimalText;
  readonly dayCount: (typeof DAY_COUNTS)[number];
  readonly compounding: keyof typeof COMPOUNDING_LABELS;
  /** Who receives the interest on management fees. Other interest goes to the earlier investors. */
  readonly feeInterestTo: keyof typeof INTEREST_RECIPIENT_LABELS;
  /** Whether management fees are charged from the first closing on. */
  readonly feesFromFirstClosing: boolean;
  /** Whether capital that is returned can be called again. */
  readonly recallable: boolean;
}
