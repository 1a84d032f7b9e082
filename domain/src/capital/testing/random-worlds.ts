import fc from 'fast-check';
import type { ReferenceDocument, ReferenceFund } from './reference.ts';

/** Days of a world, from the first of 2025. */
const FIRST_DAY = 20_089;
const DAYS = 900;
export const LAST_DAY = FIRST_DAY + DAYS;

const dayOf = fc.integer({ min: FIRST_DAY, max: LAST_DAY });
const centsOf = (most: number, least = 0) => fc.integer({ min: least, max: most }).map(BigInt);

const commitmentOf = (code: number) =>
  fc
    .record({
      closingDay: fc.integer({ min: FIRST_DAY, max: FIRST_DAY + 120 }),
      committed: centsOf(20_000_00, 1_000_00),
      later: fc.array(fc.record({ after: fc.integer({ min: 0, max: 500 }), amount: centsOf(2_000_00, 1) }), {
        maxLength: 2,
      }),
    })
    .map(({ closingDay, committed, later }) => ({
      code,
      closingDay,
      committed,
      changes: later.map(({ after, amount }) => ({ day: closingDay + after, amount })),
    }));

const documentOf = (codes: number): fc.Arbitrary<ReferenceDocument> =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .record({
          kind: fc.constant('call' as const),
          day: dayOf,
          after: fc.integer({ min: 0, max: 40 }),
          invested: centsOf(9_000_00, 1),
          fee: centsOf(300_00),
        })
        .map(({ after, ...call }) => ({ ...call, dueDay: call.day + after })),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('distribution' as const),
        day: dayOf,
        principal: centsOf(6_000_00),
        interest: centsOf(900_00, 300_00),
        interestFees: centsOf(100_00),
        interestTax: centsOf(100_00),
        gains: centsOf(500_00),
        recallable: fc.boolean(),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('writeOff' as const), day: dayOf, amount: centsOf(4_000_00, 1) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('nav' as const),
        day: dayOf,
        code: fc.integer({ min: 1, max: codes }),
        gross: centsOf(30_000_00),
        net: centsOf(30_000_00),
      }),
    },
  );

/** Whether each commitment has one value a day. */
const hasOneValueADay = (documents: readonly ReferenceDocument[]): boolean => {
  const days = documents.flatMap((one) => (one.kind === 'nav' ? [`${one.code} ${one.day}`] : []));
  return new Set(days).size === days.length;
};

/** A fund of at most so many investors, with documents in the order in which they are issued. Many of them cannot be. */
export const randomWorlds = (most: number): fc.Arbitrary<{ fund: ReferenceFund; documents: ReferenceDocument[] }> =>
  fc.integer({ min: 1, max: most }).chain((codes) =>
    fc.record({
      fund: fc.record({
        commitments: fc.tuple(...Array.from({ length: codes }, (_, index) => commitmentOf(index + 1))),
        nonRecyclable: fc.option(fc.record({ day: dayOf, fromBeginning: fc.boolean() }), { nil: null }),
      }),
      documents: fc.array(documentOf(codes), { minLength: 3, maxLength: 14 }).filter(hasOneValueADay),
    }),
  );
