import { describe, expect, test } from 'vitest';
import { serializationSchema } from '../serialization.schema.ts';
import { summarizeColumn } from './column-shape.ts';
import type { SampleCell } from './column-summary.ts';
import { readStatuses, statusMeant } from './statuses.ts';

const read = (values: readonly string[], header = 'Status') =>
  readStatuses(summarizeColumn({ cells: values.map((value): SampleCell => ({ tag: 2, value })) }), header);
const wordsFor = (reading: ReturnType<typeof read>, status: string): unknown => {
  const [step] = reading.steps;
  return step?.type === 'switchCase' ? step.cases.find((each) => each.then === status)?.equals : undefined;
};

describe('words of servicers', () => {
  test.each([
    ['Charged Off', 'chargedOff'],
    ['CHGOFF', 'chargedOff'],
    ['Written off', 'chargedOff'],
    ['Non-accrual', 'nonPerformingAsset'],
    ['Foreclosure', 'default'],
    ['FC', 'default'],
    ['REO', 'default'],
    ['REPO', 'default'],
    ['Not in default', 'current'],
    ['Fully Paid', 'paid'],
    ['PIF', 'paid'],
    ['Closed', 'paid'],
    ['CANCLD', 'canceled'],
    ['In Grace Period', 'pastDue'],
    ['0-29 DPD', 'current'],
    ['0 days', 'current'],
    ['30-59 DPD', 'delinquent'],
    ['120+', 'delinquent'],
    ['Late (16-30 days)', 'delinquent'],
    ['2 down', 'delinquent'],
    ['90', 'delinquent'],
    ['Slow Pay', 'slowPayment'],
    ['Performing', 'performingAsset'],
    ['Up to date', 'current'],
    ['EXEMPT', 'current'],
    ['ACTIVE', 'current'],
    ['aktiv', 'current'],
    ['COMMIT', 'pending'],
  ])('%s is %s', (value, status) => expect(statusMeant(value, false)).toBe(status));

  test.each(['Unpaid', 'Inactive', 'Watchlist', 'Renewed', 'Stereo', 'XX', 'Translated'])('%s is left open', (value) =>
    expect(statusMeant(value, false)).toBeNull(),
  );
});

describe('a status column', () => {
  test('is a switch with each word counted, and what is not understood told', () => {
    const reading = read(['Open', 'Open', 'Watchlist', 'delinquent']);
    expect(reading.steps.map((step) => step.type)).toEqual(['switchCase', 'assetStatus']);
    expect(wordsFor(reading, 'current')).toEqual(['Open']);
    expect(reading.words).toBe('Open (2) is current, delinquent (1) is delinquent');
    expect(reading.doubt).toContain('Watchlist (1)');
    expect(reading.share).toBe(0.75);
  });

  test('of the specified statuses alone needs no switch', () => {
    const reading = read(['current', 'Paid']);
    expect(reading.steps).toEqual([{ type: 'assetStatus' }]);
    expect(reading.doubt).toBeNull();
  });

  test('with two words of a well-known list proposes the others of it, with one it does not', () => {
    expect(wordsFor(read(['PIF', 'EXEMPT']), 'chargedOff')).toEqual(['CHGOFF']);
    expect(wordsFor(read(['PIF', 'Open']), 'chargedOff')).toBeUndefined();
  });

  test('of months past due reads 0 as current and every other count as delinquent', () => {
    const reading = read(['0', '0', '0', '1', '3', 'RA'], 'Current Loan Delinquency Status');
    expect(reading.isMonthsPastDue).toBe(true);
    expect(wordsFor(reading, 'current')).toEqual(['0']);
    expect(wordsFor(reading, 'delinquent')).toEqual(Array.from({ length: 60 }, (_, month) => String(month + 1)));
    expect(reading.doubt).toContain('RA (1)');
    expect(wordsFor(read(['00', '02'], 'DLQ_STAT'), 'current')).toEqual(['00']);
    for (const step of reading.steps) expect(serializationSchema.safeParse(step).success).toBe(true);
  });

  test('of days past due, or of codes that no header explains, counts no months', () => {
    expect(read(['0', '30', '60'], 'Delinquency Status').isMonthsPastDue).toBe(false);
    expect(read(['0', '1', '2'], 'Status').isMonthsPastDue).toBe(false);
  });

  test('of very many words stays within what a switch takes', () => {
    const reading = read(Array.from({ length: 400 }, (_, index) => `Late ${index} days`));
    for (const step of reading.steps) expect(serializationSchema.safeParse(step).success).toBe(true);
  });
});
