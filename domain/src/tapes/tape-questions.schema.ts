import { z } from 'zod';
import { currencySchema, wireAmountSchema } from '../money/amount.schema.ts';
import type { DecimalText } from '../money/decimal.ts';
import { CHANGE_KINDS, type LoanChange } from '../pools/changes.ts';
import { CURRENCY_QUESTION_CODES, PUBLISH, TAPE_QUESTION_CODES } from './tape-question-codes.ts';

const known = currencySchema.nullable();

/** Where the currencies of a tape come from. What is unknown, or names none, is null. */
export const currencyFactsSchema = z.object({
  file: known.meta({ description: 'The one currency that the first rows of the file name' }),
  company: known.meta({ description: 'The currency of the company' }),
  mapping: known.meta({ description: 'The primary currency of the mapping, of amounts that name none' }),
  tape: known.meta({ description: 'The main currency of the tape, in which it is reported' }),
});
export type CurrencyFacts = z.infer<typeof currencyFactsSchema>;

export const currencyQuestionSchema = z
  .object({
    code: z.enum(CURRENCY_QUESTION_CODES).meta({
      description: 'amountCurrency: of amounts that name none. mainCurrency: in which the tape is reported',
    }),
    data: z.object({
      ...currencyFactsSchema.shape,
      choices: z.array(currencySchema).meta({ description: 'The answers that are possible' }),
    }),
  })
  .meta({ id: 'TapeCurrencyQuestion' });
export type CurrencyQuestion = z.infer<typeof currencyQuestionSchema>;

/** The size of a pool at a cut-off date. */
export interface PoolFacts {
  readonly cutOffDate: string;
  readonly assets: number;
  /** Current balances, one for each currency. */
  readonly balances: readonly { readonly sum: DecimalText; readonly currency: string }[];
}

const poolFactsSchema = z.object({
  cutOffDate: z.string().meta({ format: 'date' }),
  assets: z.int().min(0),
  balances: z.array(wireAmountSchema).meta({ description: 'Current balances, one for each currency' }),
});

const poolQuestionSchema = z
  .object({
    code: z.literal('pool').meta({ description: 'The pool is much smaller or larger than that of the previous tape' }),
    data: z.object({
      before: poolFactsSchema.meta({ description: 'Of the latest published tape of an earlier cut-off date' }),
      now: poolFactsSchema,
      choices: z.array(z.literal(PUBLISH)).meta({ description: 'The answers that are possible' }),
    }),
  })
  .meta({ id: 'TapePoolQuestion' });

export interface PoolQuestion {
  readonly code: 'pool';
  readonly data: {
    readonly before: PoolFacts;
    readonly now: PoolFacts;
    readonly choices: readonly (typeof PUBLISH)[];
  };
}

/** What changed since the previous tape, beside the limits of contracts. Percentages; null for what is unknown or not limited. */
export interface ChangeFacts {
  /** The cut-off date of the previous tape. */
  readonly since: string;
  /** Loans on both tapes, and those with a change that should not happen. */
  readonly matched: number;
  readonly changed: number;
  readonly changes: readonly { readonly kind: LoanChange; readonly count: number }[];
  readonly changedPercent: DecimalText | null;
  readonly changedLimit: DecimalText | null;
  /** Balance that is no longer reported. */
  readonly leftPercent: DecimalText | null;
  readonly leftLimit: DecimalText | null;
}

const percentSchema = z.string().nullable().meta({ description: 'In per cent. Null: unknown, or not limited' });
const changesQuestionSchema = z
  .object({
    code: z
      .literal('changes')
      .meta({ description: 'Changes since the previous tape are beyond the limits of a contract' }),
    data: z.object({
      since: z.string().meta({ format: 'date' }),
      matched: z.int().min(0).meta({ description: 'Loans on both tapes' }),
      changed: z.int().min(0).meta({ description: 'Those with a change that should not happen' }),
      changes: z.array(z.object({ kind: z.enum(CHANGE_KINDS), count: z.int().min(1) })),
      changedPercent: percentSchema,
      changedLimit: percentSchema,
      leftPercent: percentSchema,
      leftLimit: percentSchema,
      choices: z.array(z.literal(PUBLISH)).meta({ description: 'The answers that are possible' }),
    }),
  })
  .meta({ id: 'TapeChangesQuestion' });

export interface ChangesQuestion {
  readonly code: 'changes';
  readonly data: ChangeFacts & { readonly choices: readonly (typeof PUBLISH)[] };
}

/** A question as calls return it. */
export const tapeQuestionSchema = z
  .discriminatedUnion('code', [currencyQuestionSchema, poolQuestionSchema, changesQuestionSchema])
  .meta({ id: 'TapeQuestion' });
export type TapeQuestion = CurrencyQuestion | PoolQuestion | ChangesQuestion;

/** A question that was answered, or not asked: then the tape was processed as it was scheduled. */
export type SettledQuestion = TapeQuestion & { readonly answer: string | null };

export const tapeAnswersSchema = z.object({
  answers: z
    .partialRecord(z.enum(TAPE_QUESTION_CODES), z.string().max(20))
    .meta({ description: 'One of the choices of each open question, by its code' }),
});
export type TapeAnswers = z.infer<typeof tapeAnswersSchema>['answers'];
