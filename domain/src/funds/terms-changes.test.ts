import { expect, test } from 'vitest';
import { fundTermsChanges, investorTermsChanges } from './terms-changes.ts';

const name = (key: string | null) => (key === 'a' ? 'Class A' : null);
const terms = (rate: number) => ({ management: { committed: rate } });

test('names each part that a change of fund terms adds, replaces or removes', () => {
  const before = {
    feeTerms: [
      { Class: null, from: '2025-01-01', terms: terms(2) },
      { Class: 'a', from: '2025-01-01', terms: terms(1.5) },
    ],
    investmentPeriodEnd: null,
  };
  const after = {
    feeTerms: [
      { Class: null, from: '2025-01-01', terms: { ...terms(1.75), success: { rate: 20, hurdle: 8 } } },
      { Class: 'a', from: '2026-01-01', terms: terms(1.5) },
    ],
    investmentPeriodEnd: '2028-12-31',
  };
  expect(fundTermsChanges(before, after, 'USD', name)).toEqual([
    {
      of: 'All classes from 1 Jan 2025',
      part: 'Management fee',
      before: '2% on committed capital',
      after: '1.75% on committed capital',
    },
    { of: 'All classes from 1 Jan 2025', part: 'Success fee', before: null, after: '20%, above a hurdle of 8%' },
    { of: 'Class A from 1 Jan 2025', part: 'Management fee', before: '1.5% on committed capital', after: null },
    { of: 'Class A from 1 Jan 2026', part: 'Management fee', before: null, after: '1.5% on committed capital' },
    { of: 'Fund', part: 'Investment period', before: null, after: 'ends 31 Dec 2028' },
  ]);
  expect(fundTermsChanges(before, before, 'USD', name)).toEqual([]);
});

test('names what a change of the terms of an investor changes', () => {
  const letter = { from: '2026-01-01', title: 'Founder', document: null, terms: terms(1) };
  expect(
    investorTermsChanges(
      { fees: {}, sideLetters: [letter] },
      { fees: terms(2), sideLetters: [{ ...letter, title: null }] },
      'USD',
    ),
  ).toEqual([
    { of: 'Commitment', part: 'Management fee', before: null, after: '2% on committed capital' },
    { of: 'Side letter from 1 Jan 2026', part: 'Title', before: 'Founder', after: null },
  ]);
});
