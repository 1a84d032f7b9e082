import fc from 'fast-check';
import { transactionContractSchema } from '../../facilities/contract.schema.ts';
import type { FacilityPosition, TapeTerms } from '../publish.ts';
import type { AdjustmentResult } from '../result.ts';
import type { ReferenceBase } from './reference-steps.ts';

const contractOf = (input: object) =>
  transactionContractSchema.parse({ cutOffDate: '2026-01-01', assetsETL: '64b000000000000000000001', ...input });

const money = (amount: string) => ({ sum: amount, currency: 'USD' });
/** A note in dollars. */
export const note = (balance: string, commitments = '700'): FacilityPosition => ({
  currency: 'USD',
  balances: [money(balance)],
  commitments: [money(commitments)],
  limits: [money(commitments)],
});
export const adjustment = (amount: string): AdjustmentResult => ({
  id: '64b000000000000000000009',
  amount: money(amount),
  reason: 'Titles not verified',
  enteredBy: 'Mara Reyes',
  approvedBy: 'Amina Farouk',
  approvedAt: '2026-11-30T10:00:00.000Z',
});

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 6, nil: null });
const amount = fc.oneof(
  fc.integer({ min: -3, max: 40 }).map((units) => String(units * 25)),
  fc.integer({ min: 0, max: 9_999_999 }).map((units) => String(units / 10_000)),
);
const untidyAsset = fc.record({
  // Ids are missing, listed twice, and on one of the tapes only.
  assetId: maybe(fc.integer({ min: 1, max: 14 }).map((id) => `L${id}`)),
  borrowerId: maybe(fc.constantFrom('b1', 'b2', 'b3')),
  'address.state': maybe(fc.constantFrom('CA', 'NY', 'TX')),
  'creditScores.grade': maybe(fc.constantFrom('A', 'B')),
  'creditScores.origination': maybe(fc.integer({ min: 500, max: 750 })),
  daysPastDue: maybe(fc.integer({ min: 0, max: 60 })),
  dateFinanced: maybe(fc.constantFrom('2025-10-31', '2026-08-31', '2026-09-30')),
  'sums.outstandingSum': maybe(amount),
  'sums.outstandingSum.currency': fc.constantFrom('USD', 'USD', 'EUR'),
  'sums.arrears': maybe(fc.constantFrom('0', '-5', '12.34', '70')),
  'sums.arrears.currency': fc.constantFrom('USD', 'EUR'),
});
const untidyPool = fc.array(untidyAsset, { maxLength: 12 });
const filter = fc.constantFrom(
  {},
  { 'creditScores.origination': { gte: 600 } },
  { daysPastDue: { lte: 30 } },
  { 'address.state': 'CA' },
  { grade: { neq: 'B' } },
  { 'sums.outstandingSum': { lte: 500 } },
  { dateFinanced: { lte: { $cutOff: '-1m' } } },
);
const dates = {
  enabled: fc.constantFrom(true, true, true, false),
  startDate: fc.constantFrom(null, null, '2026-10-15'),
  expirationDate: fc.constantFrom(null, null, '2026-11-15'),
};
const titled = fc.constantFrom('One', 'Two', 'Three');
const rules = fc.array(fc.record({ title: titled, filter, ...dates }), { maxLength: 2 });
const untidyContract = fc
  .record({
    scopes: fc.constantFrom(
      [],
      [{ title: 'West', filter: { 'address.state': 'CA' } }],
      [
        { title: 'West', filter: { 'address.state': { in: ['CA', 'TX'] } } },
        { title: 'Rest', filter: {} },
      ],
    ),
    eligibilityRules: fc.array(
      fc.record(
        {
          title: titled,
          filter,
          ...dates,
          wholeGroup: fc.constantFrom({ groupBy: 'borrowerId', percent: 25 }, { groupBy: 'state', percent: 60 }),
        },
        { requiredKeys: ['title', 'filter'] },
      ),
      { maxLength: 2 },
    ),
    performanceRules: rules,
    offsets: fc.constantFrom(
      [],
      [{ title: 'Payables', kind: 'field' as const, groupBy: 'borrowerId', field: 'sums.arrears' }],
      [{ title: 'Credits', kind: 'negatives' as const, groupBy: 'state' }],
    ),
    concentrationRules: fc.array(
      fc.record({
        title: titled,
        filter,
        ...dates,
        groupBy: fc.constantFrom(null, 'state', 'borrowerId'),
        topN: fc.constantFrom(null, null, 2),
        equator: fc.record({
          operand: fc.constantFrom('lte', 'lt', 'gte'),
          unit: fc.constant('percentage'),
          value: fc.constantFrom(10, 25, 40, 80),
          of: fc.constantFrom(undefined, 'Total Relevant Pool'),
        }),
      }),
      { maxLength: 3 },
    ),
    overlap: fc.constantFrom('sequential', 'maximumPerAsset'),
    values: fc.constantFrom([], [{ title: 'Fresh', filter: { daysPastDue: { lte: 10 } } }]),
    reserves: fc.array(
      fc.oneof(
        fc.record({ kind: fc.constant('amount' as const), amount: fc.constantFrom(0, 12.5, 500) }),
        fc.record({ kind: fc.constant('percentage' as const), percent: fc.constantFrom(0, 1, 33.3) }),
        fc.record({ kind: fc.constant('months' as const), months: fc.constant(2), percent: fc.constant(9) }),
      ),
      { maxLength: 2 },
    ),
    defaultRate: fc.constantFrom(0, 75, 82.5, 100),
    cases: fc.array(
      fc.record({ title: titled, filter, rate: fc.constantFrom(50, 90), scope: fc.constantFrom(null, 'West') }),
      {
        maxLength: 2,
      },
    ),
  })
  .map(({ defaultRate, cases, reserves, ...rest }) =>
    contractOf({
      ...rest,
      reserves: reserves.map((reserve, index) => ({ title: `Reserve ${index}`, ...reserve })),
      advanceRate: {
        defaultRate,
        cases: cases.map(({ scope, ...one }) => ({ ...one, ...(rest.scopes.length > 0 && { scope }) })),
      },
    }),
  );
const position = fc.option(
  fc.tuple(fc.constantFrom('0', '120.5', '1000'), fc.constantFrom('300', '5000'), fc.boolean()).map(
    ([balance, commitments, isRecorded]): FacilityPosition => ({
      ...note(balance, commitments),
      ...(!isRecorded && { balances: null }),
    }),
  ),
  { nil: undefined },
);
export const untidyBase: fc.Arbitrary<ReferenceBase> = fc.record({
  assets: untidyPool,
  contract: untidyContract,
  tape: fc.record<TapeTerms>({
    cutOffDate: fc.constantFrom('2026-09-30', '2026-10-31', '2026-11-30'),
    mainCurrency: fc.constant('USD'),
    exchangeRates: fc.constantFrom<TapeTerms['exchangeRates']>(
      { USD: '1', EUR: '1.1' },
      { USD: '1', EUR: '1.15' },
      { USD: '1' },
    ),
  }),
  facility: position,
  adjustments: fc.constantFrom([], [], [adjustment('-25')], [adjustment('40.01')]),
});
/** Two certificates that share some assets, most of whose values are the same on both tapes, and often the contract. */
export const untidyPair = fc
  .tuple(
    untidyBase,
    untidyBase,
    fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 12, maxLength: 12 }),
    fc.boolean(),
  )
  .map(([earlier, later, kept, sameContract]): [ReferenceBase, ReferenceBase] => [
    earlier,
    {
      ...later,
      ...(sameContract && { contract: earlier.contract }),
      assets: later.assets.map((asset, index) => {
        const same = earlier.assets[index];
        const choice = kept[index] ?? 0;
        if (!same || choice === 0) return asset;
        if (choice === 1) return { ...same, daysPastDue: asset.daysPastDue };
        return choice === 2 ? { ...same, 'sums.outstandingSum': asset['sums.outstandingSum'] } : same;
      }),
    },
  ]);
