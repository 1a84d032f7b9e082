import { formatCalendarDate } from '../dates/calendar-date.ts';
import { type Flags, Refusal } from '../errors/refusal.ts';
import { REQUIRED } from '../errors/required.ts';
import { compare, type DecimalText, decimalOf, sum } from '../money/decimal.ts';
import { formatCount, formatFigure, formatPercent } from '../money/format-figure.ts';
import { CURRENCY_QUESTION_CODES, PUBLISH, type TapeQuestionCode } from './tape-question-codes.ts';
import type {
  ChangeFacts,
  ChangesQuestion,
  CurrencyFacts,
  CurrencyQuestion,
  PoolFacts,
  PoolQuestion,
  SettledQuestion,
  TapeAnswers,
  TapeQuestion,
} from './tape-questions.schema.ts';

export const isAboutCurrency = <Question extends TapeQuestion>(
  question: Question,
): question is Question & CurrencyQuestion => CURRENCY_QUESTION_CODES.some((code) => code === question.code);

export const TAPE_QUESTION_LABELS: Readonly<Record<TapeQuestionCode, string>> = {
  amountCurrency: 'Currency of amounts that name none',
  mainCurrency: 'Main currency of the tape',
  pool: 'Size of the pool',
  changes: 'Changes since the previous tape',
};

const SOURCES = {
  file: 'the file',
  company: 'the borrower',
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
export function questionSentence(question: TapeQuestion): string {
  const label = TAPE_QUESTION_LABELS[question.code];
  if (question.code === 'changes')
    return `${label} are beyond the limits: ${changeFactsInWords(question.data).join('; ')}`;
  return `${label} is in doubt: ${
    isAboutCurrency(question) ? currencyFactsInWords(question.data) : poolFactsInWords(question.data)
  }`;
}

const isBeyond = (percent: DecimalText | null, limit: DecimalText | null): boolean =>
  percent !== null && limit !== null && compare(percent, limit) > 0;

/** "214 of 5,120 loans (4.18%) have changes that should not happen, at most 1% may". Only what is beyond its limit. */
export function changeFactsInWords({
  matched,
  changed,
  changedPercent,
  changedLimit,
  leftPercent,
  leftLimit,
}: ChangeFacts): string[] {
  const share = (percent: DecimalText | null) => formatPercent(percent ?? '0', 2);
  const limit = (percent: DecimalText | null) => `${decimalOf(percent ?? '0')}%`;
  return [
    ...(isBeyond(changedPercent, changedLimit)
      ? [
          `${formatFigure(changed)} of ${formatCount(matched, 'loan')} (${share(changedPercent)}) have changes that should not happen, at most ${limit(changedLimit)} may`,
        ]
      : []),
    ...(isBeyond(leftPercent, leftLimit)
      ? [`${share(leftPercent)} of the balance is no longer reported, at most ${limit(leftLimit)} may be`]
      : []),
  ];
}

/** Asks about changes beyond the limits of a contract. Shares that are unknown are beyond none. */
export function changesQuestion(facts: ChangeFacts): ChangesQuestion | null {
  const { changedPercent, changedLimit, leftPercent, leftLimit } = facts;
  if (!isBeyond(changedPercent, changedLimit) && !isBeyond(leftPercent, leftLimit)) return null;
  return { code: 'changes', data: { ...facts, choices: [PUBLISH] } };
}

/** "400 assets on 31 Oct 2026, 5,000 assets on 30 Sep 2026", with the balances if they can be compared. */
function poolFactsInWords({ now, before }: PoolQuestion['data']): string {
  const inWords = ({ cutOffDate, assets, balances }: PoolFacts): string => {
    const figures = balances.map(({ sum, currency }) => `${formatFigure(sum)} ${currency}`);
    return `${[formatCount(assets, 'asset'), ...figures].join(' and ')} on ${formatCalendarDate(cutOffDate)}`;
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
