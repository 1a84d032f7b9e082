import { z } from 'zod';
import { textSchema } from '../documents/text.schema.ts';

/** Why what another person entered is declined. */
export const requestDeclineSchema = z.object({ reason: textSchema(5, 500) });

/** What calls return of every request: why, by whom, and how it was decided. */
export const shownRequestShape = {
  reason: z.string(),
  document: z.string().nullable().meta({ description: 'Id of the file' }),
  enteredBy: z.string(),
  enteredAt: z.string(),
  decidedBy: z.string().nullable(),
  decidedAt: z.string().nullable(),
  declineReason: z.string().nullable().meta({ description: 'Why it was declined' }),
};
