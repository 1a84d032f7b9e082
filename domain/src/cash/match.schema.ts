import { z } from 'zod';
import { versionSchema } from '../documents/document.schema.ts';
import { idSchema } from '../documents/id.schema.ts';
import { valuesOf } from '../documents/labels.ts';
import { wireAmountSchema } from '../money/amount.schema.ts';
import { allocateSchema, obligationSchema } from './cash.schema.ts';
import { OWN_ITEMS } from './labels.ts';
import { MATCH_REASON_LABELS } from './matching.ts';

/** Payments that are confirmed together. */
export const MAX_MATCHES = 100;

/** What a person confirms of a payment. */
export const matchSchema = allocateSchema.extend({
  /** The payment. */
  id: idSchema,
  closesCharges: z
    .boolean()
    .default(false)
    .meta({ description: 'Close what stays open as bank charges, up to the tolerance of the account and the charges' }),
});
export type Match = z.infer<typeof matchSchema>;

export const matchesSchema = z
  .array(matchSchema)
  .min(1, { message: 'Choose at least one payment' })
  .max(MAX_MATCHES, { message: `At most ${MAX_MATCHES} at once` });

/** Payments that are not for an investor or a borrower, with the reason; null takes that back. */
export const ownItemsSchema = z
  .array(z.object({ id: idSchema, version: versionSchema, ownItem: z.enum(OWN_ITEMS).nullable() }))
  .min(1, { message: 'Choose at least one payment' })
  .max(MAX_MATCHES, { message: `At most ${MAX_MATCHES} at once` });
export type OwnItems = z.infer<typeof ownItemsSchema>;

/** A suggestion in wire format. */
export const matchSuggestionSchema = z
  .object({
    reason: z.enum(valuesOf(MATCH_REASON_LABELS)),
    confidence: z.int().meta({ description: 'In percent' }),
    isAutomatic: z.boolean().meta({ description: 'Whether it needs no person' }),
    evidence: z.object({
      amount: z.enum(['open', 'charges', 'short', 'part', 'together', 'over']),
      reference: z.enum(['stated', 'other', 'none']),
      account: z.enum(['known', 'unknown', 'none']),
      name: z.enum(['agrees', 'similar', 'differs', 'none']),
      namesCall: z.boolean(),
    }),
    allocations: z.array(z.object({ obligation: obligationSchema, amount: wireAmountSchema })),
    short: wireAmountSchema.meta({ description: 'What stays open of what it pays' }),
    rest: wireAmountSchema.meta({ description: 'What is left of the payment' }),
    together: z.array(z.string()).meta({ description: 'Other payments that pay the rest of it' }),
  })
  .meta({ id: 'MatchSuggestion' });
