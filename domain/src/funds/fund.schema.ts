import { z } from 'zod';
import { REMINDER_KINDS, REMINDER_LABELS } from '../cash/reminders.ts';
import { equalizationTermsSchema } from '../closings/equalization-terms.schema.ts';
import { calendarDateSchema } from '../dates/calendar-date.ts';
import { CHOSEN } from '../documents/chosen.ts';
import { documentSchema, versionSchema, warningsShape } from '../documents/document.schema.ts';
import { externalCodeSchema } from '../documents/external-code.ts';
import { idSchema } from '../documents/id.schema.ts';
import { valuesOf } from '../documents/labels.ts';
import { percentageSchema } from '../documents/number.schema.ts';
import { listSchema, MAX_TEXT, nameSchema, optionalTextSchema } from '../documents/text.schema.ts';
import { entityReferenceSchema, entitySchema } from '../entities/entity.schema.ts';
import { asReason, because } from '../errors/reason.ts';
import {
  currencySchema,
  type DocumentSum,
  documentSumProblem,
  documentSumSchema,
  wireAmountSchema,
} from '../money/amount.schema.ts';
import { feeTermsOfFundSchema, wireFundFeeTermsSchema } from './fees.schema.ts';
import { FUND_TYPE_LABELS } from './kinds.ts';

export const FUND_TYPES = valuesOf(FUND_TYPE_LABELS);

export const FUND_STRATEGIES = ['ALF', 'ABL', 'GL', 'FF'] as const;

/** Identifies a class of a fund. Generated if missing; it never changes. */
export const classKeySchema = nameSchema(1, 100).register(CHOSEN, { is: 'class' });

const MAX_CLASSES = 10;
const MAX_TIMELINE = 100;

const classSchema = z.object({ name: nameSchema(1, 150), uniqueKey: classKeySchema.optional() });

const timelineEntrySchema = z
  .object({
    planned: calendarDateSchema,
    title: nameSchema(2, 150),
    description: optionalTextSchema(MAX_TEXT),
    endTime: calendarDateSchema.nullish(),
    actual: calendarDateSchema.nullish(),
    activated: z.boolean().default(false),
  })
  .refine(({ planned, endTime }) => !endTime || planned <= endTime, {
    path: ['endTime'],
    message: 'must not be before the planned start',
  });

export type FundTimelineEntry = z.output<typeof timelineEntrySchema>;

/** From when principal that a fund pays back can no longer be called again. `declerationDate` is the wire's spelling. */
export const nonRecyclableSchema = z.object({
  declerationDate: calendarDateSchema,
  fromBeginning: z.boolean().default(false),
});
export type NonRecyclable = z.output<typeof nonRecyclableSchema>;

const hasDistinctKeys = (classes: readonly { uniqueKey?: string | undefined }[]): boolean => {
  const keys = classes.flatMap(({ uniqueKey }) => uniqueKey ?? []);
  return new Set(keys).size === keys.length;
};

/** Fields of a fund. Its general partners and service providers may be more on creation than later. */
const fundShape = (maxParties: number) => ({
  title: nameSchema(2, 150),
  type: z.enum(FUND_TYPES),
  strategy: z.enum(FUND_STRATEGIES),
  targetSize: documentSumSchema,
  hardCap: documentSumSchema,
  closingDate: calendarDateSchema.nullish(),
  classes: listSchema(classSchema, MAX_CLASSES, 'classes')
    .refine(hasDistinctKeys, { message: 'Two classes have the same key' })
    .default([]),
  timeline: listSchema(timelineEntrySchema, MAX_TIMELINE, 'timeline entries').default([]),
  nonRecyclable: nonRecyclableSchema.nullish(),
  GPs: listSchema(entityReferenceSchema, maxParties, 'general partners').default([]),
  managementCompany: entityReferenceSchema.nullish(),
  serviceProviders: listSchema(idSchema, maxParties, 'service providers').default([]),
  entity: entityReferenceSchema.nullish(),
  mainFund: idSchema.nullish(),
  excludeFromIRRCalculations: z.boolean().default(false),
  excuseCap: percentageSchema.nullish().meta({
    description:
      'The most, in percent of its own share, that an investor of a call takes over of what others are excused from. Without it, only what is unfunded limits it',
  }),
  feeTerms: feeTermsOfFundSchema.optional().meta({
    description:
      'What investors pay, by class (null: all classes) and from a day on. Side letters and the fees of commitments override it. Left out, it stays as it is',
  }),
  investmentPeriodEnd: calendarDateSchema.nullish().meta({
    description: 'The last day of the investment period. Left out, it stays as it is',
  }),
  equalization: equalizationTermsSchema.nullish(),
  reminders: z
    .array(z.enum(REMINDER_KINDS))
    .max(REMINDER_KINDS.length)
    .optional()
    .meta({
      description: `Which reminders of its calls the fund sends: ${Object.entries(REMINDER_LABELS)
        .map(([kind, label]) => `${kind} (${label})`)
        .join(', ')}. All for a new fund; left out, they stay as they are`,
    }),
  externalCode: externalCodeSchema,
  description: optionalTextSchema(100),
});

const sizes = ['targetSize', 'hardCap'] as const;

/** Refuses sizes in another currency than that of the fund, or with more decimals than it has. */
export const refuseOtherCurrencies = (
  fund: { currency: string } & Record<(typeof sizes)[number], DocumentSum>,
  context: Pick<z.core.$RefinementCtx, 'addIssue'>,
): void => {
  for (const size of sizes) {
    const why = documentSumProblem(fund.currency, fund[size]);
    if (why !== null) context.addIssue({ code: 'custom', path: [size], ...because(asReason(why)) });
  }
};

/** The body for creating a fund. Sizes are in its currency. */
export const fundCreateSchema = z
  .object({ ...fundShape(20), currency: currencySchema })
  .superRefine(refuseOtherCurrencies);

/** An update of a fund. Its currency cannot change. */
export const fundUpdateSchema = z.object({ ...fundShape(10), version: versionSchema });
export type FundCreate = z.output<typeof fundCreateSchema>;
export type FundUpdate = z.output<typeof fundUpdateSchema>;

/** What a figure over funds covers. Each field narrows it. */
export const fundFigureQuerySchema = z.object({
  fundId: idSchema.optional(),
  investorId: idSchema.optional(),
  Class: classKeySchema.optional(),
  cutOffDate: calendarDateSchema.optional().meta({ description: 'As-of date; today if omitted' }),
  currency: currencySchema.optional().meta({ description: 'Currency of the figures; default: that of the manager' }),
});

export type FundFigureQuery = z.output<typeof fundFigureQuerySchema>;

/**
 * A fund as the API returns it, with its entity embedded. `investors` and `commitments` cover only what the caller can
 * see: an investor's own commitments, or all of a manager's.
 */
export const fundSchema = documentSchema
  .extend({
    title: z.string(),
    type: z.string(),
    strategy: z.string(),
    currency: z.string(),
    targetSize: wireAmountSchema,
    hardCap: wireAmountSchema,
    closingDate: z.string().nullable(),
    description: z.string().nullable(),
    classes: z.array(z.object({ name: z.string(), uniqueKey: z.string() })),
    entity: entitySchema.nullable(),
    GPs: z.array(entitySchema).optional(),
    managementCompany: entitySchema.nullish(),
    serviceProviders: z.array(z.string()).optional(),
    timeline: z.array(timelineEntrySchema).optional(),
    nonRecyclable: nonRecyclableSchema.nullish(),
    mainFund: z.string().nullish(),
    externalCode: z.string().nullish(),
    excludeFromIRRCalculations: z.boolean().optional(),
    excuseCap: z.number().nullish(),
    feeTerms: z.array(wireFundFeeTermsSchema).optional(),
    investmentPeriodEnd: z.string().nullish(),
    equalization: equalizationTermsSchema.nullish(),
    reminders: z.array(z.enum(REMINDER_KINDS)).optional(),
    investors: z.int(),
    commitments: z.array(z.object({ maxCommitment: wireAmountSchema, activeCommitment: wireAmountSchema })),
    ...warningsShape,
  })
  .meta({ id: 'Fund' });
