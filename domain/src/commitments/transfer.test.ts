import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { leastUnfundedFrom } from '../capital/capital-figures.ts';
import { activeCommitmentAt } from './active-commitment.ts';
import {
  commitmentTransferSchema,
  maximumFor,
  shownDelta,
  storedTitle,
  transferDeltas,
  transferProblems,
  withDelta,
} from './transfer.ts';

const ID = 'a'.repeat(24);
const body = {
  commitment: ID,
  version: 1,
  to: { id: 'b'.repeat(24), kind: 'LP' },
  date: '2025-07-01',
  amount: '0.01',
};

test('a transfer has an amount above zero, a date and an investor', () => {
  const valid = (changes: object) => commitmentTransferSchema.safeParse({ ...body, ...changes }).success;
  expect(valid({})).toBe(true);
  expect([valid({ amount: '0' }), valid({ amount: '-1' }), valid({ date: '2025-02-30' })]).toEqual([
    false,
    false,
    false,
  ]);
  expect([valid({ to: { id: ID, kind: 'company' } }), valid({ commitment: 'x' })]).toEqual([false, false]);
});

test('both changes have the same day, link and amount, and name no investor', () => {
  const { given, received } = transferDeltas({ id: ID, date: '2025-07-01', amount: '5' });
  const link = { date: '2025-07-01', transfer: ID };
  expect(given).toEqual({ ...link, amount: '-5', title: 'Transfer to another investor' });
  expect(received).toEqual({ ...link, amount: '5', title: 'Transfer from another investor' });
});

test('the other investor is shown to who can see it, and never stored', () => {
  const { given, received } = transferDeltas({ id: ID, date: '2025-07-01', amount: '5' });
  expect(shownDelta(received, 'One').title).toBe('Transfer from One');
  expect(shownDelta(given, 'T'.repeat(250)).title).toHaveLength(150);
  expect(shownDelta(received, undefined)).toEqual(received);
  expect(storedTitle(shownDelta(received, 'One'))).toBe(received.title);
  expect(storedTitle(shownDelta(given, 'Two'))).toBe(given.title);
  const renamed = { ...received, title: 'Bought' };
  expect([storedTitle(renamed), shownDelta(renamed, 'One')]).toEqual(['Bought', renamed]);
  expect(storedTitle({ amount: '5', title: 'Transfer from One' })).toBe('Transfer from One');
});

const terms = { closingDate: '2024-01-15', activeCommitment: '100', deltas: [] };

test('what can be transferred is the least that is unfunded from the day on', () => {
  const ledger = {
    commitment: { ...terms, deltas: [{ date: '2025-12-31', amount: '-30' }] },
    calls: [
      {
        cutOffDate: '2025-03-01',
        dueDate: '2025-03-15',
        purposes: [{ kind: 'investments' as const, amount: '40' }],
      },
    ],
    distributions: [],
    writeOffs: [],
    navs: [],
  };
  expect(leastUnfundedFrom(ledger, '2025-01-01').amount).toBe('30');
  expect(leastUnfundedFrom({ ...ledger, commitment: terms }, '2025-01-01').amount).toBe('60');
  expect(leastUnfundedFrom({ ...ledger, commitment: terms, calls: [] }, '2025-01-01').amount).toBe('100');
});

test('the total commitment stays the same on every day, whatever is transferred', () => {
  const day = fc.integer({ min: 1, max: 28 }).map((date) => `2025-02-${String(date).padStart(2, '0')}`);
  fc.assert(
    fc.property(day, day, fc.integer({ min: 1, max: 100 }), (date, at, amount) => {
      const { given, received } = transferDeltas({ id: ID, date, amount: String(amount) });
      const total =
        Number(activeCommitmentAt(withDelta(terms, given), at)) +
        Number(activeCommitmentAt(withDelta(terms, received), at));
      expect(total).toBe(200);
    }),
  );
});

test('the maximum rises only as far as the commitment needs', () => {
  const received = { date: '2025-07-01', amount: '20' };
  expect(maximumFor(withDelta(terms, received), '120')).toBe('120');
  expect(maximumFor(withDelta(terms, received), '119.99')).toBe('120');
});

describe('an edit of the changes', () => {
  const stored = [{ date: '2025-07-01', amount: '-5', title: 'Transfer to Two', transfer: ID }];
  const problems = (edited: typeof stored) => Object.fromEntries(transferProblems(stored, edited));

  test('may rename a transfer and add other changes', () => {
    expect(
      problems([
        { ...stored[0]!, title: 'Sold' },
        { date: '2025-08-01', amount: '1', title: '', transfer: '' },
      ]),
    ).toEqual({});
  });
  test('keeps its amount and date', () => {
    expect(problems([{ ...stored[0]!, amount: '-6' }])).toEqual({ 0: 'is part of a transfer and cannot change' });
    expect(problems([{ ...stored[0]!, date: '2025-07-02' }])).toEqual({ 0: 'is part of a transfer and cannot change' });
  });
  test('neither removes, repeats nor invents one', () => {
    expect(problems([])).toEqual({ '-1': 'must keep the transfers' });
    expect(problems([stored[0]!, stored[0]!])).toEqual({ 1: 'repeats a transfer' });
    expect(problems([stored[0]!, { ...stored[0]!, transfer: 'c'.repeat(24) }])).toEqual({
      1: 'is not a transfer of this commitment',
    });
  });
});
