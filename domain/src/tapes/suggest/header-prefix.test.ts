import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import { describe, expect, test } from 'vitest';
import { sharedPrefix, withoutPrefix } from './header-prefix.ts';
import { suggestMapping } from './suggest-mapping.ts';

const HEADERS = ['MLR-LOAN-NO', 'MLR-ORIG-AMOUNT', 'MLR-PROP-CITY', 'MLR-DAYS-DELINQUENT', 'MLR-BRANCH', 'Remarks'];

describe('the word that almost all headers begin with', () => {
  test('is found in 80 % of the headers, and at least in six', () => {
    expect(sharedPrefix([...HEADERS, 'MLR-TERM'])).toBe('mlr');
    expect(sharedPrefix(HEADERS)).toBe(null);
    expect(sharedPrefix([...HEADERS, 'MLR-TERM', 'Notes'])).toBe(null);
    expect(
      sharedPrefix(['accountId', 'accountType', 'accountName', 'accountState', 'accountRate', 'accountTerm']),
    ).toBe('account');
  });

  test('is left out of the headers that begin with it and say more', () => {
    expect(withoutPrefix('MLR-ORIG-AMOUNT', 'mlr')).toBe('ORIG-AMOUNT');
    expect(withoutPrefix('mlrOrigAmount', 'mlr')).toBe('Orig Amount');
    expect(withoutPrefix('MLR', 'mlr')).toBe('MLR');
    expect(withoutPrefix('MLRX-AMOUNT', 'mlr')).toBe('MLRX-AMOUNT');
    expect(withoutPrefix('ORIG-AMOUNT', null)).toBe('ORIG-AMOUNT');
  });

  const targetsOf = (headers: Readonly<Record<string, string>>) =>
    suggestMapping({
      columns: Object.entries(headers).map(([header, value]) => ({
        header,
        cells: Array.from({ length: 20 }, (_, row) => ({
          tag: /^\d/.test(value) ? CellTag.number : CellTag.text,
          value: /^\d/.test(value) ? String(Number(value) + row) : `${value}${row}`,
        })),
      })),
    }).map(({ rule }) => [rule.originCol, rule.targetCol]);

  test('does not hide the field of a column', () => {
    const targets = targetsOf({
      'ZQX-LOAN-NO': '70001',
      'ZQX-ORIG-AMOUNT': '50000',
      'ZQX-CURRENT-BALANCE': '30000',
      'ZQX-TERM-MONTHS': '36',
      'ZQX-BORROWER-ID': '900',
      'ZQX-DAYS-DELINQUENT': '0',
      'ZQX-PROP-CITY': 'Austin ',
    });
    expect(targets).toContainEqual(['ZQX-ORIG-AMOUNT', 'sums.sum']);
    expect(targets).toContainEqual(['ZQX-CURRENT-BALANCE', 'sums.outstandingSum']);
    expect(targets).toContainEqual(['ZQX-PROP-CITY', 'address.city']);
  });

  test('stays part of a name that it belongs to', () => {
    const targets = targetsOf({
      loan_id: '70001',
      loan_amount: '50000',
      loan_balance: '30000',
      loan_term: '36',
      loan_type: 'Term loan ',
      loan_currency_note: 'x',
    });
    expect(targets).toContainEqual(['loan_amount', 'sums.sum']);
    expect(targets).toContainEqual(['loan_type', 'product']);
  });
});
