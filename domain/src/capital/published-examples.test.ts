import { describe, expect, test } from 'vitest';
import type { EqualizationTerms } from '../closings/equalization-terms.ts';
import { equalizationInterest, equalize } from '../closings/equalize.ts';
import type { CommitmentFees } from '../funds/fees.schema.ts';
import { countPeriod } from '../interest/day-count.ts';
import type { DecimalText } from '../money/decimal.ts';
import { round, sum } from '../money/decimal.ts';
import { capitalAccount } from './capital-account.ts';
import type { CapitalLedger } from './capital-figures.ts';
import { managementFeesOf, successFeeOf } from './investor-fees.ts';
import { europeanWaterfall } from './waterfall.ts';

/** One payment in and one out, a number of years later, at flat terms in percent. */
function waterfall(
  [paidIn, paidOut]: [string, string],
  [hurdlePercent, ratePercent, catchUpPercent]: [string, string, string],
  { last = '2026-01-01', digits = 2 } = {},
) {
  const flows = [
    { when: last === '2026-01-01' ? '2025-01-01' : '2023-01-01', amount: `-${paidIn}` },
    { when: last, amount: paidOut },
  ];
  return europeanWaterfall(flows, { hurdlePercent, ratePercent, catchUpPercent }, digits).tiers;
}

const LEDGER: CapitalLedger = {
  commitment: { closingDate: '2015-01-01', activeCommitment: '0', deltas: [] },
  calls: [],
  distributions: [],
  writeOffs: [],
  navs: [],
};

const called = (dueDate: string, amount: DecimalText, kind: 'investments' | 'fundExpenses' = 'investments') => ({
  cutOffDate: dueDate,
  dueDate,
  purposes: [{ kind, amount }],
});

const feeOf = (
  ledger: Partial<CapitalLedger>,
  management: CommitmentFees['management'],
  [from, to]: [string, string],
) => managementFeesOf({ ...LEDGER, ...ledger }, { management }, { from, to }, 6).amount;

describe('waterfalls', () => {
  // "Distribution Waterfall" (a question of Schweser's notes for the CFA exam),
  // https://www.analystforum.com/t/distribution-waterfall/124301. A year of 365 days; millions.
  test('20 becomes 30 in a year, with a hurdle of 7% and a full catch-up', () => {
    expect(waterfall(['20', '30'], ['7', '20', '100'])).toMatchObject({
      preferredReturn: '1.40',
      catchUp: '0.35',
      splitGp: '1.65',
      splitLp: '6.60',
      gp: '2.00',
    });
  });

  // "Examples of Quarterly Incentive Fee Calculations", prospectus of a business development company,
  // https://capedge.com/filing/1872371/0001193125-22-305656/424B3. The hurdle is a rate for one quarter that does not
  // compound, so one quarter is one period of the hurdle here. Amounts are percent of net assets.
  test.each([
    ['0.6875', '0.0000', '0.0000'],
    ['1.3375', '0.0875', '0.0875'],
    ['1.9375', '0.1786', '0.2422'],
  ])('a quarterly fee of 12.5%% over a hurdle of 1.25%% on income of %s%%', (income, catchUp, gp) => {
    expect(waterfall(['100', sum(['100', income])], ['1.25', '12.5', '100'], { digits: 4 })).toMatchObject({
      catchUp,
      gp,
    });
  });

  // "Is this question wrong?", r/CFA, https://redlib.cakez.net/r/CFA/comments/1l91tz7/is_this_question_wrong. The
  // published preferred return is simple: 5% twice is 10.00. It compounds here, to 10.25. After a full catch-up, the
  // manager has 20% of the profit either way.
  test('100 becomes 150 in two years, with a hurdle of 5% and a full catch-up', () => {
    expect(waterfall(['100', '150'], ['5', '20', '100'], { last: '2024-12-31' })).toMatchObject({
      preferredReturn: '10.25',
      gp: '10.00',
    });
  });

  // "Private Equity Distribution Waterfalls" by Lucas Lee, whole-fund example of the Locke Fund,
  // https://github.com/lucasktlee/posts/blob/master/published/pe-distribution-waterfall.md. It does not match: the
  // published preferred return (29.56) is not 8% compounded from the drawdowns that it lists, and its catch-up is 20%
  // of the preferred return, which leaves the sponsor with 16.56 of 84 of profit, not with 20%.
  test('a fund of four drawdowns, whose published tiers leave the sponsor less than its carry', () => {
    const flows = [
      { when: '2021-01-01', amount: '-54' },
      { when: '2022-01-01', amount: '-14' },
      { when: '2023-01-01', amount: '-44' },
      { when: '2024-01-01', amount: '-4' },
      { when: '2024-12-31', amount: '200' },
    ];
    const { tiers } = europeanWaterfall(flows, { hurdlePercent: '8', ratePercent: '20', catchUpPercent: '100' }, 2);
    expect(tiers).toEqual({
      returnOfCapital: '116.00',
      preferredReturn: '30.74',
      catchUp: '7.69',
      catchUpLp: '0.00',
      splitLp: '36.46',
      splitGp: '9.11',
      lp: '183.20',
      gp: '16.80',
    });
  });

  // "How is carried interest calculated", https://math.answers.com/math-and-arithmetic/How_is_carried_interest_calculated.
  // It does not match: it pays 20% of all profit as a catch-up and then splits the rest again, so that the manager has
  // 34 of 100 of profit.
  test('100 becomes 200 in a year, with a hurdle of 10%: the manager has 20, not 34', () => {
    expect(waterfall(['100', '200'], ['10', '20', '100'])).toMatchObject({
      catchUp: '2.50',
      lp: '180.00',
      gp: '20.00',
    });
  });
});

describe('management fees', () => {
  // "Calculation of Management Fees, Carried Interest, NAV, DPI, RVPI, and TVPI",
  // https://analystprep.com/study-notes/cfa-level-2/calculation-of-management-fees-carried-interest-nav-dpi-rvpi-and-tvpi/.
  // 2% of paid-in capital, which is called on the first day of each year. A leap year has 366 days of fee, which the
  // published digit does not show. Its carried interest (20% of a NAV above the commitment) is another method.
  test('of 2% on paid-in capital, over six years', () => {
    const calls = ['80', '25', '20', '40', '25', '10'].map((amount, year) => called(`${2015 + year}-01-01`, amount));
    const fees = calls.map(({ dueDate }, year) =>
      round(feeOf({ calls }, { invested: 2 }, [dueDate, `${2016 + year}-01-01`])!, 1),
    );
    expect(fees).toEqual(['1.6', '2.1', '2.5', '3.3', '3.8', '4.0']);
  });

  // "A private equity fund pays a management fee of 3% of PIC", http://forum.theanalystspace.com/thread-173557-1-1.html.
  test('of 3% on 80% of 250 drawn', () => {
    expect(feeOf({ calls: [called('2018-01-01', '200')] }, { invested: 3 }, ['2018-01-01', '2019-01-01'])).toBe('6');
  });

  // "How to calculate management fees based on called capital vs committed capital",
  // https://www.wallstreetoasis.com/forum/private-equity/how-to-calculate-management-fees-based-on-called-capital-vs-committed-capital.
  // The year matches. The published quarter is a fourth of it, 25,000; by days, a quarter of 90 days is less.
  test('of 2% on a commitment of 5 million', () => {
    const commitment = { closingDate: '2018-01-01', activeCommitment: '5000000', deltas: [] };
    expect(feeOf({ commitment }, { committed: 2 }, ['2018-01-01', '2019-01-01'])).toBe('100000');
    expect(feeOf({ commitment }, { committed: 2 }, ['2018-01-01', '2018-04-01'])).toBe('24657.534247');
  });

  // Question on a fund with fees of 2 and 20, https://pzacademy.com/qa/60307. Both fees are on the value at the end of
  // the year, and independent of each other; the management fee here is on the NAV of each day, so the NAV is the same
  // all year.
  test('of 2% on assets of 360, and 20% of the gain from 300', () => {
    const ledger = {
      ...LEDGER,
      calls: [called('2018-01-01', '300')],
      navs: [{ cutOffDate: '2018-01-01', gross: '360', net: '360' }],
    };
    expect(feeOf(ledger, { assets: 2 }, ['2018-01-01', '2019-01-01'])).toBe('7.2');
    const fee = successFeeOf(ledger, { success: { rate: 20 } }, '2019-01-01', 2);
    expect(fee?.accrued?.tiers.gp).toBe('12.00');
  });
});

describe('later closings', () => {
  const TERMS = {
    ratePercent: '8',
    dayCount: 'ACT/365F',
    compounding: 'simple',
    feeInterestTo: 'investors',
    feesFromFirstClosing: true,
    recallable: true,
  } as const;

  /** Calls that one earlier investor of an amount paid, and what those who enter pay for them. */
  const closing = (
    earlier: DecimalText,
    entrants: readonly DecimalText[],
    called: readonly { amount: DecimalText; kind: 'investments' | 'managementFee' }[],
    { dueDate, closingDate, ...terms }: { dueDate: string; closingDate: string } & Partial<EqualizationTerms>,
  ) =>
    equalize({
      earlier: [{ id: 'earlier', code: 1, weight: earlier }],
      entrants: entrants.map((weight, index) => ({ id: `new${index}`, code: 2 + index, weight, increases: null })),
      lines: called.map(({ amount, kind }) => ({
        call: '1',
        callNumber: '1',
        title: kind,
        kind,
        dueDate,
        paid: new Map([['earlier', amount]]),
        owed: new Map(),
        concerns: entrants.map((_, index) => `new${index}`),
      })),
      terms: { ...TERMS, ...terms },
      closingDate,
      digits: 2,
    });

  // "Equalization Interest Calculations at Subsequent Closes", FundOpsHQ,
  // https://fundopshq.com/newsletter/fundopshq-insights/equalization-interest-calculations-at-subsequent-closes-the-math-behind-making-early-lps-whole-2026-01-14.
  // 40 of a fund of 200 was called in January, and 20 of the 200 closes 90 days later: 4,000,000 and "approximately
  // $78,900" of interest at 8%.
  test('4,000,000 for 90 days at 8%', () => {
    const days = { dueDate: '2026-01-15', closingDate: '2026-04-15' };
    const { paidIn, returned } = closing(
      '180000000',
      ['20000000'],
      [{ amount: '40000000', kind: 'investments' }],
      days,
    );
    expect(paidIn).toEqual({ capital: '4000000', interest: '78904.11' });
    expect(returned).toEqual(paidIn);
  });

  // "Private Equity Fund Accounting - Subsequent Closings & Equalisation", DesTek Fund,
  // https://quickstep.ie/about/private-equity-fund-accounting-subsequent-closings-equalisation. 50 was drawn, and 90 more
  // closes without interest. The payments match, to the dollar, with commitments of 20, 30 and 40 to a fund of 495. The
  // text gives the last one 30, but its 8.08% and its payment follow from 40.
  test('50,000,000 drawn, of which three later investors pay 18.18%', () => {
    const drawn = [{ amount: '50000000', kind: 'investments' }] as const;
    const entrants = ['20000000', '30000000', '40000000'];
    const days = { dueDate: '2014-01-31', closingDate: '2014-06-30' };
    const { lines, paidIn } = closing('405000000', entrants, drawn, { ...days, ratePercent: '0' });
    expect(lines[0]?.entrants.map(({ amount }) => round(amount, 0))).toEqual(['2020202', '3030303', '4040404']);
    expect(paidIn.interest).toBe('0');
  });

  // "Fund Launch & First Close", pabarom-hch/mba on GitHub,
  // phase-10-private-equity/module-29-fund-formation/04-fund-launch-and-first-close.md. 150 closed on 1 January and was
  // called 30 and a fee of 1.5 (2% for half a year), and 50 closes on 1 July at 7%. The fee of 500,000 matches, and so does
  // interest on an amount: 367,500 on 10,500,000 for half a year. The capital does not: the source asks for 20% of the new
  // commitment (10,000,000) and returns nothing, so that the fund has 40 for 30 of investments. With 7,500,000 returned,
  // everyone has paid 15%.
  test('half a year at 7%, where the source asks for more capital than was needed', () => {
    const terms = { ratePercent: '7', dayCount: '30E/360', dueDate: '2024-01-01', closingDate: '2024-07-01' } as const;
    const period = countPeriod('30E/360', terms.dueDate, terms.closingDate);
    expect(equalizationInterest('10500000', { ...TERMS, ...terms }, period, 2)).toBe('367500');
    const called = [
      { amount: '30000000', kind: 'investments' },
      { amount: '1500000', kind: 'managementFee' },
    ] as const;
    const { lines, positions } = closing('150000000', ['50000000'], called, terms);
    expect(lines.map(({ entrants }) => [Number(entrants[0]?.amount), Number(entrants[0]?.interest)])).toEqual([
      [7_500_000, 262_500],
      [500_000, 17_500],
    ]);
    // 22,500,000 and 7,500,000 of investments, and 1% of fees.
    expect(positions.map(({ paidPercent }) => paidPercent)).toEqual(['16', '16']);
  });
});

// "Capital Account Statement", https://sponsorbeast.com/glossary/capital-account-statement. The expenses are a purpose
// of the call, and the unrealized gain is the balancing line.
test('the capital account of a quarter from 500,000 to 587,000', () => {
  const ledger = {
    ...LEDGER,
    calls: [
      called('2023-01-01', '400000'),
      {
        ...called('2024-02-01', '67000'),
        purposes: [...called('2024-02-01', '67000').purposes, ...called('2024-02-01', '8000', 'fundExpenses').purposes],
      },
    ],
    navs: [
      { cutOffDate: '2023-12-31', gross: '500000', net: '500000' },
      { cutOffDate: '2024-03-31', gross: '587000', net: '587000' },
    ],
  };
  expect(capitalAccount(ledger, '2023-12-31', '2024-03-31')).toMatchObject({
    opening: '500000',
    contributions: '75000',
    distributions: '0',
    feesAndExpenses: '-8000',
    unrealizedChange: '20000',
    closing: '587000',
  });
});
