import { type DecimalText, sum } from '../money/decimal.ts';
import type { AssetStatistics } from './tape.schema.ts';

/** The outstanding balance of the assets by currency, in alphabetical order. A currency in which no asset has one is not there. */
export function outstandingByCurrency({ outstandingSum }: AssetStatistics): { sum: DecimalText; currency: string }[] {
  const byCurrency = Map.groupBy(outstandingSum, ({ amount }) => amount.currency);
  return [...byCurrency.keys()].sort().map((currency) => ({
    sum: sum((byCurrency.get(currency) ?? []).map(({ amount }) => amount.sum)),
    currency,
  }));
}
