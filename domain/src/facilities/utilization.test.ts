import { expect, it } from 'vitest';
import { type BaseOfNote, notesUtilization } from './utilization.ts';

const RATES = { rates: { EUR: '0.8', GBP: '0.5' } };
const usd = (sum: string) => ({ sum, currency: 'USD' });
const note = (id: string, tranches: unknown[] = []) =>
  ({
    id,
    title: `Note ${id}`,
    mainCurrency: 'USD',
    maxCommitments: [usd('400')],
    tranches,
  }) as never;
const base = (id: string, more: Partial<BaseOfNote>) =>
  ({
    id,
    noteId: 'n',
    cutOffDate: '2026-10-31',
    currency: 'USD',
    netBB: '300',
    balance: null,
    availability: null,
    ...more,
  }) as BaseOfNote;
const of = (figures: BaseOfNote[]) => notesUtilization([{ id: 't', notes: [note('n')] }], figures, RATES)[0];

it('leaves what is not recorded unknown, never zero', () => {
  expect(of([])).toMatchObject({
    commitments: usd('400.00'),
    balance: null,
    undrawn: null,
    utilizationPercent: null,
    netBB: null,
  });
});
it('takes the latest borrowing base and the share of the commitments that is drawn', () => {
  const figures = [base('b1', { netBB: '100' }), base('b2', { balance: usd('100.5'), availability: usd('199.5') })];
  expect(of(figures)).toMatchObject({
    borrowingBase: 'b2',
    netBB: usd('300'),
    undrawn: usd('299.5'),
    utilizationPercent: 25.125,
    availability: usd('199.5'),
  });
});
it('does not compare a balance with commitments of another currency', () => {
  expect(of([base('b', { balance: { sum: '1', currency: 'EUR' } })])).toMatchObject({
    undrawn: null,
    utilizationPercent: null,
  });
});
it('measures against the commitments up to the active tranche, those in other currencies converted', () => {
  const tranche = (sequence: number, sum: string, currency = 'USD') => ({
    sequence,
    sequenceActivated: sequence === 2,
    terms: { commitments: [{ amount: { sum, currency } }] },
  });
  const utilizationOf = (tranches: object[]) =>
    notesUtilization([{ id: 't', notes: [note('n', tranches)] }], [base('b', { balance: usd('100') })], RATES)[0];
  expect(utilizationOf([tranche(3, '9'), tranche(2, '120', 'EUR'), tranche(1, '250')])).toMatchObject({
    commitments: usd('400.00'),
    undrawn: usd('300'),
    utilizationPercent: 25,
  });
  expect(utilizationOf([tranche(2, '120', 'JPY'), tranche(1, '250')])).toMatchObject({
    commitments: null,
    undrawn: null,
  });
});
