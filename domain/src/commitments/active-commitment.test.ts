import { expect, test } from 'vitest';
import { reason } from '../errors/reason.ts';
import { activeCommitmentAt, deltaProblems, holdingPercentages } from './active-commitment.ts';

const terms = {
  closingDate: '2024-01-15',
  activeCommitment: '100',
  deltas: [
    { date: '2025-07-01', amount: '-40' },
    { date: '2025-01-01', amount: '20' },
  ],
};

test('a commitment starts on its closing date, and each change on its own', () => {
  const at = (date: string) => activeCommitmentAt(terms, date);
  expect([at('2024-01-14'), at('2024-01-15'), at('2024-12-31')]).toEqual(['0', '100', '100']);
  expect([at('2025-01-01'), at('2025-06-30'), at('2025-07-01')]).toEqual(['120', '120', '80']);
});

test('a change keeps the commitment between zero and its maximum, from the closing date on', () => {
  expect(deltaProblems(terms, '120')).toEqual(new Map());
  expect([...deltaProblems(terms, '119')]).toEqual([[1, 'leaves a commitment of 120, above the maximum of 119']]);
  const change = (date: string, amount: string) => [...deltaProblems({ ...terms, deltas: [{ date, amount }] }, '100')];
  expect(change('2024-01-15', '-100')).toEqual([]);
  expect(change('2024-01-15', '-100.01')).toEqual([[0, 'leaves a commitment of -0.01, below zero']]);
  expect(change('2024-01-14', '-1')).toEqual([[0, reason('beforeClosing')]]);
});

test('percentages have eight decimals, and are unknown where nothing is committed', () => {
  expect(holdingPercentages(['50', '32', '0'])).toEqual(['60.97560976', '39.02439024', '0']);
  expect(holdingPercentages(['0'])).toEqual([null]);
});
