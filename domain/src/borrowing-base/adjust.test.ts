import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { transactionContractSchema } from '../facilities/contract.schema.ts';
import { fromScaled, toScaled } from '../money/decimal.ts';
import { assetCatalog } from '../tapes/target-schema.ts';
import { availableBaseAfter, withAdjustments } from './adjust.ts';
import { footingProblems } from './footing.ts';
import { adjustmentsTable } from './print/certificate-tables.ts';
import { calculateReference } from './testing/reference.ts';
import { WORKED_CASE_ASSETS, WORKED_CASE_CONTRACT, WORKED_CASE_TAPE } from './testing/worked-case.ts';
import { waterfallOf } from './waterfall.ts';

const USD = (sum: string) => ({ sum, currency: 'USD' });
/** Two months of interest at 9% on the balance, and servicing of 1% of the pool. */
const RESERVES = [
  { title: 'Interest', kind: 'months', months: 2, percent: 9 },
  { title: 'Servicing', kind: 'percentage', percent: 1 },
] as const;
const workedBase = () =>
  calculateReference({
    assets: WORKED_CASE_ASSETS,
    tape: WORKED_CASE_TAPE,
    contract: transactionContractSchema.parse({ ...WORKED_CASE_CONTRACT, reserves: RESERVES }),
    catalog: assetCatalog(),
    facility: { currency: 'USD', balances: [USD('400')], commitments: [USD('700')] },
  }).result;

const adjustment = (sum: string, id = 'a') => ({
  id,
  amount: USD(sum),
  reason: 'Disputed invoice',
  enteredBy: 'Ada King',
  approvedBy: 'Ben Okri',
  approvedAt: '2026-11-02T10:00:00.000Z',
});

test('a note in another currency compares with the base at the rates of the tape', () => {
  const base = workedBase();
  const inEuro = {
    ...base.totals,
    balance: { sum: '400.00', currency: 'EUR' },
    commitments: { sum: '700.00', currency: 'EUR' },
  };
  const { totals } = withAdjustments({ ...base, totals: inEuro }, [adjustment('-25')], { EUR: '0.8' });
  expect([totals.availableBase, totals.availability]).toEqual([USD('648.53'), { sum: '118.82', currency: 'EUR' }]);
});

describe('the worked case: net base 689.53, reserves 16.00, balance 400, commitments 700', () => {
  test('an adjustment of -25.00 leaves an available base of 648.53 and availability of 248.53', () => {
    const adjusted = withAdjustments(workedBase(), [adjustment('-25')], {});
    expect(adjusted.totals.availableBase).toEqual(USD('648.53'));
    expect(adjusted.totals.availability).toEqual(USD('248.53'));
    expect(footingProblems(adjusted)).toEqual([]);
    expect(waterfallOf(adjusted).slice(-6)).toMatchObject([
      { step: 'netBB', sum: '689.53' },
      { step: 'reserves', sum: '-16' },
      { step: 'adjustments', label: 'Adjustments', kind: 'change', sum: '-25' },
      { step: 'availableBase', sum: '648.53' },
      { step: 'balance', sum: '-400' },
      { step: 'availability', sum: '248.53' },
    ]);
  });

  test('it changes nothing else, and none changes nothing at all', () => {
    const base = workedBase();
    const { totals, ...rest } = withAdjustments(base, [adjustment('-25')], {});
    const { totals: before, ...others } = base;
    const { adjustments, availableBase, availability, ...same } = totals;
    expect(rest).toEqual(others);
    expect({ ...before, availableBase, availability }).toEqual({ ...same, availableBase, availability });
    expect(withAdjustments(base, [], {})).toBe(base);
  });

  test('adjustments do not lower the base below zero, and the part beyond it is shown', () => {
    const adjusted = withAdjustments(workedBase(), [adjustment('-700')], {});
    expect(adjusted.totals.availableBase).toEqual(USD('0.00'));
    expect(adjusted.totals.availability).toEqual(USD('-400.00'));
    expect(waterfallOf(adjusted).find(({ step }) => step === 'beyondBase')).toMatchObject({
      label: 'Reserves and adjustments above the base',
      sum: '26.47',
    });
    expect(footingProblems(adjusted)).toEqual([]);
  });

  test('a base that adjustments raise is still limited by the commitments', () => {
    const { totals } = withAdjustments(workedBase(), [adjustment('100')], {});
    expect([totals.availableBase, totals.availability]).toEqual([USD('773.53'), USD('300.00')]);
  });

  test('an unknown reserve keeps the available base unknown', () => {
    const base = workedBase();
    const reserves = base.totals.reserves?.map((reserve) => ({ ...reserve, amount: null })) ?? [];
    const { totals } = withAdjustments({ ...base, totals: { ...base.totals, reserves } }, [adjustment('5')], {});
    expect([totals.availableBase, totals.availability]).toEqual([null, null]);
  });

  test('the certificate prints who entered and who approved it', () => {
    const adjusted = withAdjustments(workedBase(), [adjustment('-25'), adjustment('5.50', 'b')], {});
    expect(adjustmentsTable(adjusted)).toMatchObject([
      {
        title: 'Adjustments',
        rows: [
          { cells: ['Disputed invoice', 'Ada King', 'Ben Okri, 2 Nov 2026', '−25.00'] },
          { cells: ['Disputed invoice', 'Ada King', 'Ben Okri, 2 Nov 2026', '5.50'] },
        ],
        total: ['All adjustments', '', '', '−19.50'],
      },
    ]);
    expect(adjustmentsTable(workedBase())).toEqual([]);
  });
});

test('the available base is the net base less reserves plus adjustments in cents, in any order, and never below zero', () => {
  const cents = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n });
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 13n }),
      fc.array(cents, { maxLength: 8 }),
      fc.array(cents),
      (net, held, added) => {
        const of = (units: bigint) => USD(fromScaled(units, 2));
        const reserves = held.map((units) => ({ amount: of(units < 0n ? -units : units) }));
        const adjustments = added.map((units) => ({ amount: of(units) }));
        const left =
          net -
          held.reduce((total, units) => total + (units < 0n ? -units : units), 0n) +
          added.reduce((total, units) => total + units, 0n);
        const result = availableBaseAfter(of(net), reserves, adjustments);
        expect(toScaled(result?.sum ?? '-1', 2)).toBe(left < 0n ? 0n : left);
        expect(availableBaseAfter(of(net), reserves.toReversed(), adjustments.toReversed())).toEqual(result);
      },
    ),
  );
});
