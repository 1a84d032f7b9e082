import { expect, it } from 'vitest';
import { type Reason, reason } from '../errors/reason.ts';
import { reworded } from '../errors/testing/reword.ts';
import { IMPORT_COLUMNS } from './columns.ts';
import { closestOf, proposalOf, sameCells } from './propose.ts';
import { readRows } from './read-rows.ts';

it('the closest value is the only one that differs by few letters', () => {
  const values = ['ComingleFund', 'SMA', 'SPV'];
  expect(closestOf('Commingled fund', values)).toBe('ComingleFund');
  expect(closestOf('sma ', values)).toBe('SMA');
  expect(closestOf('S', values)).toBeNull();
  expect(closestOf('hedge', values)).toBeNull();
  expect(closestOf('', values)).toBeNull();
});

const column = (key: string) => {
  const found = IMPORT_COLUMNS.contributions.concat(IMPORT_COLUMNS.funds).find((one) => one.key === key);
  if (!found) throw new Error(`no column ${key}`);
  return found;
};

const USD = reason('fundCurrency', { currency: 'USD' });
const CLASSES = reason('unknownClass', { keys: ['A', 'B'], fund: 'Harbour' });

it.each<[string, string, Reason | undefined, string | null]>([
  ['investorType', 'Limited Partner', undefined, 'LP'],
  ['investorType', 'bank', undefined, null],
  ['investorType', '', reason('required'), null],
  ['strategy', 'Asset-based lending', undefined, 'ABL'],
  ['currency', 'GBP', USD, 'USD'],
  ['currency', 'US$', undefined, 'USD'],
  ['currency', '€', undefined, 'EUR'],
  ['currency', 'XXX', undefined, null],
  ['fundClassCode', 'A', reason('noClasses', { fund: 'Fund 900' }), ''],
  ['fundClassCode', 'Class b', CLASSES, 'B'],
  ['fundClassCode', 'C', CLASSES, null],
  ['fundClassCode', 'C', undefined, null],
  ['defaultValue', '101', reason('notTheSum', { total: '100.5', parts: 'the sum of the purposes' }), '100.5'],
  ['defaultValue', '-250.5', reason('atLeastZero'), '250.5'],
  ['defaultValue', '-250.5', reason('aboveZero'), '250.5'],
  ['defaultValue', '250.5', reason('aboveZero'), null],
  ['defaultValue', '-250.5', undefined, null],
  ['callName', 'x', reason('required'), null],
])('for %s “%s” with the reason %j, the proposal is %s', (key, cell, why, proposed) => {
  expect(proposalOf(column(key), cell, why ? { reason: why } : {})?.value ?? null).toBe(proposed);
});

it('what is proposed for the cells of a file does not depend on the texts of their problems', async () => {
  const cells = {
    fundCode: '2',
    currency: 'USD',
    date: '2026-10-01',
    callName: '7',
    investorType: 'LP',
    investorCode: '12',
  };
  const proposed = () =>
    readRows('contributions', [
      { file: 0, row: 2, cells: { ...cells, defaultValue: '101', 'keyValues.investments': '100.5' } },
    ])[0]!.problems.map((problem) => [problem.message, proposalOf(column('defaultValue'), '101', problem)?.value]);
  expect(proposed()).toEqual([['must be 100.5, the sum of the purposes: the file has 0.5 more', '100.5']]);
  expect(await reworded(proposed)).toEqual([[expect.stringContaining('sesoprup'), '100.5']]);
});

it('cells mean the same if what decides about them is the same', () => {
  const same = (key: string, first: Record<string, string>, second: Record<string, string>) =>
    sameCells(column(key), first) === sameCells(column(key), second);
  expect(same('investorType', { investorType: 'x', fundCode: '1' }, { investorType: 'x', fundCode: '2' })).toBe(true);
  expect(same('investorType', { investorType: 'x' }, { investorType: 'y' })).toBe(false);
  // A class belongs to its fund.
  expect(same('fundClassCode', { fundClassCode: 'x', fundCode: '1' }, { fundClassCode: 'x', fundCode: '1' })).toBe(
    true,
  );
  expect(same('fundClassCode', { fundClassCode: 'x', fundCode: '1' }, { fundClassCode: 'x', fundCode: '2' })).toBe(
    false,
  );
  expect(sameCells(column('defaultValue'), { defaultValue: '5' })).toBeNull();
});
