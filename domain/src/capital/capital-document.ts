import { z } from 'zod';
import { issueStateSchema } from '../approvals/second-person.ts';
import type { CalendarDate } from '../dates/calendar-date.ts';
import { fileMetadataSchema, versionSchema } from '../documents/document.schema.ts';
import { idSchema } from '../documents/id.schema.ts';
import { optionalTextSchema, textSchema } from '../documents/text.schema.ts';
import { REQUIRED } from '../errors/required.ts';
import { wireAmountSchema } from '../money/amount.schema.ts';

/** Statuses that a caller can give a capital document. `Removed` is set by deleting it. */
export const CAPITAL_STATUSES = ['Draft', 'Active', 'Closed'] as const;

/** An issued call is shown as Upcoming until it is due, and a distribution until its cut-off date. */
export const shownStatus = <Status extends string>(status: Status, from: CalendarDate, today: CalendarDate) =>
  status === 'Active' && from > today ? ('Upcoming' as const) : status;

/** Most purposes of a call, and most components of a distribution. */
export const MAX_LINES = 60;

/** The entries of an investor's activity statement: calls, distributions, commitments and write-offs. */
export const CAPITAL_ACTIONS = ['cont', 'dist', 'commitment', 'writeOff'] as const;

/** A new document is a draft, or is issued at once. */
export const newStatusSchema = z.enum(['Draft', 'Active']).optional();

/** The part of a bulk change that all capital documents share. */
export const capitalChangeShape = {
  id: idSchema,
  version: versionSchema,
  status: z.enum(CAPITAL_STATUSES).optional(),
};

/** The same of calls and distributions: an Active one that is shown as Upcoming can be sent back as it was returned. */
export const noticeChangeShape = {
  ...capitalChangeShape,
  status: z
    .enum([...CAPITAL_STATUSES, 'Upcoming'], { error: `must be one of ${CAPITAL_STATUSES.join(', ')}` })
    .optional(),
};

/** A line of a notice: "Management fee", 12500.00 USD. */
const noticeLinesSchema = z
  .array(z.object({ title: z.string(), amount: wireAmountSchema }))
  .meta({ id: 'NoticeLines' });

/** The notice of a call or a distribution as the API returns it: its file, and the figures that the file shows. */
export const noticeShape = {
  nettedWith: z.string().nullable().meta({
    description:
      'The `metadata.bundleId` of the distribution that a call settles with as one net amount, or of the call that a distribution does',
  }),
  pdf: fileMetadataSchema.nullable(),
  pdfDataByInvestor: noticeLinesSchema.nullable().meta({ description: "The investor's lines of the notice" }),
  secondPerson: issueStateSchema.nullable(),
  pdfDataByFund: noticeLinesSchema.nullable().meta({
    description: "The fund's lines of the notice; null unless pdfOptions.fundLevel is set",
  }),
  timezoneOffset: z.int().nullable(),
};

/** Deletes documents. Removing an issued one needs a reason. */
export const removalReasonSchema = optionalTextSchema(500);

/** Why a draft is returned to who prepared it. */
export const returnReasonSchema = textSchema(1, 500);

const askedSchema = z
  .array(z.object({ id: idSchema, version: versionSchema }), REQUIRED)
  .min(1, { message: 'must name 1 to 500 documents' })
  .max(500, { message: 'must name 1 to 500 documents' })
  .refine((documents) => new Set(documents.map(({ id }) => id)).size === documents.length, {
    message: 'must name each document once',
  });

/** Drafts as they were read, to submit them for issue or to add default interest to them. */
export const seenDraftsSchema = z.object({ documents: askedSchema });

/** Submitted drafts that are returned to who prepared them. */
export const returnToPreparerSchema = seenDraftsSchema.extend({ reason: returnReasonSchema });

const pairShape = { contributions: askedSchema, distributions: askedSchema };

/** A call and a distribution by the documents of all their investors, as they were read, that settle as one net amount. */
export const nettingSchema = z.object({
  ...pairShape,
  dryRun: z.boolean().default(false).meta({ description: 'Answers what it would do, and saves nothing' }),
});

/** The same, to settle drafts separately, or to issue both. */
export const nettedPairSchema = z.object(pairShape);

/** The same, to withdraw both. */
export const nettedRemovalSchema = z.object({ ...pairShape, reason: removalReasonSchema });

const netAmountsShape = {
  called: wireAmountSchema.meta({ description: 'With interest' }),
  distributed: wireAmountSchema,
  deemed: wireAmountSchema.meta({ description: 'Counts as contributed and as distributed, and moves no cash' }),
  pays: wireAmountSchema.meta({ description: 'The net amount that is owed by the investor' }),
  receives: wireAmountSchema.meta({ description: 'The net amount that is owed to the investor' }),
};

/** How a call and a distribution settle. */
export const nettedSchema = z
  .object({
    call: z.string().meta({ description: 'Its `metadata.bundleId`' }),
    distribution: z.string(),
    date: z.string(),
    investors: z.array(
      z.object({
        contribution: z.string().nullable(),
        distribution: z.string().nullable(),
        investor: z.string().nullable(),
        ...netAmountsShape,
      }),
    ),
    totals: z.object(netAmountsShape),
  })
  .meta({ id: 'Netting' });

/** Documents whose files are generated again. */
export const regenerateFilesSchema = z.object({
  ids: z
    .array(idSchema, REQUIRED)
    .min(1, { message: 'must name 1 to 500 documents' })
    .max(500, { message: 'must name 1 to 500 documents' }),
});
