import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import { expect, test } from 'vitest';
import { currencyOfSign, namedCurrencies } from './named-currencies.ts';
import { currencyOfTape } from './suggest-mapping.ts';

const column = (header: string, ...values: string[]) => ({
  header,
  cells: values.map((value) => ({ tag: CellTag.text, value })),
});

test.each([
  ['Balance (NGN)', '100', 'NGN'],
  ['Outstanding [€]', '100', 'EUR'],
  ['Amount in CZK', '100', 'CZK'],
  ['Balance', '₦1,250.00', 'NGN'],
  ['Balance', '(1.250,00) Kč', 'CZK'],
  ['Balance', 'PLN 12.5', 'PLN'],
])('"%s" with "%s" names %s', (header, value, currency) => {
  expect([...namedCurrencies([column(header, value)])]).toEqual([currency]);
  expect(currencyOfTape([column('Loan', 'A-1'), column(header, value)])).toBe(currency);
});

test.each([
  ['Balance', '$100'],
  ['Balance', '100 kr'],
  ['ALL IN RATE', '5'],
  ['Balance (USD k?)', '100'],
  ['Loan', 'ABC 100'],
  ['Status', 'TOP'],
])('"%s" with "%s" names no currency', (header, value) => {
  expect([...namedCurrencies([column(header, value)])]).toEqual([]);
});

test('a tape that names several currencies has none of its own', () => {
  expect(currencyOfTape([column('Balance (NGN)', '1'), column('Limit (EUR)', '2')])).toBeNull();
});

test('a sign that several currencies use names none', () => {
  expect(['€', 'eur', '$', '¥'].map(currencyOfSign)).toEqual(['EUR', 'EUR', null, null]);
});

test('the formats of numbers in a workbook name the currency that they show', () => {
  const shown = (...currencyMarks: string[]) => currencyOfTape([{ ...column('Balance', '100'), currencyMarks }]);
  expect([shown('€'), shown('SEK'), shown('$'), shown('kr'), shown('€', 'SEK')]).toEqual([
    'EUR',
    'SEK',
    null,
    null,
    null,
  ]);
});
