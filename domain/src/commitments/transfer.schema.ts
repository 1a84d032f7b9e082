import { z } from 'zod';
import { wireAmountSchema } from '../money/amount.schema.ts';
import { investorSchema } from './investor.schema.ts';
import { commitmentTransferSchema } from './transfer.ts';

/** The body of a transfer over REST. */
export const transferCreateSchema = commitmentTransferSchema.safeExtend({
  /** Returns the transfer and what it changes, without saving it. */
  dryRun: z.boolean().default(false),
});

const figure = wireAmountSchema.nullable();
const figuresSchema = z.object({
  activeCommitment: figure,
  called: figure,
  unfunded: figure,
  recallableCapital: figure,
  distributed: figure,
  writtenOff: figure,
  netCapitalCalled: figure,
  nav: figure,
  grossNav: figure,
});
/** The figures of a day that a transfer can change. */
export const TRANSFERRED_FIGURES = figuresSchema.keyof().options;

const changeOf = <Figures extends z.ZodType>(figures: Figures) =>
  z.object({ before: figures, after: figures, difference: figures });
const sideSchema = changeOf(figuresSchema.extend({ maxCommitment: wireAmountSchema }));

/** A transfer as the API returns it. A dry run has no id. */
export const transferSchema = z
  .object({
    id: z.string().optional().meta({ description: 'As `transfer` of the changes of both commitments' }),
    fund: z.string(),
    Class: z.string().nullable(),
    date: z.string(),
    from: z.object({ commitment: z.string(), investor: investorSchema }),
    to: z.object({
      commitment: z.string().nullable().meta({ description: 'Null for a new commitment of a dry run' }),
      investor: investorSchema,
    }),
    amount: wireAmountSchema.meta({ description: 'What is committed with it' }),
    sharePercent: z.number().nullable().meta({ description: 'Of the interest; null for unfunded commitment alone' }),
    price: figure,
    document: z.string().nullable().meta({ description: 'The id of a file' }),
    changes: z
      .object({ from: sideSchema, to: sideSchema, fund: changeOf(figuresSchema) })
      .optional()
      .meta({ description: 'Of a dry run: both investors and the fund on its day. An unknown figure is null' }),
  })
  .meta({ id: 'Transfer' });
