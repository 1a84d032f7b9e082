import { expect, it } from 'vitest';
import { positionOf } from './calculate.ts';

const usd = (sum: string) => ({ sum, currency: 'USD' });
const eur = (sum: string) => ({ sum, currency: 'EUR' });
const tranche = (sequence: number, sum: string, sequenceActivated = false) => ({
  sequence,
  sequenceActivated,
  terms: { commitments: [{ amount: eur('7') }, { amount: usd(sum) }] },
});
const position = (note: object) =>
  positionOf({ mainCurrency: 'USD', maxCommitments: [usd('400'), eur('9')], tranches: [], ...note } as never);

it('adds the commitments up to the active tranche by currency, the balance unknown', () =>
  expect(position({ tranches: [tranche(3, '1000'), tranche(1, '150'), tranche(2, '250', true)] })).toEqual({
    currency: 'USD',
    commitments: [eur('14'), usd('400')],
    balance: null,
  }));
it('takes the commitments of the note where no tranche is active', () =>
  expect(position({ terms: tranche(1, '80').terms, tranches: [tranche(1, '150')] })).toMatchObject({
    commitments: [eur('7'), usd('80')],
  }));
it('takes the most that may be committed where nothing else is in force', () =>
  expect(position({ tranches: [tranche(1, '150')] })).toMatchObject({ commitments: [usd('400'), eur('9')] }));
it('keeps commitments in currencies other than the main one', () =>
  expect(position({ mainCurrency: 'GBP', tranches: [tranche(1, '250', true)] })).toMatchObject({
    currency: 'GBP',
    commitments: [eur('7'), usd('250')],
  }));
it('has no position where no currency is known', () =>
  expect(position({ mainCurrency: undefined, maxCommitments: [] })).toBeUndefined());
