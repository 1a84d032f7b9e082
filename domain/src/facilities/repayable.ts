import type { Amount } from '../money/amount.schema.ts';
import { compare, type DecimalText, subtract } from '../money/decimal.ts';
import { totalByCurrency } from '../money/totals.ts';
import { balancesOf, type NoteLedger } from './ledger.ts';

/**
 * The most principal that can be repaid on a day, by currency: the least balance on that day and on any later day, so
 * that a repayment entered late never makes a balance negative that was repaid since.
 */
export function repayablePrincipal(ledger: NoteLedger, date: string): Amount[] {
  const laterDays = [
    ...ledger.draws.map(({ dueDate }) => dueDate),
    ...ledger.repayments.map(({ cutOffDate }) => cutOffDate),
  ].filter((day) => day > date);
  const least = new Map<string, DecimalText>();
  for (const [index, until] of [date, ...new Set(laterDays)].entries()) {
    for (const { sum, currency } of balancesOf(ledger, { until }) ?? []) {
      const known = least.get(currency);
      // A currency that was first drawn later has no balance on the day itself.
      if (index === 0) least.set(currency, sum);
      else
        least.set(
          currency,
          known === undefined || compare(known, '0') <= 0 ? '0' : compare(sum, known) < 0 ? sum : known,
        );
    }
  }
  return [...least].map(([currency, sum]) => ({ currency, sum: compare(sum, '0') < 0 ? '0' : sum }));
}

/** The currencies in which the principal is more than can be repaid, with both amounts. */
export function excessPrincipal(
  principal: readonly Amount[],
  repayable: readonly Amount[],
): { currency: string; principal: DecimalText; repayable: DecimalText; excess: DecimalText }[] {
  return totalByCurrency(principal).flatMap(({ sum, currency }) => {
    const most = repayable.find((amount) => amount.currency === currency)?.sum ?? '0';
    return compare(sum, most) > 0 ? [{ currency, principal: sum, repayable: most, excess: subtract(sum, most) }] : [];
  });
}
