import { describe, expect, test } from 'vitest';
import type { RuleSuggestion } from './rule-suggestion.ts';
import { scoreByTrial } from './trial.ts';

const suggestion = (targetCol: string, more: Partial<RuleSuggestion['rule']> = {}): RuleSuggestion => ({
  rule: { originCol: 'X', targetCol, serializations: [{ type: 'number' }], ...more },
  confidence: 0.98,
  reason: 'as before',
  isOn: true,
});
const trial = (failing: number, implausible = 0) => ({
  rows: 100,
  failing,
  implausible,
  reason: '"a" is not a number',
});

describe('suggestions that were tried on the file', () => {
  test('stay as they were where hardly a row fails', () => {
    const suggestions = [suggestion('customFields.income')];
    expect(scoreByTrial(suggestions, [trial(0)])).toEqual(suggestions);
    expect(scoreByTrial(suggestions, [trial(5)])).toEqual(suggestions);
    expect(scoreByTrial(suggestions, [trial(6)])).toMatchObject([{ confidence: 0.92, isOn: true }]);
    expect(scoreByTrial(suggestions, [null])).toEqual(suggestions);
  });

  test('are less sure by the share of rows that fail, and off below 60 %', () => {
    const score = (failing: number) => scoreByTrial([suggestion('customFields.income')], [trial(failing)])[0];
    expect(score(39)).toMatchObject({ confidence: 0.6, isOn: true });
    expect(score(40)).toMatchObject({ confidence: 0.59, isOn: false });
    expect(score(100)).toMatchObject({
      confidence: 0,
      isOn: false,
      reason: 'fails on 100 of the first 100 rows ("a" is not a number); as before',
    });
  });

  test('are off where most results are implausible', () => {
    expect(scoreByTrial([suggestion('interestRate')], [trial(0, 90)])[0]).toMatchObject({ isOn: false });
  });

  test('take the parts of a date along', () => {
    const helper = suggestion('X month', { checks: ['Temporary'] });
    const scored = scoreByTrial([helper, suggestion('dateFinanced')], [trial(0), trial(90)]);
    expect(scored.map(({ isOn }) => isOn)).toEqual([false, false]);
  });
});
