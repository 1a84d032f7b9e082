import { z } from 'zod';
import { calendarDateSchema } from '../dates/calendar-date.ts';
import { documentSchema, fileMetadataSchema, versionSchema } from '../documents/document.schema.ts';
import { idSchema } from '../documents/id.schema.ts';
import { listSchema, MAX_TEXT, nameSchema, optionalTextSchema } from '../documents/text.schema.ts';
import { REQUIRED } from '../errors/required.ts';
import { type Amount, amountOf, positiveSchema, wireAmountSchema } from '../money/amount.schema.ts';
import type { DecimalText } from '../money/decimal.ts';
import { attachmentSchema } from '../tapes/tape.schema.ts';
import { DRAW_EXCEPTION_MESSAGES, DRAW_STAGES, DRAW_STATUSES, DRAW_TYPES, EXCEPTION_STATUSES } from './draw-values.ts';

export { DRAW_EXCEPTION_MESSAGES, DRAW_STAGES, DRAW_STATUSES, DRAW_TYPES, EXCEPTION_STATUSES } from './draw-values.ts';

const MAX_AMOUNTS = 200;
/** More than the checks can find in a request of every currency. */
export const MAX_EXCEPTIONS = 500;
/** Files of one request. */
export const MAX_DRAW_ATTACHMENTS = 20;

const drawSchema = z.object({
  type: z.enum(DRAW_TYPES),
  amounts: z.array(amountOf(positiveSchema)).max(MAX_AMOUNTS, { message: `At most ${MAX_AMOUNTS} amounts` }),
});

export const NO_AMOUNT = { message: 'At least 1 draw type should be filled' };

const drawsSchema = z
  .array(drawSchema, REQUIRED)
  .min(1, NO_AMOUNT)
  .max(DRAW_TYPES.length, { message: 'Enter each draw type once' })
  .refine((draws) => new Set(draws.map(({ type }) => type)).size === draws.length, {
    message: 'Enter each draw type once',
  })
  .refine((draws) => draws.some(({ amounts }) => amounts.length > 0), NO_AMOUNT);

/** @param attachment what a form or a call enters for each file */
export const attachmentsOf = <Attachment extends z.ZodType>(attachment: Attachment) =>
  z.array(attachment).max(MAX_DRAW_ATTACHMENTS, { message: `At most ${MAX_DRAW_ATTACHMENTS} attachments` });
const attachments = attachmentsOf(attachmentSchema);

/** The body of a draw request on a note. */
export const drawCreateSchema = z.object({
  transaction: idSchema,
  noteTitle: nameSchema(1, 250),
  cutOffDate: calendarDateSchema,
  dueDate: calendarDateSchema.meta({ description: 'Requested day of the money transfer' }),
  draws: drawsSchema,
  description: optionalTextSchema(MAX_TEXT),
  attachments: attachments.default([]),
});

export type DrawCreate = z.infer<typeof drawCreateSchema>;

/** A skipped exception names the exception by its position, and gives the reason. */
const exceptionChangeSchema = z.object({
  status: z.enum(EXCEPTION_STATUSES),
  reason: optionalTextSchema(MAX_TEXT),
});

const updateShape = {
  version: versionSchema,
  cutOffDate: calendarDateSchema.optional(),
  dueDate: calendarDateSchema.optional(),
  draws: drawsSchema.optional(),
  description: optionalTextSchema(MAX_TEXT),
  attachments: attachments.optional(),
  exceptions: listSchema(exceptionChangeSchema, MAX_EXCEPTIONS, 'exceptions').optional(),
  status: z.enum(DRAW_STATUSES).optional(),
  reject: z.boolean().optional(),
  /** The manager's reason. */
  rejectionMessage: optionalTextSchema(MAX_TEXT),
};

const hasRejectionReason = ({ reject, status, rejectionMessage }: z.infer<z.ZodObject<typeof updateShape>>): boolean =>
  !(reject || status === 'Rejected') || Boolean(rejectionMessage);
const rejectionIssue = { path: ['rejectionMessage'], message: 'Enter the reason for the rejection' };

/** An update contains the draw request with its changes; or it approves or rejects it. A rejection needs a message. */
export const drawUpdateSchema = z.object(updateShape).refine(hasRejectionReason, rejectionIssue);
export type DrawUpdate = z.infer<typeof drawUpdateSchema>;

/** One draw request of a bulk update, with the fields to change. */
export const drawChangeSchema = z.object({ id: idSchema, ...updateShape }).refine(hasRejectionReason, rejectionIssue);
export type DrawChange = z.infer<typeof drawChangeSchema>;

const exceptionSchema = z
  .object({
    message: z.enum(DRAW_EXCEPTION_MESSAGES),
    stage: z.enum(DRAW_STAGES),
    drawType: z.enum(DRAW_TYPES).nullable(),
    amount: z.number().nullable().meta({ description: 'The limit' }),
    exceededBy: z.number().nullable(),
    currency: z.string().nullable(),
    covenant: z
      .object({ id: z.string(), title: z.string(), testDate: z.string(), stops: z.boolean() })
      .optional()
      .meta({
        description:
          'The covenant, and the date of its test. If it stops draws, only people with transactions/write skip it',
      }),
  })
  .meta({ id: 'DrawException' });

/** One type of a stored draw request, with the values that the server set; null if a rate is missing. */
export interface StoredDraw {
  type: (typeof DRAW_TYPES)[number];
  amounts: Amount[];
  valueInUSD: DecimalText | null;
  amountInMainCurrency: Amount | null;
}

/** A draw request as the API returns it. */
export const drawRequestSchema = documentSchema
  .extend({
    status: z.enum(DRAW_STATUSES),
    transaction: z.object({ id: z.string(), title: z.string() }),
    noteTitle: z.string(),
    cutOffDate: z.string(),
    dueDate: z.string(),
    draws: z.array(
      z.object({
        type: z.enum(DRAW_TYPES),
        amounts: z.array(wireAmountSchema),
        valueInUSD: z.number().nullable(),
        amountInMainCurrency: wireAmountSchema.nullable(),
      }),
    ),
    valueInUsd: z.number().nullable(),
    amountInMainCurrency: wireAmountSchema.nullable(),
    exceptions: z.array(
      z.object({ exception: exceptionSchema, status: z.enum(EXCEPTION_STATUSES), reason: z.string().nullable() }),
    ),
    rejectionMessage: z.string().nullable(),
    description: z.string().nullable(),
    attachments: z.array(fileMetadataSchema),
  })
  .meta({ id: 'TransactionDraw' });
