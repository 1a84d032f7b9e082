import { expect, it } from 'vitest';
import { positionOf } from './calculate.ts';

const usd = (sum: string) => ({ sum, currency: 'USD' });
const tranche = (sum: string, sequenceActivated: boolean) => ({
  sequenceActivated,
  terms: { commitments: [{ amount: { sum: '7', currency: 'EUR' } }, { amount: usd(sum) }] },
});
const position = (note: object) =>
  positionOf({ mainCurrency: 'USD', maxCommitments: [usd('400')], tranches: [], ...note } as never);

it('holds the base against the commitments of the active tranche, the balance unknown', () =>
  expect(position({ tranches: [tranche('150', false), tranche('250', true)] })).toEqual({
    currency: 'USD',
    commitments: usd('250'),
    balance: null,
  }));
it('takes the most that may be committed where no terms are in force', () =>
  expect(position({ tranches: [tranche('150', false)] })).toMatchObject({ commitments: usd('400') }));
it('knows no commitments where the terms in force state none in the main currency', () =>
  expect(position({ mainCurrency: 'GBP', tranches: [tranche('250', true)] })).toMatchObject({
    currency: 'GBP',
    commitments: null,
  }));
it('has no position where no currency is known', () =>
  expect(position({ mainCurrency: undefined, maxCommitments: [] })).toBeUndefined());
