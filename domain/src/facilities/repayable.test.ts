import { expect, it } from 'vitest';
import type { NoteLedger } from './ledger.ts';
import { excessPrincipal, repayablePrincipal } from './repayable.ts';

const draw = (dueDate: string, sum: string, currency = 'USD') => ({
  dueDate,
  draws: [{ type: 'Regular' as const, amounts: [{ sum, currency }] }],
});
const repay = (cutOffDate: string, sum: string, currency = 'USD') => ({
  cutOffDate,
  repayments: [{ kind: 'principal' as const, amount: { sum, currency } }],
});
const ledger = (draws: NoteLedger['draws'], repayments: NoteLedger['repayments'] = []): NoteLedger => ({
  isRecorded: true,
  draws,
  requests: [],
  repayments,
});

it('is the balance of the day where nothing follows', () => {
  const of = ledger([draw('2026-01-10', '100'), draw('2026-01-10', '7', 'EUR')], [repay('2026-01-20', '30')]);
  expect(repayablePrincipal(of, '2026-01-20')).toEqual([
    { currency: 'EUR', sum: '7' },
    { currency: 'USD', sum: '70' },
  ]);
});

it('is what later repayments leave, and does not count later draws', () => {
  const of = ledger([draw('2026-01-10', '100'), draw('2026-03-01', '500')], [repay('2026-02-01', '80')]);
  expect(repayablePrincipal(of, '2026-01-15')).toEqual([{ currency: 'USD', sum: '20' }]);
  expect(repayablePrincipal(of, '2026-03-01')).toEqual([{ currency: 'USD', sum: '520' }]);
  expect(repayablePrincipal(of, '2026-01-09')).toEqual([{ currency: 'USD', sum: '0' }]);
  expect(repayablePrincipal({ isRecorded: false, draws: [], requests: [], repayments: [] }, '2026-01-09')).toEqual([]);
});

it('names each currency in which the principal is too much', () => {
  const repayable = [{ currency: 'USD', sum: '20' }];
  expect(excessPrincipal([{ currency: 'USD', sum: '20' }], repayable)).toEqual([]);
  const parts = [
    { currency: 'USD', sum: '20' },
    { currency: 'EUR', sum: '1' },
    { currency: 'USD', sum: '0.01' },
  ];
  expect(excessPrincipal(parts, repayable)).toEqual([
    { currency: 'USD', principal: '20.01', repayable: '20', excess: '0.01' },
    { currency: 'EUR', principal: '1', repayable: '0', excess: '1' },
  ]);
});
