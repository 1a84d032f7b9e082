import type { RuleInput } from '@tapeline/domain/tapes/rule.schema.ts';
import type { DateFormat } from '@tapeline/domain/tapes/serialization.schema.ts';
import { describe, expect, test } from 'vitest';
import { expectAgreement, expectCases, useDuckDb } from './testing/cases.ts';
import type { Cell } from './testing/held.ts';
import { blank, day, number, sheetError, words } from './testing/mapped-rows.ts';

const duckdb = useDuckDb();

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
            // biome-ignore lint/suspicious/noThenProperty: the rule format's property name
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
    const compiled = await expectAgreement(duckdb(), rules, rows);
    expect(compiled.map(({ asset, errors }) => asset?.product ?? errors[0]?.reason)).toEqual([
      'risky',
      'B',
      'C',
      'A',
      'A',
      'the value of "kind" is a spreadsheet error',
    ]);
  });

  // biome-ignore-start lint/suspicious/noThenProperty: the rule format's property name
  test('ifStatement compares columns with each other and with the cut-off date', async () => {
    const compare = (filter: Record<string, unknown>): RuleInput['serializations'] => [
      { type: 'ifStatement', filter, then: 'yes', else: 'no' },
    ];
    const rules: RuleInput[] = [
      { originCol: 'bal', targetCol: 'outstandingSum', serializations: [{ type: 'SerializedSum' }] },
      {
        originCol: 'orig',
        targetCol: 'sum',
        serializations: [{ type: 'SerializedSum', currencyColumn: 'ccy' }],
      },
      { originCol: 'paid', targetCol: 'lastPaymentDate', serializations: [{ type: 'date', format: 'ISO' }] },
      { targetCol: 'product', serializations: compare({ outstandingSum: { gt: { $field: 'sum' } } }) },
      { targetCol: 'sector', serializations: compare({ lastPaymentDate: { lt: { $cutOff: '-1m' } } }) },
      { targetCol: 'creditScores.grade', serializations: compare({ $not: { bal: { gte: { $field: 'orig' } } } }) },
    ];
    const row = (bal: Cell, orig: Cell, ccy: string, paid: string) => ({
      ...{ bal, orig },
      ccy: words(ccy),
      paid: words(paid),
    });
    const compiled = await expectAgreement(duckdb(), rules, [
      row(number(2), number(1), 'USD', '2018-01-01'),
      row(number(2), number(1), 'JPY', '2030-01-01'),
      row(words('9'), words('10'), 'USD', ''),
      row(blank, number(1), 'USD', '2018-01-01'),
    ]);
    expect(compiled.map(({ asset }) => [asset?.product, asset?.sector, asset?.['creditScores.grade']])).toEqual([
      ['yes', 'yes', 'no'],
      ['no', 'no', 'no'],
      ['no', 'no', 'yes'],
      ['no', 'yes', 'no'],
    ]);
  });
  // biome-ignore-end lint/suspicious/noThenProperty: the rule format's property name

  test('switchCase compares without case; a value in no case is an error unless there is a default', async () => {
    // biome-ignore-start lint/suspicious/noThenProperty: the rule format's property name
    const cases = [
      { equals: 'Fully Paid', then: 'paid' },
      { equals: ['late', 7], then: 'pastDue' },
    ];
    // biome-ignore-end lint/suspicious/noThenProperty: the rule format's property name
    await expectCases(
      duckdb(),
      'assetStatus',
      [{ type: 'switchCase', cases }],
      [
        [words(' fully paid'), 'paid'],
        [number(7), 'pastDue'],
        [blank, null],
        [words('else'), { reason: 'matches none of the cases' }],
        [sheetError('#N/A'), { reason: 'is a spreadsheet error' }],
      ],
    );
    await expectCases(
      duckdb(),
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
      duckdb(),
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
      duckdb(),
      'monthsOnBook',
      [
        { type: 'date', format: 'excel' },
        { type: 'datesDiff', unit: 'weeks', column: 'other date' },
      ],
      [[day(43297), 2]],
    );
  });

  const dates = (format: DateFormat, more: { format?: DateFormat } = {}): RuleInput => ({
    originCol: 'from',
    targetCol: 'monthsOnBook',
    serializations: [
      { type: 'date', format },
      { type: 'datesDiff', column: 'to', ...more },
    ],
  });
  const asExcel: RuleInput = {
    originCol: 'to',
    targetCol: 'maturityDate',
    serializations: [{ type: 'date', format: 'excel' }],
  };
  const cases: [string, RuleInput[], Record<string, Cell>, number][] = [
    ['as its own rule writes them', [dates('american')], { from: words('06/01/2018'), to: words('6/11/2018') }, 10],
    ['as serials', [dates('excel')], { from: number(43252), to: words('43262') }, 10],
    [
      'as the rule of that column does',
      [dates('american'), asExcel],
      { from: words('6/1/2018'), to: number(43262) },
      10,
    ],
    [
      'in a format of their own',
      [dates('excel', { format: 'ISO' })],
      { from: number(43252), to: words('2018-06-11') },
      10,
    ],
    ['as the sheet styles them', [dates('ISO')], { from: words('2018-06-01'), to: day(43262) }, 10],
  ];
  test.each(cases)('datesDiff reads the dates of another column %s', async (_, rules, row, days) => {
    const [mapped] = await expectAgreement(duckdb(), rules, [row]);
    expect({ days: mapped?.asset?.monthsOnBook, errors: mapped?.errors }).toEqual({ days, errors: [] });
  });
  test('datesDiff refuses a date of another format than its column is read by', async () => {
    const [mapped] = await expectAgreement(duckdb(), [dates('excel')], [{ from: number(1), to: words('2018-06-11') }]);
    expect(mapped?.errors.map(({ reason }) => reason)).toEqual(['the value of "to" is not a valid date']);
  });

  test('omit makes listed values missing before they are judged', () =>
    expectCases(
      duckdb(),
      'creditScores.origination',
      [{ type: 'omit', values: ['NA', '#N/A', 999] }, { type: 'number' }],
      [
        [words(' na '), null],
        [sheetError('#N/A'), null],
        [number(999), null],
        [number(998), 998],
        [sheetError('#REF!'), { reason: 'is a spreadsheet error' }],
      ],
    ));
});
