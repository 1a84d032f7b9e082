import { expect, it } from 'vitest';
import { facilityFigures } from './facility-figures.ts';
import type { BorrowingBaseResult, Totals } from './result.ts';

const usd = (sum: string) => ({ sum, currency: 'USD' });
const figures = (totals: Partial<Totals>) => facilityFigures({ totals } as BorrowingBaseResult);

it('does not guess what is not recorded', () => {
  const position = { balance: null, commitments: usd('100.00'), availability: null };
  expect(figures({ ...position, byCurrency: [{ currency: 'USD', balance: null, limit: '100.00' }] })).toEqual({
    utilizationPercent: null,
    byCurrency: [{ currency: 'USD', balance: null, limit: '100.00', undrawn: null }],
    cure: null,
  });
  expect(figures(position).byCurrency).toEqual([]);
});

it('measures utilization and what is undrawn in each currency', () => {
  const position = { balance: usd('75.00'), commitments: usd('100.00'), availability: usd('5.00') };
  expect(figures({ ...position, byCurrency: [{ currency: 'USD', balance: '75.00', limit: '100.00' }] })).toEqual({
    utilizationPercent: '75',
    byCurrency: [{ currency: 'USD', balance: '75.00', limit: '100.00', undrawn: '25' }],
    cure: null,
  });
});

it('states the amounts that cure a deficiency', () => {
  const position = { balance: usd('75.00'), commitments: usd('100.00'), availability: usd('-8.00') };
  expect(figures({ ...position, weightedAdvanceRatePercent: '80.00000000' }).cure).toEqual({
    repay: '8',
    addCollateral: '10.00',
    currency: 'USD',
  });
});
