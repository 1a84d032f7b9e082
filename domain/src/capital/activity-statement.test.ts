import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { activeCommitmentAt } from '../commitments/active-commitment.ts';
import { compare, isZero, subtract, sum } from '../money/decimal.ts';
import { activityStatement, cashFlowsOf, combinedActivity } from './activity-statement.ts';
import { type CapitalLedger, capitalFigures } from './capital-figures.ts';

const purposes = (amount: string) => [{ kind: 'investments' as const, amount }];

const ledger: CapitalLedger = {
  commitment: {
    closingDate: '2025-01-15',
    activeCommitment: '1000',
    deltas: [{ date: '2025-06-30', amount: '500', title: 'Second closing' }],
  },
  calls: [
    { callNumber: '1', cutOffDate: '2025-02-01', dueDate: '2025-02-15', purposes: purposes('300') },
    { callNumber: '2', cutOffDate: '2025-06-20', dueDate: '2025-06-30', purposes: purposes('200') },
  ],
  distributions: [
    {
      callNumber: '1',
      cutOffDate: '2025-06-25',
      principal: '100',
      components: [{ actionType: 'INTEREST', amount: '40' }],
      recallable: true,
    },
  ],
  writeOffs: [{ cutOffDate: '2025-06-30', amount: '25' }],
  navs: [],
};

describe('an activity statement', () => {
  it('has every entry in its order, with what is unfunded and the net capital called after it', () => {
    const rows = activityStatement(ledger, '2025-12-31').entries.map(
      ({ date, actionType, title, amount, unfunded, netCapitalCalled }) => [
        date,
        actionType,
        title,
        amount,
        unfunded,
        netCapitalCalled,
      ],
    );
    expect(rows).toEqual([
      ['2025-01-15', 'commitment', null, '1000', '1000', '0'],
      ['2025-02-15', 'cont', '1', '300', '700', '300'],
      // The second call is issued before it is due, so it has reduced what is unfunded already.
      ['2025-06-25', 'dist', '1', '140', '600', '200'],
      ['2025-06-30', 'commitment', 'Second closing', '500', '1100', '200'],
      ['2025-06-30', 'cont', '2', '200', '1100', '400'],
      ['2025-06-30', 'writeOff', null, '25', '1100', '375'],
    ]);
  });

  it('has payments: what the investor pays is negative, and a call counts from its due date', () => {
    const flows = (at: string) =>
      cashFlowsOf(ledger, at).map(({ date, actionType, title, amount }) => [date, actionType, title, amount]);
    const first = ['2025-02-15', 'cont', '1', '-300'];
    expect(flows('2025-12-31')).toEqual([
      first,
      ['2025-06-25', 'dist', '1', '140'],
      ['2025-06-30', 'cont', '2', '-200'],
    ]);
    expect([flows('2025-02-14'), flows('2025-02-15')]).toEqual([[], [first]]);
  });

  it('does not add back a call of the day that was issued before', () => {
    const commitment = { closingDate: '2025-01-01', activeCommitment: '1000', deltas: [] };
    const call = (callNumber: string, amount: string) => ({
      callNumber,
      cutOffDate: '2025-01-02',
      dueDate: '2025-01-15',
      purposes: purposes(amount),
    });
    const world = {
      commitment,
      calls: [call('1', '100'), call('2', '200')],
      distributions: [],
      writeOffs: [],
      navs: [],
    };
    expect(
      activityStatement(world, '2025-12-31').entries.map(({ unfunded, netCapitalCalled }) => [
        unfunded,
        netCapitalCalled,
      ]),
    ).toEqual([
      ['1000', '0'],
      ['700', '100'],
      ['700', '300'],
    ]);
  });

  it('ends on its day, with the figures of that day', () => {
    const { entries, closing } = activityStatement(ledger, '2025-06-25');
    expect(entries).toHaveLength(3);
    expect(closing).toEqual({
      activeCommitment: '1000',
      called: '300',
      distributed: '140',
      writtenOff: '0',
      unfunded: '600',
      netCapitalCalled: '200',
    });
  });

  it('of several commitments has running figures of all of them', () => {
    const other: CapitalLedger = {
      commitment: { closingDate: '2025-02-15', activeCommitment: '400', deltas: [] },
      // Issued between two entries of the first commitment, due with one of them.
      calls: [{ callNumber: '7', cutOffDate: '2025-06-01', dueDate: '2025-06-30', purposes: purposes('50') }],
      distributions: [],
      writeOffs: [],
      navs: [],
    };
    const { entries, closing } = combinedActivity([ledger, other], '2025-12-31');
    expect(
      entries.map(({ ledger: of, date, actionType, amount, unfunded, netCapitalCalled }) =>
        [of, date, actionType, amount, unfunded, netCapitalCalled].join(' '),
      ),
    ).toEqual([
      '0 2025-01-15 commitment 1000 1000 0',
      // The call of that day was issued before, and has reduced what is unfunded.
      '1 2025-02-15 commitment 400 1100 0',
      '0 2025-02-15 cont 300 1100 300',
      '0 2025-06-25 dist 140 950 200',
      '0 2025-06-30 commitment 500 1450 200',
      '0 2025-06-30 cont 200 1450 400',
      '1 2025-06-30 cont 50 1450 450',
      '0 2025-06-30 writeOff 25 1450 425',
    ]);
    expect(closing).toEqual({
      activeCommitment: '1900',
      called: '550',
      distributed: '140',
      writtenOff: '25',
      unfunded: '1450',
      netCapitalCalled: '425',
    });
    expect(combinedActivity([], '2025-12-31').entries).toEqual([]);
  });

  it('leads to the figures of the capital account, whatever happened', () => {
    const day = fc.integer({ min: 1, max: 28 }).map((date) => `2025-03-${String(date).padStart(2, '0')}`);
    const amount = fc.integer({ min: 1, max: 10_000 }).map(String);
    const worlds = fc.record({
      deltas: fc.array(fc.record({ date: day, amount }), { maxLength: 4 }),
      calls: fc.array(fc.record({ cutOffDate: day, dueDate: day, purposes: amount.map(purposes) }), { maxLength: 6 }),
      distributions: fc.array(
        fc.record({
          cutOffDate: day,
          principal: amount,
          components: amount.map((sum) => [{ actionType: 'INTEREST' as const, amount: sum }]),
          recallable: fc.boolean(),
        }),
        { maxLength: 6 },
      ),
      writeOffs: fc.array(fc.record({ cutOffDate: day, amount }), { maxLength: 3 }),
    });
    fc.assert(
      fc.property(worlds, day, ({ deltas, ...documents }, at) => {
        const commitment = { closingDate: '2025-03-01', activeCommitment: '50000', deltas };
        const world: CapitalLedger = { commitment, ...documents, navs: [] };
        const { entries, closing } = activityStatement(world, at);
        const figures = capitalFigures(world, at);
        expect(figures).toMatchObject(closing);
        const totalOf = (...actions: string[]) =>
          sum(entries.filter(({ actionType }) => actions.includes(actionType)).map((entry) => entry.amount));
        expect(compare(totalOf('commitment'), activeCommitmentAt(commitment, at))).toBe(0);
        expect(compare(totalOf('cont'), figures.called)).toBe(0);
        expect(compare(totalOf('dist'), figures.distributed)).toBe(0);
        expect(compare(totalOf('writeOff'), figures.writtenOff)).toBe(0);
        // Twice the same commitment is twice the figures.
        const twice = combinedActivity([world, world], at);
        for (const name of ['unfunded', 'netCapitalCalled', 'called'] as const)
          expect(compare(twice.closing[name], sum([closing[name], closing[name]]))).toBe(0);
        for (const [index, entry] of twice.entries.entries()) {
          if (twice.entries[index + 1]?.date === entry.date) continue;
          const then = capitalFigures(world, entry.date);
          expect(compare(entry.unfunded, sum([then.unfunded, then.unfunded]))).toBe(0);
          expect(compare(entry.netCapitalCalled, sum([then.netCapitalCalled, then.netCapitalCalled]))).toBe(0);
        }
        for (const [index, entry] of entries.entries()) {
          if (entries[index + 1]?.date === entry.date) continue;
          const then = capitalFigures(world, entry.date);
          expect(isZero(subtract(entry.unfunded, then.unfunded))).toBe(true);
          expect(isZero(subtract(entry.netCapitalCalled, then.netCapitalCalled))).toBe(true);
        }
      }),
    );
  });
});
