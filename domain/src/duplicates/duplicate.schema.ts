import { z } from 'zod';
import { valuesOf } from '../documents/labels.ts';
import { DECISION_LABELS } from './rules.ts';

const fact = z.string().nullable();

/** What a tape says of a loan of a pair. */
export const duplicateLoanSchema = z.object({
  row: z.int(),
  assetId: fact,
  obligor: fact,
  borrowerId: fact,
  originalAmount: fact,
  currency: fact,
  financedOn: fact,
  ratePercent: fact,
  term: fact,
  termUnit: fact,
  product: fact,
  state: fact,
  status: fact,
  balance: fact,
  balanceCurrency: fact,
  leftAfter: z
    .string()
    .nullish()
    .meta({ description: 'Cut-off date of the last tape that has the loan; null while it is on the latest tape' }),
});
export type DuplicateLoan = Readonly<z.infer<typeof duplicateLoanSchema>>;

/** What a person decides of a pair. */
export const DECISIONS = valuesOf(DECISION_LABELS);

const REASON_LENGTH = 1000;

export const duplicateDecisionSchema = z
  .object({
    decision: z.enum(DECISIONS, 'Choose what the pair is'),
    reason: z.string().trim().max(REASON_LENGTH, 'At most 1,000 characters').default(''),
  })
  .refine(({ decision, reason }) => decision !== 'Explained' || reason !== '', {
    path: ['reason'],
    error: 'Say why both loans are allowed',
  });
export type DuplicateDecision = z.infer<typeof duplicateDecisionSchema>;
