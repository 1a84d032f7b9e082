import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { RuleInput } from '@tapeline/domain/tapes/rule.schema.ts';
import type { SerializationInput } from '@tapeline/domain/tapes/serialization.schema.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Cell } from './testing/held.ts';
import {
  blank,
  comparable,
  day,
  FACTS,
  number,
  runCompiled,
  runInterpreted,
  sheetError,
  truth,
  words,
} from './testing/mapped-rows.ts';

let instance: DuckDBInstance;
let connection: DuckDBConnection;
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:');
  connection = await instance.connect();
});
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

/** A cell, and what becomes of it: columns of the lake in order, or a reason in words. */
type Case = readonly [Cell, ...(string | number | boolean | null)[]] | readonly [Cell, { reason: string }];

async function expectCases(
  targetCol: string,
  steps: SerializationInput[],
  cases: readonly Case[],
  epoch: 1900 | 1904 = 1900,
): Promise<void> {
  const rules: RuleInput[] = [{ originCol: 'x', targetCol, serializations: steps }];
  const rows = cases.map(([cell]) => ({ x: cell, 'other col': number(4), 'other date': day(43311) }));
  const facts = { ...FACTS, epoch };
  const compiled = await runCompiled(connection, rules, rows, facts);
  expect(comparable(compiled)).toEqual(comparable(runInterpreted(rules, rows, facts)));
  for (const [index, [cell, ...expected]] of cases.entries()) {
    const result = compiled[index]!;
    const [first] = expected;
    if (typeof first === 'object' && first !== null) {
      expect({ cell, reasons: result.errors.map((error) => error.reason) }).toEqual({ cell, reasons: [first.reason] });
    } else {
      const { assetId: _, ...columns } = result.asset ?? {};
      expect({ cell, values: Object.values(columns), errors: result.errors }).toEqual({
        cell,
        values: expected,
        errors: [],
      });
    }
  }
}

describe('conversions', () => {
  test('text is what a person sees in the cell', () =>
    expectCases(
      'product',
      [{ type: 'text' }],
      [
        [words(' A1 '), ' A1 '],
        [words('  '), null],
        [blank, null],
        [number(10000123), '10000123'],
        [number(0.1 + 0.2), '0.3'],
        [number(-0.5), '-0.5'],
        [number(1e20), '1e+20'],
        [number(123456789012345.6), '123456789012346'],
        [truth(true), 'true'],
        [day(43281), '2018-06-30'],
        [day(43281.5), '2018-06-30T12:00:00'],
        [sheetError('#N/A'), { reason: 'is an error of the sheet' }],
      ],
    ));

  test('a number strips percent signs and spaces and takes well-formed groups only', () =>
    expectCases(
      'monthsOnBook',
      [{ type: 'number' }],
      [
        [number(12.5), 12.5],
        [words('1,234,567.5'), 1234567.5],
        [words(' 12 % '), 12],
        [words('1 000'), 1000],
        [words('-3e2'), -300],
        [words('.5'), 0.5],
        [words('5.'), 5],
        [words(''), null],
        [blank, null],
        ...['1,5', '1_000', 'nan', 'inf', '12,34,567', ',123', '1,234,', '0x10', '1e', '--1', 'abc', '%'].map(
          (text): Case => [words(text), { reason: 'is not a number' }],
        ),
        [words('1e999'), { reason: 'is not a number' }],
        [number(Number.POSITIVE_INFINITY), { reason: 'is too large' }],
        [truth(true), { reason: 'is true or false, not a number' }],
        [day(43281), { reason: 'is a date, not a number' }],
        [sheetError('#DIV/0!'), { reason: 'is an error of the sheet' }],
      ],
    ));

  test('units scale a number, and too large a result is an error', () =>
    expectCases(
      'monthsOnBook',
      [{ type: 'number', unit: 'millions' }],
      [
        [number(1.5), 1500000],
        [words('2'), 2000000],
        [number(1e305), { reason: 'is too large' }],
      ],
    ));

  test('true is 1, y, yes, true, positive; everything else is false, and blank is missing', () =>
    expectCases(
      'isDelinquent',
      [{ type: 'boolean' }],
      [
        ...['1', 'y', ' Y e s ', 'TRUE', 'Positive'].map((text): Case => [words(text), true]),
        ...['0', 'no', 'n', '2', 'x'].map((text): Case => [words(text), false]),
        [number(1), true],
        [number(2), false],
        [truth(false), false],
        [blank, null],
        [words(' '), null],
        [day(43281), { reason: 'is a date, not true or false' }],
        [sheetError('#N/A'), { reason: 'is an error of the sheet' }],
      ],
    ));

  test('Excel serials know the false leap day of 1900', () =>
    expectCases(
      'dateFinanced',
      [{ type: 'date', format: 'excel' }],
      [
        [number(25569), '1970-01-01'],
        [number(43281.75), '2018-06-30'],
        [day(43281), '2018-06-30'],
        [words('43281'), '2018-06-30'],
        [number(61), '1900-03-01'],
        [number(59), '1900-02-28'],
        [number(1), '1900-01-01'],
        [number(60), { reason: 'is not a day of the Excel calendar' }],
        [number(0), { reason: 'is not a day of the Excel calendar' }],
        [number(2958465), '9999-12-31'],
        [number(2958466), { reason: 'is not a day of the Excel calendar' }],
        [words('2018-06-30'), { reason: 'is not a day of the Excel calendar' }],
        [truth(true), { reason: 'is not a day of the Excel calendar' }],
      ],
    ));

  test('the 1904 calendar begins with day 0', () =>
    expectCases(
      'dateFinanced',
      [{ type: 'date', format: 'excel' }],
      [
        [number(0), '1904-01-01'],
        [day(41819), '2018-06-30'],
      ],
      1904,
    ));

  test('ISO dates may carry a time; a cell styled as a date is one in any format', () =>
    expectCases(
      'dateFinanced',
      [{ type: 'date', format: 'ISO' }],
      [
        [words('2018-06-30'), '2018-06-30'],
        [words(' 2018-06-30T23:59:59Z '), '2018-06-30'],
        [day(43281), '2018-06-30'],
        [blank, null],
        ...['2018-02-30', '2018-6-3', '0000-01-01', '30/06/2018', '2018-06-30x'].map(
          (text): Case => [words(text), { reason: 'is not a date of that format' }],
        ),
        [number(43281), { reason: 'is not a date of that format' }],
      ],
    ));

  test('american dates put the month first', () =>
    expectCases(
      'dateFinanced',
      [{ type: 'date', format: 'american' }],
      [
        [words('6/3/2018'), '2018-06-03'],
        [words('12/31/1999 10:00 PM'), '1999-12-31'],
        ...['31/12/1999', '2/29/2019', '6/3/18', '2018-06-03'].map(
          (text): Case => [words(text), { reason: 'is not a date of that format' }],
        ),
      ],
    ));

  test('timestamps count from 1970 in milliseconds or seconds', async () => {
    await expectCases(
      'dateFinanced',
      [{ type: 'date', format: 'timestampMilliseconds' }],
      [
        [number(1530316800000), '2018-06-30'],
        [words('-1'), '1969-12-31'],
        [number(1e18), { reason: 'is not a date of that format' }],
      ],
    );
    await expectCases(
      'dateFinanced',
      [{ type: 'date', format: 'timestampSeconds' }],
      [[number(1530316800), '2018-06-30']],
    );
  });

  test('percentages are points, exactly', async () => {
    await expectCases(
      'currentLtv',
      [{ type: 'percentage', scale: 'zeroTo1' }],
      [
        [number(0.1149), '11.49000000'],
        [number(0.07), '7.00000000'],
        [number(0.28999999999999998), '29.00000000'],
        [words('0.0699'), '6.99000000'],
        [words('6.99%'), '6.99000000'],
        [number(12), '1200.00000000'],
        [blank, null],
        [words('n/a'), { reason: 'is not a number' }],
        [number(1e12), { reason: 'is too large' }],
      ],
    );
    await expectCases(
      'currentLtv',
      [{ type: 'SerializedPercentage' }],
      [
        [number(80), '80.00000000'],
        [number(0.000000005), '0.00000000'],
        [number(0.000000015), '0.00000002'],
        [words('80 %'), '80.00000000'],
      ],
    );
  });

  test('a sum is what a person sees, half-even to the minor unit, and exact from then on', async () => {
    await expectCases(
      'sums.sum',
      [{ type: 'SerializedSum' }],
      [
        [number(0.1 + 0.2), '0.3000', 'USD'],
        [number(1000.005), '1000.0000', 'USD'],
        [number(1000.015), '1000.0200', 'USD'],
        [number(-2.675), '-2.6800', 'USD'],
        [number(2.665), '2.6600', 'USD'],
        [number(1234567890.125), '1234567890.1200', 'USD'],
        [number(99999999999999), '99999999999999.0000', 'USD'],
        [number(1e14), { reason: 'is too large' }],
        [words('1,234.565'), '1234.5600', 'USD'],
        [words('12345678901234.565'), '12345678901234.5600', 'USD'],
        [words('1e3'), '1000.0000', 'USD'],
        [words('123456789012345678'), { reason: 'is too large' }],
        [words('1,5'), { reason: 'is not a number' }],
        [blank, null, null],
        [sheetError('#VALUE!'), { reason: 'is an error of the sheet' }],
      ],
    );
    await expectCases('sums.sum', [{ type: 'SerializedSum', currency: 'JPY' }], [[number(2.5), '2.0000', 'JPY']]);
    await expectCases('sums.sum', [{ type: 'SerializedSum', currency: 'KWD' }], [[number(2.0015), '2.0020', 'KWD']]);
    await expectCases(
      'sums.sum',
      [{ type: 'SerializedSum', unit: 'thousands' }],
      [
        [number(1.1), '1100.0000', 'USD'],
        [words('2.0005'), '2000.5000', 'USD'],
      ],
    );
  });

  test('a sum takes its currency from another column, and its minor unit with it', async () => {
    const rules: RuleInput[] = [
      { originCol: 'x', targetCol: 'sum', serializations: [{ type: 'SerializedSum', currencyColumn: 'ccy' }] },
    ];
    const rows = ['jpy ', 'EUR', 'ZZZ', '', 'CLF'].map((code) => ({ x: number(10.12345), ccy: words(code) }));
    const compiled = await runCompiled(connection, rules, rows);
    expect(comparable(compiled)).toEqual(comparable(runInterpreted(rules, rows)));
    expect(compiled.map(({ asset, errors }) => asset?.['sums.sum'] ?? errors[0]?.reason)).toEqual([
      '10.0000',
      '10.1200',
      'the value of "ccy" is not a currency code',
      '10.1200',
      '10.1234',
    ]);
  });

  test('terms keep value, unit and days, and a text may name its unit', () =>
    expectCases(
      'term',
      [{ type: 'SerializedTerm', unit: 'months' }],
      [
        [number(36), 36, 'months', 1095.75],
        [words(' 36 months'), 36, 'months', 1095.75],
        [words('2 Years'), 2, 'years', 730.5],
        [words('4 quarter'), 4, 'quarters', 365.25],
        [words('3 weeks '), 3, 'weeks', 21],
        [words('10'), 10, 'months', 304.375],
        [blank, null, null, null],
        [words('long'), { reason: 'is not a number' }],
      ],
    ));

  test('interest has points and a kind, and is never negative', () =>
    expectCases(
      'interestRate',
      [{ type: 'SerializedInterest', scale: 'zeroTo1', kind: 'variable' }],
      [
        [number(0.1149), '11.49000000', 'variable'],
        [number(0), '0.00000000', 'variable'],
        [blank, null, null],
        [number(-0.01), { reason: 'is a negative rate' }],
      ],
    ));

  test('distances come out in kilometers and lengths in meters', async () => {
    await expectCases('miles driven', [{ type: 'distance', unit: 'miles' }], [[number(10), 16.09344]]);
    await expectCases('height', [{ type: 'weight', unit: 'feet' }], [[words('10'), 3.048]]);
    await expectCases('width', [{ type: 'weight', unit: 'inch' }], [[number(100), 2.54]]);
  });

  test('asset statuses are compared without case and spaces', () =>
    expectCases(
      'assetStatus',
      [{ type: 'assetStatus' }],
      [
        [words('CURRENT'), 'current'],
        [words('Charged  Off'), 'chargedOff'],
        [words('1-30 DPD'), 'delinquent'],
        [words('31-60 dpd'), 'delinquent'],
        [words('past due'), 'pastDue'],
        [blank, null],
        [words('Fully Paid'), { reason: 'is not an asset status' }],
      ],
    ));

  test('asset types and currencies are checked against their lists', async () => {
    await expectCases(
      'assetType',
      [{ type: 'text' }],
      [
        [words('Loan '), 'loan'],
        [words('bond'), { reason: 'is neither loan nor investment' }],
      ],
    );
    await expectCases(
      'currency',
      [{ type: 'text' }],
      [
        [words(' eur'), 'EUR'],
        [words('euro'), { reason: 'is not a currency code' }],
      ],
    );
  });
});

describe('arithmetic', () => {
  const cases: [SerializationInput, number, number | { reason: string }][] = [
    [{ type: 'add', value: 2 }, 3, 5],
    [{ type: 'subtract', column: 'other col' }, 3, -1],
    [{ type: 'multiply', column: 'other col' }, 3, 12],
    [{ type: 'divide', column: 'other col' }, 3, 0.75],
    [{ type: 'divide', value: 0 }, 3, { reason: 'is divided by zero' }],
    [{ type: 'power', value: 3 }, 3, 27],
    [{ type: 'power', value: 0.5 }, -4, { reason: 'cannot be calculated' }],
    [{ type: 'power', value: 1000 }, 10, { reason: 'cannot be calculated' }],
    [{ type: 'multiply', value: 1e300 }, 1e300, { reason: 'cannot be calculated' }],
    [{ type: 'absolute' }, -3, 3],
    [{ type: 'negate' }, 3, -3],
    [{ type: 'round' }, 2.5, 3],
    [{ type: 'round', digits: 2 }, 1.005, 1.01],
    [{ type: 'round', digits: 2 }, -1.005, -1.01],
    [{ type: 'min', column: 'other col' }, 3, 3],
    [{ type: 'max', column: 'other col' }, 3, 4],
  ];
  test.each(cases)('%j of %d is %j', (step, from, to) =>
    expectCases('monthsOnBook', [step], [[number(from), to as number]]),
  );

  test('a missing side leaves the result missing, and a faulty one says which column', async () => {
    const rules: RuleInput[] = [
      { originCol: 'x', targetCol: 'monthsOnBook', serializations: [{ type: 'max', column: 'y' }] },
    ];
    const rows = [
      { x: number(1), y: blank },
      { x: blank, y: number(1) },
      { x: number(1), y: words('abc') },
      { x: words('abc'), y: words('abc') },
    ];
    const compiled = await runCompiled(connection, rules, rows);
    expect(comparable(compiled)).toEqual(comparable(runInterpreted(rules, rows)));
    expect(compiled.map(({ asset, errors }) => asset?.monthsOnBook ?? errors[0]?.reason ?? null)).toEqual([
      null,
      null,
      'the value of "y" is not a number',
      'is not a number',
    ]);
  });
});

describe('strings', () => {
  const cases: [SerializationInput, string, string | null][] = [
    [{ type: 'trim' }, ' \u00a0a b\t', 'a b'],
    [{ type: 'upper' }, 'aé', 'AÉ'],
    [{ type: 'lower' }, 'AÉ', 'aé'],
    [{ type: 'replaceStrings', value: ['.', ''] }, '1.2.3', '123'],
    [{ type: 'replaceStrings', value: ['a', "'"] }, 'banana', "b'n'n'"],
    [{ type: 'slice', value: [1] }, 'abcd', 'bcd'],
    [{ type: 'slice', value: [1, 3] }, 'a😀cd', '😀c'],
    [{ type: 'slice', value: [-2] }, 'abcd', 'cd'],
    [{ type: 'slice', value: [-9, -1] }, 'abcd', 'abc'],
    [{ type: 'slice', value: [3, 1] }, 'abcd', null],
    [{ type: 'slice', value: [1, 3] }, 'a  d', null],
    [{ type: 'replaceStrings', value: ['N/A', ''] }, 'N/A', null],
    [{ type: 'split', by: '-', index: 1 }, 'CA--x', null],
    [{ type: 'split', by: '-', index: 1 }, 'CA-90210-x', '90210'],
    [{ type: 'split', by: '-', index: -1 }, 'CA-90210-x', 'x'],
    [{ type: 'split', by: '-', index: 5 }, 'CA-90210-x', null],
    [{ type: 'padStart', length: 5 }, '123', '00123'],
    [{ type: 'padStart', length: 2 }, '12345', '12345'],
    [{ type: 'padStart', length: 6, fill: 'xy' }, 'abc', 'xyxabc'],
    [{ type: 'regexExtract', pattern: '([0-9]+) mo', group: 1 }, 'about 36 months', '36'],
    [{ type: 'regexExtract', pattern: '[0-9]+' }, 'none', null],
  ];
  test.each(cases)('%j of %j is %j', (step, from, to) => expectCases('product', [step], [[words(from), to]]));

  test('concat passes over missing parts and is missing where only fixed text is left', async () => {
    const rules: RuleInput[] = [
      {
        originCol: 'x',
        targetCol: 'product',
        serializations: [{ type: 'concat', separator: '-', parts: [{ text: 'of' }, { column: 'y' }] }],
      },
    ];
    const rows = [
      { x: words('a'), y: number(5) },
      { x: blank, y: words('b') },
      { x: words('a'), y: blank },
      { x: blank, y: blank },
    ];
    const compiled = await runCompiled(connection, rules, rows);
    expect(comparable(compiled)).toEqual(comparable(runInterpreted(rules, rows)));
    expect(compiled.map(({ asset }) => asset?.product)).toEqual(['a-of-5', 'of-b', 'a-of', null]);
  });
});

describe('decisions', () => {
  test('ifStatement reads headers and earlier targets, and unknown is not true', async () => {
    const rules: RuleInput[] = [
      { originCol: 'bal', targetCol: 'outstandingSum', serializations: [{ type: 'SerializedSum' }] },
      {
        targetCol: 'product',
        serializations: [
          {
            type: 'ifStatement',
            filter: { 'sums.outstandingSum': { gte: 100 }, kind: { in: ['A', 'B'] }, fico: { lt: 600 } },
            // biome-ignore lint/suspicious/noThenProperty: the word of the contract
            then: 'risky',
            else: { column: 'kind' },
          },
        ],
      },
    ];
    const rows = [
      { bal: number(100), kind: words('A'), fico: number(599) },
      { bal: number(100), kind: words('B'), fico: words('600') },
      { bal: number(100), kind: words('C'), fico: number(500) },
      { bal: blank, kind: words('A'), fico: number(500) },
      { bal: number(500), kind: words('A'), fico: words('n/a') },
      { bal: number(500), kind: sheetError('#N/A'), fico: number(1) },
    ];
    const compiled = await runCompiled(connection, rules, rows);
    expect(comparable(compiled)).toEqual(comparable(runInterpreted(rules, rows)));
    expect(compiled.map(({ asset, errors }) => asset?.product ?? errors[0]?.reason)).toEqual([
      'risky',
      'B',
      'C',
      'A',
      'A',
      'the value of "kind" is an error of the sheet',
    ]);
  });

  test('switchCase compares without case; a value in no case is an error unless there is a default', async () => {
    // biome-ignore-start lint/suspicious/noThenProperty: the word of the contract
    const cases = [
      { equals: 'Fully Paid', then: 'paid' },
      { equals: ['late', 7], then: 'pastDue' },
    ];
    // biome-ignore-end lint/suspicious/noThenProperty: the word of the contract
    await expectCases(
      'assetStatus',
      [{ type: 'switchCase', cases }],
      [
        [words(' fully paid'), 'paid'],
        [number(7), 'pastDue'],
        [blank, null],
        [words('else'), { reason: 'is in none of the cases' }],
        [sheetError('#N/A'), { reason: 'is an error of the sheet' }],
      ],
    );
    await expectCases(
      'assetStatus',
      [{ type: 'switchCase', cases, default: { previous: true } }],
      [
        [words('LATE'), 'pastDue'],
        [words('current'), 'current'],
        [words('weird'), { reason: 'is not an asset status' }],
      ],
    );
  });

  test('datesDiff counts to the cut-off date or another column', async () => {
    await expectCases(
      'monthsOnBook',
      [
        { type: 'date', format: 'excel' },
        { type: 'datesDiff', unit: 'days' },
      ],
      [
        [day(43251), 30],
        [day(43282), -1],
        [blank, null],
      ],
    );
    await expectCases(
      'monthsOnBook',
      [
        { type: 'date', format: 'excel' },
        { type: 'datesDiff', unit: 'weeks', column: 'other date' },
      ],
      [[day(43297), 2]],
    );
  });

  test('omit makes listed values missing before they are judged', () =>
    expectCases(
      'creditScores.origination',
      [{ type: 'omit', values: ['NA', '#N/A', 999] }, { type: 'number' }],
      [
        [words(' na '), null],
        [sheetError('#N/A'), null],
        [number(999), null],
        [number(998), 998],
        [sheetError('#REF!'), { reason: 'is an error of the sheet' }],
      ],
    ));
});

describe('checks and validations', () => {
  test('every reason of a row is given, not only the first', async () => {
    const rules: RuleInput[] = [
      {
        originCol: 'x',
        targetCol: 'product',
        serializations: [{ type: 'text' }],
        validations: [
          { kind: 'minLength', value: 5 },
          { kind: 'mustContains', value: 'z' },
          { kind: 'notContains', value: 'b' },
        ],
      },
      { originCol: 'y', targetCol: 'daysPastDue', checks: ['Mandatory'], serializations: [{ type: 'number' }] },
    ];
    const [row] = await runCompiled(connection, rules, [{ x: words('abc'), y: blank }]);
    expect(row?.errors).toEqual([
      { rule: 2, reason: 'is shorter than 5' },
      { rule: 2, reason: 'does not contain "z"' },
      { rule: 2, reason: 'contains "b"' },
      { rule: 3, reason: 'is missing' },
    ]);
  });

  const bounds: [string, SerializationInput, NonNullable<RuleInput['validations']>[number], Cell, Cell, string][] = [
    ['monthsOnBook', { type: 'number' }, { kind: 'minNumber', value: 1.5 }, number(1.5), number(1.4), 'is below 1.5'],
    [
      'sum',
      { type: 'SerializedSum' },
      { kind: 'maxNumber', value: 0.3 },
      number(0.1 + 0.2),
      number(0.31),
      'is above 0.3',
    ],
    [
      'dateFinanced',
      { type: 'date', format: 'excel' },
      { kind: 'minDate', value: '2018-06-30' },
      day(43281),
      day(43280),
      'is before 2018-06-30',
    ],
    [
      'dateFinanced',
      { type: 'date', format: 'excel' },
      { kind: 'maxDate', value: '2018-06-30' },
      day(43281),
      day(43282),
      'is after 2018-06-30',
    ],
    ['isDelinquent', { type: 'boolean' }, { kind: 'mustBeTrue' }, truth(true), words('no'), 'is not true'],
    ['isDelinquent', { type: 'boolean' }, { kind: 'mustBeFalse' }, truth(false), words('yes'), 'is not false'],
    ['product', { type: 'text' }, { kind: 'maxLength', value: 2 }, words('é😀'), words('abc'), 'is longer than 2'],
  ];
  test.each(bounds)('%s by %j is judged by %j', async (targetCol, step, validation, good, bad, reason) => {
    const rules: RuleInput[] = [{ originCol: 'x', targetCol, serializations: [step], validations: [validation] }];
    const rows = [{ x: good }, { x: bad }, { x: blank }];
    const compiled = await runCompiled(connection, rules, rows);
    expect(comparable(compiled)).toEqual(comparable(runInterpreted(rules, rows)));
    expect(compiled.map(({ errors }) => errors[0]?.reason ?? null)).toEqual([null, reason, null]);
  });
});
