import { z } from 'zod';
import { isCurrencyCode } from './currencies.ts';
import { compare, type DecimalText, decimalOf, isDecimal } from './decimal.ts';

/** An amount of money: `sum` is exact decimal text inside the program, a JSON number literal on the wire. */
export interface Amount {
  sum: DecimalText;
  currency: string;
}

/** Takes a number, or decimal text as a form or a wire literal gives it; gives canonical decimal text. */
export const decimalSchema = z
  .union([z.number(), z.string()])
  .transform((value, context) => {
    const candidate = typeof value === 'string' ? value.trim() : value;
    if (typeof candidate === 'number' && Number.isFinite(candidate)) return decimalOf(candidate);
    if (isDecimal(candidate)) return decimalOf(candidate);
    context.addIssue({ code: 'custom', message: 'Write a number, for example 1250000.50' });
    return z.NEVER;
  })
  .meta({ type: 'number' });

export const currencySchema = z
  .string()
  .refine(isCurrencyCode, { message: 'Use a currency code of ISO 4217, for example USD' })
  .meta({ example: 'USD' });

export const amountSchema = z.object({ sum: decimalSchema, currency: currencySchema });

export const amountRangeSchema = z
  .object({ currency: currencySchema, min: decimalSchema, max: decimalSchema })
  .refine((range) => compare(range.max, range.min) > 0, {
    path: ['min'],
    message: 'min should be less then max ',
  });
