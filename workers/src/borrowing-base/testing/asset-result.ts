import { decimalToFraction } from '@tapeline/domain/borrowing-base/exact.ts';
import { AMOUNT_SCALE, type AssetResult } from '@tapeline/domain/borrowing-base/result.ts';
import { BORROWING_BASE_STATUSES } from '@tapeline/domain/facilities/pools.ts';
import { fromScaled } from '@tapeline/domain/money/decimal.ts';
import { amountAt } from '../amount-columns.ts';
import { answered, failedRules } from '../asset-results.ts';
import type { AssetColumns } from '../engine.ts';

/** The result of the asset with this sequenceIndex, as the reference implementation states it. */
export function assetResultAt(assets: AssetColumns, index: number): AssetResult {
  const { amount, counted, remaining } = assets;
  const status = BORROWING_BASE_STATUSES[assets.status[index]!] ?? null;
  const left = amountAt(remaining, index);
  const rate = assets.prepared.cases[assets.rateCase[index]!]?.rate ?? null;
  const share = decimalToFraction(rate ?? '0');
  const lacks = answered(assets, assets.columns.layout.missing.get(assets.prepared.outstanding.field.path), index);
  return {
    status,
    scope: assets.scope[index]! < 0 ? null : assets.scope[index]!,
    amount: lacks ? null : fromScaled(amountAt(amount, index), AMOUNT_SCALE),
    failed: failedRules(assets, index),
    excessRemoved: fromScaled(rate === null ? 0n : amountAt(counted, index) - left, AMOUNT_SCALE),
    remaining: fromScaled(left, AMOUNT_SCALE),
    rate,
    advanced: fromScaled((left * share.numerator) / (share.denominator * 100n), AMOUNT_SCALE),
  };
}
