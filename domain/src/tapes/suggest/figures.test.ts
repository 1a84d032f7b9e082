import { describe, expect, test } from 'vitest';
import { summarizeColumn } from './column-shape.ts';
import type { SampleCell } from './column-summary.ts';
import {
  ambiguousFigures,
  amountSteps,
  figureFormOf,
  figureOptions,
  isTermText,
  readFigure,
  scaleOf,
  signSteps,
  statedUnit,
  termSteps,
} from './figures.ts';

const text = (value: string): SampleCell => ({ tag: 2, value });
const number = (value: number): SampleCell => ({ tag: 1, value: String(value) });
const summary = (...cells: SampleCell[]) => summarizeColumn({ cells });
const texts = (...values: string[]) => summarizeColumn({ cells: values.map(text) });

describe('how a column writes figures', () => {
  test.each<[string[], '.' | ',']>([
    [['1.234,50'], ','],
    [['12,5', '7'], ','],
    [['0,158'], ','],
    [['12,3456'], ','],
    [['1.234.567,8', '1.234'], ','],
    [['1,234.50'], '.'],
    [['1,234'], '.'],
    [['0.158'], '.'],
    [['12.5', '7'], '.'],
    // Contradictory texts are read as the engine reads them.
    [['12,5', '12.5'], '.'],
    [['1,234', '12,5'], ','],
  ])('%j has its decimals behind "%s"', (values, decimal) =>
    expect(figureFormOf(values.map(text)).decimal).toBe(decimal),
  );

  test.each<[string, string[], number | null]>([
    ['$1,234.50', [], 1234.5],
    ['(1,234.00)', [], -1234],
    ['($12)', [], -12],
    ['1.234,50 €', [], 1234.5],
    ['EUR 12,50', [], 12.5],
    ["1'234.50", [], 1234.5],
    ['7.25%', [], 7.25],
    ['-12', [], -12],
    ['1.234', ['1.234,50'], 1234],
    ['12,34,5', [], null],
    ['12 dogs', [], null],
    ['', [], null],
  ])('%s reads as a number among %j', (value, others, expected) =>
    expect(readFigure(value, figureFormOf([value, ...others].map(text)))).toBe(expected),
  );

  test.each<[string[], object]>([
    [['1,234.50', '12'], {}],
    [['$1', '($2)'], { negative: 'brackets' }],
    [['1.234,50', '500,00-'], { decimal: 'comma', negative: 'trailing' }],
    [['12,50'], { decimal: 'comma' }],
    [['1.234.567'], { decimal: 'comma' }],
    [["1'234"], { decimal: 'point' }],
  ])('%j is read with the options %j', (values, options) => expect(figureOptions(texts(...values))).toEqual(options));

  test('signs of currencies are taken off, numbers of the sheet need no options', () => {
    expect(signSteps(texts('US$ 1', '€2'))).toHaveLength(2);
    expect(figureOptions(summary(number(12.5), text('1.234,50')))).toEqual({ decimal: 'comma' });
  });

  test.each<[string[], string[]]>([
    [
      ['12.000', '7.500', '120'],
      ['12.000', '7.500'],
    ],
    [['12.000', '1.234,56'], []],
    [['12.000', '5.5'], []],
    [['0.125'], []],
    [['12,000'], []],
  ])('of %j a point leaves open %j', (values, unclear) => expect(ambiguousFigures(texts(...values))).toEqual(unclear));
});

describe('amounts', () => {
  const last = (header: string, column: string | null, ...values: string[]) =>
    amountSteps(texts(...values), header, column).at(-1);
  test.each<[string, string | null, string[], object]>([
    ['Balance', null, ['12'], {}],
    ['Balance', null, ['$12'], {}],
    ['Balance', null, ['€12'], { currency: 'EUR' }],
    ['Balance (£)', null, ['12'], { currency: 'GBP' }],
    ['Balance', null, ['€12', '£3'], {}],
    ['Balance', 'Ccy', ['€12'], { currencyColumn: 'Ccy' }],
    ['Balance ($mm)', null, ['12'], { unit: 'millions' }],
    ['Balance (000s)', null, ['12'], { unit: 'thousands' }],
    ['Balance', null, ['12.000', '120'], { decimal: 'comma' }],
  ])('%s with %s beside it, as %j', (header, column, values, more) =>
    expect(last(header, column, ...values)).toEqual({ type: 'SerializedSum', ...more }),
  );

  test.each([
    ['Balance in thousands', 'thousands'],
    ['UPB $k', 'thousands'],
    ['EUR mln', 'millions'],
    ['Assets (bn)', 'billions'],
    ['Committed amount', 'scalar'],
    ['Loan 1000 balance', 'scalar'],
  ])('%s is in %s', (header, unit) => expect(statedUnit(header)).toBe(unit));
});

describe('rates', () => {
  test.each<[string, SampleCell[], string, number, boolean]>([
    ['Rate', [number(0.0725), number(0.12)], 'zeroTo1', 0, false],
    ['Rate', [number(7.25), number(12)], 'zeroTo100', 0, false],
    ['Rate', [text('7.25%'), text('0.5%')], 'zeroTo100', 0, false],
    // A percent sign states its own scale, so only the other values decide.
    ['Rate', [number(0.0725), text('7.25%')], 'zeroTo1', 0, true],
    ['Rate', [number(0.0725), number(7.25)], 'zeroTo100', 0, true],
    ['Rate', [number(725), number(1125)], 'zeroTo100', 1, false],
    ['Margin (bps)', [number(75), number(90)], 'zeroTo100', 1, false],
    ['Rate', [number(0), number(7.25)], 'zeroTo100', 0, false],
    ['Rate', [number(0)], 'zeroTo100', 0, false],
  ])('%s of %j', (header, cells, scale, steps, isDoubtful) => {
    const reading = scaleOf(summary(...cells), 1, header);
    expect([reading.scale, reading.steps.length, reading.mixed !== null]).toEqual([scale, steps, isDoubtful]);
  });

  test('of two scales say the share of each', () => {
    const mixed = (...cells: SampleCell[]) => scaleOf(summary(...cells), 1, 'Rate').mixed;
    expect(mixed(number(0.0575), number(0.06), number(5.75), number(6))).toBe(
      '50 % of the values look like fractions (0.0575) and 50 % like percentages (5.75): bring them to one scale',
    );
    expect(mixed(number(0.0725), number(0.08), text('7.25%'))).toBe(
      '67 % of the values look like fractions (0.0725) and 33 % have a percent sign: bring them to one scale',
    );
  });
});

describe('terms', () => {
  test.each<[string, string[], unknown[]]>([
    ['Term', [' 36 months'], [{ type: 'SerializedTerm', unit: 'months' }]],
    [
      'Term',
      ['36 mths'],
      [
        { type: 'replaceStrings', value: ['mths', ''] },
        { type: 'SerializedTerm', unit: 'months' },
      ],
    ],
    [
      'Term',
      ['1 yr', '5 yrs'],
      [
        { type: 'replaceStrings', value: ['yrs', ''] },
        { type: 'replaceStrings', value: ['yr', ''] },
        { type: 'SerializedTerm', unit: 'years' },
      ],
    ],
    ['Term (days)', ['90'], [{ type: 'SerializedTerm', unit: 'days' }]],
    ['Term (years)', ['1,5', '2'], [{ type: 'SerializedTerm', unit: 'years', decimal: 'comma' }]],
    ['Term', ['1,5', '2-'], [{ type: 'SerializedTerm', unit: 'months', decimal: 'comma', negative: 'trailing' }]],
    [
      'Laufzeit',
      ['2,5 Jahre', '3 Jahre'],
      [
        { type: 'replaceStrings', value: ['Jahre', ''] },
        { type: 'SerializedTerm', unit: 'years', decimal: 'comma' },
      ],
    ],
    ['Term', ['12 mths', '1 yr'], [{ type: 'SerializedTerm', unit: 'months' }]],
  ])('%s as %j', (header, values, steps) => expect(termSteps(texts(...values), header)).toEqual(steps));

  test.each([
    ['36 months', true],
    ['5y', true],
    ['12 mo.', true],
    ['36', false],
    ['36 apples', false],
  ])('%s is written as one: %s', (value, is) => expect(isTermText(value)).toBe(is));
});
