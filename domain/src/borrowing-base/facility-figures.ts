import { type Cure, cureOf } from '../facilities/ledger.ts';
import { type DecimalText, isZero, subtract } from '../money/decimal.ts';
import { minorUnitDigits } from '../money/minor-units.ts';
import { shareOf } from '../money/shares.ts';
import type { BorrowingBaseResult } from './result.ts';

/** The note's position in one currency. */
export interface CurrencyRow {
  currency: string;
  /** Null if no draw or repayment was ever recorded. */
  balance: DecimalText | null;
  limit: DecimalText;
  /** What may still be drawn in the currency, before the borrowing base is considered. */
  undrawn: DecimalText | null;
}

/** How far a note is drawn, as of a borrowing base. */
export interface FacilityFigures {
  /** Balance in percent of commitments; null if either is unknown, or nothing is committed. */
  utilizationPercent: DecimalText | null;
  byCurrency: CurrencyRow[];
  /** Null if there is no deficiency. */
  cure: (Cure & { currency: string }) | null;
}

export function facilityFigures({ totals }: BorrowingBaseResult): FacilityFigures {
  const { balance, commitments, availability, weightedAdvanceRatePercent, byCurrency = [] } = totals;
  const { reserves = [], availableBase } = totals;
  // Further collateral raises a reserve that is a share of the pool, by how much depends on the value. It changes nothing
  // before it has covered reserves that are larger than the base.
  const isHeld = availableBase != null && isZero(availableBase.sum);
  const grows = reserves.some(({ kind }) => kind === 'percentage' || kind === 'dilution');
  const rate = grows || isHeld ? null : weightedAdvanceRatePercent;
  const cure =
    balance && availability
      ? cureOf(
          { availability: availability.sum, balance: balance.sum, commitments: commitments?.sum ?? null },
          rate,
          minorUnitDigits(availability.currency),
        )
      : null;
  return {
    utilizationPercent: balance && commitments ? shareOf(balance.sum, commitments.sum) : null,
    byCurrency: byCurrency.map((row) => ({
      ...row,
      undrawn: row.balance === null ? null : subtract(row.limit, row.balance),
    })),
    cure: cure && availability ? { ...cure, currency: availability.currency } : null,
  };
}
