import type { DuckDBConnection } from '@duckdb/node-api';
import { TIME_OF_DAY } from '@tapeline/domain/dates/time-of-day.ts';
import { CURRENCIES } from '@tapeline/domain/money/currencies.ts';
import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import { DAYS_OF_UNIT, type NumberUnit, TIME_UNITS } from '@tapeline/domain/tapes/serialization.schema.ts';
import { STATUS_BY_KEY } from '@tapeline/domain/tapes/statuses.ts';
import { quoteText } from '@tapeline/lake/lake.ts';
import { FORMAT_MACROS } from './format-macros.ts';

/**
 * Characters that count as spaces in a tape: as an RE2 class, and as a string for trim(). The no-break space occurs in
 * web exports.
 */
const SPACE_CLASS = '[\\t\\n\\f\\r \\x{00A0}]';
const SPACES = ' \t\n\f\r\u00a0';

const PLAIN_NUMBER = '[+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?';
const GROUPED_NUMBER = '[+-]?[0-9]{1,3}(?:,[0-9]{3})+(?:\\.[0-9]*)?';

/** Numbers of decimal places that amounts, percentages and the round step can be rounded to. */
const ROUNDING_DIGITS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10] as const;
export type RoundingDigits = (typeof ROUNDING_DIGITS)[number];
/** Number of places that each unit moves the decimal point. */
export const UNIT_POWERS: Readonly<Record<NumberUnit, number>> = { scalar: 0, thousands: 3, millions: 6, billions: 9 };
/** Numbers of decimal places that currencies have. */
const MINOR_UNIT_DIGITS = [...new Set(CURRENCIES.map(({ code }) => minorUnitDigits(code)))];
/**
 * Numbers of decimal places that exact decimals are rounded to. Amounts in billions are rounded nine places further to
 * the right.
 */
const EXACT_DIGITS = new Set<number>([
  ...ROUNDING_DIGITS,
  ...MINOR_UNIT_DIGITS.flatMap((digits) => Object.values(UNIT_POWERS).map((power) => digits + power)),
]);
/** Type of an exact decimal that was read from text: 18 digits before the point, 20 after. */
export const EXACT = 'DECIMAL(38,20)';
/**
 * Numbers of at most nine digits before the point and eight after it fit 64 bits, even if rounding adds a digit. Almost
 * all are that short, and DuckDB reads and rounds them about thirty times as fast as numbers of 128 bits.
 */
export const SHORT = 'DECIMAL(18,8)';
const SHORT_NUMBER = '[+-]?[0-9]{1,9}(?:\\.[0-9]{0,8})?';
/** A number whose digits before and behind the point are read apart, each in 64 bits. */
const HALVED_NUMBER = '[+-]?[0-9]{1,18}\\.[0-9]{0,18}';
/** From this bound on, exact decimals are calculated with as doubles. */
const EXACT_BOUND = '1000000000000000';
/** From this bound on, rounding could exceed the type of an exact decimal. No amount or percentage is that large. */
const ROUNDING_BOUND = '100000000000000000';
/** If n x 10^k is this close to a tie, a double cannot tell which side it is on, and the decimal digits decide. */
const TIE_MARGIN = '1e-3';

/**
 * Above this limit, the 15 significant digits of a double do not reach far enough behind the point for the quick path.
 */
export const quickLimit = (digits: RoundingDigits): number => Number(`1e${11 - digits}`);

function roundingMacros(digits: RoundingDigits): string[] {
  const unit = `1e${digits}`;
  return [
    `tape_steady_${digits}(n) AS (abs(abs(n * ${unit} - trunc(n * ${unit})) - 0.5) > ${TIE_MARGIN})`,
    `tape_quick_${digits}(n) AS (abs(n) < 1e${11 - digits} AND tape_steady_${digits}(n))`,
    `tape_round_${digits}(n) AS CASE
      WHEN tape_quick_${digits}(n) THEN round(n * ${unit}) / ${unit}
      WHEN abs(n) >= 1e15 THEN n
      ELSE CAST(round(tape_seen(n), ${digits}) AS DOUBLE) END`,
    `tape_money_${digits}(n) AS TRY_CAST(round(n * ${unit}) / ${unit} AS DECIMAL(18,4))`,
  ];
}

/**
 * Rounds half to even. DuckDB rounds half away from zero, so if a tie gives an odd result, it is moved back by one
 * unit.
 */
function evenMacro(digits: number): string {
  const half = `0.${'0'.repeat(digits)}5`;
  const step = digits === 0 ? '1' : `0.${'0'.repeat(digits - 1)}1`;
  // IN would evaluate its left side for every row instead of only for ties.
  const odd = `contains('13579', right(CAST(round(d, ${digits}) AS VARCHAR), 1))`;
  return `tape_even_${digits}(d) AS CASE
      WHEN abs(d) >= CAST('${ROUNDING_BOUND}' AS ${EXACT}) THEN NULL
      WHEN abs(d - round(d, ${digits})) = CAST('${half}' AS ${EXACT}) AND ${odd}
      THEN round(d, ${digits}) - sign(d) * CAST('${step}' AS DECIMAL(18,${digits}))
      ELSE round(d, ${digits}) END`;
}

/** The amount for a decimal given in units: rounded at the position that becomes the minor unit, then shifted. */
function sumMacro(digits: number, power: number): string {
  const rounded = `tape_even_${digits + power}(d)`;
  if (power === 0) return `tape_sum_${digits}_0(d) AS TRY_CAST(${rounded} AS DECIMAL(18,4))`;
  // Wide enough that the product is calculated in 128 bits.
  const inUnits = `CAST(TRY_CAST(${rounded} AS DECIMAL(${14 + digits},${digits + power})) AS DECIMAL(28,${digits + power}))`;
  return `tape_sum_${digits}_${power}(d) AS TRY_CAST(${inUnits} * CAST(1e${power} AS DECIMAL(${power + 1},0)) AS DECIMAL(18,4))`;
}

/** The same as `tape_sum_{digits}_0` for a short decimal, in 64 bits. */
function shortSumMacro(digits: number): string {
  const rounded = `CAST(round(d, ${digits}) AS ${SHORT})`;
  const [half, step] = [5 * 10 ** -(digits + 1), 10 ** -digits].map((n) => `CAST('${n.toFixed(8)}' AS ${SHORT})`);
  const odd = `contains('13579', right(CAST(round(d, ${digits}) AS VARCHAR), 1))`;
  return `tape_short_sum_${digits}(d) AS CAST(CASE WHEN abs(d - ${rounded}) = ${half} AND ${odd}
      THEN ${rounded} - ${step} * sign(d) ELSE ${rounded} END AS DECIMAL(18,4))`;
}

/** The text of the instant that is a serial `n` after midnight of this day. */
const instantText = (day: string): string =>
  `replace(strftime(TIMESTAMP '${day}' + to_seconds(tape_seconds(n)), '%Y-%m-%dT%H:%M:%S'), 'T00:00:00', '')`;

const statusCases = [...STATUS_BY_KEY].map(([key, status]) => `WHEN ${quoteText(key)} THEN ${quoteText(status)}`);
const unitDays = TIME_UNITS.map((unit) => `WHEN '${unit}' THEN ${DAYS_OF_UNIT[unit]}`);

/** All currency codes, with a comma on both sides of each. */
const CODES = `,${CURRENCIES.map(({ code }) => code).join(',')},`;

/**
 * The macros of the compiled SQL. None of them uses IN (...) with a list, because DuckDB plans that as a separate join,
 * and a mapping with a few hundred rules would take minutes. Macros are inlined when a statement is planned, so they
 * cost nothing at run time.
 */
const MACROS: readonly string[] = [
  `tape_trim(s) AS trim(s, ${quoteText(SPACES)})`,
  `tape_squeeze(s) AS regexp_replace(s, '${SPACE_CLASS}', '', 'g')`,
  // The first character is almost always enough to decide. Trimming every text is ten times as slow.
  `tape_blank(s) AS CASE WHEN ascii(s) > 32 AND ascii(s) <> 160 THEN false ELSE tape_trim(s) = '' END`,
  `tape_key(s) AS lower(tape_trim(s))`,
  `tape_finite(n) AS CASE WHEN isfinite(n) THEN n END`,
  // Percent signs and spaces are removed. Commas are only accepted between well-formed groups of three digits.
  `tape_digits(s) AS CASE
      WHEN regexp_full_match(s, '${PLAIN_NUMBER}') THEN s
      WHEN regexp_full_match(regexp_replace(s, '%|${SPACE_CLASS}', '', 'g'), '${PLAIN_NUMBER}|${GROUPED_NUMBER}')
      THEN replace(regexp_replace(s, '%|${SPACE_CLASS}', '', 'g'), ',', '') END`,
  `tape_number(s) AS tape_finite(TRY_CAST(tape_digits(s) AS DOUBLE))`,
  `tape_short(s) AS CASE WHEN regexp_full_match(s, '${SHORT_NUMBER}') THEN TRY_CAST(s AS ${SHORT}) END`,
  // If a digit from the 20th on is not zero, all digits from there on become a single 1, so rounding cannot make a tie.
  `tape_long(digits) AS CASE
      WHEN regexp_full_match(digits, '${HALVED_NUMBER}')
      THEN CAST(TRY_CAST(split_part(digits, '.', 1) AS BIGINT) AS ${EXACT}) + CAST(TRY_CAST(
        concat(CASE WHEN starts_with(digits, '-') THEN '-0.' ELSE '0.' END, split_part(digits, '.', 2)) AS DECIMAL(18,18)) AS ${EXACT})
      WHEN strlen(digits) > 21 THEN TRY_CAST(regexp_replace(digits, '^([+-]?[0-9]*[.][0-9]{19})[0-9]*[1-9][0-9]*$', '\\11') AS ${EXACT})
      ELSE TRY_CAST(digits AS ${EXACT}) END`,
  `tape_exact(s) AS coalesce(CAST(tape_short(s) AS ${EXACT}), tape_long(tape_digits(s)))`,
  // The 15 significant digits of a double, which is what spreadsheets display.
  `tape_seen(n) AS coalesce(CAST(tape_short(printf('%.15g', n)) AS ${EXACT}), tape_long(printf('%.15g', n)))`,
  // Exact decimals are used up to a bound that guarantees that no sum exceeds the type.
  `tape_held(d) AS CASE WHEN abs(d) < CAST(${EXACT_BOUND} AS ${EXACT}) THEN d END`,
  // 19 digits wide, so that the product of 18 by 18 digits is calculated in 128 bits.
  `tape_product_4_8(a, b) AS CASE WHEN a = TRY_CAST(a AS DECIMAL(18,4)) AND b = TRY_CAST(b AS DECIMAL(18,8))
      THEN TRY_CAST(CAST(TRY_CAST(a AS DECIMAL(18,4)) AS DECIMAL(19,4)) * CAST(TRY_CAST(b AS DECIMAL(18,8)) AS DECIMAL(19,8)) AS ${EXACT}) END`,
  `tape_product(a, b) AS coalesce(tape_product_4_8(a, b), tape_product_4_8(b, a))`,
  `tape_number_text(n) AS CASE
      WHEN n = trunc(n) AND abs(n) < 1e15 THEN CAST(CAST(n AS BIGINT) AS VARCHAR)
      ELSE printf('%.15g', n) END`,
  ...ROUNDING_DIGITS.flatMap(roundingMacros),
  ...[...EXACT_DIGITS].map(evenMacro),
  ...MINOR_UNIT_DIGITS.flatMap((digits) => Object.values(UNIT_POWERS).map((power) => sumMacro(digits, power))),
  ...MINOR_UNIT_DIGITS.map(shortSumMacro),
  `tape_points_100(n) AS TRY_CAST(round(n * 1e8) / 1e8 AS DECIMAL(18,8))`,
  `tape_points_1(n) AS TRY_CAST(round(n * 1e10) / 1e8 AS DECIMAL(18,8))`,
  // A fraction of 1 with a percent sign contradicts its scale.
  `tape_share_digits(s) AS CASE WHEN NOT contains(s, '%') THEN tape_digits(s) END`,
  `tape_exact_points_100(d) AS TRY_CAST(tape_even_8(d) AS DECIMAL(18,8))`,
  // Wide enough that the product is calculated in 128 bits.
  `tape_short_points_1(d) AS TRY_CAST(CAST(d AS DECIMAL(28,8)) * 100 AS DECIMAL(18,8))`,
  `tape_exact_points_1(d) AS CASE
      WHEN abs(d) < 1000 THEN CAST(CAST(tape_even_10(d) AS DECIMAL(14,10)) * CAST(100 AS DECIMAL(3,0)) AS DECIMAL(18,8))
      ELSE TRY_CAST(TRY_CAST(tape_even_10(d) AS DECIMAL(28,10)) * 100 AS DECIMAL(18,8)) END`,
  // As `dayAndSecond` in the reader, which shows serials: rounded to seconds first.
  `tape_seconds(n) AS round(n * 86400)`,
  `tape_day(n) AS floor(tape_seconds(n) / 86400)`,
  // Excel has a false 29 February 1900 (serial 60), so serials below 60 count from a day later.
  `tape_serial_1900(n) AS CASE
      WHEN tape_day(n) >= 61 AND tape_day(n) < 2958466 THEN DATE '1899-12-30' + CAST(tape_day(n) AS INTEGER)
      WHEN tape_day(n) >= 1 AND tape_day(n) < 60 THEN DATE '1899-12-31' + CAST(tape_day(n) AS INTEGER) END`,
  `tape_serial_1904(n) AS CASE
      WHEN n >= 0 AND tape_day(n) < 2957004 THEN DATE '1904-01-01' + CAST(tape_day(n) AS INTEGER) END`,
  `tape_epoch_day(n) AS CASE
      WHEN n >= -719162 AND n < 2932897 THEN DATE '1970-01-01' + CAST(floor(n) AS INTEGER) END`,
  // The text of a date cell, with the time unless it is midnight. One that has no date is a number.
  `tape_date_text_1900(n) AS CASE
      WHEN tape_seconds(n) >= ${61 * 86_400} AND tape_seconds(n) < ${2_958_466 * 86_400} THEN ${instantText('1899-12-30')}
      WHEN tape_seconds(n) >= ${86_400} AND tape_seconds(n) < ${60 * 86_400} THEN ${instantText('1899-12-31')}
      ELSE tape_number_text(n) END`,
  `tape_date_text_1904(n) AS CASE
      WHEN n >= 0 AND tape_seconds(n) < ${2_957_004 * 86_400} THEN ${instantText('1904-01-01')}
      ELSE tape_number_text(n) END`,
  `tape_iso_date(s) AS CASE
      WHEN regexp_full_match(tape_trim(s), '[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ]${TIME_OF_DAY})?') AND NOT starts_with(tape_trim(s), '0000')
      THEN TRY_CAST(left(tape_trim(s), 10) AS DATE) END`,
  `tape_american_date(s) AS CASE
      WHEN regexp_full_match(tape_trim(s), '[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}(?: ${TIME_OF_DAY})?') AND NOT contains(s, '/0000')
      THEN TRY_CAST(regexp_replace(tape_trim(s), '^([0-9]+)/([0-9]+)/([0-9]{4}).*$', '\\3-\\1-\\2') AS DATE) END`,
  ...FORMAT_MACROS,
  `tape_truth(s) AS CASE lower(tape_squeeze(s))
      WHEN 'yes' THEN true WHEN 'y' THEN true WHEN 'true' THEN true WHEN '1' THEN true WHEN 'positive' THEN true
      ELSE CASE WHEN s IS NOT NULL THEN false END END`,
  `tape_currency(s) AS CASE WHEN strlen(tape_trim(s)) = 3 AND contains('${CODES}', concat(',', upper(tape_trim(s)), ','))
      THEN upper(tape_trim(s)) END`,
  // In almost every text, removing plain spaces is enough. The regular expression only runs if that did not match.
  `tape_status(s) AS coalesce(
      CASE lower(replace(s, ' ', '')) ${statusCases.join(' ')} END,
      CASE lower(tape_squeeze(s)) ${statusCases.join(' ')} END)`,
  // "36 months" names its own unit.
  `tape_term_unit(s) AS nullif(regexp_extract(lower(s), '(day|week|month|quarter|year)s?${SPACE_CLASS}*$', 1), '') || 's'`,
  `tape_term_figure(s) AS regexp_replace(lower(s), '(?:day|week|month|quarter|year)s?${SPACE_CLASS}*$', '')`,
  `tape_days_per(u) AS CASE u ${unitDays.join(' ')} END`,
];

const installed = new WeakSet<DuckDBConnection>();

/** Installs the macros of the compiled SQL once per connection. They are temporary and visible only to it. */
export async function installMacros(connection: DuckDBConnection): Promise<void> {
  if (installed.has(connection)) return;
  await connection.run(MACROS.map((macro) => `CREATE OR REPLACE TEMP MACRO ${macro}`).join(';\n'));
  installed.add(connection);
}
