import type { BorrowingBaseFigures } from '@tapeline/db/operations/borrowing-bases/borrowing-base-figures.ts';
import { expect, it } from 'vitest';
import { notesUtilization } from './utilization.ts';

const usd = (sum: string) => ({ sum, currency: 'USD' });
const note = (id: string, tranches: unknown[] = []) =>
  ({
    id,
    title: `Note ${id}`,
    mainCurrency: 'USD',
    maxCommitments: [usd('400'), { sum: '5', currency: 'EUR' }],
    tranches,
  }) as never;
const base = (id: string, more: Partial<BorrowingBaseFigures>) =>
  ({
    id,
    noteId: 'n',
    cutOffDate: '2026-10-31',
    currency: 'USD',
    netBB: '300',
    balance: null,
    availability: null,
    ...more,
  }) as BorrowingBaseFigures;
const of = (figures: BorrowingBaseFigures[]) => notesUtilization([{ id: 't', notes: [note('n')] }], figures)[0];

it('leaves what is not recorded unknown, never zero', () => {
  expect(of([])).toMatchObject({
    commitments: usd('400'),
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
it('measures against the commitments of the active tranche, not of all tranches', () => {
  const tranche = (sum: string, sequenceActivated: boolean) => ({
    sequenceActivated,
    terms: { commitments: [{ amount: usd(sum) }, { amount: { sum: '5', currency: 'EUR' } }] },
  });
  const notes = [note('n', [tranche('150', false), tranche('250', true)])];
  const [found] = notesUtilization([{ id: 't', notes }], [base('b', { balance: usd('100') })]);
  expect(found).toMatchObject({ commitments: usd('250'), undrawn: usd('150'), utilizationPercent: 40 });
});
