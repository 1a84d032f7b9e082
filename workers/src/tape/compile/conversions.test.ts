import type { RuleInput } from '@tapeline/domain/tapes/rule.schema.ts';
import type { SerializationInput } from '@tapeline/domain/tapes/serialization.schema.ts';
import { describe, expect, test } from 'vitest';
import { type Case, expectAgreement, expectCases, useDuckDb } from './testing/cases.ts';
import type { Cell } from './testing/held.ts';
import {
  blank,
  comparable,
  day,
  number,
  runCompiled,
  runInterpreted,
  sheetError,
  truth,
  words,
} from './testing/mapped-rows.ts';

const duckdb = useDuckDb();

describe('conversions', () => {
  test('text is what a person sees in the cell', () =>
    expectCases(
      duckdb(),
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
        [sheetError('#N/A'), { reason: 'is a spreadsheet error' }],
      ],
    ));

  test('a number strips percent signs and spaces and takes well-formed groups only', () =>
    expectCases(
      duckdb(),
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
        [sheetError('#DIV/0!'), { reason: 'is a spreadsheet error' }],
      ],
    ));

  test('units scale a number, and too large a result is an error', () =>
    expectCases(
      duckdb(),
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
      duckdb(),
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
        [sheetError('#N/A'), { reason: 'is a spreadsheet error' }],
      ],
    ));

  test.each<[string, readonly Cell[], Cell, SerializationInput[]]>([
    ['clean texts', [words('no'), words('x')], words('yes'), [{ type: 'boolean' }]],
    ['numbers', [number(0), number(2)], number(1), [{ type: 'boolean' }]],
    ['clean texts that were read as texts', [words('no')], words('y'), [{ type: 'text' }, { type: 'boolean' }]],
    ['numbers that were read as texts', [number(0)], number(1), [{ type: 'text' }, { type: 'boolean' }]],
  ])('a blank cell among %s is missing, not false', async (_, falseCells, trueCell, serializations) => {
    const rules: RuleInput[] = [{ originCol: 'a', targetCol: 'isDelinquent', serializations }];
    // Repeat the cells to cover all mapping strategies that depend on the number of distinct cells.
    for (const times of [1, 2, 9]) {
      const cells = Array.from({ length: times }, () => [blank, trueCell, ...falseCells]).flat();
      const rows = cells.map((cell) => ({ a: cell }));
      const mapped = await runCompiled(duckdb(), rules, rows);
      expect(mapped.map((row) => row.asset?.isDelinquent)).toEqual(
        cells.map((cell) => (cell === blank ? null : cell === trueCell)),
      );
      expect(comparable(mapped)).toEqual(comparable(runInterpreted(rules, rows)));
    }
  });

  test('Excel serials know the false leap day of 1900', () =>
    expectCases(
      duckdb(),
      'dateFinanced',
      [{ type: 'date', format: 'excel' }],
      [
        [number(25569), '1970-01-01'],
        [number(43281.75), '2018-06-30'],
        [number(42988.99999999999), '2017-09-11'],
        [day(42988.99999999999), '2017-09-11'],
        [day(43281), '2018-06-30'],
        [words('43281'), '2018-06-30'],
        [number(61), '1900-03-01'],
        [number(59), '1900-02-28'],
        [number(1), '1900-01-01'],
        [number(60), { reason: 'is not a valid date' }],
        [number(0), { reason: 'is not a valid date' }],
        [number(2958465), '9999-12-31'],
        [number(2958466), { reason: 'is not a valid date' }],
        [words('2018-06-30'), { reason: 'is not a valid date' }],
        [truth(true), { reason: 'is not a valid date' }],
      ],
    ));

  test('the 1904 calendar begins with day 0', () =>
    expectCases(
      duckdb(),
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
      duckdb(),
      'dateFinanced',
      [{ type: 'date', format: 'ISO' }],
      [
        [words('2018-06-30'), '2018-06-30'],
        ...[
          ' 2018-06-30T23:59:59Z ',
          '2018-06-30 8:15',
          '2018-06-30 08:15:00.123456 +02:00',
          '2018-06-30T00:00:00+0000',
        ].map((text): Case => [words(text), '2018-06-30']),
        [day(43281), '2018-06-30'],
        [blank, null],
        ...[
          ...['2018-02-30', '2018-6-3', '0000-01-01', '30/06/2018', '2018-06-30x', '2018-06-30T', '2018-06-30 (est.)'],
          ...['2018-06-30 2019-06-30', '2018-06-30 to 2019-06-30', '2018-06-30 08:15 or later'],
        ].map((text): Case => [words(text), { reason: 'is not a date in the expected format' }]),
        [number(43281), { reason: 'is not a date in the expected format' }],
      ],
    ));

  test('american dates put the month first', () =>
    expectCases(
      duckdb(),
      'dateFinanced',
      [{ type: 'date', format: 'american' }],
      [
        [words('6/3/2018'), '2018-06-03'],
        [words('12/31/1999 10:00 PM'), '1999-12-31'],
        [words('12/31/1999 10:00:30 p.m. UTC'), '1999-12-31'],
        ...['31/12/1999', '2/29/2019', '6/3/18', '2018-06-03', '12/31/1999 - 1/5/2000', '12/31/1999 est.'].map(
          (text): Case => [words(text), { reason: 'is not a date in the expected format' }],
        ),
      ],
    ));

  test('timestamps count from 1970 in milliseconds or seconds', async () => {
    await expectCases(
      duckdb(),
      'dateFinanced',
      [{ type: 'date', format: 'timestampMilliseconds' }],
      [
        [number(1530316800000), '2018-06-30'],
        [words('-1'), '1969-12-31'],
        [number(1e18), { reason: 'is not a date in the expected format' }],
      ],
    );
    await expectCases(
      duckdb(),
      'dateFinanced',
      [{ type: 'date', format: 'timestampSeconds' }],
      [[number(1530316800), '2018-06-30']],
    );
  });

  test('percentages are points, exactly', async () => {
    await expectCases(
      duckdb(),
      'currentLtv',
      [{ type: 'percentage', scale: 'zeroTo1' }],
      [
        [number(0.1149), '11.49000000'],
        [number(0.07), '7.00000000'],
        [number(0.28999999999999998), '29.00000000'],
        [words('0.0699'), '6.99000000'],
        [words('6.99%'), { reason: 'has a percent sign, but the chosen scale is 0 to 1' }],
        [words('x%'), { reason: 'is not a number' }],
        [number(12), '1200.00000000'],
        [blank, null],
        [words('n/a'), { reason: 'is not a number' }],
        [number(1e12), { reason: 'is too large' }],
        [words('999999999999999999.999999999999'), { reason: 'is too large' }],
      ],
    );
    await expectCases(
      duckdb(),
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

  test('custom fields hold percentages, interest and terms as the fields of the schema do', async () => {
    await expectCases(
      duckdb(),
      'my share',
      [{ type: 'percentage', scale: 'zeroTo1' }],
      [[number(0.1149), '11.49000000']],
    );
    await expectCases(duckdb(), 'my rate', [{ type: 'SerializedInterest' }], [[number(7.25), '7.25000000', 'fix']]);
    await expectCases(
      duckdb(),
      'my term',
      [{ type: 'SerializedTerm', unit: 'years' }],
      [
        [number(2), 2, 'years', 730.5],
        [words('36 months'), 36, 'months', 1095.75],
        [blank, null, null, null],
      ],
    );
  });

  test('a sum is what a person sees, half-even to the minor unit, and exact from then on', async () => {
    await expectCases(
      duckdb(),
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
        // Rounding would exceed every type that DuckDB has for decimals.
        [words('999999999999999999.999999999999'), { reason: 'is too large' }],
        [words('-999999999999999999.999999999999'), { reason: 'is too large' }],
        [words('1,5'), { reason: 'is not a number' }],
        [blank, null, null],
        [sheetError('#VALUE!'), { reason: 'is a spreadsheet error' }],
      ],
    );
    await expectCases(
      duckdb(),
      'sums.sum',
      [{ type: 'SerializedSum', currency: 'JPY' }],
      [[number(2.5), '2.0000', 'JPY']],
    );
    await expectCases(
      duckdb(),
      'sums.sum',
      [{ type: 'SerializedSum', currency: 'KWD' }],
      [[number(2.0015), '2.0020', 'KWD']],
    );
    await expectCases(
      duckdb(),
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
    const compiled = await expectAgreement(duckdb(), rules, rows);
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
      duckdb(),
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
      duckdb(),
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
    await expectCases(duckdb(), 'miles driven', [{ type: 'distance', unit: 'miles' }], [[number(10), 16.09344]]);
    await expectCases(duckdb(), 'height', [{ type: 'weight', unit: 'feet' }], [[words('10'), 3.048]]);
    await expectCases(duckdb(), 'width', [{ type: 'weight', unit: 'inch' }], [[number(100), 2.54]]);
  });

  test('asset statuses are compared without case and spaces', () =>
    expectCases(
      duckdb(),
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
      duckdb(),
      'assetType',
      [{ type: 'text' }],
      [
        [words('Loan '), 'loan'],
        [words('bond'), { reason: 'is neither loan nor investment' }],
      ],
    );
    await expectCases(
      duckdb(),
      'currency',
      [{ type: 'text' }],
      [
        [words(' eur'), 'EUR'],
        [words('euro'), { reason: 'is not a currency code' }],
      ],
    );
  });
});
