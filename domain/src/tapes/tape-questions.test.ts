import { expect, test } from 'vitest';
import { percentBeside } from './limit-share.ts';
import type { CurrencyFacts } from './tape-questions.schema.ts';
import {
  changesQuestion,
  currencyFactsInWords,
  currencyQuestions,
  poolQuestion,
  questionSentence,
  settleQuestions,
} from './tape-questions.ts';

const facts = (
  file: string | null,
  company: string | null,
  mapping: string | null,
  tape: string | null,
): CurrencyFacts => ({ file, company, mapping, tape });
const asked = (...given: Parameters<typeof facts>) => currencyQuestions(facts(...given)).map(({ code }) => code);

test('nothing is asked where the currencies that are known agree', () => {
  expect(asked('NGN', 'NGN', 'NGN', 'NGN')).toEqual([]);
  expect(asked(null, null, 'NGN', 'NGN')).toEqual([]);
});

test.each([
  [null, 'NGN', 'NGN', 'USD', ['mainCurrency']],
  [null, 'NGN', 'USD', 'USD', ['amountCurrency', 'mainCurrency']],
  [null, 'NGN', 'USD', 'NGN', ['amountCurrency']],
  ['EUR', null, 'USD', 'USD', ['amountCurrency', 'mainCurrency']],
  ['EUR', 'USD', 'EUR', 'USD', ['amountCurrency']],
  [null, null, 'EUR', 'USD', ['mainCurrency']],
] as const)('file %s, company %s, mapping %s and tape %s ask about %j', (file, company, mapping, tape, codes) => {
  expect(asked(file, company, mapping, tape)).toEqual(codes);
});

test('any disagreement of the four asks something, and every currency is a choice', () => {
  const currencies = [null, 'EUR', 'USD', 'NGN'];
  for (const file of currencies)
    for (const company of currencies)
      for (const mapping of currencies.slice(1))
        for (const tape of currencies.slice(1)) {
          const distinct = new Set([file, company, mapping, tape].filter((each) => each !== null));
          const questions = currencyQuestions(facts(file, company, mapping, tape));
          expect(questions.length > 0, `${file} ${company} ${mapping} ${tape}`).toBe(distinct.size > 1);
          for (const { data } of questions) expect(new Set(data.choices)).toEqual(distinct);
        }
});

test('every open question needs one of its choices, and nothing else is answered', () => {
  const questions = currencyQuestions(facts(null, 'NGN', 'USD', 'USD'));
  const flags = (answers: object) => {
    try {
      return settleQuestions(questions, answers);
    } catch (error) {
      return (error as { flags: object }).flags;
    }
  };
  expect(flags({ amountCurrency: 'EUR' })).toEqual({
    'answers.amountCurrency': 'must be one of NGN, USD',
    'answers.mainCurrency': 'is required',
  });
  expect(flags({ amountCurrency: 'NGN', mainCurrency: 'NGN' })).toMatchObject([
    { code: 'amountCurrency', answer: 'NGN' },
    { code: 'mainCurrency', answer: 'NGN' },
  ]);
  expect(() => settleQuestions(questions.slice(0, 1), { amountCurrency: 'NGN', mainCurrency: 'USD' })).toThrow();
});

test('the currencies are named with where they come from', () => {
  expect(currencyFactsInWords(facts('EUR', 'EUR', 'USD', 'USD'))).toBe(
    'EUR (the file, the borrower), USD (the mapping, the upload)',
  );
});

const pool = (assets: number, ...balances: [sum: string, currency: string][]) => ({
  cutOffDate: '2026-10-31',
  assets,
  balances: balances.map(([sum, currency]) => ({ sum, currency })),
});

test.each([
  [5_000, 400, true],
  [5_000, 2_499, true],
  [5_000, 2_500, false],
  [5_000, 9_999, false],
  [5_000, 10_000, true],
  [5_000, 0, true],
  [20, 9, true],
  [19, 1, false],
  [0, 5_000, false],
])('after a pool of %d assets, one of %d is in doubt: %s', (before, now, isAsked) => {
  expect(poolQuestion(pool(before), pool(now)) !== null).toBe(isAsked);
});

test.each([
  ['100.00', '199.99', false],
  ['100.00', '200.00', true],
  ['100.00', '50.00', false],
  ['100.00', '49.99', true],
  ['0.00', '200.00', false],
])('after a balance of %s, one of %s is in doubt: %s', (before, now, isAsked) => {
  expect(poolQuestion(pool(100, [before, 'USD']), pool(100, [now, 'USD'])) !== null).toBe(isAsked);
});

test('balances of different currencies are not compared', () => {
  expect(poolQuestion(pool(100, ['100.00', 'USD']), pool(100, ['900.00', 'EUR']))).toBeNull();
});

test('a question about a pool has both in its sentence, and one answer', () => {
  const before = { ...pool(5_000, ['1000000.00', 'USD']), cutOffDate: '2026-09-30' };
  const question = poolQuestion(before, pool(400, ['90000.00', 'USD']))!;
  expect(questionSentence(question)).toBe(
    'Size of the pool is in doubt: 400 assets and 90,000.00 USD on 31 Oct 2026, 5,000 assets and 1,000,000.00 USD on 30 Sep 2026',
  );
  expect(settleQuestions([question], { pool: 'publish' })).toMatchObject([{ code: 'pool', answer: 'publish' }]);
  expect(() => settleQuestions([question], { pool: 'USD' })).toThrow('open question');
});

const CHANGES = {
  since: '2026-09-30',
  matched: 5120,
  changed: 214,
  changes: [{ kind: 'originalPrincipal', count: 214 } as const],
  changedPercent: '4.1797',
  changedLimit: '1',
  leftPercent: '2.5',
  leftLimit: '2.5',
};

test('changes are asked about beyond a limit, and not at it, nor where the share is unknown', () => {
  const question = changesQuestion(CHANGES);
  expect(question?.data).toEqual({ ...CHANGES, choices: ['publish'] });
  expect(question && questionSentence(question)).toBe(
    'Changes since the previous tape are beyond the limits: 214 of 5,120 loans (4.18%) have changes that should not happen, at most 1% may',
  );
  const of = (more: object) => changesQuestion({ ...CHANGES, changedLimit: null, ...more });
  expect(of({})).toBeNull();
  expect(of({ changedLimit: '4.1797' })).toBeNull();
  expect(of({ changedLimit: '4.1796' })).not.toBeNull();
  expect(of({ leftPercent: '2.5001' })).not.toBeNull();
  expect(of({ leftPercent: null })).toBeNull();
  expect(of({ changedLimit: '0', changedPercent: '0' })).toBeNull();
});

test('a share is beyond a limit by the least, and not at it', () => {
  const isAsked = (part: string, whole: string, leftLimit: string) =>
    changesQuestion({ ...CHANGES, changedLimit: null, leftPercent: percentBeside(part, whole), leftLimit }) !== null;
  expect(isAsked('2000000.00', '100000000', '2')).toBe(false);
  expect(isAsked('2000000.01', '100000000', '2')).toBe(true);
  expect(isAsked('1234560', '100000000', '1.23456')).toBe(false);
  expect(isAsked('1234570', '100000000', '1.23458')).toBe(false);
  expect([percentBeside('1', '3'), percentBeside('1', '4'), percentBeside('-1', '3')]).toEqual([
    '33.33333334',
    '25',
    '-33.33333333',
  ]);
  expect([percentBeside('0', '0'), percentBeside('1', '-1')]).toEqual([null, null]);
});
