import type { OwedActivity } from '@tapeline/db/operations/cash/obligations.ts';
import { expect, test } from 'vitest';
import { owedLines } from './owed-lines.ts';

const activity = (number: string, more: Partial<OwedActivity> = {}): OwedActivity => ({
  id: `id-${number}`,
  kind: 'contribution',
  number,
  fundId: 'fund',
  sourceTitle: 'Harbour Credit Fund II',
  dueDate: `2026-0${number}-15`,
  currency: 'USD',
  count: 1,
  amount: '0.1',
  allocated: '0.1',
  difference: '0',
  open: '0',
  netted: '0',
  overdue: '0',
  untracked: '0',
  untrackedCount: 0,
  ...more,
});
/** The latest due first. */
const calls = (...numbers: number[]) => numbers.map((number) => activity(String(number)));
const names = (activities: OwedActivity[], shown: { id: string; currency: string } | null, apart = 3) =>
  owedLines(activities, { shown, apart }).map(({ name }) => name);

test('the earliest calls that are paid are one line, with exact sums and the months of all', () => {
  const lines = owedLines(calls(6, 5, 4, 3, 2, 1), { shown: null, apart: 3 });
  expect(lines.map(({ name }) => name)).toEqual(['Call 6', 'Call 5', 'Call 4', 'Calls 1 to 3']);
  expect(lines.at(-1)).toMatchObject({ id: 'id-3', due: 'Jan 2026 to Mar 2026', amount: '0.3', allocated: '0.3' });
});

test('so many stay apart, and one alone is not joined', () => {
  expect(names(calls(4, 3, 2, 1), null, 1)).toEqual(['Call 4', 'Calls 1 to 3']);
  expect(names(calls(4, 3, 2, 1), null)).toEqual(['Call 4', 'Call 3', 'Call 2', 'Call 1']);
  expect(names(calls(5, 4, 3, 2, 1), null).at(-1)).toBe('Calls 1 to 2');
});

test('nothing is joined before the last that is open', () => {
  const open = calls(6, 5, 4, 3, 2, 1).map((one) => (one.number === '3' ? { ...one, open: '0.01' } : one));
  expect(names(open, null)).toEqual(['Call 6', 'Call 5', 'Call 4', 'Call 3', 'Calls 1 to 2']);
});

test('the line opens if one of it is shown', () => {
  expect(names(calls(6, 5, 4, 3, 2, 1), { id: 'id-2', currency: 'USD' })).toHaveLength(6);
  expect(names(calls(6, 5, 4, 3, 2, 1), { id: 'id-2', currency: 'EUR' })).toHaveLength(4);
});

test('what is missing between them is not named, and funds, currencies and draws are not joined', () => {
  expect(names(calls(7, 6, 5, 3, 1), null).at(-1)).toBe('2 earlier calls');
  const others = (more: Partial<OwedActivity>) =>
    calls(5, 4, 3, 2, 1).map((one) => (Number(one.number) > 1 ? one : { ...one, ...more }));
  for (const more of [{ fundId: 'other' }, { currency: 'EUR' }, { kind: 'distribution' as const }])
    expect(names(others(more), null)).toHaveLength(5);
  expect(
    names(
      calls(5, 4, 3, 2, 1).map((one) => ({ ...one, kind: 'draw' as const, fundId: null })),
      null,
    ),
  ).toHaveLength(5);
});

test('invoices and draws of several facilities stay apart', () => {
  const invoices = calls(3, 2, 1).map((one) => ({ ...one, kind: 'invoice' as const, fundId: null }));
  expect(names(invoices, null, 1)).toEqual(['Invoice 3', 'Invoice 2', 'Invoice 1']);
});
