import { expect, it } from 'vitest';
import { addedBy, fundLinesOf } from './fund-totals.ts';

const fund = (fundId: string, before: [number, string], after: [number, string], currency = 'USD') => ({
  fundId,
  title: `Fund ${fundId}`,
  classKey: fundId === '1' ? 'A' : null,
  currency,
  before: { count: before[0], sum: before[1] },
  after: { count: after[0], sum: after[1] },
});
const total = (count: number, net: string) => ({ currency: 'USD', count, sums: { gross: '0', net } });

it('lists the funds of the rows in one currency, then the others and all', () => {
  const funds = [
    fund('1', [0, '0'], [2, '100.5']),
    fund('2', [1, '5'], [1, '5']),
    fund('3', [0, '0'], [1, '9'], 'EUR'),
  ];
  const lines = fundLinesOf('net', { funds, before: total(4, '40'), after: total(6, '140.5') });
  expect(lines.map(({ title, counts, sums }) => [title, counts, sums])).toEqual([
    ['Fund 1, class A', ['0', '2'], ['0', '100.5']],
    ['Fund 2', ['1', '1'], ['5', '5']],
    ['Other funds', ['3', '3'], ['35', '35']],
    ['All funds', ['4', '6'], ['40', '140.5']],
  ]);
  expect(lines.map(({ sums }) => addedBy(sums))).toEqual(['100.5', '0', '0', '100.5']);
});

it('says nothing of other funds if there are none, and lists those that get the most', () => {
  const funds = Array.from({ length: 13 }, (_, at) => fund(String(at + 2), [0, '0'], [1, String(at + 1)]));
  const lines = fundLinesOf('net', { funds, before: undefined, after: total(13, '91') });
  expect(lines).toHaveLength(14);
  expect(lines[0]?.title).toBe('Fund 3');
  expect(lines.at(-2)).toMatchObject({ title: 'Other funds', counts: ['0', '1'], sums: ['0', '1'] });
  const few = fundLinesOf('net', { funds: funds.slice(0, 1), before: undefined, after: total(1, '1') });
  expect(few.map(({ title }) => title)).toEqual(['Fund 2', 'All funds']);
});
