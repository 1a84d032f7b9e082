import { subtract } from '../money/decimal.ts';
import { formatCount, writtenAmount } from '../money/format-figure.ts';
import type { CurrencyProof } from './payment-proof.ts';
import { sharesOf } from './shares.ts';

/** What payments prove in one currency: "99.7% of the balance proved; 41 loans, 12,310.55 USD unexplained". */
export function provedText({
  provedBalance,
  opening,
  differences,
  loans,
  proved,
  currency,
}: Pick<CurrencyProof, 'provedBalance' | 'opening' | 'differences' | 'loans' | 'proved' | 'currency'>): string {
  const rest = sharesOf([provedBalance, subtract(opening, provedBalance)], 1, 100);
  const left = formatCount(loans - proved, 'loan');
  return `${rest ? `${rest[0]}% of the balance proved` : 'No balance to prove'}; ${left}, ${writtenAmount({ sum: differences, currency })} unexplained`;
}
