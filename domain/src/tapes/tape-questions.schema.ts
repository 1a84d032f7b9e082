import { z } from 'zod';
import { currencySchema, wireAmountSchema } from '../money/amount.schema.ts';
import type { DecimalText } from '../money/decimal.ts';
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

/** A question as calls return it. */
export const tapeQuestionSchema = z
  .discriminatedUnion('code', [currencyQuestionSchema, poolQuestionSchema])
  .meta({ id: 'TapeQuestion' });
export type TapeQuestion = CurrencyQuestion | PoolQuestion;

/** A question that was answered, or not asked: then the tape was processed as it was scheduled. */
export type SettledQuestion = TapeQuestion & { readonly answer: string | null };

export const tapeAnswersSchema = z.object({
  answers: z
    .partialRecord(z.enum(TAPE_QUESTION_CODES), z.string().max(20))
    .meta({ description: 'One of the choices of each open question, by its code' }),
});
export type TapeAnswers = z.infer<typeof tapeAnswersSchema>['answers'];
