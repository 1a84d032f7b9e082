import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { currencySchema, moneySchema } from '@tapeline/domain/money/amount.schema.ts';
import { rateEntrySchema, rateRemovalSchema } from '@tapeline/domain/money/rate.schema.ts';
import { z } from 'zod';

export const enterSchema = rateEntrySchema;
export const ENTER_LABELS = { currency: 'Currency', date: 'Date', rate: 'Rate', reason: 'Reason' };

export const removeSchema = rateRemovalSchema;

export const refreshSchema = z.object({});

/** The converter, which is a form of the address. */
export const convertSchema = z.object({
  sum: moneySchema,
  from: currencySchema,
  to: currencySchema,
  on: calendarDateSchema,
});
export const CONVERT_LABELS = { sum: 'Amount', from: 'From', to: 'To', on: 'On' };
