import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planMapping } from '../mapping-plan.ts';
import { rulesSchema } from '../rule.schema.ts';
import type { SampleCell } from './column-summary.ts';
import { suggestMapping } from './suggest-mapping.ts';

const text = (value: string): SampleCell => (value === '' ? { tag: 0, value } : { tag: 2, value });
const number = (value: number): SampleCell => ({ tag: 1, value: String(value) });
const day = (value: string): SampleCell => ({ tag: 4, value });

const header = fc.oneof(
  fc.constantFrom(
    'Loan ID',
    'Balance',
    'Current Balance ($mm)',
    'Maturity Date',
    'MATURITY_DATE',
    'Maturity Date month',
    'Int Rate',
    'Status',
    'DLQ_STAT',
    'Term',
    'Ccy',
    'Zip',
    'Name',
    'Orig Dt',
    'Orig.Dt',
    'sums.sum',
    'Total',
    'assetType',
    'assetStatus',
    'currency',
    'daysPastDue',
    'sums.outstandingSum',
    '#',
    'Date',
  ),
  fc.string({ maxLength: 12 }),
  fc.string({ minLength: 190, maxLength: 400 }).map((long) => `Maturity Date ${long}`),
);
const cell = fc.oneof(
  fc
    .constantFrom(
      '',
      '-',
      'N/A',
      'Total',
      'Current',
      'XX',
      '01',
      '31/12/2024',
      '12/31/24',
      '20240131',
      'Jan-24',
      '5 May 2024',
      '1.234,50',
      '(1,234.00)',
      '€ 12,5',
      "1'000",
      '7.25%',
      '36 mths',
      '2 yrs',
      'USD',
      'CA',
    )
    .map(text),
  fc.constantFrom(0, 1, 0.0725, 7.25, 725, 45322, 201803, 32018, 20240131, 1e11, -5).map(number),
  fc.constantFrom('2024-01-31', '2999-12-31').map(day),
  fc.constant<SampleCell>({ tag: 5, value: '#N/A' }),
  fc.string({ maxLength: 8 }).map(text),
);
/** Columns of equal length. As on real tapes, most columns hold few kinds of cells. */
const tape = fc.integer({ min: 1, max: 12 }).chain((rows) =>
  fc.array(
    fc.record({
      header,
      cells: fc
        .array(cell, { minLength: 1, maxLength: 3 })
        .chain((kinds) => fc.array(fc.constantFrom(...kinds), { minLength: rows, maxLength: rows })),
    }),
    { maxLength: 8 },
  ),
);

test('whatever a tape holds, what is suggested is a mapping without problems, or one that only lacks an id', () => {
  fc.assert(
    fc.property(tape, (columns) => {
      const suggestions = suggestMapping({ columns });
      for (const { confidence, reason } of suggestions) {
        expect(confidence).toBeGreaterThan(0);
        expect(confidence).toBeLessThan(1);
        expect(reason).not.toBe('');
      }
      // A doubtful id is off beside one that is made for it.
      const on = suggestions.filter(({ isOn }) => isOn);
      if (on.length === 0) return;
      const rules = rulesSchema.parse(on.map(({ rule }) => rule));
      const problems = planMapping({ rules }).issues.map(({ message }) => message);
      expect(problems.filter((message) => !/assetId/.test(message))).toEqual([]);
      expect(problems.length === 0 || !rules.some(({ targetCol }) => targetCol === 'assetId')).toBe(true);
    }),
    { numRuns: 100 },
  );
});

test('an id of several columns names a header that is called like a target as a header', () => {
  const columns = [
    { header: 'Loan ID', cells: [day('2024-01-31'), day('2024-01-31')] },
    { header: 'assetType', cells: [day('2024-01-31'), text('7.25%')] },
  ];
  const rules = rulesSchema.parse(suggestMapping({ columns }).map(({ rule }) => rule));
  expect(rules[0]?.serializations[1]).toMatchObject({ type: 'concat', parts: [{ column: 'origin.assetType' }] });
  expect(planMapping({ rules })).toMatchObject({ issues: [], headers: ['Loan ID', 'assetType'] });
});

/** As long as a cell can be. A search that tries every pair or triple of its characters does not end within a test. */
const LONG = 32_000;
test.each([
  ['brackets and digits', '('.repeat(LONG / 2) + '1'.repeat(LONG / 2)],
  ['points', `${'.'.repeat(LONG)}!`],
  ['digits', `${'1'.repeat(LONG)}!`],
  ['blanks', `1${' '.repeat(LONG)}x`],
  ['signs', '-1'.repeat(LONG / 2)],
])('a cell of many %s, and such a header, are read once', (_, long) => {
  const cells = Array.from({ length: 20 }, () => text(long));
  const ids = { header: 'Loan ID', cells: cells.map((_cell, row) => text(`L-${row}`)) };
  const columns = [ids, ...['Term', 'Status', 'Balance', long].map((name) => ({ header: name, cells }))];
  expect(suggestMapping({ columns }).find(({ rule }) => rule.targetCol === 'assetId')?.rule.originCol).toBe('Loan ID');
});
