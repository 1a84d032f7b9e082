import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compare, fromScaled, subtract, sum } from '../money/decimal.ts';
import { DEFAULT_WATERFALL, INVOICE_LINE_KINDS, WATERFALL_LABELS, waterfallOrderOf } from './labels.ts';
import { splitByWaterfall, withParts } from './waterfall.ts';

const owed = { fees: '7430.56', interest: '221458.33', principal: '500000' };

test('fees first, then interest, then principal', () => {
  const order = DEFAULT_WATERFALL;
  const split = (amount: string, paid = {}) => splitByWaterfall(amount, { order, owed, paid });
  expect(split('7430.55')).toEqual([{ kind: 'fees', amount: '7430.55' }]);
  expect(split('7430.57')).toEqual([
    { kind: 'fees', amount: '7430.56' },
    { kind: 'interest', amount: '0.01' },
  ]);
  expect(split('500000', { fees: '7430.56', interest: '0.01' })).toEqual([
    { kind: 'interest', amount: '221458.32' },
    { kind: 'principal', amount: '278541.68' },
  ]);
  expect(split('728888.89')).toHaveLength(3);
  expect(() => split('728888.90')).toThrow('0.01 of 728888.90 is more than the invoice asks for');
});

test('every order is offered once', () => {
  expect(new Set(Object.keys(WATERFALL_LABELS).map((order) => order.split(',').sort().join())).size).toBe(1);
  expect(Object.keys(WATERFALL_LABELS)).toHaveLength(6);
  expect(waterfallOrderOf(DEFAULT_WATERFALL)).toBe('fees,interest,principal');
});

const money = fc.bigInt({ min: 0n, max: 10n ** 12n });

test('payments in any order of any sizes pay each kind exactly', () => {
  fc.assert(
    fc.property(
      fc.tuple(money, money, money),
      fc.shuffledSubarray([...INVOICE_LINE_KINDS], { minLength: 3 }),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 }),
      ([fees, interest, principal], order, shares) => {
        const all = {
          fees: fromScaled(fees, 2),
          interest: fromScaled(interest, 2),
          principal: fromScaled(principal, 2),
        };
        let left = fees + interest + principal;
        let paid = {};
        const payments = shares.map((share) => (left * BigInt(Math.floor(share * 1000))) / 1000n);
        for (const payment of [...payments, left]) {
          const over = payment - left;
          const part = over > 0n ? left : payment;
          const amount = fromScaled(part, 2);
          const parts = splitByWaterfall(amount, { order, owed: all, paid });
          expect(compare(sum(parts.map((one) => one.amount)), amount)).toBe(0);
          paid = withParts(paid, parts);
          left -= part;
        }
        const rest = splitByWaterfall(fromScaled(left, 2), { order, owed: all, paid });
        const end: Record<string, string> = withParts(paid, rest);
        for (const kind of INVOICE_LINE_KINDS) expect(compare(subtract(all[kind], end[kind] ?? '0'), '0')).toBe(0);
      },
    ),
  );
});
