import { compare, type DecimalText, divide, min, multiply, round } from '../money/decimal.ts';
import { formatCount, writtenAmount } from '../money/format-figure.ts';
import type { CurrencyProof } from './payment-proof.ts';

/** In per cent with one decimal; 100.0 only if nothing is left to prove. */
function provedPercent(proved: DecimalText, opening: DecimalText): DecimalText {
  const percent = round(divide(multiply(proved, '100'), opening, 1), 1);
  return compare(proved, opening) < 0 ? min(percent, '99.9') : percent;
}

/** What payments prove in one currency: "99.7% of the balance proved; 41 loans, 12,310.55 USD unexplained". */
export function provedText({
  provedBalance,
  opening,
  differences,
  loans,
  proved,
  currency,
}: Pick<CurrencyProof, 'provedBalance' | 'opening' | 'differences' | 'loans' | 'proved' | 'currency'>): string {
  const share =
    compare(opening, '0') > 0
      ? `${provedPercent(provedBalance, opening)}% of the balance proved`
      : 'No balance to prove';
  const left = formatCount(loans - proved, 'loan');
  return `${share}; ${left}, ${writtenAmount({ sum: differences, currency })} unexplained`;
}
