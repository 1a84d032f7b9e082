import { assetSubject, listSubject } from '@tapeline/domain/questions/subjects.ts';
import { FIRST_QUESTIONS } from '@tapeline/domain/questions/testing/first-questions.ts';
import { judgeQuestion } from '@tapeline/domain/questions/testing/judge-question.ts';
import { LATER_QUESTIONS } from '@tapeline/domain/questions/testing/later-questions.ts';
import { MORE_QUESTIONS } from '@tapeline/domain/questions/testing/more-questions.ts';
import { TEST_ASSETS, TEST_NAMES } from '@tapeline/domain/questions/testing/subjects-for-questions.ts';
import { createLexicon } from '@tapeline/domain/questions/vocabulary.ts';
import { describe, expect, it } from 'vitest';
import { CONTRIBUTIONS } from '../capital/contributions.ts';
import { DISTRIBUTIONS } from '../capital/distributions.ts';
import { DRAWS } from '../draws/draw-views.ts';
import { FUNDS, LP_COMMITMENTS } from '../funds/funds.ts';
import { REPAYMENTS } from '../repayments/repayments.ts';
import { TRANSACTIONS } from '../transactions/transactions.ts';

const LISTS = {
  contributions: CONTRIBUTIONS,
  distributions: DISTRIBUTIONS,
  commitments: LP_COMMITMENTS,
  draws: DRAWS,
  repayments: REPAYMENTS,
  transactions: TRANSACTIONS,
  funds: FUNDS,
};
const LEXICONS = new Map([
  ['assets', createLexicon(assetSubject(TEST_ASSETS, TEST_NAMES))],
  ...Object.entries(LISTS).map(
    ([list, { catalog }]) => [list, createLexicon(listSubject(list, catalog, TEST_NAMES))] as const,
  ),
]);

describe.each(
  Object.entries({
    'written before the grammar': FIRST_QUESTIONS,
    'written after it': MORE_QUESTIONS,
    'of a review': LATER_QUESTIONS,
  }),
)('questions %s', (_, questions) => {
  const verdicts = Object.entries(questions).flatMap(([list, asked]) =>
    asked.map((question) => {
      const lexicon = LEXICONS.get(list);
      if (!lexicon) throw new Error(`No list ${list}`);
      return judgeQuestion(question, lexicon);
    }),
  );

  it('are never answered with another filter than they mean', () => {
    expect(verdicts.filter(({ is }) => is === 'wrong')).toEqual([]);
  });

  it('are answered in at least 95 of 100 cases', () => {
    const asked = verdicts.filter(({ is }) => is === 'asked back');
    expect(asked.length / verdicts.length, JSON.stringify(asked, null, 1)).toBeLessThanOrEqual(0.05);
  });
});

it('are three hundred', () => {
  expect(
    [FIRST_QUESTIONS, MORE_QUESTIONS, LATER_QUESTIONS].flatMap((lists) => Object.values(lists).flat()).length,
  ).toBeGreaterThanOrEqual(300);
});
