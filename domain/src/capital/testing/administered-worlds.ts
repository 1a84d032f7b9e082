import fc from 'fast-check';
import type {
  AdministeredFund,
  ReferenceFeeTerms,
  ReferenceInvestor,
  ReferenceLine,
  ReferenceOwn,
  ReferenceStep,
} from './administered-reference.ts';

/** Days of a world, from the first of 2025. */
const FIRST_DAY = 20_089;
export const FIRST_OF_WORLD = FIRST_DAY;
export const LAST_OF_WORLD = FIRST_DAY + 600;
/** The closing date of investors who have not committed yet. */
const NEVER = 99_999;
const EARLIEST = 3;
const CLASSES = ['A', 'B'] as const;

const dayOf = fc.integer({ min: FIRST_DAY, max: LAST_OF_WORLD });
const centsOf = (most: number, least = 0) => fc.integer({ min: least, max: most }).map(BigInt);
const rateOf = fc.constantFrom(50n, 100n, 125n, 150n, 200n);
/** A value in so many of ten cases. */
const inTenths = <Value>(tenths: number, value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.oneof({ weight: 10 - tenths, arbitrary: fc.constant(undefined) }, { weight: tenths, arbitrary: value });

const rates = fc.record({
  committed: inTenths(7, rateOf),
  invested: inTenths(3, rateOf),
  interestIncome: inTenths(2, fc.constantFrom(500n, 1_000n)),
  assets: inTenths(1, rateOf),
  ofNetAssets: inTenths(3, fc.boolean()),
});

const feeTerms: fc.Arbitrary<ReferenceFeeTerms> = fc
  .record({
    base: rates,
    minimum: inTenths(4, centsOf(400_00, 1)),
    waiver: inTenths(3, fc.constantFrom(1_000n, 3_333n, 10_000n)),
    offset: inTenths(2, fc.constantFrom(5_000n, 10_000n)),
    stepDown: inTenths(3, fc.record({ rates, day: fc.option(dayOf) })),
    overallCap: inTenths(2, centsOf(300_00, 1)),
    names: fc.boolean(),
  })
  .map(({ base, minimum, waiver, offset, stepDown, overallCap, names }) => {
    const fee = {
      ...base,
      minimum,
      waiver,
      offset,
      stepDown: stepDown && { ...stepDown.rates, day: stepDown.day },
    };
    // A group whose fields are all empty says nothing.
    const isNamed = names && Object.values(fee).some((one) => one !== undefined);
    return { management: isNamed ? fee : undefined, overallCap };
  });

const onDistinctDays = <One extends { day: number; Class?: string | null }>(all: readonly One[]): boolean =>
  new Set(all.map(({ day, Class }) => `${Class} ${day}`)).size === all.length;

const investorOf = (code: number, isLater: boolean): fc.Arbitrary<ReferenceInvestor> =>
  fc.record({
    code: fc.constant(code),
    Class: fc.constantFrom(...CLASSES),
    closingDay: isLater ? fc.constant(NEVER) : fc.integer({ min: FIRST_DAY, max: FIRST_DAY + 60 }),
    committed: isLater
      ? fc.constant(0n)
      : fc.oneof({ weight: 5, arbitrary: centsOf(20_000_00, 1_000_00) }, { weight: 1, arbitrary: fc.constant(0n) }),
    fees: fc.oneof(fc.constant({}), feeTerms),
    letters: fc
      .array(fc.record({ day: dayOf, terms: feeTerms }), { maxLength: 2 })
      .filter((letters) => onDistinctDays(letters)),
  });

const ownOf = (
  codes: number,
  lines: number,
  set: (line: number) => fc.Arbitrary<ReferenceOwn['set']>,
): fc.Arbitrary<ReferenceOwn[]> =>
  fc.uniqueArray(
    fc
      .record({ code: fc.integer({ min: 1, max: codes }), line: fc.integer({ min: 0, max: lines - 1 }) })
      .chain((place) => set(place.line).map((own) => ({ ...place, set: own }))),
    { maxLength: 2, selector: ({ code, line }) => `${code} ${line}` },
  );

const excusedOrAmount: fc.Arbitrary<ReferenceOwn['set']> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ excused: true as const }) },
  { weight: 2, arbitrary: centsOf(500_00).map((amount) => ({ amount })) },
);

const callLine: fc.Arbitrary<ReferenceLine> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ rule: fc.constant('commitment' as const), amount: centsOf(6_000_00, 1) }),
  },
  { weight: 2, arbitrary: fc.record({ rule: fc.constant('paidIn' as const), amount: centsOf(2_000_00, 1) }) },
  { weight: 1, arbitrary: fc.constant({ rule: 'entered' as const, amount: null }) },
  {
    weight: 1,
    arbitrary: fc.record({
      rule: fc.constant('commitment' as const),
      amount: centsOf(300_00, 1),
      isFee: fc.constant(true),
    }),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({ from: dayOf, days: fc.integer({ min: 0, max: 110 }) })
      .map(({ from, days }) => ({ rule: 'terms' as const, amount: null, isFee: true, from, until: from + days })),
  },
);

/** Most documents are of all classes. */
const classOf = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constantFrom(...CLASSES) },
);

const callOf = (codes: number): fc.Arbitrary<ReferenceStep> =>
  fc.integer({ min: 1, max: 3 }).chain((lines) =>
    fc
      .record({
        kind: fc.constant('call' as const),
        Class: classOf,
        day: dayOf,
        after: fc.integer({ min: 0, max: 40 }),
        lines: fc.array(callLine, { minLength: lines, maxLength: lines }),
        own: ownOf(codes, lines, () => excusedOrAmount),
      })
      .map(({ after, ...call }) => ({ ...call, dueDay: call.day + after })),
  );

const byRule = (most: number, least = 0): fc.Arbitrary<ReferenceLine> =>
  fc.record({
    rule: fc.constantFrom('commitment' as const, 'commitment' as const, 'paidIn' as const),
    amount: centsOf(most, least),
  });

/** Of a distribution, lines 3 and 4 are the taxes on lines 1 and 2. */
const FIRST_TAX = 3;

const distributionOf = (codes: number): fc.Arbitrary<ReferenceStep> =>
  fc
    .record({
      kind: fc.constant('distribution' as const),
      Class: classOf,
      day: fc.integer({ min: FIRST_DAY + 100, max: LAST_OF_WORLD }),
      recallable: fc.boolean(),
      principal: fc.oneof(
        { weight: 4, arbitrary: byRule(3_000_00) },
        { weight: 1, arbitrary: fc.constant<ReferenceLine>({ rule: 'entered', amount: null }) },
      ),
      interest: byRule(900_00),
      gains: byRule(500_00),
      taxes: fc.tuple(fc.constantFrom(0n, 1_500n, 2_638n), fc.constantFrom(0n, 2_500n)),
      own: ownOf(codes, 5, (line) =>
        line < FIRST_TAX
          ? centsOf(200_00).map((amount) => ({ amount }))
          : fc.oneof(
              fc.constantFrom(0n, 500n, 3_000n).map((rate) => ({ rate })),
              centsOf(20_00).map((amount) => ({ amount })),
            ),
      ),
    })
    .map(({ principal, interest, gains, taxes: [onInterest, onGains], ...rest }) => ({
      ...rest,
      lines: [
        principal,
        interest,
        gains,
        { rule: 'terms' as const, amount: null, rate: onInterest, taxed: 1 },
        { rule: 'terms' as const, amount: null, rate: onGains, taxed: 2 },
      ],
    }));

const stepOf = (codes: number): fc.Arbitrary<ReferenceStep> =>
  fc.oneof(
    { weight: 6, arbitrary: callOf(codes) },
    { weight: 4, arbitrary: distributionOf(codes) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('writeOff' as const), day: dayOf, amount: centsOf(1_500_00, 1) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('nav' as const),
        day: dayOf,
        code: fc.integer({ min: 1, max: EARLIEST }),
        gross: centsOf(30_000_00),
        net: centsOf(30_000_00),
      }),
    },
    {
      weight: 3,
      arbitrary: fc
        .record({
          day: fc.integer({ min: FIRST_DAY + 30, max: LAST_OF_WORLD }),
          after: fc.integer({ min: 0, max: 30 }),
          entrants: fc.uniqueArray(
            fc.record({ code: fc.integer({ min: 1, max: codes }), amount: centsOf(15_000_00, 100_00) }),
            { minLength: 1, maxLength: 3, selector: ({ code }) => code },
          ),
        })
        .map(({ after, ...closing }) => ({ kind: 'closing' as const, ...closing, dueDay: closing.day + after })),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('transfer' as const),
        day: fc.integer({ min: FIRST_DAY + 200, max: LAST_OF_WORLD }),
        from: fc.integer({ min: 1, max: EARLIEST }),
        to: fc.integer({ min: 1, max: EARLIEST }),
        share: fc.oneof(
          fc.bigInt({ min: 1n, max: 10_000_000_000n }),
          fc.constantFrom(2_500_000_000n, 5_000_000_000n, 10_000_000_000n),
        ),
      }),
    },
  );

/** Steps in the order of their days. A closing is before every transfer, and a commitment that increases was made before it. */
function inOrder(fund: AdministeredFund, steps: readonly ReferenceStep[]): ReferenceStep[] {
  const ordered = [...steps].sort((a, b) => a.day - b.day);
  const firstTransfer = ordered.find(({ kind }) => kind === 'transfer')?.day ?? NEVER;
  const investorOf = (code: number) => fund.investors.find((one) => one.code === code)!;
  const valued = new Set<string>();
  return ordered.flatMap((step): ReferenceStep[] => {
    if (step.kind === 'nav') {
      const key = `${step.code} ${step.day}`;
      const isTwice = valued.has(key);
      valued.add(key);
      return isTwice || investorOf(step.code).closingDay > step.day ? [] : [step];
    }
    if (step.kind === 'transfer') {
      const [from, to] = [investorOf(step.from), investorOf(step.to)];
      const isSame = from.Class === to.Class && from.code !== to.code;
      return isSame && Math.max(from.closingDay, to.closingDay) <= step.day ? [step] : [];
    }
    if (step.kind !== 'closing') return [step];
    const entrants = step.entrants.filter(({ code }) => {
      const { closingDay } = investorOf(code);
      return closingDay === NEVER || closingDay <= step.day;
    });
    return entrants.length === 0 || step.day >= firstTransfer ? [] : [{ ...step, entrants }];
  });
}

/** A call of everyone once the first three have closed, so that there is something to return. */
const firstOf = (call: ReferenceStep): ReferenceStep => {
  const day = FIRST_DAY + 60;
  return call.kind === 'call' ? { ...call, Class: null, day, dueDay: day + 10, own: [] } : call;
};

/** A fund of three investors and two who can close later, with what is done in it. Some of it cannot be. */
export const administeredWorlds: fc.Arbitrary<{ fund: AdministeredFund; steps: ReferenceStep[] }> = fc
  .record({
    fund: fc.record({
      investors: fc.tuple(
        ...[1, 2, 3].map((code) => investorOf(code, false)),
        ...[4, 5].map((code) => investorOf(code, true)),
      ),
      terms: fc
        .array(
          fc.record({
            Class: fc.oneof(fc.constant(null), fc.constantFrom(...CLASSES)),
            day: fc.integer({ min: FIRST_DAY - 30, max: LAST_OF_WORLD }),
            terms: feeTerms,
          }),
          { maxLength: 4 },
        )
        .filter((terms) => onDistinctDays(terms)),
      investmentPeriodEnd: fc.option(dayOf),
      excuseCap: fc.constantFrom(null, null, 0n, 2_000n, 10_000n),
      nonRecyclable: fc.oneof(fc.constant(null), fc.record({ day: dayOf, fromBeginning: fc.boolean() })),
      equalization: fc.record({
        rate: fc.constantFrom(0n, 525n, 800n),
        daysOfYear: fc.constantFrom(360 as const, 365 as const),
        compounds: fc.boolean(),
        feeInterestToManager: fc.boolean(),
        feesFromFirstClosing: fc.boolean(),
        recallable: fc.boolean(),
      }),
      borrowersFees: fc
        .array(fc.record({ day: dayOf, amount: centsOf(100_00, 1) }), { maxLength: 3 })
        .filter((fees) => onDistinctDays(fees)),
    }),
    first: callOf(3),
    steps: fc.array(stepOf(5), { minLength: 4, maxLength: 14 }),
  })
  .map(({ fund, first, steps }) => ({ fund, steps: inOrder(fund, [firstOf(first), ...steps]) }));

/** A step without own amounts of investors who have no part in it; null if nobody has. */
export function ofPresent(
  step: ReferenceStep,
  present: (day: number, Class: string | null) => readonly number[],
): ReferenceStep | null {
  if (step.kind === 'writeOff') return present(step.day, null).length === 0 ? null : step;
  if (step.kind !== 'call' && step.kind !== 'distribution') return step;
  const codes = present(step.day, step.Class);
  return codes.length === 0 ? null : { ...step, own: step.own.filter(({ code }) => codes.includes(code)) };
}
