import type { RuleInput } from '@tapeline/domain/tapes/rule.schema.ts';
import { describe, expect, test } from 'vitest';
import { expectAgreement, expectCases, useDuckDb } from './testing/cases.ts';
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
    const compiled = await expectAgreement(duckdb(), rules, rows);
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
      duckdb(),
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
        [sheetError('#REF!'), { reason: 'is an error of the sheet' }],
      ],
    ));
});
