import { z } from 'zod';
import { CHOSEN } from '../documents/chosen.ts';
import { isMissing, NUMBER_KINDS } from '../documents/number.schema.ts';
import { because, reason, type Why } from '../errors/reason.ts';
import { REQUIRED } from '../errors/required.ts';
import { absolute, compare, type DecimalText, decimalOf, isDecimal, isNegative, isZero } from './decimal.ts';
import { isCurrencyCode, minorUnitDigits } from './minor-units.ts';

/** An amount of money: `sum` is exact decimal text in the program, and a JSON number in the API. */
export interface Amount {
  sum: DecimalText;
  currency: string;
}

const HOW_TO_WRITE = 'Enter a number, for example 1250000.50';
const howToWrite = { error: ({ input }: { input?: unknown }) => (isMissing(input) ? REQUIRED : HOW_TO_WRITE) };
/** Characters of a decimal: far more digits than any amount has. */
const MAX_DIGITS = 100;

/** Accepts a number, or decimal text from a form or the API; returns canonical decimal text. */
export const decimalSchema = z
  .union([z.number(), z.string().max(MAX_DIGITS)], howToWrite)
  .transform((value, context) => {
    const candidate = typeof value === 'string' ? value.trim() : value;
    if (typeof candidate === 'number' && Number.isFinite(candidate)) return decimalOf(candidate);
    if (isDecimal(candidate)) return decimalOf(candidate);
    context.addIssue({ code: 'custom', message: isMissing(candidate) ? REQUIRED : HOW_TO_WRITE });
    return z.NEVER;
  })
  .meta({ type: 'number' })
  .register(NUMBER_KINDS, { kind: 'quantity' });

const CURRENCY_CODE = 'Use a currency code of ISO 4217, for example USD';
export const currencySchema = z
  .string()
  .max(3, { message: CURRENCY_CODE, abort: true })
  .refine(isCurrencyCode, { message: CURRENCY_CODE })
  .meta({ example: 'USD' })
  .register(CHOSEN, { is: 'currency' });

/** Every amount of money is below this, in any currency. */
export const MONEY_LIMIT = '1000000000000000';
/** The message of an amount or a figure beyond `MONEY_LIMIT`. */
export const TOO_MUCH = 'must be below 1,000,000,000,000,000';

/** A sum of money, of either sign. Where its currency is known, `minorUnitProblem` checks its decimals. */
export const moneySchema = decimalSchema
  .refine((sum) => compare(absolute(sum), MONEY_LIMIT) < 0, { message: TOO_MUCH, abort: true })
  .register(NUMBER_KINDS, { kind: 'money' });

/** What is wrong with the decimals of a sum: no more than the currency has. Null if nothing is. */
export function minorUnitProblem(sum: DecimalText, currency: string): string | null {
  const digits = minorUnitDigits(currency);
  if ((sum.split('.')[1]?.replace(/0+$/, '').length ?? 0) <= digits) return null;
  return digits === 0 ? 'must be a whole number' : `must have at most ${digits} decimals`;
}

/** Reports sums with more decimals than the currency has, each at its name. */
export function requireMinorUnits(
  context: z.core.$RefinementCtx,
  currency: string,
  sums: Readonly<Record<string, DecimalText | null | undefined>>,
): void {
  for (const [name, sum] of Object.entries(sums)) {
    const message = sum == null ? null : minorUnitProblem(sum, currency);
    if (message !== null) context.addIssue({ code: 'custom', path: name.split('.'), message });
  }
}

/** An amount of money: at most the decimals of its currency. @param sum what else its sum must be */
export const amountOf = <Sum extends z.ZodType<DecimalText, unknown>>(sum: Sum) =>
  z.object({ sum, currency: currencySchema }).superRefine((amount, context) => {
    const { sum, currency } = amount as Amount;
    requireMinorUnits(context, currency, { sum });
  });

export const amountSchema = amountOf(moneySchema);

export const amountRangeSchema = z
  .object({ currency: currencySchema, min: moneySchema, max: moneySchema })
  .superRefine(({ currency, min, max }, context) => requireMinorUnits(context, currency, { min, max }))
  .refine((range) => compare(range.max, range.min) > 0, {
    path: ['min'],
    message: 'min should be less then max ',
  });

export const notNegativeSchema = moneySchema.refine((sum) => !isNegative(sum), because(reason('atLeastZero')));

export const positiveSchema = moneySchema.refine(
  (sum) => !isNegative(sum) && !isZero(sum),
  because(reason('aboveZero')),
);

/**
 * A sum in the currency of its document: a number, or the amount that a call returned. Its currency, if given, must be
 * that of the document: see `documentSumProblem`.
 */
export interface DocumentSum {
  sum: DecimalText;
  currency: string | null;
}

/** A sum in the currency of its document, of either sign. */
export const signedDocumentSumSchema = z
  .union([moneySchema, amountSchema], howToWrite)
  .transform((value): DocumentSum => (typeof value === 'string' ? { sum: value, currency: null } : value));

/** A sum of zero or more in the currency of its document. */
export const documentSumSchema = signedDocumentSumSchema.refine(
  ({ sum }) => !isNegative(sum),
  because(reason('atLeastZero')),
);

/** What is wrong with a sum of a document in a currency: another currency, or too many decimals. Null if nothing is. */
export const documentSumProblem = (currency: string, value: DocumentSum | null | undefined): Why | null => {
  if (value == null) return null;
  if (value.currency !== null && value.currency !== currency) return reason('fundCurrency', { currency });
  return minorUnitProblem(value.sum, currency);
};

/** An amount in a response. The sum is a JSON number with all its digits. */
export const wireAmountSchema = z.object({ sum: z.number(), currency: z.string() }).meta({ id: 'Amount' });
