import { z } from 'zod';
import { type CalendarMonth, isCalendarMonth } from '../dates/calendar-month.ts';
import { wireAmountSchema } from '../money/amount.schema.ts';
import { CLOSING_PROBLEMS, OPEN_ITEM_KINDS } from './reconciliation.ts';

const monthSchema = z
  .string()
  .max(7)
  .refine((month): month is CalendarMonth => isCalendarMonth(month), {
    message: 'Use a year and a month, for example 2026-10',
  });

export const reconciliationQuerySchema = z.object({
  month: monthSchema.optional().meta({ description: 'The month that is to be closed next if omitted' }),
});

/** The body for closing a month of an account. */
export const closeMonthSchema = z.object({ month: monthSchema });

export const reconciliationSchema = z
  .object({
    bankAccount: z.string(),
    month: z.string(),
    days: z.array(
      z.object({
        day: z.string(),
        bank: wireAmountSchema.nullable().meta({ description: 'Null after the last statement with balances' }),
        book: wireAmountSchema.meta({ description: 'The opening balance with what payments are allocated to' }),
        open: wireAmountSchema.meta({ description: 'The sum of the open items' }),
        difference: wireAmountSchema.nullable().meta({ description: 'Bank less book less open items' }),
      }),
    ),
    openItems: z.array(
      z.object({
        payment: z.string(),
        code: z.int(),
        kind: z.enum(OPEN_ITEM_KINDS),
        bookedOn: z.string(),
        name: z.string().nullable(),
        amount: wireAmountSchema.meta({
          description: 'What the bank has more than the book; negative if the book has more',
        }),
      }),
    ),
    openItemCount: z.int(),
    closedUntil: z.string().nullable().meta({ description: 'The last day of the last closed month' }),
    closings: z.array(
      z.object({
        month: z.string(),
        bank: wireAmountSchema,
        book: wireAmountSchema,
        closedAt: z.string(),
        closedBy: z.string().nullable(),
      }),
    ),
    problem: z.enum(CLOSING_PROBLEMS).nullable().meta({ description: 'Why the month cannot be closed' }),
  })
  .meta({ id: 'Reconciliation' });
