import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { add } from '@tapeline/domain/money/decimal.ts';
import type { RuleInput } from '@tapeline/domain/tapes/rule.schema.ts';
import { otherSheet } from '@tapeline/domain/tapes/suggest/sheet-kind.ts';
import { inspectSheetFile } from '@tapeline/sheets/inspect-sheet.ts';
import { writeWorkbook } from '@tapeline/sheets/workbook-writer.ts';
import { describe, expect, test } from 'vitest';
import { type ReadCase, readCase } from './testing/read-case.ts';

/** Those that show what a sheet or a column is are kept with the suggestions. */
const WITH_SUGGESTIONS = ['account-statement', 'namibia', 'row-per-month', 'term-in-days', 'two-ltvs'];
const pathOf = (name: string): string => {
  const folder = WITH_SUGGESTIONS.includes(name) ? '../../../domain/src/tapes/suggest/testing/cases' : 'testing/cases';
  return new URL(`${folder}/${name}.csv`, import.meta.url).pathname;
};

/** These fields of every asset, in the order of the sheet. */
const fieldsOf = ({ assets }: ReadCase, ...paths: string[]) => assets.map((asset) => paths.map((path) => asset[path]));
const sumOf = ({ assets }: ReadCase, path: string) =>
  assets.reduce((sum, asset) => add(sum, String(asset[path] ?? '0')), '0');
const suggestionOf = ({ suggestions }: ReadCase, target: string) =>
  suggestions.find(({ rule }) => rule.targetCol === target);
const rule = (
  originCol: string | null,
  targetCol: string,
  ...serializations: RuleInput['serializations']
): RuleInput => ({
  originCol,
  targetCol,
  serializations,
});

describe('a file is read, suggested and mapped right', () => {
  test('amounts with a decimal comma, in brackets, and with points alone; a total that agrees is no asset', async () => {
    const read = await readCase(pathOf('german-amounts'));
    expect(fieldsOf(read, 'assetId', 'sums.outstandingSum', 'interestRate')).toEqual([
      ['V1', '12000', '5.25'],
      ['V2', '1234.56', '4.1'],
      ['V3', '-500', '0'],
      ['V4', '7500', '3.9'],
    ]);
    expect(sumOf(read, 'sums.outstandingSum')).toBe('20234.56');
    expect(read.errored.get(6)).toContain('"Summe" contains "Summe"');
  });

  test('a company called Total, and equal rows without an id', async () => {
    const read = await readCase(pathOf('name-total'));
    expect(fieldsOf(read, 'dateFinanced', 'sums.sum')).toEqual([
      ['2020-04-04', '149800'],
      ['2020-06-30', '2500'],
      ['2020-06-30', '2500'],
    ]);
    expect(sumOf(read, 'sums.sum')).toBe('154800');
    expect(read.errored).toEqual(new Map());
    const ids = read.assets.map(({ assetId }) => String(assetId));
    expect(ids[0]).toContain('TOTAL ELECTRIC OF RIVERTON LLC');
    expect(ids[2]).toBe(`${ids[1]} (2)`);
    expect(suggestionOf(read, 'dateFinanced')?.reason).toContain('month first');
  });

  test('dates of six digits, of which one is no day, payments and codes', async () => {
    const date = rule('date', 'dateFinanced', { type: 'date', format: 'ISO', order: 'yearFirst' });
    const read = await readCase(pathOf('dates-yymmdd'), (rules) => [...rules, date]);
    expect(fieldsOf(read, 'assetId', 'dateFinanced')).toEqual([
      ['5000', '2025-01-07'],
      ['5001', '2025-03-31'],
      ['5003', '2025-12-31'],
      ['5004', '2025-08-15'],
    ]);
    expect(read.errored).toEqual(new Map([[4, ['"250229" is not a date in the expected format']]]));
    expect(suggestionOf(read, 'sums.scheduledPayment')?.rule.originCol).toBe('payments');
    expect(suggestionOf(read, 'sums.paidPrincipal')).toBeUndefined();
    expect(suggestionOf(read, 'assetStatus')?.isOn).toBe(false);
  });

  test('UTF-16 without a byte order mark', async () => {
    const read = await readCase(pathOf('utf16-without-mark'));
    expect(fieldsOf(read, 'assetId', 'borrowerId', 'sums.outstandingSum')).toEqual([
      ['U1', 'Zoë Żak', '1200.5'],
      ['U2', 'Åsa', '0'],
    ]);
  });

  test('a country that reads like a missing value, and an optional date that cannot be read', async () => {
    const read = await readCase(pathOf('namibia'));
    expect(fieldsOf(read, 'address.country')).toEqual([['NA'], ['KE'], ['NG'], ['NA'], ['ZA'], ['KE']]);
    expect(sumOf(read, 'sums.outstandingSum')).toBe('21003');
    expect(read.errored).toEqual(new Map());
    expect(fieldsOf(read, 'dates.maturityDate').flat()).toEqual([
      '2031-05-15',
      null,
      null,
      '2029-11-01',
      null,
      '2030-01-15',
    ]);
    expect(read.warnings.filter((text) => text.startsWith('"in delay"'))).toHaveLength(2);
  });

  test('a term in days is no delay', async () => {
    const read = await readCase(pathOf('term-in-days'));
    expect(read.assets).toHaveLength(40);
    expect(sumOf(read, 'sums.outstandingSum')).toBe('1215000');
    expect(new Set(read.assets.map((asset) => asset['term.unit']))).toEqual(new Set(['days']));
    expect(suggestionOf(read, 'daysPastDue')).toBeUndefined();
  });

  test('a combined loan-to-value is not the current one', async () => {
    const read = await readCase(pathOf('two-ltvs'));
    expect(read.assets).toHaveLength(30);
    expect(sumOf(read, 'sums.outstandingSum')).toBe('7071000');
    expect(suggestionOf(read, 'originalLtv')?.rule.originCol).toBe('LTV');
    expect(suggestionOf(read, 'currentLtv')).toBeUndefined();
    expect(read.assets[0]).toMatchObject({ interestRate: '7.48' });
  });

  test('a row for each loan and month, whose rates are of two scales: asked', async () => {
    const read = await readCase(pathOf('row-per-month'));
    expect(suggestionOf(read, 'interestRate')).toMatchObject({
      isOn: false,
      reason: expect.stringContaining('50 % of the values look like fractions (0.0575)'),
    });
    expect(await kindOf('row-per-month')).toBe('rowPerMonth');
  });

  test('the statement of an account', async () => {
    expect(await kindOf('account-statement')).toBe('statement');
  });

  async function kindOf(name: string) {
    const { columns, rows } = await inspectSheetFile(pathOf(name));
    const read = columns.map((column) => ({ ...column, cells: rows.map(({ cells }) => cells[column.index]!) }));
    return otherSheet(read)?.kind;
  }
});

describe('further shapes', () => {
  const tables: [string, string, string[], unknown[][]][] = [
    [
      'French figures and months, with a trailing minus',
      'french-amounts',
      ['sums.outstandingSum', 'sums.outstandingSum.currency', 'interestRate', 'dateFinanced'],
      [
        ['1234.56', 'EUR', '5.25', '2024-12-31'],
        ['12000', 'EUR', '4.1', '2025-02-01'],
        ['-500', 'EUR', '0', '2024-08-15'],
      ],
    ],
    [
      'apostrophes between thousands, and years of two digits',
      'swiss-amounts',
      ['sums.outstandingSum', 'dateFinanced'],
      [
        ['1234.5', '2024-12-31'],
        ['1000000', '2025-02-01'],
        ['950.05', '2024-02-29'],
      ],
    ],
    [
      'Polish months',
      'polish-months',
      ['sums.outstandingSum', 'dateFinanced'],
      [
        ['1234.5', '2024-10-15'],
        ['999', '2025-01-01'],
        ['0.05', '2023-02-28'],
      ],
    ],
    [
      'Portuguese months without a day',
      'portuguese-months',
      ['sums.outstandingSum', 'dates.maturityDate'],
      [
        ['1234.56', '2024-12-01'],
        ['12000', '2026-02-01'],
        ['7.1', '2030-10-01'],
      ],
    ],
    [
      'dates without separators between day, name and year, and ids with zeros',
      'sas-dates',
      ['assetId', 'dateFinanced'],
      [
        ['00012', '2024-12-31'],
        ['00013', '2025-02-01'],
        ['00014', '2024-02-29'],
      ],
    ],
    [
      'digits with the day first, of which one lost its zero',
      'day-first-digits',
      ['dateFinanced'],
      [['2024-12-31'], ['2025-02-01'], ['2024-02-29']],
    ],
    [
      'years of two digits in two centuries',
      'old-years',
      ['dateFinanced', 'dates.maturityDate'],
      [
        ['1998-01-15', '2028-01-15'],
        ['2003-12-31', '2033-12-31'],
        ['1971-06-30', '2031-06-30'],
      ],
    ],
    [
      'a minus after the amount',
      'trailing-minus',
      ['sums.outstandingSum', 'interestRate'],
      [
        ['1234.56', '3.5'],
        ['-99', '4.25'],
        ['2000000', '0.75'],
      ],
    ],
    [
      'UTF-16 with the high byte first in Cyrillic',
      'cyrillic-utf16',
      ['assetId', 'borrowerId', 'sums.outstandingSum'],
      [
        ['Д1', 'Иванов Пётр', '1200.5'],
        ['Д2', 'Сидорова Анна', '0.75'],
        ['Д3', 'Ким Юлия', '10'],
      ],
    ],
    [
      'an id of a branch and a number within it',
      'id-of-two-columns',
      ['assetId', 'sums.sum'],
      [
        ['North / 1', '1000'],
        ['North / 2', '1500'],
        ['South / 1', '1000'],
        ['South / 2', '700'],
        ['South / 3', '700'],
      ],
    ],
    [
      'rows that nothing tells apart',
      'no-id',
      ['assetId', 'sums.outstandingSum'],
      [
        ['row 2', '100'],
        ['row 3', '100'],
        ['row 4', '100'],
        ['row 5', '250'],
      ],
    ],
  ];
  test.each(tables)('%s', async (_, name, paths, expected) => {
    const read = await readCase(pathOf(name));
    expect(fieldsOf(read, ...paths)).toEqual(expected);
    expect(read.errored).toEqual(new Map());
  });

  test('subtotals and a total are no assets, a company with the word in its name is one', async () => {
    const read = await readCase(pathOf('subtotals'));
    expect(fieldsOf(read, 'borrowerId').flat()).toEqual(['Total Fitness Ltd', 'Acme Inc', 'Beta LLC', 'Gamma LLC']);
    expect(sumOf(read, 'sums.outstandingSum')).toBe('420.3');
    expect([...read.errored.keys()]).toEqual([4, 7, 8]);
  });

  test('a month that does not exist is an error, and the others are first days', async () => {
    const read = await readCase(pathOf('year-and-month'));
    expect(read.assets).toHaveLength(11);
    expect(read.assets[10]).toMatchObject({ 'dates.maturityDate': '2040-11-01' });
    expect([...read.errored]).toEqual([[13, ['"204113" is not a date in the expected format']]]);
  });

  test('amounts that only points separate are thousands, with a doubt and a warning for each', async () => {
    const read = await readCase(pathOf('points-only'));
    expect(fieldsOf(read, 'sums.outstandingSum').flat()).toEqual(['12000', '7500', '120']);
    expect(suggestionOf(read, 'sums.outstandingSum')?.reason).toContain('check the decimal sign');
    expect(read.warnings).toEqual([
      '"12.000" is read as 12,000. With a decimal point it is 12',
      '"7.500" is read as 7,500. With a decimal point it is 7.5',
    ]);
    const byHand = await readCase(pathOf('points-only'), (rules) =>
      rules.map((each) =>
        each.targetCol === 'sums.outstandingSum' ? { ...each, serializations: [{ type: 'SerializedSum' }] } : each,
      ),
    );
    expect(byHand.warnings[0]).toBe('"12.000" is read as 12. With a decimal comma it is 12,000');
  });

  test('fractions beside percent signs are asked, with the share of each', async () => {
    const read = await readCase(pathOf('signs-and-fractions'));
    expect(suggestionOf(read, 'interestRate')).toMatchObject({
      isOn: false,
      reason: expect.stringContaining('75 % of the values look like fractions (0.0525) and 25 % have a percent sign'),
    });
  });

  test('equal ids are errors that name the first row, or keep both rows, as the mapping says', async () => {
    const byAmount = (more: Partial<RuleInput>) => (): RuleInput[] => [
      {
        originCol: 'Original Amount',
        targetCol: 'assetId',
        checks: ['Mandatory', 'Unique'],
        serializations: [{ type: 'text' }],
        ...more,
      },
    ];
    const refused = await readCase(pathOf('id-of-two-columns'), byAmount({}));
    expect([...refused.errored]).toEqual([
      [4, ['Asset id 1000 is already used by row 2']],
      [6, ['Asset id 700 is already used by row 5']],
    ]);
    const numbered = await readCase(pathOf('id-of-two-columns'), byAmount({ onDuplicate: 'numbered' }));
    expect(fieldsOf(numbered, 'assetId').flat()).toEqual(['1000', '1500', '1000 (2)', '700', '700 (2)']);
    const hashed = await readCase(
      pathOf('id-of-two-columns'),
      byAmount({
        serializations: [{ type: 'concat', parts: [{ column: 'Branch' }, { column: 'Seq' }] }, { type: 'hash' }],
      }),
    );
    expect(new Set(hashed.assets.map(({ assetId }) => String(assetId).length))).toEqual(new Set([32]));
    expect(new Set(hashed.assets.map(({ assetId }) => assetId)).size).toBe(5);
  });

  test('a workbook whose sheet has one letter, with a serial just below a day', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'letter-'));
    try {
      const path = join(folder, 'tape.xlsx');
      const head = ['Loan ID', 'Balance', 'Start Date'].map((text) => ({ text }));
      const written = await writeWorkbook({
        title: 'A tape',
        author: 'A lender',
        created: '2026-10-31T00:00:00.000Z',
        sheets: [
          {
            name: 'A',
            widths: [10, 10, 10],
            rows: [
              head,
              [
                { text: 'K1' },
                { number: '100.5', format: { digits: 2 } },
                { number: '42988.99999999999', format: { code: 'yyyy-mm-dd' } },
              ],
            ],
          },
        ],
      });
      await writeFile(path, written);
      const read = await readCase(path);
      expect(fieldsOf(read, 'assetId', 'dateFinanced')).toEqual([['K1', '2017-09-11']]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
