import { createHash } from 'node:crypto';
import type { SerializationInput, SerializationType } from '@tapeline/domain/tapes/serialization.schema.ts';
import { describe, test } from 'vitest';
import { type Case, expectCases, useDuckDb } from './testing/cases.ts';
import { blank, day, number, sheetError, truth, words } from './testing/mapped-rows.ts';

const duckdb = useDuckDb();

/**
 * One cell of every kind that a sheet can contain. Each step below lists its results for these cells, in this order.
 */
const CELLS = [
  blank,
  words(' \u00a0'),
  number(0),
  number(2.5),
  number(-1e300),
  words('12.5 %'),
  words('Été 😀-x'),
  truth(true),
  day(43281),
  sheetError('#N/A'),
];

type Made = string | number | boolean | null | readonly (string | number | null)[];
/** An error starts with an exclamation mark. */
type Row = readonly [target: string, steps: SerializationInput[], made: readonly Made[]];

const SHEET = '!is a spreadsheet error';
const NO_NUMBER = ['!is not a number', '!is true or false, not a number', '!is a date, not a number', SHEET];
const NO_DATE = '!is not a date in the expected format';
const NO_DAY = '!is not a valid date';
const NO_STATUS = '!is not an asset status';
const NO_CASE = '!matches none of the cases';
const LARGE = '!is too large';
const NIL = [null, null] as const;
const MONTHS = 'monthsOnBook';

const number10 = (step: SerializationInput, ...made: Made[]): Row => [MONTHS, [step], [...NIL, ...made, ...NO_NUMBER]];
const text10 = (step: SerializationInput, ...made: Made[]): Row => ['product', [step], [...NIL, ...made, SHEET]];
const sum10 = (step: SerializationInput, code: string, ...sums: string[]): Row => {
  const [nothing, some, text] = sums.map((sum) => [sum, code]);
  return ['sum', [step], [...NIL, nothing!, some!, LARGE, text!, ...NO_NUMBER]];
};
const PERCENT_SIGN = '!has a percent sign, but the chosen scale is 0 to 1';
const points10 = (type: 'percentage' | 'SerializedPercentage', scale: 'zeroTo1' | 'zeroTo100', some: string): Row => [
  'currentLtv',
  [{ type, scale }],
  [...NIL, '0.00000000', some, LARGE, scale === 'zeroTo1' ? PERCENT_SIGN : '12.50000000', ...NO_NUMBER],
];
const term10 = (unit: 'days' | 'weeks' | 'months' | 'quarters' | 'years', ...days: number[]): Row => {
  const made = [0, 2.5, -1e300, 12.5].map((value, at) => [value, unit, days[at]!]);
  return ['term', [{ type: 'SerializedTerm', unit }], [...NIL, ...made, ...NO_NUMBER]];
};

// biome-ignore-start lint/suspicious/noThenProperty: the rule format's property name; a step is never awaited
const STEPS: Readonly<Record<SerializationType, readonly Row[]>> = {
  text: [text10({ type: 'text' }, '0', '2.5', '-1e+300', '12.5 %', 'Été 😀-x', 'true', '2018-06-30')],
  number: [
    number10({ type: 'number' }, 0, 2.5, -1e300, 12.5),
    number10({ type: 'number', unit: 'thousands' }, 0, 2500, -1e303, 12500),
    number10({ type: 'number', unit: 'millions' }, 0, 2_500_000, -1e306, 12_500_000),
    number10({ type: 'number', unit: 'billions' }, 0, 2_500_000_000, LARGE, 12_500_000_000),
  ],
  boolean: [
    [
      'isDelinquent',
      [{ type: 'boolean' }],
      [...NIL, false, false, false, false, false, true, '!is a date, not true or false', SHEET],
    ],
  ],
  date: [
    ...(['ISO', 'american'] as const).map(
      (format): Row => [
        'dateFinanced',
        [{ type: 'date', format }],
        [...NIL, NO_DATE, NO_DATE, NO_DATE, NO_DATE, NO_DATE, NO_DATE, '2018-06-30', SHEET],
      ],
    ),
    [
      'dateFinanced',
      [{ type: 'date', format: 'excel' }],
      [...NIL, NO_DAY, '1900-01-02', NO_DAY, '1900-01-12', NO_DAY, NO_DAY, '2018-06-30', SHEET],
    ],
    ...(['timestampMilliseconds', 'timestampSeconds'] as const).map(
      (format): Row => [
        'dateFinanced',
        [{ type: 'date', format }],
        [...NIL, '1970-01-01', '1970-01-01', NO_DATE, '1970-01-01', NO_DATE, NO_DATE, '2018-06-30', SHEET],
      ],
    ),
  ],
  percentage: [points10('percentage', 'zeroTo100', '2.50000000'), points10('percentage', 'zeroTo1', '250.00000000')],
  SerializedPercentage: [
    points10('SerializedPercentage', 'zeroTo100', '2.50000000'),
    points10('SerializedPercentage', 'zeroTo1', '250.00000000'),
  ],
  SerializedInterest: [
    [
      'interestRate',
      [{ type: 'SerializedInterest' }],
      [...NIL, ['0.00000000', 'fix'], ['2.50000000', 'fix'], LARGE, ['12.50000000', 'fix'], ...NO_NUMBER],
    ],
    [
      'interestRate',
      [{ type: 'SerializedInterest', scale: 'zeroTo1', kind: 'variable' }],
      [...NIL, ['0.00000000', 'variable'], ['250.00000000', 'variable'], LARGE, PERCENT_SIGN, ...NO_NUMBER],
    ],
  ],
  SerializedSum: [
    sum10({ type: 'SerializedSum' }, 'USD', '0.0000', '2.5000', '12.5000'),
    sum10({ type: 'SerializedSum', currency: 'JPY' }, 'JPY', '0.0000', '2.0000', '12.0000'),
    sum10({ type: 'SerializedSum', currency: 'KWD' }, 'KWD', '0.0000', '2.5000', '12.5000'),
    sum10({ type: 'SerializedSum', currencyColumn: 'nobody' }, 'USD', '0.0000', '2.5000', '12.5000'),
    sum10({ type: 'SerializedSum', unit: 'thousands' }, 'USD', '0.0000', '2500.0000', '12500.0000'),
    sum10({ type: 'SerializedSum', unit: 'millions' }, 'USD', '0.0000', '2500000.0000', '12500000.0000'),
    sum10({ type: 'SerializedSum', unit: 'billions' }, 'USD', '0.0000', '2500000000.0000', '12500000000.0000'),
  ],
  SerializedTerm: [
    term10('days', 0, 2.5, -1e300, 12.5),
    term10('weeks', 0, 17.5, -7e300, 87.5),
    term10('months', 0, 76.09375, -3.04375e301, 380.46875),
    term10('quarters', 0, 228.28125, -9.13125e301, 1141.40625),
    term10('years', 0, 913.125, -3.6525e302, 4565.625),
  ],
  distance: [
    number10({ type: 'distance', unit: 'kilometers' }, 0, 2.5, -1e300, 12.5),
    number10({ type: 'distance', unit: 'miles' }, 0, 4.02336, -1.6093440000000003e300, 20.1168),
  ],
  weight: [
    number10({ type: 'weight', unit: 'feet' }, 0, 0.762, -3.0480000000000004e299, 3.81),
    number10({ type: 'weight', unit: 'meter' }, 0, 2.5, -1e300, 12.5),
    number10({ type: 'weight', unit: 'inch' }, 0, 0.0635, -2.54e298, 0.3175),
  ],
  assetStatus: [
    [
      'assetStatus',
      [{ type: 'assetStatus' }],
      [...NIL, NO_STATUS, NO_STATUS, NO_STATUS, NO_STATUS, NO_STATUS, NO_STATUS, NO_STATUS, SHEET],
    ],
  ],
  add: [
    number10({ type: 'add', value: 2 }, 2, 4.5, -1e300, 14.5),
    number10({ type: 'add', column: 'other col' }, 4, 6.5, -1e300, 16.5),
  ],
  subtract: [number10({ type: 'subtract', value: 2 }, -2, 0.5, -1e300, 10.5)],
  multiply: [number10({ type: 'multiply', column: 'other col' }, 0, 10, -4e300, 50)],
  divide: [
    number10({ type: 'divide', value: 2 }, 0, 1.25, -5e299, 6.25),
    number10({ type: 'divide', value: 0 }, ...Array<string>(4).fill('!is divided by zero')),
  ],
  calculate: [
    number10({ type: 'calculate', formula: 'value / [other col] * 100' }, 0, 62.5, -2.5e301, 312.5),
    number10({ type: 'calculate', formula: '-abs(value) + 1' }, 1, -1.5, -1e300, -11.5),
    number10({ type: 'calculate', formula: 'round(value / 3, 2)' }, 0, 0.83, -1e300 / 3, 4.17),
    number10({ type: 'calculate', formula: '1 / (value - value)' }, ...Array<string>(4).fill('!is divided by zero')),
    [MONTHS, [{ type: 'calculate', formula: 'cutOff - [other date] in weeks' }], Array<number>(10).fill(-30 / 7)],
    [
      MONTHS,
      [{ type: 'calculate', formula: '[other date] - min(value, cutOff) in days' }],
      [...NIL, NO_DATE, NO_DATE, NO_DATE, NO_DATE, NO_DATE, NO_DATE, 30, SHEET],
    ],
    [
      'dateFinanced',
      [{ type: 'calculate', formula: 'max(value, cutOff)' }],
      [...NIL, NO_DATE, NO_DATE, NO_DATE, NO_DATE, NO_DATE, NO_DATE, '2018-06-30', SHEET],
    ],
  ],
  power: [number10({ type: 'power', value: 2 }, 0, 6.25, '!cannot be calculated', 156.25)],
  min: [number10({ type: 'min', value: 2 }, 0, 2, -1e300, 2)],
  max: [number10({ type: 'max', value: 2 }, 2, 2.5, 2, 12.5)],
  absolute: [number10({ type: 'absolute' }, 0, 2.5, 1e300, 12.5)],
  negate: [number10({ type: 'negate' }, 0, -2.5, 1e300, -12.5)],
  round: [number10({ type: 'round' }, 0, 3, -1e300, 13), number10({ type: 'round', digits: 8 }, 0, 2.5, -1e300, 12.5)],
  trim: [text10({ type: 'trim' }, '0', '2.5', '-1e+300', '12.5 %', 'Été 😀-x', 'true', '2018-06-30')],
  upper: [text10({ type: 'upper' }, '0', '2.5', '-1E+300', '12.5 %', 'ÉTÉ 😀-X', 'TRUE', '2018-06-30')],
  lower: [text10({ type: 'lower' }, '0', '2.5', '-1e+300', '12.5 %', 'été 😀-x', 'true', '2018-06-30')],
  replaceStrings: [
    text10(
      { type: 'replaceStrings', value: ['5', ''] },
      '0',
      '2.',
      '-1e+300',
      '12. %',
      'Été 😀-x',
      'true',
      '2018-06-30',
    ),
  ],
  slice: [text10({ type: 'slice', value: [1, -1] }, null, '.', '1e+30', '2.5 ', 'té 😀-', 'ru', '018-06-3')],
  concat: [
    [
      'product',
      [{ type: 'concat', parts: [{ text: '/' }, { column: 'other col' }] }],
      ['/4', '/4', '0/4', '2.5/4', '-1e+300/4', '12.5 %/4', 'Été 😀-x/4', 'true/4', '2018-06-30/4', SHEET],
    ],
    [
      'product',
      [{ type: 'concat', parts: [{ text: '/' }, { column: 'other col' }], onMissing: 'whole' }],
      [...NIL, '0/4', '2.5/4', '-1e+300/4', '12.5 %/4', 'Été 😀-x/4', 'true/4', '2018-06-30/4', SHEET],
    ],
  ],
  split: [text10({ type: 'split', by: '-', index: 0 }, '0', '2.5', null, '12.5 %', 'Été 😀', 'true', '2018')],
  padStart: [
    text10(
      { type: 'padStart', length: 8, fill: 'é' },
      ...['ééééééé0', 'ééééé2.5', 'é-1e+300', 'éé12.5 %', 'éÉté 😀-x', 'éééétrue', '2018-06-30'],
    ),
  ],
  regexExtract: [text10({ type: 'regexExtract', pattern: '[0-9]+' }, '0', '2', '1', '12', null, null, '2018')],
  hash: [
    text10(
      { type: 'hash' },
      ...['0', '2.5', '-1e+300', '12.5 %', 'Été 😀-x', 'true', '2018-06-30'].map((text) =>
        createHash('sha256').update(text).digest('hex').slice(0, 32),
      ),
    ),
  ],
  rowNumber: [
    [
      'product',
      [{ type: 'rowNumber' }],
      ['row 2', 'row 3', '0', '2.5', '-1e+300', '12.5 %', 'Été 😀-x', 'true', '2018-06-30', SHEET],
    ],
  ],
  ifStatement: [
    text10(
      { type: 'ifStatement', filter: { x: { gt: 2 } }, then: 'big' },
      ...['0', 'big', '-1e+300', 'big', 'Été 😀-x', 'true', '2018-06-30'],
    ),
  ],
  switchCase: [
    [
      'assetStatus',
      [
        {
          type: 'switchCase',
          cases: [
            { equals: [2.5, 'été 😀-X'], then: 'current' },
            { equals: null, then: 'paid' },
          ],
        },
      ],
      ['paid', 'paid', NO_CASE, 'current', NO_CASE, NO_CASE, 'current', NO_CASE, NO_CASE, SHEET],
    ],
    text10(
      { type: 'switchCase', cases: [{ equals: true, then: 'yes' }], default: { previous: true } },
      ...['0', '2.5', '-1e+300', '12.5 %', 'Été 😀-x', 'yes', '2018-06-30'],
    ),
  ],
  datesDiff: [
    [
      MONTHS,
      [
        { type: 'date', format: 'excel' },
        { type: 'datesDiff', unit: 'weeks' },
      ],
      [...NIL, NO_DAY, 6182.571428571428, NO_DAY, 6181.142857142857, NO_DAY, NO_DAY, 0, SHEET],
    ],
  ],
  omit: [
    [
      'product',
      [{ type: 'omit', values: ['#n/a', 2.5, true, '2018-06-30'] }, { type: 'text' }],
      [...NIL, '0', null, '-1e+300', '12.5 %', 'Été 😀-x', null, null, null],
    ],
  ],
};
// biome-ignore-end lint/suspicious/noThenProperty: the rule format's property name; a step is never awaited

describe('every step, over one cell of every sort', () => {
  const rows = Object.values(STEPS).flat();
  test.each(rows)('%s by %j', async (target, steps, made) => {
    const cases = made.map((each, at): Case => {
      const cell = CELLS[at] ?? blank;
      if (typeof each === 'string' && each.startsWith('!')) return [cell, { reason: each.slice(1) }];
      const width = target === 'term' ? 3 : target === 'sum' || target === 'interestRate' ? 2 : 1;
      if (each === null) return [cell, ...Array<null>(width).fill(null)];
      return typeof each === 'object' ? [cell, ...each] : [cell, each];
    });
    await expectCases(duckdb(), target, steps, cases);
  });
});
