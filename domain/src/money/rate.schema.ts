import { z } from 'zod';
import { calendarDateSchema } from '../dates/calendar-date.ts';
import { NUMBER_KINDS } from '../documents/number.schema.ts';
import { textSchema } from '../documents/text.schema.ts';
import { currencySchema, decimalSchema } from './amount.schema.ts';
import { compare, type DecimalText, isNegative, isZero } from './decimal.ts';

/** Decimal places of a rate for one US dollar. */
export const EXCHANGE_RATE_DIGITS = 15;
const MAX_RATE = '1000000000';

/** Units of a currency for one US dollar. */
export const exchangeRateSchema = decimalSchema
  .refine((rate) => !isNegative(rate) && !isZero(rate), { message: 'must be above 0' })
  .refine((rate) => compare(rate, MAX_RATE) <= 0, { message: 'must be at most 1,000,000,000' })
  .refine((rate) => (rate.split('.')[1]?.length ?? 0) <= EXCHANGE_RATE_DIGITS, {
    message: `must have at most ${EXCHANGE_RATE_DIGITS} decimal places`,
  })
  .register(NUMBER_KINDS, { kind: 'factor' });

const quotedCurrencySchema = currencySchema.refine((code) => code !== 'USD', {
  message: 'The US dollar is the base: its rate is always 1',
});

/** Limits of the reason for a rate that a person enters or removes. */
export const rateReasonSchema = textSchema(3, 300);

/** A rate that a person enters. It takes precedence over any other source for its day. */
export const rateEntrySchema = z.object({
  currency: quotedCurrencySchema,
  date: calendarDateSchema,
  rate: exchangeRateSchema,
  reason: rateReasonSchema,
});
export type RateEntry = z.infer<typeof rateEntrySchema>;

/** Removes a rate that a person entered, so that the next source applies again. */
export const rateRemovalSchema = rateEntrySchema.omit({ rate: true });
export type RateRemoval = z.infer<typeof rateRemovalSchema>;

/** Rates that a service published: units of each currency for one US dollar. */
export interface PublishedRates {
  readonly date: string;
  readonly rates: Readonly<Record<string, DecimalText>>;
}
