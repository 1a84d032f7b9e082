import { z } from 'zod';
import { shownRequestShape } from '../approvals/decline.schema.ts';
import { REQUEST_STATUSES } from '../approvals/request-status.ts';
import { idSchema } from '../documents/id.schema.ts';
import { textSchema } from '../documents/text.schema.ts';
import { moneySchema, wireAmountSchema } from '../money/amount.schema.ts';
import { isZero } from '../money/decimal.ts';

/** What a certificate is changed by, in its currency, and why. */
export const adjustmentSchema = z.object({
  /** Above zero it adds to the available base; below zero it takes off. */
  amount: moneySchema.refine((sum) => !isZero(sum), { message: 'must not be zero' }),
  reason: textSchema(5, 500),
  /** Id or key of an uploaded file that shows why. */
  document: z.string().max(1000).nullish(),
});
export type AdjustmentBody = z.output<typeof adjustmentSchema>;

/** An adjustment as calls return it. */
export const shownAdjustmentSchema = z
  .object({
    id: idSchema,
    status: z.enum(REQUEST_STATUSES),
    amount: wireAmountSchema,
    ...shownRequestShape,
  })
  .meta({ id: 'BorrowingBaseAdjustment' });
