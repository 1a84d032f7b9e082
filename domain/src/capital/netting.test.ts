import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compare, fromScaled, isZero, subtract, sum } from '../money/decimal.ts';
import { netOf, netTotals } from './netting.ts';

const amount = fc.bigInt({ min: 0n, max: 10n ** 16n }).map((value) => fromScaled(value, 2));
const investor = fc.tuple(amount, amount);

describe('netting', () => {
  test.each([
    ['a larger call', '500.00', '300.00', { deemed: '300', pays: '200', receives: '0' }],
    ['a larger distribution', '250.00', '300.01', { deemed: '250', pays: '0', receives: '50.01' }],
    ['equal amounts', '250.00', '250', { deemed: '250', pays: '0', receives: '0' }],
    ['a call alone', '0.01', '0', { deemed: '0', pays: '0.01', receives: '0' }],
    ['a distribution alone', '0', '0.01', { deemed: '0', pays: '0', receives: '0.01' }],
    ['nothing', '0', '0', { deemed: '0', pays: '0', receives: '0' }],
  ])('of %s', (_, called, distributed, expected) => {
    const net = netOf(called, distributed);
    expect(Object.entries(expected).map(([name, value]) => compare(net[name as 'deemed'], value))).toEqual([0, 0, 0]);
    expect([net.called, net.distributed]).toEqual([called, distributed]);
  });

  test('of nothing is gross: an investor in one of the two alone pays or receives all of it', () => {
    fc.assert(
      fc.property(amount, (all) => {
        expect(compare(netOf(all, '0').pays, all)).toBe(0);
        expect(compare(netOf('0', all).receives, all)).toBe(0);
        expect([netOf(all, '0').deemed, netOf('0', all).deemed].map(isZero)).toEqual([true, true]);
      }),
    );
  });

  test('adds up over investors, and leaves the gross totals as they are', () => {
    fc.assert(
      fc.property(fc.array(investor, { minLength: 1, maxLength: 40 }), (investors) => {
        const lines = investors.map(([called, distributed]) => netOf(called, distributed));
        const total = netTotals(lines);
        expect(total.called).toBe(sum(investors.map(([called]) => called)));
        expect(total.distributed).toBe(sum(investors.map(([, distributed]) => distributed)));
        expect(compare(subtract(total.called, total.deemed), total.pays)).toBe(0);
        expect(compare(subtract(total.distributed, total.deemed), total.receives)).toBe(0);
        expect(compare(subtract(total.called, total.distributed), subtract(total.pays, total.receives))).toBe(0);
        // Nobody both pays and receives, and nobody pays or receives less than nothing.
        const both = lines.filter(({ pays, receives }) => !isZero(pays) && !isZero(receives));
        const negative = lines.filter(({ deemed, pays, receives }) =>
          [deemed, pays, receives].some((part) => compare(part, '0') < 0),
        );
        expect([both, negative]).toEqual([[], []]);
      }),
    );
  });
});
