import { z } from 'zod';

/** The forms of a tape's page are buttons: what they act on is the address. `confirmed` is set by the dialog that asked first. */
export const tapeActSchema = z.object({ confirmed: z.literal('yes').optional() });

/** Errored rows to discard: one row of the sheet (1-based), or all that are left. Said in so many words, never by leaving it out. */
export const discardSchema = tapeActSchema.extend({
  rows: z.union([z.literal('all'), z.coerce.number().int().positive()]),
});
