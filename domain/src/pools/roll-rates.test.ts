import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sum } from '../money/decimal.ts';
import { DELINQUENCY_BUCKETS, ROLL_OUTCOMES } from './delinquency.ts';
import { type RollMove, rollMatrix } from './roll-rates.ts';
import { type RollAsset, rollMoves } from './testing/roll-moves.ts';

const USD = { currency: 'USD', rates: { EUR: '0.8' } };
let row = 1;
const asset = (
  assetId: string | null,
  daysPastDue: number | null,
  outstanding: string | null,
  change: Partial<RollAsset> = {},
): RollAsset => {
  row += 1;
  return {
    assetId,
    row,
    daysPastDue,
    assetStatus: null,
    chargeOffDate: null,
    outstanding: outstanding === null ? null : { sum: outstanding, currency: 'USD' },
    ...change,
  };
};

describe('the roll from one tape to the next', () => {
  const before = {
    cutOffDate: '2026-09-30',
    assets: [
      asset('A', 0, '600.00'),
      asset('B', 0, '300.00'),
      asset('C', 0, '100.00'),
      asset('D', 45, '80.00'),
      asset('E', null, '20.00'),
      asset('F', 10, null),
      asset(null, 0, '999.00'),
    ],
  };
  const after = {
    cutOffDate: '2026-10-31',
    assets: [
      asset('A', 0, '590.00'),
      asset('B', 12, '300.00'),
      asset('C', 0, '0', { assetStatus: 'prePaid' }),
      asset('D', 0, '80.00'),
      asset('D', 75, '80.00'),
      asset('E', 5, '20.00'),
      asset('G', 0, '1000.00'),
    ],
  };
  const matrix = rollMatrix(rollMoves(before, after), USD);
  const shares = (from: string) =>
    Object.fromEntries(
      matrix.rows
        .find((one) => one.from === from)!
        .cells.filter(({ count }) => count > 0)
        .map(({ to, balanceShare, count }) => [to, [balanceShare, count]]),
    );

  it('is the share of each opening bucket by opening balance; of two rows with one id the later counts', () => {
    expect(shares('current')).toEqual({
      current: ['0.600000', 1],
      '1-29': ['0.300000', 1],
      paidOff: ['0.100000', 1],
    });
    expect(shares('30-59')).toEqual({ '60-89': ['1.000000', 1] });
  });

  it('has a separate row for unknown days, and a separate column for assets that left the tape', () => {
    expect(shares('unknown')).toEqual({ '1-29': ['1.000000', 1] });
    expect(shares('1-29')).toEqual({ vanished: [null, 1] });
    expect(matrix.rows.map(({ from }) => from)).toEqual(['current', '1-29', '30-59', 'unknown']);
  });

  it('counts an asset without a balance, and reports that it has none', () => {
    const row = matrix.rows.find(({ from }) => from === '1-29')!;
    expect(row).toMatchObject({ count: 1, opening: null, withoutBalance: 1 });
    expect(row.cells.find(({ to }) => to === 'vanished')).toMatchObject({ countShare: '1.000000', opening: null });
  });

  it('follows every asset with an id once, and no new ones', () => {
    expect(matrix.count).toBe(6);
    expect(matrix.opening).toBe('1100');
  });

  it('converts other currencies, and reports those without a rate', () => {
    const moves: RollMove[] = [
      { from: 'current', to: 'current', currency: 'EUR', count: 1, opening: '80' },
      { from: 'current', to: '1-29', currency: 'USD', count: 1, opening: '300' },
      { from: '1-29', to: 'current', currency: 'NOK', count: 1, opening: '7' },
    ];
    const mixed = rollMatrix(moves, USD);
    expect(mixed.rows[0]?.opening).toBe('400');
    expect(mixed.rows[0]?.cells[0]).toMatchObject({ opening: '100', balanceShare: '0.250000' });
    expect(mixed.missingRates).toEqual(['NOK']);
    expect(mixed.rows[1]?.opening).toBe('7');
  });

  it('adds up to one in every row, by balance and by count, and to the tape in total', () => {
    const move = fc.record({
      from: fc.constantFrom(...DELINQUENCY_BUCKETS),
      to: fc.constantFrom(...ROLL_OUTCOMES),
      currency: fc.option(fc.constantFrom('USD', 'EUR')),
      count: fc.integer({ min: 1, max: 10_000 }),
      opening: fc
        .bigInt({ min: 0n, max: 10n ** 14n })
        .map((units) => `${units / 10_000n}.${String(units % 10_000n).padStart(4, '0')}`),
    });
    fc.assert(
      fc.property(fc.array(move, { minLength: 1, maxLength: 40 }), (drawn) => {
        const moves = drawn.map((one) => (one.currency === null ? { ...one, opening: null } : one));
        const { rows, count, opening } = rollMatrix(moves, USD);
        for (const one of rows) {
          expect(one.cells.map(({ to }) => to)).toEqual(ROLL_OUTCOMES);
          expect(sum(one.cells.map(({ countShare }) => countShare))).toBe('1');
          const balances = one.cells.map(({ balanceShare }) => balanceShare);
          if (balances.some((share) => share !== null)) expect(sum(balances.map((share) => share!))).toBe('1');
          else expect(Number(one.opening ?? '0')).toBe(0);
          expect(one.cells.reduce((total, cell) => total + cell.count, 0)).toBe(one.count);
          expect(sum(one.cells.flatMap((cell) => cell.opening ?? []))).toBe(sum([one.opening ?? '0']));
        }
        expect(rows.reduce((total, one) => total + one.count, 0)).toBe(count);
        expect(sum(rows.flatMap((one) => one.opening ?? []))).toBe(sum([opening ?? '0']));
        expect(count).toBe(moves.reduce((total, one) => total + one.count, 0));
      }),
    );
  });
});
