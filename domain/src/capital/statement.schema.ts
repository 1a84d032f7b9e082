import { z } from 'zod';
import { issueStateSchema } from '../approvals/second-person.ts';
import { investorReferenceSchema, investorSchema } from '../commitments/investor.schema.ts';
import { calendarDateSchema } from '../dates/calendar-date.ts';
import { documentSchema, fileMetadataSchema, warningsShape } from '../documents/document.schema.ts';
import { idSchema } from '../documents/id.schema.ts';
import { timezoneOffsetSchema } from '../documents/text.schema.ts';
import { classKeySchema } from '../funds/fund.schema.ts';
import { wireAmountSchema } from '../money/amount.schema.ts';
import { attachmentSchema } from '../tapes/tape.schema.ts';
import { capitalChangeShape, newStatusSchema } from './capital-document.ts';

const ofMainFund = {
  Class: classKeySchema.nullish(),
  cutOffDate: calendarDateSchema,
  timezoneOffset: timezoneOffsetSchema,
  status: newStatusSchema,
};

/** An investor's statement for all funds of a main fund. Without `fileMetadata` the statement is computed. */
export const mainFundCapitalAccountSchema = z.object({
  ...ofMainFund,
  investor: investorReferenceSchema,
  fileMetadata: attachmentSchema.nullish(),
});
/** An investor's capital account statement of a fund. Without `fileMetadata` the statement is computed. */
export const capitalAccountCreateSchema = mainFundCapitalAccountSchema.extend({
  fund: idSchema,
  mainFund: idSchema.nullish(),
});
export type CapitalAccountCreate = z.output<typeof capitalAccountCreateSchema>;

export const mainFundReportSchema = z.object({ ...ofMainFund, fileMetadata: attachmentSchema });
export const reportCreateSchema = mainFundReportSchema
  .extend({ fund: idSchema.nullish(), mainFund: idSchema.nullish() })
  .refine(({ fund, mainFund }) => Boolean(fund) !== Boolean(mainFund), {
    path: ['fund'],
    message: 'Choose a fund or a main fund',
  });
export type ReportCreate = z.output<typeof reportCreateSchema>;

/** One statement or report of a bulk update, with the fields to change. */
export const statementChangeSchema = z.object({
  ...capitalChangeShape,
  cutOffDate: calendarDateSchema.optional(),
  fileMetadata: attachmentSchema.optional(),
});
export type StatementChange = z.output<typeof statementChangeSchema>;

/** Lines of a computed statement, from the opening to the closing NAV. */
export const STATEMENT_LINES = [
  'opening',
  'contributions',
  'distributions',
  'transfers',
  'investmentIncome',
  'feesAndExpenses',
  'taxes',
  'realizedGains',
  'writeOffs',
  'unrealizedChange',
  'closing',
] as const;

const periodsSchema = z.object({
  quarter: wireAmountSchema.nullable(),
  yearToDate: wireAmountSchema.nullable(),
  sinceInception: wireAmountSchema.nullable(),
});

/** A capital account statement as the API returns it. */
export const capitalAccountSchema = documentSchema
  .extend({
    fund: z.string().nullable(),
    mainFund: z.string().nullable(),
    investor: investorSchema,
    Class: z.string().nullable(),
    cutOffDate: z.string(),
    fileMetadata: fileMetadataSchema.nullable(),
    timezoneOffset: z.int().nullable(),
    footer: z
      .object({
        commitment: wireAmountSchema,
        called: wireAmountSchema,
        unfunded: wireAmountSchema,
        recallableCapital: wireAmountSchema,
        dpi: z.number().nullable(),
        tvpi: z.number().nullable(),
        netIrr: z.number().nullable().meta({ description: 'In percent' }),
        irrReason: z.string().nullable(),
      })
      .nullable()
      .meta({ description: 'Footer of a computed statement' }),
    lines: z
      .array(z.object({ name: z.enum(STATEMENT_LINES), amounts: periodsSchema }))
      .nullable()
      .meta({ description: 'Lines of a computed statement; null for an uploaded one' }),
    secondPerson: issueStateSchema.nullable(),
    ...warningsShape,
  })
  .meta({ id: 'CapitalAccount' });

/** A report as the API returns it. */
export const reportSchema = documentSchema
  .extend({
    fund: z.string().nullable(),
    mainFund: z.string().nullable(),
    Class: z.string().nullable(),
    cutOffDate: z.string(),
    fileMetadata: fileMetadataSchema,
    timezoneOffset: z.int().nullable(),
    ...warningsShape,
  })
  .meta({ id: 'Report' });

/** The latest statement and report of each fund and class that the caller may see. */
export const fundFilesSchema = z.array(
  z.object({
    id: z.string(),
    kind: z.enum(['capitalAccount', 'report']),
    fund: z.string().nullable(),
    mainFund: z.string().nullable(),
    Class: z.string().nullable(),
    cutOffDate: z.string(),
    fileMetadata: fileMetadataSchema,
  }),
);
