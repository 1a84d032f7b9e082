import { type DecimalText, negate } from '../money/decimal.ts';
import type { RepaymentPart } from './repayment.schema.ts';

/** Interest that is paid by adding it to the principal: the balance grows, and the interest is no longer owed. */
export const paidInKindParts = (sum: DecimalText, currency: string): RepaymentPart[] => [
  { kind: 'interest', amount: { sum, currency } },
  { kind: 'principal', amount: { sum: negate(sum), currency } },
];
