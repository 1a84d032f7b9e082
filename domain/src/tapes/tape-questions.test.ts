import { expect, test } from 'vitest';
import { type CurrencyFacts, currencyFactsInWords, currencyQuestions, settleQuestions } from './tape-questions.ts';

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
    'EUR (the file, the company), USD (the mapping, the upload)',
  );
});
