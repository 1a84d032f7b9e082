import { expect, it } from 'vitest';
import { concentrationLimits } from './concentration-limits.ts';
import type { BorrowingBaseResult, ConcentrationResult } from './result.ts';

const group = (measure: string | null, part: 'measured' | 'skipped' | 'beyond' = 'measured') => ({ measure, part });
const limitOf = (rule: Partial<Record<keyof ConcentrationResult, unknown>>) => {
  const found = concentrationLimits({
    totals: { pools: { eligibleOrPerforming: { count: 5, amount: { sum: '1000', currency: 'USD' } } } },
    excessBreachDistribution: [
      {
        rule: 0,
        title: 'A rule',
        operand: 'lte',
        money: true,
        measure: null,
        limit: '120',
        groups: [],
        groupCount: 0,
        breached: false,
        removes: true,
        ...rule,
      },
    ],
  } as unknown as BorrowingBaseResult);
  return found[0];
};

it('measures a cap by its largest group, as a share of the pool', () => {
  expect(
    limitOf({ groups: [group('400', 'skipped'), group('148.6'), group('90'), group(null)], breached: true }),
  ).toMatchObject({
    unit: 'percent',
    measured: '14.86',
    limit: '12',
    room: '-2.86',
    breached: true,
  });
});
it('measures a floor by its smallest, in its own unit, and has room above it', () => {
  const floor = { operand: 'gte', money: false, limit: '680' };
  expect(limitOf({ ...floor, measure: '712.5' })).toMatchObject({ unit: 'number', measured: '712.5', room: '32.5' });
  expect(limitOf({ ...floor, groups: [group('700'), group('660')], groupCount: 2, breached: true })).toMatchObject({
    measured: '660',
    room: '-20',
  });
});
it('says nothing of a floor whose smallest group is not listed, and of what was not measured', () => {
  const floor = { operand: 'gte', money: false, limit: '680' };
  expect(limitOf({ ...floor, groups: [group('700')], groupCount: 300 })).toMatchObject({ measured: null, room: null });
  expect(limitOf({})).toMatchObject({ measured: null, room: null, limit: '12' });
});
it('reads amounts of another field as money: they are no share of the pool', () => {
  expect(
    limitOf({ accumulatorField: 'sums.sum', limit: '1000', groups: [group('2000')], breached: true }),
  ).toMatchObject({
    unit: 'money',
    field: 'sums.sum',
    measured: '2000',
    limit: '1000',
    room: '-1000',
  });
});
it('knows no room where a rule has no sides', () => {
  expect(limitOf({ operand: 'neq', measure: '1' })).toMatchObject({ measured: '0.1', room: null });
});
