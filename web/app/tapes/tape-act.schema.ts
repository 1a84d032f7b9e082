import { z } from 'zod';

/** The forms of a tape's page are buttons: what they act on is the address. `confirmed` is set by the dialog that asked first. */
export const tapeActSchema = z.object({ confirmed: z.literal('yes').optional() });

/** Errored rows to discard: one row of the sheet (1-based), or all that are left. */
export const discardSchema = tapeActSchema.extend({ row: z.coerce.number().int().positive().optional() });
