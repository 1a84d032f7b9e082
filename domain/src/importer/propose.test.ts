import { expect, it } from 'vitest';
import { IMPORT_COLUMNS } from './columns.ts';
import { closestOf, proposalOf, sameCells } from './propose.ts';

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

it.each<[string, string, string, string | null]>([
  ['investorType', 'Limited Partner', 'must be one of fund, LP', 'LP'],
  ['investorType', 'bank', 'must be one of fund, LP', null],
  ['investorType', '', 'is required', null],
  ['strategy', 'Asset-based lending', 'must be one of ALF, ABL, GL, FF', 'ABL'],
  ['currency', 'GBP', 'must be in USD, the currency of the fund', 'USD'],
  ['currency', 'US$', 'Use a currency code of ISO 4217, for example USD', 'USD'],
  ['currency', '€', 'Use a currency code of ISO 4217, for example USD', 'EUR'],
  ['currency', 'XXX', 'Use a currency code of ISO 4217, for example USD', null],
  ['fundClassCode', 'A', 'must be empty: Fund 900 has no classes', ''],
  ['fundClassCode', 'Class b', 'must be one of A, B, the classes of Harbour', 'B'],
  ['fundClassCode', 'C', 'must be one of A, B, the classes of Harbour', null],
  ['defaultValue', '101', 'must be 100.5, the sum of the purposes', '100.5'],
  ['defaultValue', '-250.5', 'must be at least 0', '250.5'],
  ['defaultValue', '-250.5', 'leaves an unfunded commitment below zero', null],
  ['callName', 'x', 'is required', null],
])('for %s “%s” that %s, the proposal is %s', (key, cell, message, proposed) => {
  expect(proposalOf(column(key), cell, { message })?.value ?? null).toBe(proposed);
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
