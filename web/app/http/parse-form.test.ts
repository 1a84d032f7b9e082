import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { anyRateSchema, numberSchema } from '@tapeline/domain/documents/number.schema.ts';
import { amountSchema, currencySchema, decimalSchema, moneySchema } from '@tapeline/domain/money/amount.schema.ts';
import { exchangeRateSchema } from '@tapeline/domain/money/rate.schema.ts';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { optionalGroup, withoutBlanks } from '../components/forms/blank.ts';
import { shownNumber } from '../components/forms/typed-number.ts';
import { parseForm } from './parse-form.ts';

const schema = z.object({
  amount: amountSchema,
  sums: withoutBlanks(z.array(z.object({ sum: moneySchema.optional() }))),
  cap: optionalGroup(amountSchema, 'currency'),
  rate: anyRateSchema.optional(),
  units: decimalSchema.optional(),
  perDollar: exchangeRateSchema.optional(),
  days: z.number().int().min(1).nullish(),
  share: numberSchema.optional(),
  code: z.union([z.literal('all'), z.number()]).optional(),
  kind: z.enum(['one', 'other']).optional(),
  day: calendarDateSchema.optional(),
  of: idSchema.optional(),
  name: z.string().optional(),
});

const parse = (fields: Record<string, string>) => {
  const form = new FormData();
  for (const [name, text] of Object.entries({ 'amount.sum': '1', 'amount.currency': 'USD', ...fields })) {
    form.append(name, text);
  }
  return parseForm(form, schema);
};
const readValue = (fields: Record<string, string>) => {
  const read = parse(fields);
  return read.status === 'success' ? read.value : read.error;
};

describe('a form', () => {
  test('reads numbers as people write them, wherever its schema has one', () => {
    expect(
      readValue({
        'amount.sum': 'USD 1,000,000.01',
        'sums[0].sum': '(500)',
        'sums[1].sum': '1.000.000,5',
        'cap.sum': '1m',
        'cap.currency': 'EUR',
        rate: '4.125 %',
        units: '12,500',
        perDollar: '1.125',
        days: '1,000',
        share: '0,5',
        name: '1,000',
      }),
    ).toEqual({
      amount: { sum: '1000000.01', currency: 'USD' },
      sums: [{ sum: '-500' }, { sum: '1000000.5' }],
      cap: { sum: '1000000', currency: 'EUR' },
      rate: 4.125,
      units: '12500',
      perDollar: '1.125',
      days: 1000,
      share: 0.5,
      name: '1,000',
    });
  });

  test('asks what can be read in two ways, at the field, and reports all other problems with it', () => {
    expect(
      readValue({ 'amount.sum': '1.000', rate: '1,250', days: '1.000', 'cap.sum': 'ten', 'cap.currency': 'USD' }),
    ).toEqual({
      'amount.sum': ['is unclear: 1.000 can mean 1 or 1,000. Enter the one you mean'],
      rate: ['is unclear: 1,250 can mean 1.25 or 1250. Enter the one you mean'],
      days: ['is unclear: 1.000 can mean 1 or 1,000. Enter the one you mean'],
      'cap.sum': ['must be a number, for example 1,250,000.50'],
    });
  });

  test('knows the currency of an amount from its group, and otherwise from the form', () => {
    expect(readValue({ 'amount.currency': 'KWD', 'amount.sum': '1.250' })).toMatchObject({ amount: { sum: '1.25' } });
    expect(readValue({ 'amount.sum': 'EUR 5' })).toEqual({ 'amount.sum': ['must be in USD, not EUR'] });
    const named = z.object({ amount: moneySchema, rows: z.array(z.object({ sum: moneySchema })) });
    const form = new FormData();
    for (const [name, text] of [
      ['amount', 'KWD 1.250'],
      ['rows[0].sum', '1.250'],
    ] as const)
      form.append(name, text);
    expect(parseForm(form, named).status).toBe('error');
    form.append('currency', 'KWD');
    expect(parseForm(form, named)).toMatchObject({ value: { amount: '1.25', rows: [{ sum: '1.25' }] } });
  });

  test('reads a fee without a currency as a percentage', () => {
    const fee = z.object({ rate: z.object({ sum: moneySchema, currency: currencySchema.nullish() }) });
    const form = new FormData();
    form.append('rate.sum', '4.125%');
    form.append('rate.currency', '');
    expect(parseForm(form, fee)).toMatchObject({ value: { rate: { sum: '4.125' } } });
  });

  test('keeps what was entered in its answer', () => {
    expect(parse({ 'amount.sum': '1.000', rate: '4%' }).reply().initialValue).toMatchObject({
      amount: { sum: '1.000' },
      rate: '4%',
    });
  });

  test('answers a choice that is not offered without naming codes, and a text where a number belongs', () => {
    expect(readValue({ kind: 'junk', share: 'junk', code: 'junk' })).toMatchObject({
      kind: ['must be one of the choices'],
      share: ['must be a number, for example 4.25'],
    });
  });
});

describe('a date of a form', () => {
  test('is read as it is shown and as people write it, and asked for where it is unclear', () => {
    expect(readValue({ day: '31 Oct 2026' })).toMatchObject({ day: '2026-10-31' });
    expect(readValue({ day: '10/31/2026' })).toMatchObject({ day: '2026-10-31' });
    expect(readValue({ day: '03/04/2026', of: 'junk' })).toEqual({
      day: ['is unclear: 03/04/2026 can mean 3 Apr 2026 or 4 Mar 2026. Enter the one you mean'],
      of: ['must be one of the choices'],
    });
    expect(readValue({ day: 'soon' })).toEqual({ day: ['must be a date, for example 31 Oct 2026'] });
  });
});

describe('a field', () => {
  test.each([
    ['1000000', 'USD', '1,000,000.00'],
    ['1m', 'USD', '1,000,000.00'],
    ['(500)', 'USD', '−500.00'],
    ['1.25', 'KWD', '1.250'],
    ['1.255', 'USD', '1.255'],
    ['1250', 'JPY', '1,250'],
    ['4.125%', '%', '4.125'],
    ['1250', '%', '1250'],
    ['1250', null, '1250'],
    ['1250000', null, '1,250,000'],
    ['1.000', 'USD', '1.000'],
    ['EUR 5', 'USD', 'EUR 5'],
    ['ten', 'USD', 'ten'],
    ['', 'USD', ''],
  ])('that has %s in %s shows %s when it is left', (text, unit, shown) => expect(shownNumber(text, unit)).toBe(shown));
});
