import { ASSET_STATUSES } from '@tapeline/domain/tapes/statuses.ts';
import { z } from 'zod';
import { ERRORED_ROWS } from './tape-words.ts';

/** The forms of a tape's page are buttons: what they act on is the address. `confirmed` is set by the dialog that asked first. */
export const tapeActSchema = z.object({ confirmed: z.literal('yes').optional() });

const rowSchema = z.coerce.number().int().positive();
const chosenSchema = z
  .array(rowSchema, { error: 'Choose at least one row' })
  .min(1, 'Choose at least one row')
  .max(ERRORED_ROWS, `At most ${ERRORED_ROWS} rows at once`);

/** A form sends one checked box as one value, and none as nothing. */
const listed = (value: unknown) =>
  value === undefined || Array.isArray(value) ? (value ?? []) : String(value).split(',');

/**
 * Errored rows to discard: rows of the sheet (1-based), or all that are left. Said in so many words, never by leaving it
 * out.
 */
export const discardSchema = tapeActSchema.extend({
  rows: z.preprocess((value) => (value === 'all' ? value : listed(value)), z.union([z.literal('all'), chosenSchema])),
});

/** What words of a tape mean as statuses; those left open are not added. */
export const addStatusesSchema = z
  .object({
    words: z.array(z.object({ word: z.string().min(1).max(1000), means: z.enum(ASSET_STATUSES).optional() })).max(100),
  })
  .refine(
    ({ words }) => words.some(({ means }) => means !== undefined),
    'Choose what at least one of the statuses means',
  );

/** Errored rows that were chosen to be corrected. */
export const correctChoiceSchema = z.object({ rows: z.preprocess(listed, chosenSchema) });
