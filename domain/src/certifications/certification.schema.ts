import { z } from 'zod';
import { idSchema } from '../documents/id.schema.ts';
import { nameSchema, optionalTextSchema, textSchema } from '../documents/text.schema.ts';
import { moneySchema } from '../money/amount.schema.ts';
import { CERTIFICATION_STATUSES, MAX_OWN_LINES } from './certification-labels.ts';

/** The key of a line of ours. */
const lineKeySchema = z.string().trim().min(1).max(400);

/** A line of the borrower's own certificate. */
export const ownLineSchema = z.object({
  label: nameSchema(1, 200),
  amount: moneySchema,
  line: lineKeySchema.nullish().transform((line) => line ?? null),
  remark: optionalTextSchema(500),
});

const ownLinesSchema = z
  .array(ownLineSchema)
  .max(MAX_OWN_LINES, { message: `A certificate has at most ${MAX_OWN_LINES} lines` });

/** A draft: the figures of the borrower, or null to confirm those that were calculated. */
export const certificationDraftSchema = z.object({
  lines: ownLinesSchema.min(1, { message: 'Enter at least one line, or confirm the calculated figures' }).nullable(),
});
export type CertificationDraft = z.output<typeof certificationDraftSchema>;

/** Who signs. The code was sent to the email of the user who submits. */
export const certificationSubmitSchema = z.object({
  name: nameSchema(2, 100),
  title: nameSchema(2, 100),
  code: z
    .string()
    .trim()
    .min(6, { message: 'Enter the code of the email' })
    .max(20, { message: 'At most 20 characters' }),
  version: z.int().min(1),
});

/** A line that is disputed. */
const disputedLineSchema = z.object({ line: lineKeySchema, reason: textSchema(5, 500) });

export const certificationDisputeSchema = z.object({
  lines: z
    .array(disputedLineSchema)
    .min(1, { message: 'Give a reason for at least one line' })
    .max(MAX_OWN_LINES, { message: `At most ${MAX_OWN_LINES} lines` }),
});
export type CertificationDispute = z.output<typeof certificationDisputeSchema>;

const nullable = z.string().nullable();
const figure = z.number().nullable();

/** A borrower's certificate as calls return it. */
export const shownCertificationSchema = z
  .object({
    id: idSchema,
    version: z.int(),
    number: z.int().meta({ description: 'Counts the certificates of one tape under one contract' }),
    status: z.enum(CERTIFICATION_STATUSES),
    borrowingBase: idSchema.meta({ description: 'The version of the borrowing base that it certifies' }),
    figures: z.enum(['ours', 'own']),
    lines: z.array(
      z.object({
        key: nullable.meta({ description: 'null for a line that only the borrower has' }),
        label: z.string(),
        currency: z.string(),
        ours: figure,
        theirs: figure,
        difference: figure.meta({ description: 'theirs less ours; null if one of them is unknown or not given' }),
        remark: nullable.meta({ description: 'What the borrower remarked' }),
        dispute: nullable.meta({ description: 'Why the lender disputes it' }),
      }),
    ),
    text: nullable.meta({ description: 'What was certified' }),
    name: nullable,
    title: nullable,
    submittedBy: nullable,
    submittedAt: nullable,
    reviewedBy: nullable,
    reviewedAt: nullable,
    decidedBy: nullable,
    decidedAt: nullable,
    sha256: nullable.meta({ description: 'Of the sealed PDF, once it is accepted' }),
    verification: nullable.meta({ description: 'The address that says whether a file is the accepted one' }),
    file: nullable.meta({ description: 'Id of the sealed PDF' }),
  })
  .meta({ id: 'BorrowerCertificate' });
