import fc from 'fast-check';
import type { Cell } from './held.ts';

const number = (value: number): Cell => ({ tag: 'number', number: value });
const words = (text: string): Cell => ({ tag: 'text', text });

/**
 * Characters that engines are known to treat differently: spaces, two-letter capitals, sigmas, dotted i, surrogate
 * pairs, combining marks.
 */
const LETTERS = [...'aZ19 -%.,/ß', 'é', 'É', 'İ', 'ı', 'Σ', 'ς', '\u00a0', '\t', '\n', '\r', '\u2028', '\u2003', '😀']
  .concat(['e\u0301', 'ﬁ', '中', "'", '"', '\\', '$', '_', '\u212a', '\ufe0f'])
  .map(String);

const TEXTS = [
  ...['', ' ', '\u00a0', '\t \n', '1', '0', '-0', '12.5%', '% 12', '1,234.565', '1,5', '1,234,', '12,345,678', '2.5'],
  ...['-3', '+4', '.5', '5.', '-.5', '1e3', '1E-7', '1.5e+2', '1e999', '1e-400', '--1', '0x10', 'nan', 'inf', '1_000'],
  ...['2018-06-30', '2018-02-30', '2016-02-29', ' 2018-06-30T23:59:59Z', '0000-01-01', '9999-12-31', '2018-6-3'],
  ...['6/30/2018', '02/29/2019', '12/31/1999 10:00 PM', '31/12/1999', '43281', '43281.75', '60', '1530316800'],
  ...['Yes', 'y', 'no', 'TRUE', ' P o s i t i v e ', 'false', 'current', 'Charged  Off', '1-30 DPD', '31-60 dpd'],
  ...['PAST\u00a0DUE', 'Fully Paid', 'loan', ' Investment ', 'bond', 'EUR', 'jpy', ' kwd', 'ZZZ', 'clf'],
  ...['36 months', '36months', '2 Years', '1 quarter ', '10 day', 'weeks', '3 fortnights', '1e2 DAYS'],
  ...['a-b-c', '-', 'A--B', 'ab', "O'Neil", '"x"', 'N/A', '#N/A', 'straße', 'ΟΔΟΣ', 'İstanbul', '😀a😀', 'e\u0301e'],
];

const digits = (most: number) =>
  fc
    .array(fc.constantFrom(...'0123456789'), { minLength: 1, maxLength: most })
    .map((each) => each.join('').replace(/^0+(?=\d)/, ''));
const grouped = (whole: string): string => whole.replace(/\B(?=(\d{3})+$)/g, ',');

/** Decimals as users write them, including some with more than 18 digits. */
export const decimalTextArbitrary: fc.Arbitrary<string> = fc
  .record({
    sign: fc.constantFrom('', '', '-', '+'),
    whole: digits(15),
    fraction: fc.option(fc.oneof(digits(9), digits(24), fc.constantFrom('5', '005', '0005', '015', '025', '2449999')), {
      nil: null,
    }),
    commas: fc.boolean(),
    around: fc.constantFrom(
      ...[
        ['', ''],
        [' ', ''],
        ['', '\u00a0'],
        ['', ' %'],
        ['', '%'],
      ],
    ),
  })
  .map(({ sign, whole, fraction, commas, around }) => {
    const body = `${sign}${commas ? grouped(whole) : whole}${fraction === null ? '' : `.${fraction}`}`;
    return `${around[0]}${body}${around[1]}`;
  });

/**
 * Doubles of all sizes, including typical tape values: money with floating-point noise, rates, serials, rounding ties.
 */
const doubleArbitrary: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: -1000, max: 100_000 }),
  fc.integer({ min: -10_000_000, max: 10_000_000 }).map((thousandths) => thousandths / 1000),
  fc.integer({ min: 0, max: 1e12 }).map((cents) => cents / 100 + (cents % 7) * 1e-9),
  fc.integer({ min: 0, max: 99_999_999 }).map((points) => points / 1e8),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ noNaN: true, min: -1e16, max: 1e16 }),
  fc.constantFrom(0, -0, 0.1 + 0.2, 1.005, 2.675, 0.125, 2.5, 3.5, -2.5, 0.1149, 0.07, 60, 59.99, 61, 43281, 43281.75),
  fc.constantFrom(1e14, 99999999999999.98, 1e15, 1e15 - 0.5, 123456789012345.6, 1e20, 1e21, 1e300, 1e-7, 5e-324),
  fc.constantFrom(1e12 + 0.125, 2958465, 2958466, 2957003, 1530316800, 1530316800000, 0.30000000000000004),
);

const unicodeArbitrary = fc.array(fc.constantFrom(...LETTERS), { maxLength: 6 }).map((letters) => letters.join(''));

const blanks = fc.constant<Cell>({ tag: 'blank' });
const numbers = doubleArbitrary.map(number);
const texts = fc
  .oneof(
    { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
    { weight: 2, arbitrary: decimalTextArbitrary },
    { weight: 1, arbitrary: unicodeArbitrary },
  )
  .map(words);
const booleans = fc.boolean().map((boolean): Cell => ({ tag: 'boolean', boolean }));
/** Serials with and without a day, and those that calculations leave just beside one. */
const SERIALS = [43281, 43281.5, 43281.999999, 42988.99999999999, 60.9999999, 2958465.9999999, 60, 1, 0, 0.25, -1, 3e6];
const dates = fc
  .oneof(fc.integer({ min: 0, max: 60_000 }), fc.constantFrom(...SERIALS))
  .map((serial): Cell => ({ tag: 'date', serial }));
const errors = fc.constantFrom('#N/A', '#DIV/0!', '#REF!', '#VALUE!').map((text): Cell => ({ tag: 'error', text }));

/** Typical tape cells, including malformed ones. */
const mixed = fc.oneof(
  { weight: 1, arbitrary: blanks },
  { weight: 4, arbitrary: numbers },
  { weight: 4, arbitrary: texts },
  { weight: 1, arbitrary: booleans },
  { weight: 1, arbitrary: dates },
  { weight: 1, arbitrary: errors },
);

/** The possible contents of a whole column of a batch. They determine how statements are compiled. */
const COLUMNS: readonly fc.Arbitrary<Cell>[] = [
  mixed,
  numbers,
  texts,
  blanks,
  booleans,
  dates,
  errors,
  fc.oneof(numbers, blanks),
  fc.oneof(texts, blanks),
  fc.oneof(dates, blanks),
  fc.oneof(booleans, blanks),
  fc.oneof({ weight: 5, arbitrary: numbers }, { weight: 1, arbitrary: errors }),
  fc.oneof(numbers, texts),
  fc.oneof(dates, texts),
  fc.integer({ min: 1, max: 999_999_999 }).map((cents) => number(cents / 100)),
  fc.integer({ min: 25_600, max: 50_000 }).map(number),
  fc.oneof(
    decimalTextArbitrary.map(words),
    fc.integer({ min: 0, max: 99_999 }).map((cents) => number(cents / 1000)),
  ),
  fc.integer({ min: 0, max: 30_000 }).map((day) => words(new Date(day * 86_400_000).toISOString().slice(0, 10))),
  // Few distinct texts, each repeated many times.
  fc.constantFrom('current', 'Charged Off', '36 months', '12.5%', '1,000.50', '2018-06-30').map(words),
];

/** A batch: rows of cells by header. Each column has its own kind of content. */
export function batchArbitrary(
  headers: readonly string[],
  maxRows = 24,
): fc.Arbitrary<Readonly<Record<string, Cell>>[]> {
  const makes = fc.tuple(...headers.map(() => fc.integer({ min: 0, max: COLUMNS.length - 1 })));
  return makes.chain((chosen) => {
    const row = Object.fromEntries(headers.map((header, at) => [header, COLUMNS[chosen[at] ?? 0] ?? mixed]));
    return fc.array(fc.record(row), { minLength: 1, maxLength: maxRows });
  });
}
