import { ASSET_STATUSES } from '@tapeline/domain/tapes/statuses.ts';
import { tapeAnswersSchema } from '@tapeline/domain/tapes/tape-questions.schema.ts';
import { z } from 'zod';
import { ERRORED_ROWS } from './tape-words.ts';

/**
 * The forms of a tape's page are buttons that act on the tape in the address. `confirmed` is set by the confirmation
 * dialog.
 */
export const tapeActSchema = z.object({ confirmed: z.literal('yes').optional() });

const rowSchema = z.coerce.number().int().positive();
const chosenSchema = z
  .array(rowSchema, { error: 'Choose at least one row' })
  .min(1, 'Choose at least one row')
  .max(ERRORED_ROWS, `At most ${ERRORED_ROWS} rows at once`);

/** A form sends one checked box as a single value, and omits the field if no box is checked. */
const listed = (value: unknown) =>
  value === undefined || Array.isArray(value) ? (value ?? []) : String(value).split(',');

/**
 * Errored rows to discard: rows of the sheet (1-based), or all that are left. "All" must be explicit and is never
 * implied by a missing value.
 */
export const discardSchema = tapeActSchema.extend({
  rows: z.preprocess((value) => (value === 'all' ? value : listed(value)), z.union([z.literal('all'), chosenSchema])),
});

/** The statuses that words of a tape mean. Words without a choice are not added. */
export const addStatusesSchema = z
  .object({
    words: z.array(z.object({ word: z.string().min(1).max(1000), means: z.enum(ASSET_STATUSES).optional() })).max(100),
  })
  .refine(({ words }) => words.some(({ means }) => means !== undefined), 'Choose a meaning for at least one status');

/** Answers to the open questions. A question without a choice is reported by the operation. */
export const answerSchema = tapeAnswersSchema.extend({ answers: tapeAnswersSchema.shape.answers.default({}) });

/** Errored rows that were selected for correction. */
export const correctChoiceSchema = z.object({ rows: z.preprocess(listed, chosenSchema) });
