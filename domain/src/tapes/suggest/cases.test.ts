import { readFileSync } from 'node:fs';
import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import { describe, expect, test } from 'vitest';
import type { SampleCell } from './column-summary.ts';
import { otherSheet } from './sheet-kind.ts';
import { suggestMapping } from './suggest-mapping.ts';

/** The columns of a file, as a reader of files makes them. */
function columnsOf(name: string, separator: ',' | ';', headerRow = 1) {
  const lines = readFileSync(new URL(`testing/cases/${name}.csv`, import.meta.url), 'utf8')
    .trim()
    .split(/\r?\n/);
  const [headers = [], ...rows] = lines.slice(headerRow - 1).map((line) => line.split(separator));
  return headers.map((header, index) => ({
    header,
    cells: rows.map((row): SampleCell => {
      const value = row[index] ?? '';
      return { tag: value === '' ? CellTag.blank : CellTag.text, value };
    }),
  }));
}

/** The fields of the columns that are part of the mapping from the start. */
const fieldsOf = (columns: ReturnType<typeof columnsOf>): Record<string, string> =>
  Object.fromEntries(
    suggestMapping({ columns }).flatMap(({ rule, isOn }) =>
      isOn && typeof rule.originCol === 'string' ? [[rule.originCol, rule.targetCol]] : [],
    ),
  );

describe('files that were read wrongly', () => {
  test('a term in days is a term, and a state of the loan its status', () => {
    const columns = columnsOf('term-in-days', ',');
    expect(fieldsOf(columns)).toEqual({
      contract: 'assetId',
      drawdown: 'dateFinanced',
      termdays: 'term',
      outstanding: 'sums.outstandingSum',
      state: 'assetStatus',
    });
    expect(otherSheet(columns)).toBeNull();
  });

  test('a combined loan-to-value is no field', () => {
    const fields = fieldsOf(columnsOf('two-ltvs', ';'));
    expect(fields).toMatchObject({ LTV: 'originalLtv', 'Curr Bal': 'sums.outstandingSum', Rate: 'interestRate' });
    expect(fields).not.toHaveProperty('CLTV');
  });

  test('NA is a country among codes of countries, and an end date the maturity', () => {
    const columns = columnsOf('namibia', ',');
    expect(fieldsOf(columns)).toMatchObject({
      Country: 'address.country',
      Signed: 'dateFinanced',
      Ends: 'dates.maturityDate',
    });
    const country = suggestMapping({ columns }).find(({ rule }) => rule.targetCol === 'address.country');
    expect(country?.rule.serializations).toEqual([{ type: 'text' }]);
  });

  test('an account statement and a row per loan and month are no tapes', () => {
    expect(otherSheet(columnsOf('account-statement', ';', 4))).toEqual({
      kind: 'statement',
      balance: 'Balance',
      amounts: ['Turnover'],
    });
    expect(otherSheet(columnsOf('row-per-month', ';'))).toEqual({
      kind: 'rowPerMonth',
      id: 'Asset',
      month: 'Period',
      months: ['202510', '202512'],
    });
  });
});
