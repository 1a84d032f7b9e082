import type { TransactionContract } from '@tapeline/domain/facilities/contract.schema.ts';
import { decimalOf } from '@tapeline/domain/money/decimal.ts';

/** "If more than 1% of the loans have changes that should not happen, or 2% of the balance is no longer reported". */
export function tapeLimitsInWords({ tapeLimits }: Pick<TransactionContract, 'tapeLimits'>): string {
  const { changedPercent, leftPercent } = tapeLimits ?? {};
  const parts = [
    ...(changedPercent == null
      ? []
      : [`${decimalOf(changedPercent)}% of the loans have changes that should not happen`]),
    ...(leftPercent == null ? [] : [`${decimalOf(leftPercent)}% of the balance is no longer reported`]),
  ];
  return parts.length === 0 ? 'Never' : `If more than ${parts.join(', or ')}`;
}
