import { isZero } from '@tapeline/domain/money/decimal.ts';
import { writtenAmount } from '@tapeline/domain/money/format-figure.ts';

/** What is missing before a statement: "12 and this one differ by 5.00 EUR". */
export const gapInWords = (gap: { readonly after: string; readonly amount: string }, currency: string): string =>
  isZero(gap.amount)
    ? `A statement after ${gap.after} is missing`
    : `A statement after ${gap.after} is missing: ${writtenAmount({ sum: gap.amount, currency })}`;
