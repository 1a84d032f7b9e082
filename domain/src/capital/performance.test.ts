import { expect, test } from 'vitest';
import { compare } from '../money/decimal.ts';
import { internalRateOfReturn } from '../returns/irr.ts';
import { performanceCourse, performanceDates, performanceFlows } from './performance.ts';
import { expected, INVESTORS, inputs, ledgerOf } from './testing/worked-fund.ts';

const ledgers = INVESTORS.map(ledgerOf);

test('the course of the worked fund has its figures of every date', () => {
  for (const point of performanceCourse(ledgers, inputs.asOf)) {
    const wanted = expected.at[point.date]!.total;
    for (const name of ['dpi', 'rvpi', 'tvpi'] as const) {
      if (wanted[name] === null) expect(point[name]).toBeNull();
      else expect(compare(point[name]!, String(wanted[name]))).toBe(0);
    }
    for (const [name, value] of [
      ['net', wanted.netIrrPercent],
      ['gross', wanted.grossIrrPercent],
    ] as const) {
      if (value === null) expect(point[name].rate).toBeNull();
      else expect(point[name].rate! * 100).toBeCloseTo(Number(value), 8);
    }
  }
});

test('the rates of return follow from the flows that are listed', () => {
  const at = '2025-12-31';
  const flows = performanceFlows(ledgers, at);
  expect(flows.map(({ when, kind }) => `${when} ${kind}`)).toEqual([
    '2024-02-01 call',
    '2024-06-14 call',
    '2024-12-20 distribution',
    '2025-03-31 call',
    '2025-09-30 call',
    '2025-10-31 call',
    '2025-12-19 distribution',
    '2025-12-31 nav',
  ]);
  const [point] = performanceCourse(ledgers, [at]);
  for (const side of ['net', 'gross'] as const) {
    const { rate } = internalRateOfReturn(flows.map((flow) => ({ when: flow.when, amount: flow[side] })));
    expect(rate).toBeCloseTo(point![side].rate!, 12);
  }
  // Management fees of calls are no gross flow.
  expect(flows[0]).toMatchObject({ net: '-20000000', gross: '-19250000' });
});

test('the course is drawn at the ends of quarters and on the last day', () => {
  expect(performanceDates('2025-02-10', '2025-11-23', 24)).toEqual([
    '2025-03-31',
    '2025-06-30',
    '2025-09-30',
    '2025-11-23',
  ]);
  expect(performanceDates('2025-03-31', '2025-06-30', 24)).toEqual(['2025-06-30']);
  const many = performanceDates('2000-01-01', '2025-11-23', 24);
  expect(many.length).toBeLessThanOrEqual(24);
  expect(many.at(-1)).toBe('2025-11-23');
});
