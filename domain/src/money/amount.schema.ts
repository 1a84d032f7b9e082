import { z } from 'zod';
import { isCurrencyCode } from './currencies.ts';
import { compare, type DecimalText, decimalOf, isDecimal, isNegative, isZero } from './decimal.ts';

/** An amount of money: `sum` is exact decimal text in the program, and a JSON number in the API. */
export interface Amount {
  sum: DecimalText;
  currency: string;
}

const HOW_TO_WRITE = 'Enter a number, for example 1250000.50';
/** Characters of a decimal: far more digits than any amount has. */
const MOST_DIGITS = 100;

/** Accepts a number, or decimal text from a form or the API; returns canonical decimal text. */
export const decimalSchema = z
  .union([z.number(), z.string().max(MOST_DIGITS)], { error: HOW_TO_WRITE })
  .transform((value, context) => {
    const candidate = typeof value === 'string' ? value.trim() : value;
    if (typeof candidate === 'number' && Number.isFinite(candidate)) return decimalOf(candidate);
    if (isDecimal(candidate)) return decimalOf(candidate);
    context.addIssue({ code: 'custom', message: HOW_TO_WRITE });
    return z.NEVER;
  })
  .meta({ type: 'number' });

const CURRENCY_CODE = 'Use a currency code of ISO 4217, for example USD';
export const currencySchema = z
  .string()
  .max(3, { message: CURRENCY_CODE, abort: true })
  .refine(isCurrencyCode, { message: CURRENCY_CODE })
  .meta({ example: 'USD' });

export const amountSchema = z.object({ sum: decimalSchema, currency: currencySchema });

export const amountRangeSchema = z
  .object({ currency: currencySchema, min: decimalSchema, max: decimalSchema })
  .refine((range) => compare(range.max, range.min) > 0, {
    path: ['min'],
    message: 'min should be less then max ',
  });

/** Zero or more, exact. */
export const notNegativeSchema = decimalSchema.refine((sum) => !isNegative(sum), { message: 'must be at least 0' });

/** Above zero, exact. */
export const positiveSchema = decimalSchema.refine((sum) => !isNegative(sum) && !isZero(sum), {
  message: 'must be above 0',
});

/**
 * A sum in the currency of its document: a number, or the amount that a call returned. Its currency, if given, must be
 * that of the document: see `inCurrency`.
 */
export interface DocumentSum {
  sum: DecimalText;
  currency: string | null;
}

/** A sum of zero or more in the currency of its document. */
export const documentSumSchema = z
  .union([decimalSchema, amountSchema], { error: HOW_TO_WRITE })
  .transform((value): DocumentSum => (typeof value === 'string' ? { sum: value, currency: null } : value))
  .refine(({ sum }) => !isNegative(sum), { message: 'must be at least 0' });

export const inCurrency = (currency: string, value: DocumentSum | null | undefined): boolean =>
  value?.currency == null || value.currency === currency;

/** An amount in a response. The sum is a JSON number with all its digits. */
export const wireAmountSchema = z.object({ sum: z.number(), currency: z.string() }).meta({ id: 'Amount' });
