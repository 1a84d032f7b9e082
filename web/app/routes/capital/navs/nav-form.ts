import { newStatusSchema } from '@tapeline/domain/capital/capital-document.ts';
import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { REQUIRED } from '@tapeline/domain/errors/required.ts';
import { moneySchema, notNegativeSchema } from '@tapeline/domain/money/amount.schema.ts';
import { z } from 'zod';
import { describeForm } from '../../../components/forms/describe-form.ts';

/** Investors of one form. */
export const MAX_ROWS = 300;

const row = z
  .object({ commitment: idSchema, gross: moneySchema.optional(), net: moneySchema.optional() })
  .refine(({ gross, net }) => gross !== undefined || net === undefined, { path: ['gross'], message: REQUIRED })
  .refine(({ gross, net }) => net !== undefined || gross === undefined, { path: ['net'], message: REQUIRED });

const shared = { fund: idSchema, cutOffDate: calendarDateSchema, status: newStatusSchema };

/** The NAV of the fund, to split over its investors. Rows that were entered before are replaced. */
export const splitForm = z.object({ ...shared, gross: notNegativeSchema, net: notNegativeSchema });

export const navForm = z
  .object({ ...shared, rows: z.array(row).max(MAX_ROWS, { message: `At most ${MAX_ROWS} investors` }) })
  .refine(({ rows }) => rows.some(({ gross }) => gross !== undefined), {
    path: ['rows'],
    message: 'Enter the NAV of at least one investor',
  });
export const navFormDescription = describeForm(navForm);
