import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainFigure } from '../tapes/plain-figure.ts';
import { CURRENCIES } from './currencies.ts';
import { compare, decimalOf, fromScaled, isDecimal } from './decimal.ts';
import { formatAmount, formatFigure } from './format-figure.ts';
import { minorUnitDigits } from './minor-units.ts';
import { MAX_TYPED_CHARACTERS, type NumberForm, readTypedNumber, textOfUnread, typedNumberOf } from './typed-number.ts';

const USD = { decimals: 2, currency: 'USD' } as const;
const KWD = { decimals: 3, currency: 'KWD' } as const;
const COUNT = { decimals: 0 } as const;
const RATE = { decimals: 15, isPercent: true } as const;

const readValue = (text: string, form: NumberForm) => {
  const read = readTypedNumber(text, form);
  return read.problem === null ? read.value : read.problem;
};
const readingsOf = (text: string, form: NumberForm) => {
  const read = readTypedNumber(text, form);
  return read.problem === 'ambiguous' ? read.readings : read;
};

describe('a typed amount of dollars', () => {
  test.each([
    ['1000000', '1000000'],
    ['1,000,000.01', '1000000.01'],
    ['1.000.000,01', '1000000.01'],
    ['1.000.000', '1000000'],
    ['1,000', '1000'],
    ['1,234', '1234'],
    ['1,5', '1.5'],
    ['0,500', '0.500'],
    ['0.500', '0.500'],
    ['.5', '0.5'],
    ['1000.500', '1000.500'],
    ['(500)', '-500'],
    ['(USD 1,000.00)', '-1000.00'],
    ['$ (500)', '-500'],
    ['-500', '-500'],
    ['− 500', '-500'],
    ['–500', '-500'],
    ['500-', '-500'],
    ['-$500', '-500'],
    ['$-500', '-500'],
    ['- USD 500', '-500'],
    ['+7', '7'],
    ['-0', '0'],
    ['1m', '1000000'],
    ['1 M', '1000000'],
    ['2.5k', '2500'],
    ['2,5k', '2500'],
    ['1.25bn', '1250000000'],
    ['-1.5 million', '-1500000'],
    ['(3mm)', '-3000000'],
    ['USD 1,000,000', '1000000'],
    ['1,000,000 usd', '1000000'],
    ['USD1m', '1000000'],
    ['$2.5k', '2500'],
    ['US$1,250', '1250'],
    ['1 000 000,5', '1000000.5'],
    ['1 000 000.5', '1000000.5'],
    ['1\u00a0000\u202f000', '1000000'],
    ['1’000', '1000'],
    ["1'000'000.25", '1000000.25'],
    ['1 000,500', '1000.500'],
    ['\t1,250.00\n', '1250.00'],
    ['007', '7'],
  ])('written as %s is %s', (text, value) => {
    expect(readValue(text, USD)).toBe(value);
  });

  test.each([
    '',
    ' ',
    'ten',
    '-',
    '()',
    '.',
    ',',
    '1,',
    '1 2',
    '12,34,567',
    '1.2.3',
    '1,000.000,5',
    '1.000,000.5',
    '1e5',
    '0x10',
    'Infinity',
    'NaN',
    '(-5)',
    '-(5)',
    '--5',
    '-5-',
    '5m-',
    '1kk',
    '5 USD USD',
    '٣',
    '1_000',
    '01,000',
    '012,5',
  ])('is not "%s"', (text) => expect(readValue(text, USD)).toBe('notANumber'));

  test('is asked for where a point may be of thousands or of decimals, with both readings', () => {
    expect(readingsOf('1.000', USD)).toEqual(['1.000', '1000']);
    expect(readingsOf('-1.250', USD)).toEqual(['-1250', '-1.250']);
    expect(readingsOf('1.250m', USD)).toEqual(['1250000', '1250000000']);
    expect(readingsOf('1,250m', USD)).toEqual(['1250000', '1250000000']);
    expect(readingsOf('1.000', COUNT)).toEqual(['1.000', '1000']);
  });

  test('can be clear with a currency or a rate that has three decimals, where a comma is in doubt instead', () => {
    expect(readValue('1.250', KWD)).toBe('1.250');
    expect(readValue('4.125', RATE)).toBe('4.125');
    expect(readingsOf('1,250', KWD)).toEqual(['1.250', '1250']);
    expect(readingsOf('4,125', RATE)).toEqual(['4.125', '4125']);
    expect(readValue('1,250,000', KWD)).toBe('1250000');
  });

  test('is refused in another currency, or where no currency belongs', () => {
    expect(readTypedNumber('EUR 5', USD)).toEqual({ problem: 'otherCurrency', written: 'EUR' });
    expect(readTypedNumber('5 €', USD)).toEqual({ problem: 'otherCurrency', written: '€' });
    expect(readTypedNumber('CA$5', USD)).toEqual({ problem: 'otherCurrency', written: 'CA$' });
    expect(readTypedNumber('USD 5', COUNT)).toEqual({ problem: 'otherCurrency', written: 'USD' });
    expect(readValue('$5', { decimals: 2, currency: 'CAD' })).toBe('5');
  });

  test('has a percent sign only in a percentage, which has no scale and no currency', () => {
    expect(readValue('4.25 %', RATE)).toBe('4.25');
    expect(readValue('(4,5%)', RATE)).toBe('-4.5');
    expect(readValue('4%', USD)).toBe('notPercent');
    expect(readValue('4k', RATE)).toBe('notANumber');
    expect(readValue('USD 4', RATE)).toBe('otherCurrency');
  });

  test('is read up to the length that numbers have, and at once beyond it', () => {
    expect(readValue('1'.repeat(MAX_TYPED_CHARACTERS), USD)).toBe('1'.repeat(MAX_TYPED_CHARACTERS));
    expect(readValue('1'.repeat(MAX_TYPED_CHARACTERS + 1), USD)).toBe('notANumber');
    const started = performance.now();
    for (const part of ['1', ' ', '1 000', '(', '-', '$', 'USD ', '1,000', "1'"])
      expect(readValue(part.repeat(1_000_000), USD)).toBe('notANumber');
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

describe('what is wrong with a typed number', () => {
  const textOf = (text: string, form: NumberForm) => {
    const read = readTypedNumber(text, form);
    return read.problem === null ? null : textOfUnread(read, text, form);
  };
  test('is said with what to do', () => {
    expect(textOf(' 1.000', USD)).toBe('is unclear: 1.000 can mean 1 or 1,000. Enter the one you mean');
    expect(textOf('1.234', USD)).toBe('is unclear: 1.234 can mean 1.2340 or 1,234. Enter the one you mean');
    expect(textOf('1,250', RATE)).toBe('is unclear: 1,250 can mean 1.25 or 1250. Enter the one you mean');
    expect(textOf('EUR 5', USD)).toBe('must be in USD, not EUR');
    expect(textOf('EUR 5', COUNT)).toBe('must be a number without EUR');
    expect(textOf('5%', USD)).toBe('must be a number without a percent sign');
    expect(textOf('ten', USD)).toBe('must be a number, for example 1,250,000.50');
    expect(textOf('ten', RATE)).toBe('must be a percentage, for example 4.25');
  });
  test('offers readings that are read as themselves', () => {
    fc.assert(
      fc.property(writtenText, fc.constantFrom(...FORMS), (text, form) => {
        const read = readTypedNumber(text, form);
        if (read.problem !== 'ambiguous') return;
        for (const reading of read.readings)
          expect(compare(readValue(typedNumberOf(reading, form), form), reading)).toBe(0);
      }),
    );
  });
});

const FORMS: readonly NumberForm[] = [
  ...['USD', 'JPY', 'KWD', 'CLF'].map((currency) => ({ decimals: minorUnitDigits(currency), currency })),
  COUNT,
  RATE,
  { decimals: 2 },
];

/** Digits, separators, signs, currencies and scales, put together as a person or an attacker would. */
const writtenText = fc
  .tuple(
    fc.constantFrom('', '-', '−', '(', '$', 'USD ', '+', ' '),
    fc.array(fc.constantFrom('0', '1', '12', '250', '000', '999', '.', ',', ' ', "'", '\u00a0'), { maxLength: 9 }),
    fc.constantFrom('', ')', '-', 'k', 'm', ' bn', '%', ' USD', ' '),
  )
  .map(([before, digits, after]) => `${before}${digits.join('')}${after}`);

describe('every number', () => {
  test('that is formatted as an amount is read as that amount, in every currency', () => {
    const currency = fc.constantFrom(...CURRENCIES.map(({ code }) => code));
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 17n), 10n ** 17n), currency, (units, code) => {
        const decimals = minorUnitDigits(code);
        const sum = fromScaled(units, decimals);
        const form = { decimals, currency: code };
        const shown = [
          formatAmount({ sum, currency: code }),
          `${code} ${formatAmount({ sum, currency: code })}`,
          typedNumberOf(sum, form, decimals),
          typedNumberOf(sum, form),
        ];
        for (const text of shown) expect([text, compare(readValue(text, form), sum)]).toEqual([text, 0]);
      }),
      { numRuns: 1000 },
    );
  });

  test('that a field shows is read as that number, whatever its decimals', () => {
    fc.assert(
      fc.property(
        fc.bigInt(-(10n ** 15n), 10n ** 15n),
        fc.integer({ min: 0, max: 12 }),
        fc.constantFrom(...FORMS),
        (units, places, form) => {
          const value = fromScaled(units, places);
          const shown = typedNumberOf(value, form);
          expect([shown, compare(readValue(shown, form), value)]).toEqual([shown, 0]);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('is the same in every field that reads its text', () => {
    fc.assert(
      fc.property(writtenText, (text) => {
        const values = FORMS.map((form) => readValue(text, form)).filter(isDecimal);
        expect(new Set(values.map(decimalOf)).size).toBeLessThanOrEqual(1);
      }),
      { numRuns: 5000 },
    );
  });

  test('is that of the mapping of a tape, where both read the text with the same decimal sign', () => {
    fc.assert(
      fc.property(writtenText, fc.constantFrom('.' as const, ',' as const), (text, decimal) => {
        const typed = readValue(text, { decimals: 2, decimal });
        const mapped = plainFigure(text, { decimal: decimal === '.' ? 'point' : 'comma', negative: 'brackets' });
        if (isDecimal(typed) && isDecimal(mapped)) expect(compare(mapped, typed)).toBe(0);
      }),
      { numRuns: 5000 },
    );
  });

  test('is one of its readings where the decimal sign is known', () => {
    fc.assert(
      fc.property(writtenText, fc.constantFrom(...FORMS), (text, form) => {
        const read = readTypedNumber(text, form);
        if (read.problem === 'notANumber') return;
        const known = (['.', ','] as const).map((decimal) => readValue(text, { ...form, decimal }));
        const possible = read.problem === 'ambiguous' ? read.readings : read.problem === null ? [read.value] : [];
        expect(possible.length).toBe(read.problem === null ? 1 : read.problem === 'ambiguous' ? 2 : 0);
        for (const value of possible.map(decimalOf)) expect(known.filter(isDecimal).map(decimalOf)).toContain(value);
      }),
      { numRuns: 2000 },
    );
  });
});

test('the number of an English sentence is read as it is formatted', () => {
  expect(readValue(formatFigure('-1234567.5', 2), USD)).toBe('-1234567.50');
});
