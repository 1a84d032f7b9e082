import { expect, test } from 'vitest';
import { inAnsweredCurrency } from './tape-record.ts';

test('an answer replaces the currencies in doubt that steps name, and no other', () => {
  const sum = (currency?: string) => ({
    steps: [{ type: 'SerializedSum', unit: 'base', ...(currency ? { currency } : {}) }],
  });
  const rules = [sum('USD'), sum('EUR'), sum(), { steps: [{ type: 'text', currency: 'USD' }] }];
  const data = { file: 'NGN', company: 'NGN', mapping: 'USD', tape: 'NGN', choices: ['NGN', 'USD'] };
  const tape = { primaryCurrency: 'NGN', settledQuestions: [{ code: 'amountCurrency' as const, data, answer: 'NGN' }] };
  expect(inAnsweredCurrency(rules, tape)).toEqual([sum('NGN'), sum('EUR'), sum(), rules[3]]);
  const several = { ...tape, settledQuestions: [{ ...tape.settledQuestions[0]!, data: { ...data, file: null } }] };
  expect(inAnsweredCurrency(rules, several)).toEqual(rules);
  const main = { ...tape, settledQuestions: [{ code: 'mainCurrency' as const, data, answer: 'NGN' }] };
  expect(inAnsweredCurrency(rules, main)).toEqual(rules);
});
