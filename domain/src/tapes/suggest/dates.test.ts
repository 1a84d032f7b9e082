import { describe, expect, test } from 'vitest';
import { summarizeColumn } from './column-shape.ts';
import type { SampleCell } from './column-summary.ts';
import { dayFirstOf, readDates, writtenDate } from './dates.ts';

const text = (value: string): SampleCell => ({ tag: 2, value });
const number = (value: number): SampleCell => ({ tag: 1, value: String(value) });
const day = (value: string): SampleCell => ({ tag: 4, value });
const read = (cells: readonly SampleCell[], header = 'Maturity Date', dayFirst: boolean | null = null) =>
  readDates(summarizeColumn({ cells }), header, dayFirst);

describe('a text says a date', () => {
  test.each([
    ['2024-01-31', 'iso'],
    ['2024-01-31T10:00:00Z', 'iso'],
    ['2024/01/31', 'yearFirst'],
    ['2024.1.31', 'yearFirst'],
    ['31.01.2024', 'numeric'],
    ['1/31/24', 'numeric'],
    ['31/01/2024 00:00', 'numeric'],
    ['20240131', 'compact'],
    ['05-Jan-2024', 'dayName'],
    ['5 January 24', 'dayName'],
    ['January 5, 2024', 'nameDay'],
    ['Sept. 5 2024', 'nameDay'],
    ['Jan-24', 'nameYear'],
    ['January 2024', 'nameYear'],
  ])('%s', (value, written) => expect(writtenDate(text(value))?.written).toBe(written));

  test.each(['32/13/2024', '2024-1', '20241331', '18991231', 'Janet-24', 'Total', '12345', '1.5.6', '13/14/2024', ''])(
    '%s does not',
    (value) => expect(writtenDate(text(value))).toBeNull(),
  );

  test('a number does only as eight digits', () => {
    expect(writtenDate(number(20240131))?.written).toBe('compact');
    expect(writtenDate(number(45000))).toBeNull();
  });
});

describe('day and month are told apart over the whole column', () => {
  const days = (...values: string[]) => read(values.map(text));
  test.each<[string, string[], string, boolean]>([
    ['a first number above 12', ['01/02/2024', '31/01/2024'], 'dates written day first, such as 01/02/2024', false],
    ['a second number above 12', ['01/02/2024', '01/31/2024'], 'dates written month first, such as 01/02/2024', false],
    ['dots where none tells', ['01.02.2024', '03.04.2024'], 'dates written day first, such as 01.02.2024', false],
    ['slashes where none tells', ['01/02/2024', '03/04/2024'], 'dates written month first, such as 01/02/2024', true],
    ['both', ['31/01/2024', '30/01/2024', '01/31/2024'], 'dates written day first, such as 31/01/2024', true],
  ])('%s', (_, values, words, isDoubtful) => {
    const reading = days(...values);
    expect(reading?.words).toBe(words);
    expect(reading?.doubt !== null).toBe(isDoubtful);
  });

  test('and over the other columns where it does not tell', () => {
    const other = ['31/12/2024', '01/01/2025'].map(text);
    const unclear = ['01/02/2024', '03/04/2024'].map(text);
    expect(dayFirstOf([unclear])).toBeNull();
    expect(dayFirstOf([unclear, other])).toBe(true);
    expect(dayFirstOf([unclear, ['12/31/2024'].map(text)])).toBe(false);
    expect(read(unclear, 'Start Date', true)).toMatchObject({
      words: 'dates written day first, such as 01/02/2024',
      doubt: null,
    });
  });
});

describe('steps for dates', () => {
  const american = { type: 'date', format: 'american' };
  test.each<[string, SampleCell[], unknown[]]>([
    ['styled', [day('2024-01-31')], [{ type: 'date', format: 'excel' }]],
    ['serials', [number(45322), number(45000)], [{ type: 'date', format: 'excel' }]],
    ['ISO', [text('2024-01-31')], [{ type: 'date', format: 'ISO' }]],
    ['month first', [text('1/31/2024')], [american]],
    ['month first with dashes', [text('1-31-2024')], [{ type: 'replaceStrings', value: ['-', '/'] }, american]],
    [
      'year first',
      [text('2024/01/31')],
      [
        { type: 'replaceStrings', value: ['/', '-'] },
        { type: 'date', format: 'ISO' },
      ],
    ],
  ])('%s take one rule', (_, cells, steps) => {
    expect(read(cells)?.steps).toEqual(steps);
    expect(read(cells)?.helpers).toEqual([]);
  });

  test.each(['31/01/2024', '2024/1/31', '20240131', '05-Jan-2024', 'January 5, 2024', '1/31/24'])(
    '%s takes rules for its parts',
    (value) =>
      expect(read([text(value)])?.helpers.map(({ name }) => name)).toEqual([
        'Maturity Date month',
        'Maturity Date day',
      ]),
  );

  test('years of two digits are of this century unless all are late', () => {
    const fill = (...values: string[]) => {
      const reading = read(values.map(text));
      return [reading?.steps.find((step) => step.type === 'padStart')?.fill, reading?.doubt !== null];
    };
    expect(fill('Jan-24', 'Feb-69')).toEqual(['20', false]);
    expect(fill('Jan-70', 'Feb-99')).toEqual(['19', false]);
    expect(fill('Jan-24', 'Feb-99')).toEqual(['20', true]);
  });

  test('zeros that stand for no date are left out of account, and far-off days are pointed out', () => {
    const zeros = read([text('0'), text('00/00/0000'), text('1/31/2024')]);
    expect(zeros?.words).toBe('dates written month first, such as 1/31/2024');
    expect(read([day('2024-01-31'), day('2999-12-31')])?.doubt).toContain('1 out of range, such as 2999-12-31');
    expect(read([day('2024-01-31'), day('2099-12-31')])?.doubt).toBeNull();
    expect(read([day('1949-12-31')])?.doubt).toContain('out of range');
  });

  test('numbers are days only where the header says so', () => {
    expect(read([number(45322)], 'Balance')).toBeNull();
    expect(read([text('n/a')], 'Maturity Date')).toBeNull();
  });
});
