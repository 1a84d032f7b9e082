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
    ['January 5, 2024', 'dayName'],
    ['Sept. 5 2024', 'dayName'],
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

describe('the whole column shows whether the day or the month comes first', () => {
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
    ['month first with dashes', [text('1-31-2024')], [{ type: 'date', format: 'ISO', order: 'monthFirst' }]],
    ['year first', [text('2024/01/31')], [{ type: 'date', format: 'ISO', order: 'yearFirst' }]],
    ['day first', [text('31/01/2024')], [{ type: 'date', format: 'ISO', order: 'dayFirst' }]],
    ['without separators', [text('20240131')], [{ type: 'date', format: 'ISO', order: 'yearFirst' }]],
    ['with a month’s name', [text('05-Jan-2024')], [{ type: 'date', format: 'ISO', order: 'dayFirst' }]],
    ['with the name first', [text('January 5, 2024')], [{ type: 'date', format: 'ISO', order: 'dayFirst' }]],
    ['of months', [text('Mär 2024')], [{ type: 'date', format: 'ISO', order: 'monthYear' }]],
    [
      'with years of two digits',
      [text('1/31/24')],
      [{ type: 'date', format: 'ISO', order: 'monthFirst', firstYear: 1970 }],
    ],
    [
      'beside serials',
      [text('31.01.2024'), number(45322), text('30.01.2024')],
      [{ type: 'date', format: 'excel', order: 'dayFirst' }],
    ],
  ])('%s take one rule', (_, cells, steps) => expect(read(cells)?.steps).toEqual(steps));

  test('years of two digits say their window, and a doubt where some are of each century', () => {
    const said = (...values: string[]) => read(values.map(text));
    expect(said('Jan-24', 'Feb-69')).toMatchObject({ words: expect.stringContaining('1970 to 2069'), doubt: null });
    expect(said('Jan-70', 'Feb-99')?.doubt).toBeNull();
    expect(said('Jan-24', 'Feb-99')?.doubt).toBe('1 two-digit years are read as years before 2000');
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
