import { describe, expect, it } from 'vitest';
import { formOf, plainCell, plainNumber } from './written-cells.ts';

describe('a number', () => {
  it.each([
    ['1250000.50', '1250000.50'],
    ['1,250,000.50', '1250000.50'],
    ['1.250.000,50', '1250000.50'],
    ['1.250.000', '1250000'],
    ["1'250'000.5", '1250000.5'],
    ['1 250 000', '1250000'],
    ['1\u00a0250\u202f000.00', '1250000.00'],
    ['$1,250', '1250'],
    ['USD 1,250', '1250'],
    ['1,250 USD', '1250'],
    ['US$1,250', '1250'],
    ['(1,250.00)', '-1250.00'],
    ['$ (1,250.00)', '-1250.00'],
    ['−250', '-250'],
    ['250-', '-250'],
    ['+7', '7'],
    ['.5', '0.5'],
    ['007', '7'],
    ['1.250', '1.250'],
  ])('written as %s is read in a file with decimal points', (text, plain) => {
    expect(plainNumber(text, '.', 'USD')).toBe(plain);
  });

  it.each([
    ['1250000,5', '1250000.5'],
    ['0,125', '0.125'],
    ['1.250', '1250'],
    ['1,250', '1.250'],
    ['(1.250,75)', '-1250.75'],
  ])('written as %s is read in a file with decimal commas', (text, plain) => {
    expect(plainNumber(text, ',', 'EUR')).toBe(plain);
  });

  it.each([
    'ten',
    '1,25',
    '0,125',
    '12,34,567',
    '1.2.3',
    '1e5',
    '12%',
    '(-5)',
    '-(5)',
    '',
    '.',
    '1 2',
    '€1,250',
    `${'1 '.repeat(40)}`,
    'EUR 5',
    '5 EUR',
  ])('is not %s in dollars with decimal points', (text) => {
    expect(plainNumber(text, '.', 'USD')).toBeNull();
  });

  it('with one point before three digits waits until it is known what the point is', () => {
    expect(plainNumber('1.250', null)).toBeNull();
    expect(plainNumber('0.125', null)).toBe('0.125');
  });
});

describe('the form of a file', () => {
  const ofDates = (...dates: string[]) => formOf({ dates, numbers: [], isWorkbook: true });
  const ofNumbers = (...numbers: string[]) => formOf({ dates: [], numbers, isWorkbook: false });

  it('is shown by one date with a day above 12', () => {
    expect(ofDates('03/04/2026', '31/10/2026')).toMatchObject({ dayFirst: true, unclearDate: null });
    expect(ofDates('03/04/2026', '10/31/2026')).toMatchObject({ dayFirst: false, unclearDate: null });
    expect(ofDates('03.04.2026')).toMatchObject({ dayFirst: true, unclearDate: null });
    expect(ofDates('2026-04-03')).toMatchObject({ unclearDate: null, hasNumericDates: false });
  });

  it('is asked for where dates have two readings', () => {
    expect(ofDates('03/04/2026')).toMatchObject({ dayFirst: null, unclearDate: '03/04/2026', hasNumericDates: true });
    expect(ofDates('31/10/2026', '10/31/2026', '03/04/2026')).toMatchObject({
      dayFirst: null,
      unclearDate: '03/04/2026',
    });
    expect(ofDates('31/10/2026', '10/31/2026')).toMatchObject({ unclearDate: null });
    const cells = { dates: ['03/04/2026'], numbers: [], isWorkbook: true };
    expect(formOf(cells, { dayFirst: true })).toMatchObject({ dayFirst: true, unclearDate: null });
  });

  it('is shown by one number with decimals', () => {
    expect(ofNumbers('1.250', '€ 12,50')).toMatchObject({ decimal: ',', unclearNumber: null });
    expect(ofNumbers('1.250', '1.250.000,75')).toMatchObject({ decimal: ',' });
    expect(ofNumbers('1.250', '12.50')).toMatchObject({ decimal: '.', unclearNumber: null });
    expect(ofNumbers('1,250', '3,500')).toMatchObject({ decimal: '.', unclearNumber: null, hasSeparators: true });
    expect(ofNumbers('1250')).toMatchObject({ decimal: '.', hasSeparators: false });
  });

  it('is asked for where all numbers have one point before three digits, but not in a workbook', () => {
    expect(ofNumbers('1.250', '3.500')).toMatchObject({ decimal: null, unclearNumber: '1.250' });
    expect(formOf({ dates: [], numbers: ['1.250'], isWorkbook: true })).toMatchObject({ decimal: '.' });
    const cells = { dates: [], numbers: ['1.250'], isWorkbook: false };
    expect(formOf(cells, { decimal: ',' })).toMatchObject({ decimal: ',', unclearNumber: null });
  });
});

describe('a cell', () => {
  const form = { dayFirst: true, decimal: ',' } as const;
  it('is read as its column, and stays as it is if it cannot be', () => {
    expect(plainCell({ type: 'date' }, ' 03/04/2026 ', form)).toBe('2026-04-03');
    expect(plainCell({ type: 'date' }, '31/11/2026', form)).toBe('31/11/2026');
    expect(plainCell({ type: 'decimal' }, '1.250,5', form)).toBe('1250.5');
    expect(plainCell({ type: 'text' }, '03/04/2026', form)).toBe('03/04/2026');
    expect(plainCell({ type: 'wholeNumber' }, 'LP-0471', form)).toBe('471');
    expect(plainCell({ type: 'wholeNumber' }, 'Fjord Pension', form)).toBe('Fjord Pension');
  });

  it('that says that there is nothing is empty, except in texts', () => {
    for (const type of ['date', 'decimal', 'wholeNumber', 'choice', 'currency', 'email'] as const)
      expect(plainCell({ type }, 'N/A', form)).toBe('');
    expect(plainCell({ type: 'text' }, 'n/a', form)).toBe('n/a');
  });
});
