import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import { numberRepeated } from '@tapeline/sheets/repeated-headers.ts';
import { describe, expect, test } from 'vitest';
import { rulesSchema } from '../rule.schema.ts';
import type { SampleCell } from './column-summary.ts';
import { type SampleColumn, suggestMapping } from './suggest-mapping.ts';

const ROWS = 20;
const column = (
  header: string,
  value: (row: number) => string | number,
  more: Partial<SampleColumn> = {},
): SampleColumn => ({
  header,
  cells: Array.from({ length: ROWS }, (_, row): SampleCell => {
    const written = value(row);
    const tag = String(written).startsWith('#') ? CellTag.error : CellTag.text;
    return { tag: typeof written === 'number' ? CellTag.number : tag, value: String(written) };
  }),
  ...more,
});
const ID = column('Loan ID', (row) => `L${row}`);
const BALANCE = column('Current Balance', (row) => 100 + row);
const suggestion = (target: string, columns: readonly SampleColumn[]) =>
  suggestMapping({ columns }).find(({ rule }) => rule.targetCol === target);
const stepsOf = (target: string, columns: readonly SampleColumn[]) => suggestion(target, columns)?.rule.serializations;

describe('words that stand below the first rows', () => {
  const status = (words: SampleColumn['words']) => column('Status', () => 'Current', { words });

  test('are statuses of the switch where they mean one, and told where nobody knows what they mean', () => {
    const found = suggestion('assetStatus', [
      ID,
      status([
        { value: 'Current', count: 4_985 },
        { value: 'Charged off (sold)', count: 12 },
        { value: 'Hardship plan', count: 3 },
      ]),
    ]);
    expect(found?.rule.serializations).toEqual([
      {
        type: 'switchCase',
        // biome-ignore lint/suspicious/noThenProperty: `then` is part of the contract; a case is never awaited
        cases: [{ equals: ['Charged off (sold)'], then: 'chargedOff' }],
        default: { previous: true },
      },
      { type: 'assetStatus' },
    ]);
    expect(found?.reason).toContain('3 different statuses in 5,000 rows');
    expect(found?.reason).toContain('Charged off (sold) (12) is charged off');
    expect(found?.reason).toContain('not recognized until you add them to the cases: Hardship plan (3)');
    expect(stepsOf('assetStatus', [ID, status(undefined)])).toEqual([{ type: 'assetStatus' }]);
  });

  test('are added to the switch of an earlier mapping', () => {
    const [earlier] = rulesSchema.parse([
      { originCol: 'Status', targetCol: 'assetStatus', serializations: [{ type: 'assetStatus' }] },
    ]);
    const found = suggestMapping({
      columns: [ID, status([{ value: 'Written off', count: 2 }])],
      earlier: [[earlier!]],
    }).find(({ rule }) => rule.targetCol === 'assetStatus');
    expect(found?.reason).toContain('new words are added: Written off (2)');
  });

  test('are missing where they say so, and then the column is not asked for in every row', () => {
    const words = [{ value: 'n/a', count: 4 }];
    const dates = (more: Partial<SampleColumn>) => column('Maturity Date', () => '2024-01-31', more);
    expect(stepsOf('dates.maturityDate', [ID, BALANCE, dates({ words })])?.[0]).toEqual({
      type: 'omit',
      values: ['n/a'],
    });
    expect(suggestion('dates.maturityDate', [ID, BALANCE, dates({ words })])?.rule.checks).toEqual([]);
    expect(suggestion('dates.maturityDate', [ID, BALANCE, dates({})])?.rule.checks).toEqual(['Mandatory']);
  });
});

describe('ids', () => {
  test('lose outer spaces where any has some, in the first rows or below', () => {
    const text = { type: 'text' };
    expect(stepsOf('assetId', [ID, BALANCE])).toEqual([text]);
    expect(stepsOf('assetId', [{ ...ID, isPadded: true }, BALANCE])).toEqual([text, { type: 'trim' }]);
    expect(stepsOf('assetId', [column('Loan ID', (row) => `L${row}\u00a0`), BALANCE])).toEqual([
      text,
      { type: 'trim' },
    ]);
  });

  test('are the numbers of the loans before those of anything else', () => {
    const columns = [
      column('LocationID', (row) => 100 + row),
      column('Job ref', (row) => `J${row}`),
      column('GP Loan #', (row) => `G${row}`),
      BALANCE,
    ];
    expect(suggestion('assetId', columns)?.rule.originCol).toBe('GP Loan #');
    expect(suggestion('assetId', columns.slice(0, 2))?.rule.originCol).toBe('Job ref');
  });
});

describe('#N/A', () => {
  const defaults = (share: number) => column('Default Date', (row) => (row < ROWS * share ? '#N/A' : '2024-05-01'));

  test('is missing where a column has it often, as look-ups leave it', () =>
    expect(stepsOf('dates.defaultDate', [ID, BALANCE, defaults(0.8)])?.[0]).toEqual({
      type: 'omit',
      values: ['#N/A'],
    }));

  test('stays an error in amounts and ids, and every other error of a sheet does anywhere', () => {
    const amounts = column('Current Balance', (row) => (row % 2 ? '#N/A' : 100));
    expect(stepsOf('sums.outstandingSum', [ID, amounts])).toEqual([{ type: 'SerializedSum' }]);
    const broken = column('Default Date', (row) => (row % 2 ? '#REF!' : '2024-05-01'));
    expect(stepsOf('dates.defaultDate', [ID, BALANCE, broken])).toEqual([{ type: 'date', format: 'ISO' }]);
  });
});

describe('a name that says little', () => {
  const under = (group: string, header: string, value: (row: number) => string | number) =>
    column(header, value, { group });

  test('is read together with the group it stands under', () => {
    const columns = [
      ID,
      under('Balances', 'Original', (row) => 1_000 + row),
      under('Balances', 'Current', (row) => 900 + row),
      under('Rates', 'Net', (row) => 0.03 + row / 1_000),
      under('Dates', 'Disbursed', () => '2024-01-31'),
      under('Status', 'Code', (row) => (row % 2 ? 'Repayment' : 'In school')),
    ];
    const targets = suggestMapping({ columns }).flatMap(({ rule }) =>
      rule.originCol ? [[rule.originCol, rule.targetCol]] : [],
    );
    expect(Object.fromEntries(targets)).toEqual({
      'Loan ID': 'assetId',
      Original: 'sums.sum',
      Current: 'sums.outstandingSum',
      Net: 'interestRate',
      Disbursed: 'dateFinanced',
      Code: 'assetStatus',
    });
  });

  test('is read alone where it is clear by itself, whatever stands above it', () =>
    expect(
      suggestion('dates.maturityDate', [ID, BALANCE, under('Rates', 'Maturity', () => '2024-01-31')]),
    ).toBeDefined());
});

describe('a column that no name gives away', () => {
  test('is the status where all its words read as statuses, sound ones and others', () => {
    const bucket = column('Bucket', (row) => ['Current', '1-30 dpd', '31-60 dpd', 'Repo'][row % 4]!);
    expect(suggestion('assetStatus', [ID, BALANCE, bucket])).toMatchObject({
      rule: { originCol: 'Bucket' },
      confidence: 0.6,
    });
  });

  test.each([
    ['one of its words means nothing', ['Current', 'Repo', 'Blue']],
    ['none of them is a problem', ['Open', 'Closed']],
    ['none of them is sound', ['Repo', 'Charged off']],
  ])('is none where %s', (_, words) => {
    const bucket = column('Bucket', (row) => words[row % words.length]!);
    expect(suggestion('assetStatus', [ID, BALANCE, bucket])).toBeUndefined();
  });
});

test('columns of one name are suggested by their numbers, with a doubt for the person to settle', () => {
  const headers = numberRepeated(['Loan ID', 'Balance', 'Balance']);
  const columns = headers.map((header, at) => column(header, (row) => (at === 0 ? `L${row}` : 100 * at + row)));
  const found = suggestMapping({ columns }).find(({ rule }) => rule.originCol === 'Balance (1)');
  expect(found?.reason).toContain(
    '"Balance (1)", "Balance (2)" have the same header in the sheet: check which one is correct',
  );
  expect(found?.confidence).toBeLessThan(0.9);
});

describe('a name that leaves a question', () => {
  test('a loan-to-value without a time is the original one, with a doubt', () => {
    const ltv = (header: string) => suggestion('originalLtv', [ID, column(header, (row) => 60 + row)]);
    expect(ltv('LTV')).toMatchObject({ isOn: true, reason: expect.stringContaining('original or the current') });
    expect(ltv('LTV')?.confidence).toBeLessThan(0.9);
    expect(ltv('Original LTV')?.confidence).toBeGreaterThanOrEqual(0.9);
  });

  test('an invoice has one due date, and a loan has many', () => {
    const due = column('Due Date', (row) => `2024-01-${String(row + 1).padStart(2, '0')}`);
    const targetOf = (id: string) =>
      suggestMapping({ columns: [column(id, (row) => `I${row}`), due] }).find(
        ({ rule }) => rule.originCol === 'Due Date',
      )?.rule.targetCol;
    expect(targetOf('Invoice Number')).toBe('dates.maturityDate');
    expect(targetOf('Loan Number')).toBe('dates.nextPaymentDate');
  });
});
