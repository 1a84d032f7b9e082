import { describe, expect, test } from 'vitest';
import { scaleOf, stageOf } from './stages.ts';

const entry = (changes = {}) => ({
  title: 'Investment period',
  planned: '2025-04-15',
  endTime: '2027-04-15',
  activated: false,
  ...changes,
});

describe('a stage', () => {
  test('that has started is done up to today and to come after it', () => {
    const stage = stageOf(entry({ actual: '2025-05-15' }), '2026-04-15');
    expect(stage.done).toEqual({ from: '2025-05-15', to: '2026-04-15' });
    expect(stage.toCome).toEqual({ from: '2026-04-15', to: '2027-04-15' });
    expect([stage.daysLate, stage.daysLeft, stage.notActivated]).toEqual([30, 365, null]);
  });

  test('that is over has nothing to come', () => {
    const stage = stageOf(entry({ actual: '2025-04-10' }), '2027-04-15');
    expect([stage.toCome, stage.daysLeft, stage.daysLate]).toEqual([null, null, -5]);
    expect(stage.done).toEqual({ from: '2025-04-10', to: '2027-04-15' });
  });

  test('that was not activated is neither done nor to come, and late once its planned start has passed', () => {
    const before = stageOf(entry(), '2025-04-15');
    expect([before.done, before.toCome, before.daysLate]).toEqual([null, null, null]);
    expect(before.notActivated).toEqual({ from: '2025-04-15', to: '2027-04-15' });
    expect(stageOf(entry(), '2025-04-16').daysLate).toBe(1);
  });

  test('that is activated is to come before it starts', () => {
    expect(stageOf(entry({ activated: true }), '2025-01-01').toCome).toEqual({ from: '2025-04-15', to: '2027-04-15' });
  });

  test('without an end is a date', () => {
    const stage = stageOf(entry({ endTime: null, actual: '2025-04-15' }), '2026-01-01');
    expect([stage.lasts, stage.done, stage.toCome]).toEqual([false, { from: '2025-04-15', to: '2025-04-15' }, null]);
  });
});

test('the line covers every stage and today, in proportion to the days', () => {
  const { placeOf } = scaleOf([stageOf(entry({ endTime: '2025-04-25' }), '2025-04-20')], '2025-04-20');
  expect(placeOf('2025-04-20')).toBe(50);
  expect([placeOf('2025-03-31'), placeOf('2025-05-10')]).toEqual([0, 100]);
});
