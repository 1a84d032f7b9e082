import { z } from 'zod';
import { formatCalendarDate } from '../dates/calendar-date.ts';
import { REQUIRED } from '../errors/reason.ts';
import { type Flags, Refusal } from '../errors/refusal.ts';
import { currencySchema, wireAmountSchema } from '../money/amount.schema.ts';
import { compare, type DecimalText, sum } from '../money/decimal.ts';
import { formatFigure } from '../money/format-figure.ts';

/** Questions to a person before a tape is processed, or before it is published. */
const CURRENCY_QUESTION_CODES = ['amountCurrency', 'mainCurrency'] as const;
export const TAPE_QUESTION_CODES = [...CURRENCY_QUESTION_CODES, 'pool'] as const;
export type TapeQuestionCode = (typeof TAPE_QUESTION_CODES)[number];

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

/** The answer that publishes a tape whose pool is very different from that of the previous tape. */
export const PUBLISH = 'publish';

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

export const isAboutCurrency = <Question extends TapeQuestion>(
  question: Question,
): question is Question & CurrencyQuestion => question.code !== 'pool';

export const TAPE_QUESTION_LABELS: Readonly<Record<TapeQuestionCode, string>> = {
  amountCurrency: 'Currency of amounts that name none',
  mainCurrency: 'Main currency of the tape',
  pool: 'Size of the pool',
};

const SOURCES = {
  file: 'the file',
  company: 'the company',
  mapping: 'the mapping',
  tape: 'the upload',
} as const satisfies Record<keyof CurrencyFacts, string>;

/** "EUR (the file, the company), USD (the mapping, the upload)". */
export function currencyFactsInWords(facts: CurrencyFacts): string {
  const sources = Object.keys(SOURCES) as (keyof typeof SOURCES)[];
  const by = Map.groupBy(
    sources.filter((source) => facts[source] !== null),
    (source) => facts[source],
  );
  return [...by].map(([currency, of]) => `${currency} (${of.map((source) => SOURCES[source]).join(', ')})`).join(', ');
}

/** What a question is about, in one sentence. It is the message of the warning if the question was not asked. */
export const questionSentence = (question: TapeQuestion): string =>
  `${TAPE_QUESTION_LABELS[question.code]} is in doubt: ${
    isAboutCurrency(question) ? currencyFactsInWords(question.data) : poolFactsInWords(question.data)
  }`;

/** "400 assets on 31 Oct 2026, 5,000 assets on 30 Sep 2026", with the balances if they can be compared. */
function poolFactsInWords({ now, before }: PoolQuestion['data']): string {
  const inWords = ({ cutOffDate, assets, balances }: PoolFacts): string => {
    const figures = balances.map(({ sum, currency }) => `${formatFigure(sum)} ${currency}`);
    return `${[`${formatFigure(assets)} assets`, ...figures].join(' and ')} on ${formatCalendarDate(cutOffDate)}`;
  };
  return `${inWords(now)}, ${inWords(before)}`;
}

/** A pool of fewer assets can change by more than half in a month. */
const MIN_COMPARED_ASSETS = 20;

/**
 * Asks about a pool with less than half or at least twice the assets of the previous tape, or its balance in a currency
 * that both have. A previous pool of fewer than 20 assets is not compared.
 */
export function poolQuestion(before: PoolFacts, now: PoolFacts): PoolQuestion | null {
  if (before.assets < MIN_COMPARED_ASSETS) return null;
  const isFar = (earlier: DecimalText, later: DecimalText): boolean =>
    compare(earlier, '0') > 0 &&
    (compare(sum([later, later]), earlier) < 0 || compare(later, sum([earlier, earlier])) >= 0);
  const areFar = now.balances.some(({ sum: later, currency }) => {
    const earlier = before.balances.find((each) => each.currency === currency);
    return earlier !== undefined && isFar(earlier.sum, later);
  });
  if (!areFar && !isFar(String(before.assets), String(now.assets))) return null;
  return { code: 'pool', data: { before, now, choices: [PUBLISH] } };
}

/**
 * What to ask where file, company, mapping and tape name several currencies. Nothing is asked where those that are known
 * agree.
 */
export function currencyQuestions(facts: CurrencyFacts): CurrencyQuestion[] {
  const distinct = (currencies: readonly (string | null)[]) => [...new Set(currencies.filter((each) => each !== null))];
  const { file, company, mapping, tape } = facts;
  const choices = distinct([file, company, mapping, tape]);
  const ask = (code: CurrencyQuestion['code']): CurrencyQuestion => ({ code, data: { ...facts, choices } });
  return [
    ...(distinct([file, company, mapping]).length > 1 ? [ask('amountCurrency')] : []),
    ...(distinct([company ?? file ?? mapping, tape]).length > 1 ? [ask('mainCurrency')] : []),
  ];
}

export const tapeAnswersSchema = z.object({
  answers: z
    .partialRecord(z.enum(TAPE_QUESTION_CODES), z.string().max(20))
    .meta({ description: 'One of the choices of each open question, by its code' }),
});
export type TapeAnswers = z.infer<typeof tapeAnswersSchema>['answers'];

/**
 * The questions with their answers.
 * @throws Refusal badRequest with flags: every open question needs one of its choices, and nothing else is answered
 */
export function settleQuestions(questions: readonly TapeQuestion[], answers: TapeAnswers): SettledQuestion[] {
  const flags: Flags = {};
  for (const { code, data } of questions) {
    const answer = answers[code];
    if (answer === undefined) flags[`answers.${code}`] = REQUIRED;
    else if (!(data.choices as readonly string[]).includes(answer))
      flags[`answers.${code}`] = `must be one of ${data.choices.join(', ')}`;
  }
  for (const code of Object.keys(answers)) {
    if (!questions.some((question) => question.code === code)) flags[`answers.${code}`] = 'is not an open question';
  }
  if (Object.keys(flags).length > 0) {
    throw new Refusal('badRequest', 'Answer every open question of the tape', { flags });
  }
  return questions.map((question) => ({ ...question, answer: answers[question.code] ?? null }));
}
