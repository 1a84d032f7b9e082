import { z } from 'zod';
import { shownRequestShape } from '../approvals/decline.schema.ts';
import { REQUEST_STATUSES } from '../approvals/request-status.ts';
import { calendarDateSchema } from '../dates/calendar-date.ts';
import { idSchema } from '../documents/id.schema.ts';
import { textSchema } from '../documents/text.schema.ts';

/** Id or key of an uploaded file that shows why. */
const documentField = z.string().max(1000).nullish();

/** What a breach is waived for, and until when. */
export const waiverSchema = z.object({
  /** The last day on which the breach has no consequences. */
  until: calendarDateSchema,
  reason: textSchema(5, 500),
  document: documentField,
});
export type WaiverBody = z.output<typeof waiverSchema>;

/** How a breach was cured. */
export const cureSchema = z.object({ reason: textSchema(5, 500), document: documentField });
export type CureBody = z.output<typeof cureSchema>;

/** A waiver as calls return it. */
export const shownWaiverSchema = z
  .object({
    id: idSchema,
    status: z.enum(REQUEST_STATUSES),
    covenant: idSchema,
    result: idSchema.meta({ description: 'Id of the result whose breach is waived' }),
    until: z.string(),
    ...shownRequestShape,
  })
  .meta({ id: 'CovenantWaiver' });
