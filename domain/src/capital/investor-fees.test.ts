import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromEpochDay } from '../dates/calendar-date.ts';
import { compare, fromScaled, sum } from '../money/decimal.ts';
import { type CapitalLedger, capitalFigures } from './capital-figures.ts';
import { managementFeesOf, successFeeOf, totalTiers, transactionFeesOf } from './investor-fees.ts';
import { DIGITS, expected, INVESTORS, inputs, ledgerOf } from './testing/worked-fund.ts';

describe('management fees', () => {
  test.each(inputs.managementFees.map((fee, index) => [fee.basis, fee, expected.managementFees[index]!] as const))(
    'of the worked fund on %s capital, from its documents',
    (basis, { investor, ratePercent, from, to }, { amount }) => {
      const fees = managementFeesOf(
        ledgerOf(investor),
        { management: { [basis]: Number(ratePercent) } },
        { from, to },
        DIGITS,
      );
      expect(compare(fees.amount!, amount)).toBe(0);
    },
  );

  test('explain each stretch of days by its documents', () => {
    const period = { from: '2025-06-01', to: '2025-08-01' };
    const [line] = managementFeesOf(ledgerOf('two'), { management: { committed: 1.5 } }, period, DIGITS).lines;
    expect(line).toMatchObject({
      explanation: '1.5% a year for 61 days, from 1 Jun 2025 to 31 Jul 2025: basis × rate ÷ 365 for each day',
      parts: [
        {
          from: '2025-06-01',
          to: '2025-07-01',
          days: 30,
          basis: '30000000',
          explanation: '30,000,000.00 from the closing on 15 Jan 2024',
        },
        {
          days: 31,
          basis: '32000000',
          explanation: '30,000,000.00 from the closing on 15 Jan 2024, changed by 2,000,000.00 on 1 Jul 2025',
        },
      ],
    });
    const invested = managementFeesOf(ledgerOf('one'), { management: { invested: 1 } }, period, DIGITS).lines[0];
    expect(invested?.parts.map(({ explanation }) => explanation)).toEqual([
      '23,672,839.96 called (3 calls, the last due on 31 Mar 2025), less 1,000,000.00 recallable',
      '23,672,839.96 called (3 calls, the last due on 31 Mar 2025), less 1,000,000.00 recallable, less 500,000.00 written off',
    ]);
  });

  test('add up over several rates, up to the overall cap', () => {
    const period = { from: '2025-01-01', to: '2026-01-01' };
    const fees = { management: { committed: 1, invested: 1, assets: 1, interestIncome: 1 } };
    const all = managementFeesOf(ledgerOf('one'), fees, period, DIGITS);
    expect(all.lines.map(({ basis, amount }) => [basis, amount])).toEqual([
      ['committed', '500000.00'],
      ['invested', expect.stringMatching(/^\d+\.\d\d?$/)],
      ['assets', expect.stringMatching(/^\d+\.\d\d?$/)],
      ['interestIncome', '11111.11'],
    ]);
    expect(all.amount).toBe(sum(all.lines.map(({ amount }) => amount!)));
    expect(all.cappedAt).toBeNull();
    const capped = managementFeesOf(ledgerOf('one'), { ...fees, overallCap: '600000' }, period, DIGITS);
    expect(capped).toMatchObject({ amount: '600000', cappedAt: '600000', uncapped: all.amount });
    expect(managementFeesOf(ledgerOf('one'), { ...fees, overallCap: all.amount }, period, DIGITS).cappedAt).toBeNull();
  });

  test('on assets are charged on the NAV that the terms name: gross if they name none', () => {
    const period = { from: '2025-01-01', to: '2026-01-01' };
    const of = (assetsBasis?: 'gross' | 'net' | null) =>
      managementFeesOf(ledgerOf('one'), { management: { assets: 1, assetsBasis } }, period, DIGITS).lines[0]!;
    expect(of()).toEqual(of('gross'));
    expect(of(null)).toEqual(of('gross'));
    expect(of('gross').basis).toBe('assets');
    expect(of('net').basis).toBe('netAssets');
    const navAt = (side: 'nav' | 'grossNav', at: string) => capitalFigures(ledgerOf('one'), at)[side];
    for (const [basis, side, name] of [
      ['gross', 'grossNav', 'Gross NAV'],
      ['net', 'nav', 'Net NAV'],
    ] as const) {
      for (const part of of(basis).parts) {
        expect(part.basis).toBe(navAt(side, part.from));
        expect(part.explanation).toContain(name);
      }
    }
    expect(of('net').amount).not.toBe(of('gross').amount);
  });

  test('on assets are unknown while capital is paid in without a NAV, and zero before', () => {
    const fees = { management: { assets: 1 } };
    const unknown = managementFeesOf(ledgerOf('one'), fees, { from: '2024-01-01', to: '2024-07-01' }, DIGITS);
    expect(unknown.amount).toBeNull();
    expect(unknown.lines[0]?.explanation).toBe('No NAV is recorded on or before 1 Feb 2024');
    expect(managementFeesOf(ledgerOf('one'), fees, { from: '2024-01-01', to: '2024-02-01' }, DIGITS).amount).toBe('0');
  });

  test('on invested capital are never below zero', () => {
    const ledger = { ...ledgerOf('one'), calls: [], distributions: [] };
    expect(
      managementFeesOf(ledger, { management: { invested: 1 } }, { from: '2025-07-01', to: '2026-01-01' }, DIGITS),
    ).toMatchObject({ amount: '0' });
  });

  test('for a period are those for its two parts, to a cent', () => {
    const day = fc.integer({ min: 0, max: 800 });
    const rate = fc.integer({ min: 1, max: 300 }).map((hundredths) => hundredths / 100);
    fc.assert(
      fc.property(fc.constantFrom(...INVESTORS), fc.tuple(day, day, day), rate, (id, days, percent) => {
        const [from, middle, to] = days.sort((a, b) => a - b).map((offset) => fromEpochDay(19_737 + offset)) as [
          string,
          string,
          string,
        ];
        const fee = (start: string, end: string) =>
          managementFeesOf(
            ledgerOf(id),
            { management: { committed: percent, invested: percent } },
            { from: start, to: end },
            DIGITS,
          ).amount!;
        const apart = Number(sum([fee(from, middle), fee(middle, to)]));
        expect(Math.abs(Number(fee(from, to)) - apart)).toBeLessThan(0.031);
      }),
      { numRuns: 60 },
    );
  });
});

describe('fees of borrowers', () => {
  const period = { from: '2025-01-01', to: '2025-07-01' };
  const of = (share: string, transaction: { applied?: boolean; cap?: number } | null) =>
    transactionFeesOf(ledgerOf('two'), { transaction }, share, period, DIGITS);

  test('reach the investor up to the cap of its commitment on the last day', () => {
    expect(of('150000', { applied: true, cap: 0.5 })).toEqual({ share: '150000', cap: '150000', amount: '150000' });
    expect(of('150000.01', { applied: true, cap: 0.5 })?.amount).toBe('150000');
    expect(of('900000', { applied: true })).toEqual({ share: '900000', cap: null, amount: '900000' });
  });

  test('are not agreed unless they apply', () => {
    expect(of('1', null)).toBeNull();
    expect(of('1', { applied: false, cap: 5 })).toBeNull();
  });
});

describe('success fees', () => {
  const call = (dueDate: string, kind: 'investments' | 'successFee', amount: string) => ({
    cutOffDate: dueDate,
    dueDate,
    purposes: [{ kind, amount }],
  });
  const ledger: CapitalLedger = {
    commitment: { closingDate: '2025-01-01', activeCommitment: '1000', deltas: [] },
    calls: [call('2025-01-01', 'investments', '100')],
    distributions: [
      {
        cutOffDate: '2026-01-01',
        principal: '100',
        recallable: false,
        components: [
          { actionType: 'INTEREST', amount: '20' },
          { actionType: 'CG', amount: '10' },
        ],
      },
    ],
    writeOffs: [],
    navs: [],
  };
  const terms = { rate: 20, hurdle: 8, catchUp: 100 };
  const fee = (success: object, at = '2026-01-01', of = ledger) => successFeeOf(of, { success }, at, DIGITS);

  test('of the textbook, from documents', () => {
    expect(fee(terms)?.paid.tiers).toMatchObject({
      preferredReturn: '8.00',
      catchUp: '2.00',
      lp: '124.00',
      gp: '6.00',
    });
    expect(fee(terms)?.paid.steps).toEqual([
      expect.objectContaining({ when: '2025-01-01', amount: '-100', days: 0, capital: '100.00', preferred: '0.00' }),
      {
        when: '2026-01-01',
        amount: '130',
        days: 365,
        accrued: '8.00',
        capitalPaid: '100.00',
        preferredPaid: '8.00',
        toManager: '6.00',
        toInvestor: '16.00',
        capital: '0.00',
        preferred: '0.00',
      },
    ]);
  });

  test('leave out interest that does not enter, which is the investor’s', () => {
    expect(fee({ ...terms, interestShare: 50 })).toMatchObject({ outside: '10', paid: { tiers: { gp: '4.00' } } });
    expect(fee({ ...terms, interestShare: 0 })).toMatchObject({ outside: '20', paid: { tiers: { gp: '2.00' } } });
    expect(fee({ ...terms, equityOnly: true })).toMatchObject({ outside: '20', paid: { tiers: { gp: '2.00' } } });
    expect(fee({ ...terms, interestShare: 100 })).toMatchObject({ outside: '0', paid: { tiers: { gp: '6.00' } } });
  });

  test('do not return a called success fee as capital', () => {
    const charged = { ...ledger, calls: [...ledger.calls, call('2025-07-01', 'successFee', '3')] };
    expect(fee(terms, '2026-01-01', charged)?.paid.tiers.gp).toBe('6.00');
  });

  test('accrue as if the gross NAV were distributed', () => {
    expect(fee(terms, '2025-12-31')?.reason).toBe('No NAV is recorded');
    const valued = { ...ledger, distributions: [], navs: [{ cutOffDate: '2026-01-01', gross: '130', net: '120' }] };
    const found = fee(terms, '2026-01-01', valued);
    expect(found?.paid.tiers).toMatchObject({ lp: '0.00', gp: '0.00' });
    expect(found?.accrued?.tiers).toMatchObject({ lp: '124.00', gp: '6.00' });
    expect(fee({ ...terms, interestShare: 99 }, '2026-01-01', valued)).toMatchObject({
      accrued: null,
      reason: expect.stringContaining('does not say how much of it is interest'),
    });
  });

  test('are none without a rate', () => {
    expect(fee({ hurdle: 8 })).toBeNull();
    expect(successFeeOf(ledger, {}, '2026-01-01', DIGITS)).toBeNull();
  });

  test('pay out everything that is distributed, for the worked fund on any day', () => {
    const percent = fc.integer({ min: 1, max: 100 });
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 900 }),
        percent,
        percent,
        percent,
        (offset, rate, hurdle, interestShare) => {
          const at = fromEpochDay(19_737 + offset);
          const success = { rate, hurdle, interestShare, catchUp: 100 };
          const found = INVESTORS.map((id) => successFeeOf(ledgerOf(id), { success }, at, DIGITS)!);
          const { lp, gp } = totalTiers(found.map(({ paid }) => paid.tiers));
          const distributed = INVESTORS.flatMap((id) => ledgerOf(id).distributions)
            .filter(({ cutOffDate }) => cutOffDate <= at)
            .map(({ principal, components }) =>
              sum([
                principal,
                ...components.map(({ actionType, amount }) => (/FEES|TAX/.test(actionType) ? `-${amount}` : amount)),
              ]),
            );
          expect(compare(sum([lp, gp, ...found.map(({ outside }) => outside)]), sum(distributed))).toBe(0);
        },
      ),
      { numRuns: 60 },
    );
  });
});

test('cents of tiers add up over investors', () => {
  const tiers = [1n, 2n].map((units) => {
    const one = fromScaled(units, 2);
    return {
      returnOfCapital: one,
      preferredReturn: one,
      catchUp: one,
      catchUpLp: one,
      splitLp: one,
      splitGp: one,
      lp: one,
      gp: one,
    };
  });
  expect(totalTiers(tiers).gp).toBe('0.03');
});
