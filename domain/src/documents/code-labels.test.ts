import { expect, test } from 'vitest';
import { codeInSentence, codeLabel, SHOWN_BY_CODE } from './code-labels.ts';
import { choicesOf, labelOf } from './labels.ts';

test.each([
  ['nonPerformingAsset', 'Non-performing asset', 'non-performing asset'],
  ['inEligible', 'Ineligible', 'ineligible'],
  ['fix', 'Fixed', 'fixed'],
  ['pastDue', 'Past due', 'past due'],
  ['ComingleFund', 'Commingled fund', 'commingled fund'],
  ['INTEREST FEES', 'Fees on interest', 'fees on interest'],
  ['In Review', 'In review', null],
  ['loanTapes', 'Loan tapes', null],
  ['SOFR', 'SOFR', null],
])('%s is %s on screens, and %s in a sentence', (code, label, inSentence) => {
  expect([codeLabel(code), codeInSentence(code)]).toEqual([label, inSentence]);
});

test('a value of several enumerations has one label', () => {
  const entries = SHOWN_BY_CODE.flatMap((labels) => Object.entries(labels));
  expect(new Set(entries.map(([value]) => value)).size).toBe(entries.length);
});

test('labels are offered in their order, and an unknown value is shown as it is', () => {
  const labels = { b: 'Second', a: 'First' };
  expect(choicesOf(labels)).toEqual([
    { value: 'b', label: 'Second' },
    { value: 'a', label: 'First' },
  ]);
  expect(choicesOf(['SOFR'])).toEqual([{ value: 'SOFR', label: 'SOFR' }]);
  expect([labelOf(labels, 'a'), labelOf(labels, 'toString')]).toEqual(['First', 'toString']);
});
