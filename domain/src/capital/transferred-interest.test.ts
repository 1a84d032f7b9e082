import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CalendarDate } from '../dates/calendar-date.ts';
import { fromEpochDay } from '../dates/calendar-date.ts';
import { add, compare, fromScaled, isNegative, isZero, negate, sum } from '../money/decimal.ts';
import { activityStatement, cashFlowsOf } from './activity-statement.ts';
import { capitalAccount } from './capital-account.ts';
import {
  type CapitalLedger,
  callAmount,
  capitalFigures,
  capitalFlows,
  distributedBy,
  interestOf,
  returnOf,
  returnOnPrices,
  totalFigures,
} from './capital-figures.ts';
import { capitalBreaches } from './capital-limits.ts';
import { transferInterest, withTransferred } from './transferred-interest.ts';

const nothing = (closingDate: CalendarDate): CapitalLedger => ({
  commitment: { closingDate, activeCommitment: '0', deltas: [] },
  calls: [],
  distributions: [],
  writeOffs: [],
  navs: [],
});

interface Terms {
  id?: string;
  date: CalendarDate;
  sharePercent: string;
  price?: string | null;
}

/** Both ledgers after a transfer, with the change of what is committed. */
function transferred(from: CapitalLedger, to: CapitalLedger, { id = 't1', price = null, ...terms }: Terms) {
  const { commitment, given, received } = transferInterest(from, to, { id, price, ...terms, digits: 2 });
  const changed = (ledger: CapitalLedger, amount: string): CapitalLedger => ({
    ...ledger,
    commitment: {
      ...ledger.commitment,
      deltas: [...ledger.commitment.deltas, { date: terms.date, amount, title: 'Transfer', transfer: id }],
    },
  });
  const negative = negate(commitment);
  return {
    commitment,
    from: changed(withTransferred(from, given), negative),
    to: changed(withTransferred(to, received), commitment),
  };
}

/** Northgate has 1,000,000.00 committed, 500,000.01 called, 60,000.00 of it returned and recallable. */
const NORTHGATE: CapitalLedger = {
  commitment: { closingDate: '2024-01-15', activeCommitment: '1000000', deltas: [] },
  calls: [
    {
      id: 'call1',
      cutOffDate: '2024-02-01',
      dueDate: '2024-02-15',
      callNumber: '1',
      purposes: [
        { kind: 'investments', amount: '290000' },
        { kind: 'managementFee', amount: '10000.01' },
      ],
    },
    {
      id: 'call2',
      cutOffDate: '2024-06-20',
      dueDate: '2024-07-10',
      callNumber: '2',
      purposes: [{ kind: 'investments', amount: '200000' }],
    },
  ],
  distributions: [
    {
      id: 'dist1',
      cutOffDate: '2024-05-31',
      callNumber: 'D1',
      principal: '60000',
      recallable: true,
      components: [
        { actionType: 'INTEREST', amount: '9000' },
        { actionType: 'INTEREST TAX', amount: '900' },
      ],
    },
  ],
  writeOffs: [{ id: 'off1', cutOffDate: '2024-06-15', amount: '5000' }],
  navs: [{ cutOffDate: '2024-03-31', gross: '305000', net: '300500' }],
};

describe('30% of an interest on 1 July 2024', () => {
  const { commitment, from, to } = transferred(NORTHGATE, nothing('2024-07-01'), {
    date: '2024-07-01',
    sharePercent: '30',
    price: '80000',
  });

  test('changes nothing before that day', () => {
    expect(capitalFigures(from, '2024-06-30')).toEqual(capitalFigures(NORTHGATE, '2024-06-30'));
    expect(capitalFigures(to, '2024-06-30')).toMatchObject({ called: '0', distributed: '0', unfunded: '0', nav: '0' });
  });

  test('moves 30% of each figure, to the cent', () => {
    // Issued 500,000.01, recallable 60,000: unfunded 559,999.99. 30% of it is 168,000.00 (167,999.997).
    // Committed with it: 150,000.00 called (150,000.003) - 18,000 recallable + 168,000.00 = 300,000.00.
    expect(commitment).toBe('300000');
    expect(capitalFigures(to, '2024-07-01')).toEqual({
      activeCommitment: '300000',
      called: '90000',
      unfunded: '168000',
      recallableCapital: '18000',
      writtenOff: '1500',
      netCapitalCalled: '70500',
      distributed: '20430',
      // 300,500 - 68,100 - 5,000 = 227,400 net, 231,900 gross.
      nav: '68220',
      grossNav: '69570',
      navDate: '2024-03-31',
    });
    expect(capitalFigures(from, '2024-07-01')).toEqual({
      activeCommitment: '700000',
      called: '210000.01',
      unfunded: '391999.99',
      recallableCapital: '42000',
      writtenOff: '3500',
      netCapitalCalled: '164500.01',
      distributed: '47670',
      nav: '159180',
      grossNav: '162330',
      navDate: '2024-03-31',
    });
  });

  test('includes a call that was issued before and is due after it', () => {
    expect(capitalFigures(to, '2024-07-10')).toMatchObject({ called: '150000', unfunded: '168000', nav: '128220' });
    expect(capitalFigures(from, '2024-07-10')).toMatchObject({ called: '350000.01', nav: '299180' });
  });

  test('moves flows at the days on which they were paid', () => {
    expect(capitalFlows(to, '2024-07-10', 'net')).toEqual([
      { when: '2024-02-15', amount: '-90000' },
      { when: '2024-07-10', amount: '-60000' },
      { when: '2024-05-31', amount: '20430' },
    ]);
    expect(capitalFlows(from, '2024-06-30', 'net')).toEqual(capitalFlows(NORTHGATE, '2024-06-30', 'net'));
  });

  test('has a return on the price beside that of the interest', () => {
    // -80,000 on 1 July 2024, -60,000 on 10 July, and 128,220 on 1 July 2025.
    expect(returnOnPrices(to, '2025-07-01')?.rate).toBeCloseTo(-0.0849, 3);
    expect(returnOnPrices(from, '2025-07-01')).toBeNull();
    expect(returnOnPrices(NORTHGATE, '2025-07-01')).toBeNull();
    const unpriced = transferred(NORTHGATE, nothing('2024-07-01'), { date: '2024-07-01', sharePercent: '30' });
    expect(returnOnPrices(unpriced.to, '2025-07-01')).toBeNull();
  });

  test('is a line of its own in both statements of activity, and no payment', () => {
    const of = (ledger: CapitalLedger) =>
      activityStatement(ledger, '2024-07-01')
        .entries.filter(({ date }) => date === '2024-07-01')
        .map(({ actionType, title, amount, unfunded }) => [actionType, title, amount, unfunded]);
    expect(of(to)).toEqual([
      ['commitment', 'Transfer', '300000', '240000'],
      ['cont', 'Transfer', '90000', '150000'],
      ['dist', 'Transfer', '20430', '168000'],
      ['writeOff', 'Transfer', '1500', '168000'],
    ]);
    expect(of(from).map(([, , amount]) => amount)).toEqual(['-300000', '-90000', '-20430', '-1500']);
    expect(cashFlowsOf(to, '2024-07-31').map(({ date, amount }) => [date, amount])).toEqual([['2024-07-10', '-60000']]);
  });

  test('is a line of its own in both capital accounts, which still add up', () => {
    const [whole, own, other] = [NORTHGATE, from, to].map(
      (ledger) => capitalAccount(ledger, '2024-06-30', '2024-09-30')!,
    );
    expect(other).toMatchObject({ opening: '0', transfers: '68220', contributions: '60000', unrealizedChange: '0' });
    expect(own).toMatchObject({ opening: '227400', transfers: '-68220', contributions: '140000', closing: '299180' });
    expect(add(own!.closing, other!.closing)).toBe(whole!.closing);
    expect(whole!.transfers).toBe('0');
  });
});

test('the last cent goes to the larger remainder, and of equal ones to the larger share', () => {
  const of = (amount: string, sharePercent: string): string => {
    const ledger = {
      ...NORTHGATE,
      calls: [{ ...NORTHGATE.calls[0]!, purposes: [{ kind: 'other' as const, amount }] }],
      distributions: [],
      writeOffs: [],
    };
    const { received } = transferInterest(ledger, nothing('2024-07-01'), {
      id: 't1',
      date: '2024-07-01',
      sharePercent,
      price: null,
      digits: 2,
    });
    return callAmount(received.calls[0]!);
  };
  expect([of('0.01', '49.99999999'), of('0.01', '50'), of('0.05', '30'), of('0.05', '70')]).toEqual([
    '0',
    '0.01',
    '0.01',
    '0.04',
  ]);
});

test('a NAV that is recorded for the day of the transfer counts after it, and one of an unknown value is unknown', () => {
  const { from, to } = transferred(NORTHGATE, nothing('2024-07-01'), { date: '2024-07-01', sharePercent: '30' });
  const valued = { ...to, navs: [...to.navs, { cutOffDate: '2024-07-01', gross: '71000', net: '70000' }] };
  expect(capitalFigures(valued, '2024-07-01')).toMatchObject({ nav: '70000', navDate: '2024-07-01' });
  const unknown = transferred({ ...NORTHGATE, navs: [] }, nothing('2024-07-01'), {
    date: '2024-07-01',
    sharePercent: '30',
  });
  expect(capitalFigures(unknown.to, '2024-07-01').nav).toBeNull();
  expect(capitalAccount(unknown.to, null, '2024-09-30')).toBeNull();
  expect(capitalFigures(from, '2024-07-01').nav).toBe('159180');
});

const DAYS = 400;
const START = 19_800;
const day = (offset: number): CalendarDate => fromEpochDay(START + offset);
const cents = (value: number): string => add(fromScaled(BigInt(value), 2), '0');

/** A history within its limits: what would be beyond them is left out. */
const histories = fc
  .record({
    committed: fc.integer({ min: 100, max: 100_000_000 }),
    events: fc.array(
      fc.record({
        kind: fc.constantFrom(
          'call' as const,
          'call' as const,
          'distribution' as const,
          'writeOff' as const,
          'nav' as const,
        ),
        on: fc.integer({ min: 0, max: DAYS }),
        delay: fc.integer({ min: 0, max: 60 }),
        amount: fc.integer({ min: 1, max: 40_000_000 }),
        other: fc.integer({ min: 0, max: 1_000_000 }),
        recallable: fc.boolean(),
      }),
      { maxLength: 12 },
    ),
    declared: fc.option(fc.record({ on: fc.integer({ min: 0, max: DAYS }), fromBeginning: fc.boolean() })),
  })
  .map(({ committed, events, declared }) => {
    const start: CapitalLedger = {
      ...nothing(day(0)),
      commitment: { closingDate: day(0), activeCommitment: cents(committed), deltas: [] },
      nonRecyclable: declared ? { declerationDate: day(declared.on), fromBeginning: declared.fromBeginning } : null,
    };
    return events.reduce((ledger, { kind, on, delay, amount, other, recallable }, index): CapitalLedger => {
      const line = { id: `line${String(index).padStart(2, '0')}`, cutOffDate: day(on) };
      const money = cents(Math.min(amount, committed));
      const fee = { kind: 'managementFee' as const, amount: cents(other) };
      const next: CapitalLedger = {
        // biome-ignore lint/performance/noAccumulatingSpread: each is checked as a whole
        ...ledger,
        ...(kind === 'call' && {
          calls: [
            ...ledger.calls,
            { ...line, dueDate: day(on + delay), purposes: [{ kind: 'investments' as const, amount: money }, fee] },
          ],
        }),
        ...(kind === 'distribution' && {
          distributions: [
            ...ledger.distributions,
            {
              ...line,
              principal: money,
              recallable,
              components: [
                { actionType: 'INTEREST' as const, amount: cents(other) },
                { actionType: 'CG TAX' as const, amount: cents(Math.floor(other / 3)) },
              ],
            },
          ],
        }),
        ...(kind === 'writeOff' && { writeOffs: [...ledger.writeOffs, { ...line, amount: money }] }),
        ...(kind === 'nav' && {
          navs: [
            ...ledger.navs.filter(({ cutOffDate }) => cutOffDate !== line.cutOffDate),
            { cutOffDate: line.cutOffDate, net: money, gross: add(money, fee.amount) },
          ],
        }),
      };
      return capitalBreaches(next).length > 0 ? ledger : next;
    }, start);
  });

const shares = fc
  .integer({ min: 1, max: 10_000_000_000 })
  .map((units) => fromScaled(BigInt(units), 8))
  .filter((share) => !isZero(share));

/** What is dated on or after a transfer stays with its holder: it may leave too little unfunded, and then is refused. */
const untilDay = (ledger: CapitalLedger, date: CalendarDate): CapitalLedger => ({
  ...ledger,
  calls: ledger.calls.filter(({ cutOffDate }) => cutOffDate < date),
  distributions: ledger.distributions.filter(({ cutOffDate }) => cutOffDate < date),
  writeOffs: ledger.writeOffs.filter(({ cutOffDate }) => cutOffDate < date),
  navs: ledger.navs.filter(({ cutOffDate }) => cutOffDate < date),
});

const daysOf = (ledgers: readonly CapitalLedger[]): CalendarDate[] => [
  ...new Set([
    day(0),
    day(DAYS + 100),
    ...ledgers.flatMap(({ calls, distributions, writeOffs, navs, nonRecyclable }) => [
      ...calls.flatMap(({ cutOffDate, dueDate }) => [cutOffDate, dueDate]),
      ...[...distributions, ...writeOffs, ...navs].map(({ cutOffDate }) => cutOffDate),
      ...(nonRecyclable ? [nonRecyclable.declerationDate] : []),
    ]),
  ]),
];

test('transfers, also of parts, on and back, change no total on any day and keep both sides within their limits', () => {
  let moved = 0;
  fc.assert(
    fc.property(
      histories,
      histories,
      fc.array(
        fc.record({
          share: shares,
          by: fc.integer({ min: 0, max: 2 }),
          to: fc.integer({ min: 0, max: 2 }),
          on: fc.integer({ min: 1, max: DAYS }),
        }),
        {
          minLength: 1,
          maxLength: 4,
        },
      ),
      (first, second, transfers) => {
        const ordered = [...transfers].sort((a, b) => a.on - b.on);
        const last = day(ordered.at(-1)!.on);
        const { nonRecyclable = null } = first;
        const from = day(ordered[0]!.on);
        const start = [first, second, nothing(day(0))].map((ledger) => ({ ...untilDay(ledger, from), nonRecyclable }));
        if (start.some((ledger) => capitalBreaches(ledger).length > 0)) return;
        let held: CapitalLedger[] = start;
        for (const [index, { share, by, to, on }] of ordered.entries()) {
          if (by === to) continue;
          const after = transferred(held[by]!, held[to]!, { id: `t${index}`, date: day(on), sharePercent: share });
          if (isNegative(after.commitment) || isZero(after.commitment)) continue;
          moved += 1;
          held = held.map((ledger, place) => (place === by ? after.from : place === to ? after.to : ledger));
        }
        for (const date of [...daysOf([...start, ...held]), last]) {
          const [before, after] = [start, held].map((ledgers) =>
            totalFigures(ledgers.map((ledger) => capitalFigures(ledger, date))),
          );
          // Without a NAV, a total is unknown. With the value of an interest, that of its new holder is known.
          const known = before!.nav === null ? { nav: null, grossNav: null } : {};
          expect({ ...after, navDate: null, date, ...known }).toEqual({ ...before, navDate: null, date });
          for (const ledger of held) {
            const { unfunded, activeCommitment } = capitalFigures(ledger, date);
            expect(isNegative(unfunded) || compare(unfunded, activeCommitment) > 0).toBe(false);
          }
        }
        expect(held.flatMap((ledger) => capitalBreaches(ledger))).toEqual([]);
        for (const side of ['calls', 'distributions'] as const) {
          const amounts = (ledgers: readonly CapitalLedger[]) =>
            sum(
              ledgers.flatMap((ledger) =>
                side === 'calls' ? ledger.calls.map(callAmount) : ledger.distributions.map(distributedBy),
              ),
            );
          expect(amounts(held)).toBe(amounts(start));
        }
      },
    ),
    { numRuns: Number(process.env.FC_RUNS ?? 150) },
  );
  expect(moved).toBeGreaterThan(20);
});

test('the interest of a later closing moves with what it was paid for, and its total stays', () => {
  const [first, ...rest] = NORTHGATE.calls;
  const [investments, fee] = first!.purposes;
  const closed: CapitalLedger = {
    ...NORTHGATE,
    calls: [
      {
        ...first!,
        purposes: [
          { ...investments!, interest: '1000.01' },
          { ...fee!, interest: '33.33' },
        ],
      },
      ...rest,
    ],
  };
  const { from, to } = transferred(closed, nothing('2024-01-15'), { date: '2024-07-01', sharePercent: '30' });
  const interest = (ledger: CapitalLedger) => sum(ledger.calls.map(({ purposes }) => interestOf(purposes)));
  expect([interest(from), interest(to)].map(Number)).toEqual([723.34, 310]);
  const again = transferred(to, nothing('2024-01-15'), { id: 't2', date: '2024-08-01', sharePercent: '100' });
  expect([interest(again.from), interest(again.to)].map(Number)).toEqual([0, 310]);
});

test('a whole interest leaves nothing, and gives the new holder what the former one had', () => {
  fc.assert(
    fc.property(histories, fc.integer({ min: 1, max: DAYS }), (history, on) => {
      const from = untilDay(history, day(on));
      const target = { ...nothing(day(on)), nonRecyclable: from.nonRecyclable ?? null };
      const after = transferred(from, target, { date: day(on), sharePercent: '100' });
      if (isZero(after.commitment)) return;
      for (const date of daysOf([from]).filter((one) => one >= day(on))) {
        expect(capitalFigures(after.to, date)).toEqual(capitalFigures(from, date));
        const { navDate: _, nav, grossNav, ...left } = capitalFigures(after.from, date);
        expect([...Object.values(left), nav ?? '0', grossNav ?? '0'].map(isZero)).not.toContain(false);
        expect(capitalFlows(after.from, date, 'net')).toEqual([]);
        expect(returnOf([after.to], date, 'net').rate).toBe(returnOf([from], date, 'net').rate);
      }
    }),
    { numRuns: Number(process.env.FC_RUNS ?? 150) },
  );
});
