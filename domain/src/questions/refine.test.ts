import { expect, it } from 'vitest';
import { filterToSentence } from '../filters/sentence.ts';
import type { QuestionContext } from './question-reader.ts';
import { readQuestion } from './read-question.ts';
import { narrowingOf, refine } from './refine.ts';
import { assetSubject } from './subjects.ts';
import { TEST_ASSETS, TEST_NAMES } from './testing/subjects-for-questions.ts';
import { createLexicon } from './vocabulary.ts';

const context: QuestionContext = {
  lexicon: createLexicon(assetSubject(TEST_ASSETS, TEST_NAMES)),
  today: '2026-10-31',
  mainCurrency: 'USD',
};
const namesRows = (text: string) => /\b(loans|draws)\b/.test(text);

it.each([
  ['only those with a rate over 5%', 'with a rate over 5%'],
  ['Only the ones in Texas', 'in Texas'],
  ['show me just those in Texas', 'in Texas'],
  ['now keep only these: grade A', 'grade A'],
  ['of those, the 5 largest', 'the 5 largest'],
  ['which of them are late', 'are late'],
  ['and how many of these are in Texas?', 'are in Texas?'],
  ['narrow it down to California', 'California'],
  ['only Texas', 'Texas'],
  ['only late loans', null],
  ['loans in Texas only', null],
  ['late loans', null],
  ['justified', null],
])('takes “%s” to narrow down by “%s”', (question, rest) => {
  expect(narrowingOf(question, namesRows)).toBe(rest);
});

const ask = (question: string) => {
  const reading = readQuestion(question, context);
  if (reading.kind !== 'filter') throw new Error(reading.text);
  return reading;
};
const said = (before: string, then: string) => {
  const reading = refine(ask(before), readQuestion(then, context));
  return reading.kind === 'filter'
    ? `${filterToSentence(reading.filter)} ${JSON.stringify(reading.sort)}`
    : reading.text;
};

it.each([
  ['loans in Texas', 'with a rate over 5%', 'State is TX and Interest rate is more than 5% []'],
  [
    'late or charged off',
    'in Texas',
    '(Days past due is more than 0 or Asset status is charged off) and State is TX []',
  ],
  [
    'loans in Texas, highest balance first',
    'grade A',
    'State is TX and Grade is A [{"path":"sums.outstandingSum","direction":-1}]',
  ],
])('narrows “%s” by “%s”', (before, then, sentence) => {
  expect(said(before, then)).toBe(sentence);
});

it.each([
  ['loans in Texas', 'in Florida', /two values at once/],
  ['top 10 loans by balance', 'in Texas', /first 10/],
  ['loans in Texas', 'shiny', /did not understand “shiny”/],
])('asks back where “%s” cannot be narrowed by “%s”', (before, then, text) => {
  expect(said(before, then)).toMatch(text);
});
