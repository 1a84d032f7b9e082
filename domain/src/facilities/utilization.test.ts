import { describe, expect, it } from 'vitest';
import type { Amount } from '../money/amount.schema.ts';
import type { NotePosition } from './ledger.ts';
import { availabilityAfterRequests, type BaseOfNote, notesUtilization } from './utilization.ts';

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
const base = (id: string, { netBB = '300', ...more }: Partial<BaseOfNote> = {}): BaseOfNote => ({
  ...{ id, noteId: 'n', cutOffDate: '2026-10-31', currency: 'USD', netBB, availableBase: netBB },
  ...more,
});
const of = (figures: BaseOfNote[], balance?: Amount[], tranches: unknown[] = [], more: Partial<NotePosition> = {}) =>
  notesUtilization(
    [{ id: 't', notes: [note('n', tranches)] }],
    { figures, positions: new Map(balance ? [['n', { balance, approved: [], requested: [], ...more }]] : []) },
    RATES,
  )[0];

it('leaves what is not recorded unknown, never zero', () => {
  expect(of([])).toMatchObject({
    commitments: usd('400.00'),
    balance: null,
    undrawn: null,
    utilizationPercent: null,
    netBB: null,
    availability: null,
  });
  expect(of([base('b')])).toMatchObject({ netBB: usd('300'), balance: null, availability: null });
});

it('is zero where the balance is repaid, or draws were requested and none approved', () => {
  const figures = { balance: usd('0.00'), undrawn: usd('400.00'), utilizationPercent: 0, availability: usd('300.00') };
  expect(of([base('b')], [usd('0')])).toMatchObject(figures);
  expect(of([base('b')], [])).toMatchObject(figures);
});

it('takes the latest borrowing base and the share of the commitments that is drawn', () => {
  expect(of([base('b1', { netBB: '100' }), base('b2')], [usd('100.5')])).toMatchObject({
    borrowingBase: 'b2',
    netBB: usd('300'),
    balance: usd('100.50'),
    undrawn: usd('299.50'),
    utilizationPercent: 25.125,
    availability: usd('199.50'),
  });
});

describe('availability', () => {
  it('is what reserves leave of the borrowing base, and unknown if a reserve is', () => {
    const reserved = of([base('b', { availableBase: '280' })], [usd('100')]);
    expect(reserved).toMatchObject({ netBB: usd('300'), availableBase: usd('280'), availability: usd('180.00') });
    expect(of([base('b', { availableBase: null })], [usd('100')])).toMatchObject({
      netBB: usd('300'),
      availableBase: null,
      availability: null,
    });
  });
  it('is limited by the commitments, and negative in a deficit', () => {
    expect(of([base('b', { netBB: '900' })], [usd('100')])?.availability).toEqual(usd('300.00'));
    expect(of([base('b')], [usd('350')])?.availability).toEqual(usd('-50.00'));
  });
  it('is less approved draws that are not yet due, which are no part of the balance; requests change nothing', () => {
    const position = { approved: [usd('30'), { sum: '8', currency: 'EUR' }], requested: [usd('500')] };
    expect(of([base('b')], [usd('100')], [], position)).toMatchObject({
      balance: usd('100.00'),
      approved: usd('40.00'),
      requested: usd('500.00'),
      undrawn: usd('300.00'),
      utilizationPercent: 25,
      availability: usd('160.00'),
    });
    const unknown = of([base('b')], [usd('100')], [], { approved: [{ sum: '1', currency: 'JPY' }] });
    expect(unknown).toMatchObject({ balance: usd('100.00'), approved: null, availability: null });
  });
  it('is in the main currency at the latest rates', () => {
    expect(of([base('b', { netBB: '80', currency: 'EUR' })], [usd('10')])).toMatchObject({
      netBB: { sum: '80', currency: 'EUR' },
      availability: usd('90.00'),
    });
    expect(of([base('b', { netBB: '80', currency: 'JPY' })], [usd('10')])?.availability).toBeNull();
  });
});

it('converts the balance of each currency at the latest rates, and is unknown without a rate', () => {
  const euros = { sum: '40', currency: 'EUR' };
  expect(of([], [euros, usd('50')])).toMatchObject({ balance: usd('100.00'), utilizationPercent: 25 });
  expect(of([], [{ sum: '1', currency: 'JPY' }, usd('50')])).toMatchObject({ balance: null, undrawn: null });
});

it('measures against the commitments up to the active tranche, those in other currencies converted', () => {
  const tranche = (sequence: number, sum: string, currency = 'USD') => ({
    sequence,
    sequenceActivated: sequence === 2,
    terms: { commitments: [{ amount: { sum, currency } }] },
  });
  const utilizationOf = (tranches: object[]) => of([base('b')], [usd('100')], tranches);
  expect(utilizationOf([tranche(3, '9'), tranche(2, '120', 'EUR'), tranche(1, '250')])).toMatchObject({
    commitments: usd('400.00'),
    undrawn: usd('300.00'),
    utilizationPercent: 25,
  });
  expect(utilizationOf([tranche(2, '120', 'JPY'), tranche(1, '250')])).toMatchObject({
    commitments: null,
    undrawn: null,
  });
});

it('leaves a borrower what is neither approved nor requested, and says that it is unknown if either is', () => {
  const note = of([base('b')], [usd('100')], [], { approved: [usd('30')], requested: [usd('50'), usd('20')] })!;
  expect([note.availability, availabilityAfterRequests(note)]).toEqual([usd('170.00'), usd('100.00')]);
  const most = of([base('b')], [usd('100')], [], { requested: [usd('250.01')] })!;
  expect(availabilityAfterRequests(most)).toEqual(usd('-50.01'));
  expect(availabilityAfterRequests(of([], [usd('100')])!)).toBeNull();
  const foreign = of([base('b')], [usd('100')], [], { requested: [{ sum: '1', currency: 'XAU' }] })!;
  expect([foreign.availability, availabilityAfterRequests(foreign)]).toEqual([usd('200.00'), null]);
});
