import { expect, test } from 'vitest';
import { coverageOf, coverageText, knownFigures } from './coverage.ts';

const position = (fund: string, investor: string, nav: string | null) => ({
  fundId: fund,
  fundTitle: `Fund ${fund}`,
  investorId: investor,
  investorTitle: `Investor ${investor}`,
  activeCommitment: '100',
  called: '40',
  unfunded: '60',
  recallableCapital: '0',
  writtenOff: '0',
  netCapitalCalled: '40',
  distributed: '10',
  nav,
  grossNav: nav,
  navDate: nav === null ? null : '2025-12-31',
});

test('a total over funds names those without a NAV, and is that of the others with their own multiples', () => {
  const all = [position('a', '1', '50'), position('a', '2', '30'), position('b', '1', '9'), position('b', '2', null)];
  const { coverage, ...figures } = knownFigures(all);
  expect(coverage).toEqual({ parts: 'funds', known: 1, of: 2, missing: [{ id: 'b', title: 'Fund b' }] });
  expect(figures).toMatchObject({ called: '160', distributed: '40', nav: '80', dpi: '0.25', rvpi: '1', tvpi: '1.25' });
  expect(coverageText(coverage)).toBe('1 of 2 funds, without Fund b');
});

test('a total over the investors of a fund counts an investor once, whatever its classes', () => {
  const { coverage, known } = coverageOf([position('a', '1', '5'), position('a', '1', null), position('a', '2', '3')]);
  expect(coverage).toEqual({ parts: 'investors', known: 1, of: 2, missing: [{ id: '1', title: 'Investor 1' }] });
  expect(known.map(({ investorId }) => investorId)).toEqual(['2']);
});

test('everything is covered without a word, and nothing has no value', () => {
  expect(coverageText(coverageOf([position('a', '1', '5')]).coverage)).toBeNull();
  const none = knownFigures([position('a', '1', null)]);
  expect([none.nav, none.tvpi, none.dpi, coverageText(none.coverage)]).toEqual([
    null,
    null,
    '0.25',
    '0 of 1 investor, without Investor 1',
  ]);
});

test('at most three names are listed', () => {
  const missing = ['1', '2', '3', '4', '5'].map((id) => position('a', id, null));
  expect(coverageText(coverageOf([position('a', '6', '1'), ...missing]).coverage)).toBe(
    '1 of 6 investors, without Investor 1, Investor 2, Investor 3 and 2 more',
  );
});
