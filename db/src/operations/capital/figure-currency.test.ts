import { expect, test } from 'vitest';
import { SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { figureCurrency } from './figure-currency.ts';

const of = (type: 'LP' | 'LPGroup' | 'manager', given: Partial<Parameters<typeof figureCurrency>[1]>) =>
  figureCurrency(
    {
      actor: testActor({ type, managerId: 'a'.repeat(24), ...(type === 'manager' ? {} : { lpIds: ['b'.repeat(24)] }) }),
    },
    { investorId: null, manager: 'USD', currencies: ['EUR', 'EUR'], ...given },
  );

test.each(['LP', 'LPGroup'] as const)('an %s reads figures in the currency of its funds', (type) => {
  expect(of(type, {})).toBe('EUR');
  expect(of(type, { currencies: ['EUR', 'GBP'] })).toBe('USD');
  expect(of(type, { asked: 'CHF' })).toBe('CHF');
});

test('a manager reads them in its own, and those of one investor in the currency of the investor’s funds', () => {
  expect(of('manager', {})).toBe('USD');
  expect(of('manager', { investorId: 'b'.repeat(24) })).toBe('EUR');
  expect(of('manager', { fund: 'GBP' })).toBe('GBP');
});

test('US dollars are assumed only where nothing names a currency, or several are named', () => {
  expect(of('manager', { manager: null })).toBe('EUR');
  expect(of('manager', { manager: null, currencies: ['EUR', 'GBP'] })).toBe('USD');
  expect(figureCurrency({ actor: SYSTEM }, { investorId: null, currencies: [] })).toBe('USD');
});
