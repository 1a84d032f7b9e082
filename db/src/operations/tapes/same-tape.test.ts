import { expect, test } from 'vitest';
import { differencesOf } from './same-tape.ts';

const tape = {
  mainCurrency: 'USD',
  exchangeRates: { EUR: '0.92', GBP: '0.79' },
  calculateBB: false,
  otherAttachments: [{ checksum: 'a' }, { checksum: 'b' }],
};

test('the same instruction has no differences, however its rates and files are written', () => {
  const upload = {
    ...tape,
    exchangeRates: { GBP: '0.790', EUR: '0.92' },
    otherAttachments: [...tape.otherAttachments].reverse(),
  };
  expect(differencesOf(tape, upload)).toEqual([]);
});

test('another currency, other rates, a borrowing base and other files are each named', () => {
  expect(differencesOf(tape, { ...tape, mainCurrency: 'EUR' })).toEqual(['main currency USD instead of EUR']);
  expect(differencesOf(tape, { ...tape, exchangeRates: { EUR: '0.93', GBP: '0.79' } })).toEqual([
    'other exchange rates (EUR)',
  ]);
  expect(differencesOf(tape, { ...tape, exchangeRates: { CHF: '0.9', EUR: '0.92' } })).toEqual([
    'other exchange rates (CHF, GBP)',
  ]);
  expect(differencesOf(tape, { ...tape, calculateBB: true })).toEqual(['no borrowing base requested']);
  expect(differencesOf({ ...tape, calculateBB: true }, tape)).toEqual(['a borrowing base requested']);
  expect(differencesOf(tape, { ...tape, otherAttachments: [{ checksum: 'a' }] })).toEqual(['other additional files']);
});

test('of many rates, the first five are named, those that both have first', () => {
  const codes = ['AUD', 'BRL', 'CAD', 'CHF', 'CZK', 'DKK', 'EUR'];
  const rates = (rate: string) => Object.fromEntries(codes.map((code) => [code, rate]));
  expect(differencesOf({ ...tape, exchangeRates: rates('1') }, { ...tape, exchangeRates: rates('2') })).toEqual([
    'other exchange rates (AUD, BRL, CAD, CHF, CZK and 2 more)',
  ]);
  expect(differencesOf({ ...tape, exchangeRates: rates('1') }, { ...tape, exchangeRates: { EUR: '2' } })).toEqual([
    'other exchange rates (EUR, AUD, BRL, CAD, CHF and 2 more)',
  ]);
});
