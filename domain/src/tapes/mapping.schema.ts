import { z } from 'zod';
import { calendarDateSchema } from '../dates/calendar-date.ts';
import { versionSchema } from '../documents/document.schema.ts';
import { idSchema } from '../documents/id.schema.ts';
import { refuseIssues } from '../errors/refusal.ts';
import { currencySchema } from '../money/amount.schema.ts';
import { planMapping } from './mapping-plan.ts';
import type { PlanIssue } from './planned-rule.ts';
import { rulesSchema, sheetNameSchema } from './rule.schema.ts';

const mappingShape = z.strictObject({
  rules: rulesSchema,
  loanTapeSheetName: sheetNameSchema,
  /** The headers of the tape that the mapping was made with. */
  extractedOriginColsFromLoanTape: z.array(z.string().max(500)).max(16_384).default([]),
  cutOffDate: calendarDateSchema.nullish().transform((date) => date ?? null),
  /** Currency of amounts that do not name one. */
  primaryCurrency: currencySchema,
});

type Raise = Pick<z.core.$RefinementCtx, 'addIssue'>;
const raise =
  (context: Raise) =>
  ({ path, ...why }: PlanIssue): void =>
    context.addIssue({ code: 'custom', path: [...path], ...why });

/** An assets ETL: how a company's tape becomes assets. Saving a changed ETL creates a new version. */
export const mappingSchema = mappingShape.superRefine((mapping, context) => {
  planMapping(mapping).issues.forEach(raise(context));
});
export type Mapping = z.infer<typeof mappingSchema>;
export type MappingInput = z.input<typeof mappingSchema>;

/**
 * POST of an assets ETL. PUT takes the same plus the `version` that it changes, so that concurrent changes are not
 * lost.
 */
export const mappingCreateSchema = mappingShape
  .extend({
    company: idSchema,
    primaryCurrency: currencySchema
      .optional()
      .meta({ description: 'Currency of amounts that name none. That of the company if omitted' }),
  })
  .superRefine((mapping, context) => {
    planMapping(mapping).issues.forEach(raise(context));
  });
/** Accepts the document as it was returned; fields that only the server writes are ignored. */
export const mappingUpdateSchema = z
  .object({ ...mappingShape.shape, version: versionSchema })
  .superRefine((mapping, context) => {
    planMapping(mapping).issues.forEach(raise(context));
  });

/** Rules of a preview (POST /LTP/preview/ETL): as in a mapping, but the currency has its own field name. */
export const mappingPreviewSchema = z
  .strictObject({
    rules: rulesSchema,
    currency: currencySchema.optional().meta({
      description: 'Currency of amounts that name none. That of the company that the file belongs to if omitted',
    }),
    /** The file's key in the registry, or its id; never fetched as a URL. */
    fileUrl: z.string().min(1).max(2000),
    sheetName: sheetNameSchema,
    cutOffDate: calendarDateSchema,
  })
  .superRefine((preview, context) => {
    planMapping({ rules: preview.rules }).issues.forEach(raise(context));
  });

/**
 * Parses a complete and consistent mapping.
 * @throws Refusal with a flag at the path of each error
 */
export function parseMapping(input: unknown): Mapping {
  const result = mappingSchema.safeParse(input);
  if (result.success) return result.data;
  throw refuseIssues(result.error.issues, 'The mapping cannot be used; see the flagged rules');
}
