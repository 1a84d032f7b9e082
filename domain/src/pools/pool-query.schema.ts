import { z } from 'zod';
import { idSchema } from '../documents/id.schema.ts';
import { REQUIRED } from '../errors/required.ts';
import { listQuerySchema } from '../filters/list-query.schema.ts';
import { currencySchema } from '../money/amount.schema.ts';
import { TAPE_DOCUMENT_LIMITS } from '../tapes/document-limits.ts';
import { CHANGE_KINDS } from './changes.ts';
import { LIFE_SOURCES } from './loan-lives.ts';
import { PAYMENT_COLUMN_LABELS, PAYMENT_COLUMNS, type PaymentColumn } from './payment-proof.ts';
import { FIRST_VALUES, MAX_POOL_VALUES } from './pool-values.ts';
import { FOLLOWED_LINES, POOL_PARTS, ROLL_LINES } from './roll-forward.ts';
import { VINTAGE_PERIODS } from './vintage-period.ts';

const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: `must be one of ${words.join(', ')}` });

/** A tape, and the format of its figures. */
export const tapeQuerySchema = z.object({
  loanTapeId: idSchema,
  format: oneOf(['json', 'csv']).default('json').meta({ description: 'csv returns the same figures as a table' }),
});

/** Two tapes of one company. */
export const tapePairQuerySchema = tapeQuerySchema.extend({
  against: idSchema.optional().meta({ description: 'The earlier tape; default: the company’s previous tape' }),
});

/** A page of the assets behind a figure between two tapes. */
const assetPageSchema = tapePairQuerySchema
  .omit({ format: true })
  .extend(listQuerySchema.pick({ skip: true, limit: true }).shape);

/** The assets of a line of a roll-forward. */
export const rolledAssetsQuerySchema = assetPageSchema.extend({
  line: oneOf(ROLL_LINES)
    .optional()
    .meta({
      description: `Default: every line whose assets are on both tapes with a balance in one currency: ${FOLLOWED_LINES.join(', ')}`,
    }),
  currency: currencySchema.optional().meta({ description: 'Only assets with a balance in it on either tape' }),
  from: oneOf(POOL_PARTS).optional().meta({ description: 'Only assets in this part on the earlier tape' }),
  to: oneOf(POOL_PARTS).optional().meta({ description: 'Only assets in this part on the later tape' }),
});

/** The assets with a change that should not happen. */
export const changedAssetsQuerySchema = assetPageSchema.extend({ kind: oneOf(CHANGE_KINDS) });

const headerSchema = z.string().max(TAPE_DOCUMENT_LIMITS.characters);

/** A payment file among the other documents of the later tape. */
const paymentFileShape = {
  file: listQuerySchema.shape.skip.meta({ description: 'The index of the payment file among `otherAttachments`' }),
  sheet: z.string().max(250).optional().meta({ description: 'Default: the sheet that looks like data' }),
  ...(Object.fromEntries(
    PAYMENT_COLUMNS.map((column) => [
      column,
      headerSchema.optional().meta({
        description: `Header of the column with: ${PAYMENT_COLUMN_LABELS[column].toLowerCase()}. Default: found by its name; empty for none`,
      }),
    ]),
  ) as Record<PaymentColumn, z.ZodOptional<typeof headerSchema>>),
};

export const paymentProofQuerySchema = tapePairQuerySchema.omit({ format: true }).extend(paymentFileShape);
/** The loans that the payments do not explain. */
export const unprovedLoansQuerySchema = assetPageSchema.extend(paymentFileShape);

export const vintageQuerySchema = tapeQuerySchema.extend({
  by: oneOf(VINTAGE_PERIODS).default('month'),
  measure: oneOf(['balance', 'count']).default('balance'),
  source: oneOf(LIFE_SOURCES).optional().meta({
    description:
      'Source of loan histories: `tapes`, the borrower’s monthly tapes; `dates`, the dates on this tape, for a tape that also lists closed loans. Default: `tapes` if there is an earlier tape, otherwise `dates`',
  }),
});

const WHOLE = `must be a whole number from 1 to ${MAX_POOL_VALUES}`;
/** A number of values to list separately, from a query string or a form. */
const topSchema = z
  .union(
    [
      z.number(),
      z
        .string()
        .regex(/^\d{1,6}$/)
        .transform(Number),
    ],
    { error: WHOLE },
  )
  .pipe(z.number().int(WHOLE).min(1, WHOLE).max(MAX_POOL_VALUES, WHOLE));

export const stratificationQuerySchema = tapeQuerySchema.extend({
  borrowingBase: idSchema.optional().meta({
    description: 'The borrowing base for result fields and filters; default: that of the first note',
  }),
  field: z.string(REQUIRED).min(1, REQUIRED).max(200).meta({ description: 'The path of an asset field' }),
  bands: z
    .string()
    .max(2000)
    .optional()
    .meta({ description: 'Ascending band edges of a number or date, separated by commas; default: suggested edges' }),
  top: topSchema
    .default(FIRST_VALUES)
    .meta({ description: `Number of text values listed separately, 1 to ${MAX_POOL_VALUES}` }),
  filter: z.string().optional().meta({ description: 'JSON filter: only matching assets' }),
});
