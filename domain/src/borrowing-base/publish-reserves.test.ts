import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type TransactionContractInput, transactionContractSchema } from '../facilities/contract.schema.ts';
import { TOTAL_ELIGIBLE_AND_PERFORMING, TOTAL_RELEVANT } from '../facilities/pools.ts';
import { reserveBasis, unknownReserve } from '../facilities/reserve-words.ts';
import { add, compare, sum } from '../money/decimal.ts';
import { assetCatalog } from '../tapes/target-schema.ts';
import { compareBases } from './compare-bases.ts';
import { facilityFigures } from './facility-figures.ts';
import { checkContractAgainstFields } from './prepare.ts';
import type { FacilityPosition, TapeTerms } from './publish.ts';
import { calculateReference } from './testing/reference.ts';
import { WORKED_CASE_ASSETS, WORKED_CASE_CONTRACT, WORKED_CASE_TAPE } from './testing/worked-case.ts';
import { waterfallOf } from './waterfall.ts';

type Reserve = NonNullable<TransactionContractInput['reserves']>[number];

const catalog = assetCatalog();
const USD = (value: string) => ({ sum: value, currency: 'USD' });
const contractOf = (more: Partial<TransactionContractInput>) =>
  transactionContractSchema.parse({ ...WORKED_CASE_CONTRACT, ...more });

const INTEREST: Reserve = { title: 'Interest', kind: 'months', months: 2, percent: 9 };
const SERVICING: Reserve = { title: 'Servicing', kind: 'percentage', percent: 1 };
const LEGAL: Reserve = { title: 'Legal costs', kind: 'amount', amount: 25 };
const NOTE = { currency: 'USD', balances: [USD('400')], commitments: [USD('700')] };

function certify(
  reserves: Reserve[] | undefined,
  facility: FacilityPosition | undefined = NOTE,
  tape: Partial<TapeTerms> = {},
  more: Partial<TransactionContractInput> = {},
) {
  const found = calculateReference({
    assets: WORKED_CASE_ASSETS,
    tape: { ...WORKED_CASE_TAPE, ...tape },
    contract: contractOf({ reserves, ...more }),
    catalog,
    facility,
  });
  return found.result;
}

describe('the worked case', () => {
  const { totals, ...result } = certify([INTEREST, SERVICING]);

  test('holds back two months of interest on the balance, and servicing of the pool', () => {
    expect(totals.netBB).toEqual(USD('689.53'));
    expect(totals.reserves).toEqual([
      {
        ...{ rule: 0, title: 'Interest', kind: 'months', percent: '9', months: '2', of: null },
        ...{ base: USD('400.00'), amount: USD('6.00') },
      },
      {
        ...{ rule: 1, title: 'Servicing', kind: 'percentage', percent: '1', months: null },
        ...{ of: TOTAL_ELIGIBLE_AND_PERFORMING, base: USD('1000.00'), amount: USD('10.00') },
      },
    ]);
    expect(totals.availableBase).toEqual(USD('673.53'));
    expect(totals.availability).toEqual(USD('273.53'));
  });

  test('changes nothing of what the tape gave', () => {
    const { totals: plain, ...rest } = certify(undefined);
    const { reserves, availableBase, availability, ...same } = totals;
    const { availability: withoutReserves, ...others } = plain;
    expect(same).toEqual(others);
    expect(result).toEqual(rest);
    expect([withoutReserves, availability]).toEqual([USD('289.53'), USD('273.53')]);
  });

  test('shows the reserves between the net borrowing base and availability, which add up', () => {
    expect(waterfallOf({ ...result, totals }).slice(-5)).toMatchObject([
      { step: 'netBB', sum: '689.53' },
      { step: 'reserves', kind: 'change', sum: '-16' },
      { step: 'availableBase', kind: 'level', label: 'Available base', sum: '673.53' },
      { step: 'balance', sum: '-400' },
      { step: 'availability', sum: '273.53' },
    ]);
  });

  test('is compared with a base without reserves', () => {
    const earlier = certify(undefined);
    const compared = compareBases(earlier, { ...result, totals });
    const changeOf = (label: string) => compared.find((figure) => figure.label === label);
    expect(changeOf('Reserves')).toMatchObject({ before: '0', now: '16', change: '16' });
    expect(changeOf('Available base')).toMatchObject({ before: '689.53', now: '673.53', change: '-16' });
    const back = compareBases({ ...result, totals }, earlier);
    expect(back.find((figure) => figure.label === 'Reserves')).toMatchObject({ before: '16', now: '0' });
    expect(compareBases(earlier, earlier).map(({ label }) => label)).not.toContain('Available base');
  });
});

describe('a dilution', () => {
  const DILUTION: Reserve = { title: 'Dilution', kind: 'dilution', percent: 5, credits: 'Credits', sales: 'Sales' };
  const held = (credits: string, sales: string, reserve = DILUTION) => {
    const dilutions = [{ rule: 2, credits, sales }];
    return certify([INTEREST, SERVICING, reserve], { ...NOTE, dilutions }).totals;
  };

  test('holds back what credits of twelve months are above their threshold: 7% of sales is 2% of the pool more than 5%', () => {
    const { reserves, availableBase, availability } = held('280', '4000');
    expect(reserves?.[2]).toEqual({
      ...{ rule: 2, title: 'Dilution', kind: 'dilution', percent: '5', months: null },
      ...{ of: TOTAL_ELIGIBLE_AND_PERFORMING, base: USD('1000.00'), amount: USD('20.00') },
      dilution: {
        credits: 'Credits',
        sales: 'Sales',
        sums: { creditsSum: '280', salesSum: '4000', ratioPercent: '7' },
      },
    });
    // 673.53 without it.
    expect([availableBase, availability]).toEqual([USD('653.53'), USD('253.53')]);
  });

  test.each([
    ['200', '4000', '0.00'],
    ['200.04', '4000', '0.01'],
    ['0', '4000', '0.00'],
    ['-80', '4000', '0.00'],
    // 7/3% is not rounded before it is multiplied.
    ['1', '3', '283.33'],
  ])('of %s credits in %s sales is %s', (credits, sales, amount) => {
    expect(held(credits, sales).reserves?.[2]?.amount).toEqual(USD(amount));
  });

  test('is unknown without its figures or without sales, and so is what can be drawn', () => {
    const without = certify([DILUTION]).totals;
    expect(without).toMatchObject({ reserves: [{ amount: null, dilution: { sums: null } }], availableBase: null });
    expect(held('280', '0')).toMatchObject({ availableBase: null, availability: null });
    expect(unknownReserve({ kind: 'dilution' })).toBe('figures of the last 12 months are missing');
  });

  test('is a share of the value that it names, and says how it was calculated', () => {
    const { reserves } = held('280', '4000', { ...DILUTION, of: TOTAL_RELEVANT });
    expect(reserves?.[2]).toMatchObject({ base: USD('1200.00'), amount: USD('24.00') });
    expect(reserveBasis(reserves![2]!)).toBe(
      `Credits above 5% of Sales in 12 months, on ${TOTAL_RELEVANT} (7.00% in all)`,
    );
  });
});

describe('what applies', () => {
  const held = (reserves: Reserve[], facility?: FacilityPosition) =>
    certify(reserves, facility).totals.reserves?.map(({ title, amount }) => [title, amount?.sum]);

  test('is what is enabled and has begun by the cut-off date, before its end', () => {
    const on = (title: string, dates: Partial<Reserve>) => ({ ...LEGAL, title, ...dates }) as Reserve;
    expect(
      held([
        on('off', { enabled: false }),
        on('begins on the day', { startDate: '2026-10-31' }),
        on('begins later', { startDate: '2026-11-01' }),
        on('ends on the day', { expirationDate: '2026-10-31' }),
        on('ends later', { expirationDate: '2026-11-01' }),
      ]),
    ).toEqual([
      ['begins on the day', '25.00'],
      ['ends later', '25.00'],
    ]);
    // Without any that applies, the result is as without reserves.
    expect(JSON.stringify(certify([on('off', { enabled: false })]))).toBe(JSON.stringify(certify(undefined)));
  });

  test('is a percentage of any value that is money', () => {
    const values = [{ title: 'Grade A', filter: { grade: 'A' } }];
    const of = (title: string): Reserve => ({ ...SERVICING, of: title });
    const taken = (title: string) => certify([of(title)], NOTE, {}, { values }).totals.reserves?.[0];
    expect(taken('Grade A')).toMatchObject({ base: USD('550.00'), amount: USD('5.50') });
    expect(taken(TOTAL_RELEVANT)).toMatchObject({ base: USD('1200.00'), amount: USD('12.00') });
  });

  test('is refused as a percentage of a value that is no money', () => {
    const values = [{ title: 'Scores', accumulator: '$sum' as const, field: 'creditScores.origination' }];
    const contract = contractOf({ values, reserves: [{ ...SERVICING, of: 'Scores' }] });
    expect(checkContractAgainstFields(contract, catalog)).toEqual([
      {
        path: ['reserves', 0, 'of'],
        field: null,
        message: "Servicing: 'Scores' is not an amount of money. Choose a value that is",
      },
    ]);
  });

  test('is unknown on a balance that is not recorded, and zero on one that is repaid beyond', () => {
    const unknown = certify([INTEREST, SERVICING], { ...NOTE, balances: null }).totals;
    expect(unknown.reserves).toMatchObject([
      { base: null, amount: null },
      { base: USD('1000.00'), amount: USD('10.00') },
    ]);
    expect(unknown).toMatchObject({ availableBase: null, availability: null });
    expect(certify([INTEREST], { ...NOTE, balances: [USD('-5')] }).totals).toMatchObject({
      reserves: [{ amount: USD('0.00') }],
      availability: USD('694.53'),
    });
    expect(certify([SERVICING], undefined).totals).toMatchObject({ availableBase: USD('679.53') });
  });

  test('is in the currency of the tape, at its rates', () => {
    const position = { currency: 'EUR', balances: [{ sum: '360', currency: 'EUR' }], commitments: [] };
    const { totals, warnings } = certify([INTEREST], position, { exchangeRates: { EUR: '0.9' } });
    // 360 euros are 400 dollars. 683.53 dollars less 400 are 255.18 euros.
    expect(totals.reserves).toMatchObject([{ base: USD('400.00'), amount: USD('6.00') }]);
    expect(totals.availability).toEqual({ sum: '255.18', currency: 'EUR' });
    expect(warnings).toEqual([]);
    const unrated = certify([INTEREST], { ...position, balances: [{ sum: '1', currency: 'CHF' }] });
    expect(unrated.warnings.map(({ message }) => message).join()).toContain('CHF');
  });
});

test('a value below zero holds nothing back, and adds nothing', () => {
  const assets = [{ assetId: '8', 'sums.collateralValue': '-200', 'sums.collateralValue.currency': 'USD' }];
  const { result } = calculateReference({
    assets: [...WORKED_CASE_ASSETS, ...assets],
    tape: WORKED_CASE_TAPE,
    contract: contractOf({
      values: [{ title: 'Collateral', field: 'sums.collateralValue', pool: 'relevant' }],
      reserves: [{ ...SERVICING, percent: 100, of: 'Collateral' }],
    }),
    catalog,
    facility: NOTE,
  });
  expect(result.totals).toMatchObject({
    reserves: [{ base: USD('-200.00'), amount: USD('0.00') }],
    availableBase: USD('689.53'),
  });
});

test('what is unknown of a base is not compared', () => {
  const earlier = certify(undefined, { ...NOTE, balances: null, commitments: [USD('600')] });
  const later = certify(undefined, { ...NOTE, commitments: [USD('600')] });
  expect(compareBases(earlier, later).find(({ label }) => label === 'Above commitments')).toMatchObject({
    before: null,
    now: '89.53',
    change: null,
  });
});

describe('more than the base', () => {
  const result = certify([{ ...LEGAL, amount: 1000 }]);

  test('leaves nothing, not less', () => {
    expect(result.totals).toMatchObject({ availableBase: USD('0.00'), availability: USD('-400.00') });
    expect(waterfallOf(result).slice(-5)).toMatchObject([
      { step: 'reserves', sum: '-1000' },
      { step: 'beyondBase', kind: 'change', sum: '310.47' },
      { step: 'availableBase', sum: '0.00' },
      { step: 'balance', sum: '-400' },
      { step: 'availability', sum: '-400.00' },
    ]);
  });

  test('is cured by repayment alone where the reserve grows with the collateral', () => {
    const grows = certify([{ ...SERVICING, percent: 60 }]);
    expect(facilityFigures(grows).cure).toMatchObject({ repay: '310.47', addCollateral: null });
    expect(facilityFigures(certify([{ ...LEGAL, amount: 400 }])).cure?.addCollateral).not.toBeNull();
    // More collateral would first have to cover what is held back beyond the base.
    expect(facilityFigures(result).cure).toMatchObject({ repay: '400', addCollateral: null });
  });
});

/** Rounds a fraction half to even, independently of the product's fractions. */
function rounded(numerator: bigint, denominator: bigint): bigint {
  const [whole, rest] = [numerator / denominator, numerator % denominator];
  const up = rest * 2n > denominator || (rest * 2n === denominator && whole % 2n === 1n);
  return up ? whole + 1n : whole;
}
const cents = (value: bigint) => `${value / 100n}.${String(value % 100n).padStart(2, '0')}`;

test('property: reserves, available base and availability are what whole numbers give', () => {
  // In hundredths of a per cent, of a month, and of the currency.
  const percent = fc.integer({ min: 0, max: 10_000 });
  const reserve = fc.oneof(
    fc.record({ kind: fc.constant('amount' as const), of: fc.integer({ min: 0, max: 40_000 }) }),
    fc.record({ kind: fc.constant('percentage' as const), percent, of: fc.constantFrom(0, 1) }),
    fc.record({ kind: fc.constant('months' as const), percent, of: fc.integer({ min: 1, max: 2400 }) }),
  );
  fc.assert(
    fc.property(
      fc.array(reserve, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: -1000, max: 90_000 }),
      fc.integer({ min: 0, max: 120_000 }),
      (drawn, balance, commitments) => {
        const reserves = drawn.map((one, index): Reserve => {
          const title = `R${index}`;
          if (one.kind === 'amount') return { title, kind: 'amount', amount: one.of / 100 };
          if (one.kind === 'months') return { title, kind: 'months', months: one.of / 100, percent: one.percent / 100 };
          const value = one.of === 0 ? {} : { of: TOTAL_RELEVANT };
          return { title, kind: 'percentage', percent: one.percent / 100, ...value };
        });
        const owed = BigInt(Math.max(balance, 0));
        const expected = drawn.map((one) => {
          if (one.kind === 'amount') return BigInt(one.of);
          if (one.kind === 'percentage')
            return rounded((one.of === 0 ? 100_000n : 120_000n) * BigInt(one.percent), 10_000n);
          return rounded(owed * BigInt(one.percent) * BigInt(one.of), 10_000n * 100n * 12n);
        });
        const note = {
          currency: 'USD',
          balances: [USD((balance / 100).toFixed(2))],
          commitments: [USD(cents(BigInt(commitments)))],
        };
        const { totals } = certify(reserves, note);
        expect(totals.reserves?.map(({ amount }) => amount?.sum)).toEqual(expected.map(cents));
        const left = 68_953n - expected.reduce((all, one) => all + one, 0n);
        const available = left < 0n ? 0n : left;
        expect(totals.availableBase?.sum).toBe(cents(available));
        const limit = available < BigInt(commitments) ? available : BigInt(commitments);
        expect(compare(totals.availability?.sum ?? '', add(cents(limit), (-balance / 100).toFixed(2)))).toBe(0);
        // The changes of the waterfall lead from level to level.
        const bars = waterfallOf(certify(reserves, note));
        const from = bars.findIndex(({ step }) => step === 'netBB');
        const steps = bars.slice(from).filter(({ kind, step }) => kind === 'change' || step === 'netBB');
        expect(compare(sum(steps.map((bar) => bar.sum ?? '')), totals.availability?.sum ?? '')).toBe(0);
      },
    ),
    { numRuns: Number(process.env.FC_RUNS ?? 200) },
  );
});
