import { describe, expect, test } from 'vitest';
import type { CapitalLedger } from './capital-figures.ts';
import { capitalBreaches, roomWithin } from './capital-limits.ts';
import { roundedWithin } from './split.ts';

/** All of 100 was called in January, and 60 of it came back in March to be called again. */
const LEDGER: CapitalLedger = {
  commitment: { closingDate: '2025-01-01', activeCommitment: '100', deltas: [] },
  calls: [{ cutOffDate: '2025-01-10', dueDate: '2025-01-20', purposes: [{ kind: 'investments', amount: '100' }] }],
  distributions: [{ cutOffDate: '2025-03-01', principal: '60', components: [], recallable: true }],
  writeOffs: [],
  navs: [],
};

describe('how far a document of a day is from a limit', () => {
  test('counts from its day on, whatever the history was before', () => {
    const room = (from: string) => roomWithin('called', LEDGER, from);
    expect([room('2025-02-28'), room('2025-03-01'), room('2025-04-01')]).toEqual(['0', '60', '60']);
    expect(roomWithin('returned', LEDGER, '2025-03-01')).toBe('40');
    expect(roomWithin('returned', LEDGER, '2025-03-02')).toBeNull();
    const lost = { ...LEDGER, writeOffs: [{ cutOffDate: '2025-04-01', amount: '40' }] };
    expect(roomWithin('writtenOff', lost, '2025-03-01')).toBe('0');
    expect(roomWithin('writtenOff', lost, '2025-04-02')).toBeNull();
  });

  test('of those who are equally far from it, the lowest code takes over a cent, in whatever order they come', () => {
    const called = (amount: string) => ({
      ...LEDGER,
      calls: [{ ...LEDGER.calls[0]!, purposes: [{ kind: 'investments' as const, amount }] }],
      distributions: [],
    });
    // A cent more of 3.00 than the first has left is called from it.
    const parts = [
      { code: 3, ledger: called('50'), amounts: ['1'] },
      { code: 1, ledger: called('99.01'), amounts: ['1'] },
      { code: 2, ledger: called('50'), amounts: ['1'] },
    ];
    const amountsOf = (own: typeof parts) =>
      Object.fromEntries(
        roundedWithin(own, 2, {
          limit: 'called',
          from: '2025-02-01',
          counted: [0],
          withDocument: (ledger, [amount = '0']) => ({
            ...ledger,
            calls: [
              ...ledger.calls,
              { cutOffDate: '2025-02-01', dueDate: '2025-02-01', purposes: [{ kind: 'investments', amount }] },
            ],
          }),
        }).map(({ code, amounts }) => [code, Number(amounts[0])]),
      );
    expect(amountsOf(parts)).toEqual({ 1: 0.99, 2: 1.01, 3: 1 });
    expect(amountsOf(parts.toReversed())).toEqual({ 1: 0.99, 2: 1.01, 3: 1 });
  });

  test('a breach is one of any day', () => {
    const commitment = { ...LEDGER.commitment, activeCommitment: '99' };
    expect(capitalBreaches({ ...LEDGER, commitment })).toMatchObject([
      { limit: 'called', day: '2025-01-10', excess: '1' },
    ]);
    expect(capitalBreaches(LEDGER)).toEqual([]);
  });
});
