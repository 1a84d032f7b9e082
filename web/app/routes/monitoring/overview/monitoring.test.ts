import { describe, expect, it } from 'vitest';
import { noteExceptions, tapeExceptions } from './exceptions.ts';
import { poolOverTapes } from './pool-over-tapes.ts';

const statistics = (figures: Record<string, [count: number, outstanding: string, currency?: string]>) => ({
  assetsStatuses: Object.entries(figures).map(([name, [value]]) => ({ name, value })),
  sum: [],
  outstandingSum: Object.entries(figures).map(([name, [, sum, currency = 'USD']]) => ({
    name,
    amount: { sum, currency },
  })),
});

describe('what needs a look', () => {
  const note = { title: 'Northwind, Senior', availability: null, breaches: [], warnings: [] };
  it('is nothing where all is well, and where availability is not known', () => {
    expect(noteExceptions(note, '/x')).toEqual([]);
    expect(noteExceptions({ ...note, availability: { sum: '0.00', currency: 'USD' } }, '/x')).toEqual([]);
  });
  it('is a deficit with its full figure, broken limits by name, and each warning', () => {
    const figures = {
      ...note,
      availability: { sum: '-310442.18', currency: 'USD' },
      breaches: ['States', 'Grades'],
      warnings: ['3 assets have no rate'],
    };
    expect(noteExceptions(figures, '/x').map(({ tone, text }) => [tone, text])).toEqual([
      ['danger', 'deficit today of 310,442.18 USD'],
      ['warning', '2 concentration limits exceeded: States, Grades'],
      ['warning', '3 assets have no rate'],
    ]);
  });
  it('is a failed tape with its reason, and a published one with errored rows', () => {
    const tape = { id: 'a', name: 'a.xlsx', state: 'Completed' as const, failure: null, errored: 0, dataRows: 10 };
    expect(tapeExceptions(tape)).toEqual([]);
    expect(tapeExceptions({ ...tape, errored: 2 })).toMatchObject([
      {
        tone: 'warning',
        text: '2 of 10 rows could not be processed as assets',
        to: '/monitoring/tapes/a?view=errored#errored-rows',
      },
    ]);
    expect(tapeExceptions({ ...tape, state: 'Failed', failure: 'The sheet is empty.' })).toMatchObject([
      { tone: 'danger', text: 'The sheet is empty.' },
    ]);
  });
});

describe('the pool over tapes', () => {
  it('adds statuses up to bands, oldest first, the latest tape of a date counting', () => {
    const pool = poolOverTapes(
      [
        {
          cutOffDate: '2026-10-31',
          statistics: statistics({ current: [2, '20'], default: [1, '5'], chargedOff: [1, '2.5'] }),
        },
        { cutOffDate: '2026-10-31', statistics: statistics({ current: [9, '900'] }) },
        { cutOffDate: '2026-09-30', statistics: statistics({ current: [3, '30'], paid: [1, '0'] }) },
      ],
      12,
    );
    expect(pool).toEqual({
      currency: 'USD',
      labels: ['30 Sep 2026', '31 Oct 2026'],
      missing: [],
      series: [
        { label: 'Current', colour: 1, values: [30, 20] },
        { label: 'Default and charged off', colour: 2, values: [0, 7.5] },
      ],
    });
  });
  it('leaves a gap for a month-end without a tape', () => {
    const tapes = [
      { cutOffDate: '2026-10-31', statistics: statistics({ current: [2, '20'] }) },
      { cutOffDate: '2026-08-31', statistics: statistics({ current: [4, '40'] }) },
    ];
    expect(poolOverTapes(tapes, 12)).toMatchObject({
      labels: ['31 Aug 2026', '30 Sep 2026', '31 Oct 2026'],
      missing: ['2026-09-30'],
      series: [{ values: [40, null, 20] }],
    });
  });
  it('counts assets where currencies differ, and keeps to the latest dates', () => {
    const pool = poolOverTapes(
      [
        { cutOffDate: '2026-10-31', statistics: statistics({ current: [2, '20', 'EUR'] }) },
        { cutOffDate: '2026-09-30', statistics: statistics({ current: [3, '30'] }) },
        { cutOffDate: '2026-08-31', statistics: statistics({ current: [4, '40'] }) },
      ],
      2,
    );
    expect(pool).toMatchObject({ currency: null, series: [{ values: [3, 2] }] });
  });
});
