import { z } from 'zod';
import { REQUIRED } from '../errors/reason.ts';
import { type Flags, Refusal } from '../errors/refusal.ts';
import { currencySchema } from '../money/amount.schema.ts';

/** What a person is asked before a tape is processed. */
export const TAPE_QUESTION_CODES = ['amountCurrency', 'mainCurrency'] as const;
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

export const tapeQuestionSchema = z
  .object({
    code: z.enum(TAPE_QUESTION_CODES).meta({
      description: 'amountCurrency: of amounts that name none. mainCurrency: in which the tape is reported',
    }),
    data: z.object({
      ...currencyFactsSchema.shape,
      choices: z.array(currencySchema).meta({ description: 'The answers that are possible' }),
    }),
  })
  .meta({ id: 'TapeQuestion' });
export type TapeQuestion = z.infer<typeof tapeQuestionSchema>;

/** A question that was answered, or not asked: then the tape was processed as it was scheduled. */
export interface SettledQuestion extends TapeQuestion {
  readonly answer: string | null;
}

export const TAPE_QUESTION_LABELS: Readonly<Record<TapeQuestionCode, string>> = {
  amountCurrency: 'Currency of amounts that name none',
  mainCurrency: 'Main currency of the tape',
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

/** What a question is about, in one sentence. It is the message of a tape's warning where nobody was asked. */
export const questionSentence = ({ code, data }: TapeQuestion): string =>
  `${TAPE_QUESTION_LABELS[code]} is in doubt: ${currencyFactsInWords(data)}`;

/**
 * What to ask where file, company, mapping and tape name several currencies. Nothing is asked where those that are known
 * agree.
 */
export function currencyQuestions(facts: CurrencyFacts): TapeQuestion[] {
  const distinct = (currencies: readonly (string | null)[]) => [...new Set(currencies.filter((each) => each !== null))];
  const { file, company, mapping, tape } = facts;
  const choices = distinct([file, company, mapping, tape]);
  const ask = (code: TapeQuestionCode): TapeQuestion => ({ code, data: { ...facts, choices } });
  return [
    ...(distinct([file, company, mapping]).length > 1 ? [ask('amountCurrency')] : []),
    ...(distinct([company ?? file ?? mapping, tape]).length > 1 ? [ask('mainCurrency')] : []),
  ];
}

export const tapeAnswersSchema = z.object({
  answers: z
    .partialRecord(z.enum(TAPE_QUESTION_CODES), currencySchema)
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
    else if (!data.choices.includes(answer)) flags[`answers.${code}`] = `must be one of ${data.choices.join(', ')}`;
  }
  for (const code of Object.keys(answers)) {
    if (!questions.some((question) => question.code === code)) flags[`answers.${code}`] = 'is not an open question';
  }
  if (Object.keys(flags).length > 0) {
    throw new Refusal('badRequest', 'Answer every open question of the tape', { flags });
  }
  return questions.map((question) => ({ ...question, answer: answers[question.code] ?? null }));
}
