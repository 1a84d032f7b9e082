import { availabilityOf } from '../facilities/ledger.ts';
import type { Amount } from '../money/amount.schema.ts';
import { fromScaled, negate, subtract, sum, toScaled } from '../money/decimal.ts';
import { minorUnitDigits } from '../money/minor-units.ts';
import { convertAmount, type ExchangeRates } from '../money/rates.ts';
import { type AdjustmentResult, type BorrowingBaseResult, heldBack } from './result.ts';

/** The net borrowing base less reserves and plus adjustments, not below zero; null if a reserve is unknown. */
export function availableBaseAfter(
  netBB: Amount,
  reserves: Parameters<typeof heldBack>[0],
  adjustments: readonly Pick<AdjustmentResult, 'amount'>[] = [],
): Amount | null {
  const held = heldBack(reserves);
  if (held === null) return null;
  const digits = minorUnitDigits(netBB.currency);
  const added = sum(adjustments.map(({ amount }) => amount.sum));
  const left = toScaled(subtract(subtract(netBB.sum, held), negate(added)), digits);
  return { sum: fromScaled(left < 0n ? 0n : left, digits), currency: netBB.currency };
}

/**
 * A certificate with the adjustments that a second person approved. The available base and the availability follow;
 * what the tape and the contract gave stays. Without adjustments it is the same.
 * @param adjustments all of the certificate, each in its currency
 * @param rates of the tape
 */
export function withAdjustments(
  result: BorrowingBaseResult,
  adjustments: readonly AdjustmentResult[],
  rates: ExchangeRates,
): BorrowingBaseResult {
  if (adjustments.length === 0) return result;
  const { balance, commitments, reserves = [], netBB } = result.totals;
  const availableBase = availableBaseAfter(netBB, reserves, adjustments);
  // The position is in the main currency of the note.
  const drawable =
    availableBase && balance && convertAmount(availableBase, balance.currency, { rates, origins: {} }).to;
  return {
    ...result,
    totals: {
      ...result.totals,
      adjustments: [...adjustments],
      availableBase,
      availability: balance && availabilityOf({ base: drawable, commitments, balance }),
    },
  };
}
