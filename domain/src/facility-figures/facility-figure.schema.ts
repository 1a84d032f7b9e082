import { z } from 'zod';
import { figureSchema } from '../covenants/covenant.schema.ts';
import { calendarDateSchema } from '../dates/calendar-date.ts';
import { versionSchema } from '../documents/document.schema.ts';
import { idSchema } from '../documents/id.schema.ts';
import { optionalTextSchema } from '../documents/text.schema.ts';
import { figureTitleSchema } from '../facilities/figure-title.ts';
import { currencySchema } from '../money/amount.schema.ts';

const fields = {
  /** What formulas call it: "Tangible net worth". */
  title: figureTitleSchema,
  /** The day that the figure is of: the end of a quarter, for example. */
  date: calendarDateSchema,
  value: figureSchema,
  /** Null for a figure that is no amount of money. */
  currency: currencySchema.nullish(),
  /** Id or key of an uploaded file that shows it. */
  document: z.string().max(1000).nullish(),
  remark: optionalTextSchema(500),
};

/** The body for entering a dated figure of a borrower that no tape holds. */
export const facilityFigureCreateSchema = z.object({ ...fields, company: idSchema });
export type FacilityFigureCreate = z.output<typeof facilityFigureCreateSchema>;

/** A figure can be changed until it is reviewed. */
export const facilityFigureUpdateSchema = z.object({
  ...fields,
  /** As it was read: a review is a call of its own. */
  status: z.enum(['Entered', 'Reviewed']).optional(),
  version: versionSchema,
});
export type FacilityFigureUpdate = z.output<typeof facilityFigureUpdateSchema>;
