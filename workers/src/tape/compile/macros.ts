import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteText } from '@tapeline/db/lake/lake.ts';
import { TIME_OF_DAY } from '@tapeline/domain/dates/time-of-day.ts';
import { CURRENCIES, minorUnitDigits } from '@tapeline/domain/money/currencies.ts';
import { DAYS_OF_UNIT, type NumberUnit, TIME_UNITS } from '@tapeline/domain/tapes/serialization.schema.ts';
import { STATUS_BY_KEY } from '@tapeline/domain/tapes/statuses.ts';

/** Spaces of a tape: RE2's class, and the same characters for trim(). The no-break space comes with web exports. */
const SPACE_CLASS = '[\\t\\n\\f\\r \\x{00A0}]';
const SPACES = ' \t\n\f\r\u00a0';

const PLAIN_NUMBER = '[+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?';
const GROUPED_NUMBER = '[+-]?[0-9]{1,3}(?:,[0-9]{3})+(?:\\.[0-9]*)?';

/** Digits after the point that amounts, percentages and the round step can be rounded to. */
const ROUNDING_DIGITS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10] as const;
export type RoundingDigits = (typeof ROUNDING_DIGITS)[number];
/** Places that the units of amounts move the point by. */
export const UNIT_POWERS: Readonly<Record<NumberUnit, number>> = { scalar: 0, thousands: 3, millions: 6, billions: 9 };
/** Digits after the point of some currency's amounts. */
const MINOR_UNIT_DIGITS = [...new Set(CURRENCIES.map(({ code }) => minorUnitDigits(code)))];
/** Digits that exact decimals are rounded to: amounts in billions are rounded nine places further on. */
const EXACT_DIGITS = new Set<number>([
  ...ROUNDING_DIGITS,
  ...MINOR_UNIT_DIGITS.flatMap((digits) => Object.values(UNIT_POWERS).map((power) => digits + power)),
]);
/** Scale of an exact decimal on its way from text: 18 digits before the point, 20 after. */
export const EXACT = 'DECIMAL(38,20)';
/** Exact decimals from here on are calculated with as doubles. */
const EXACT_BOUND = '1000000000000000';
/** Where n x 10^k is this close to a tie, doubles cannot tell its side, and the decimal digits decide. */
const TIE_MARGIN = '1e-3';

/** Above this the 15 digits a person sees no longer reach far enough behind the point for the quick way. */
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

/** Half to even: DuckDB rounds half away from zero, so an odd result of a tie takes one step back. */
function evenMacro(digits: number): string {
  const half = `0.${'0'.repeat(digits)}5`;
  const step = digits === 0 ? '1' : `0.${'0'.repeat(digits - 1)}1`;
  // IN would have its left side worked out for every row instead of for the ties.
  const odd = `contains('13579', right(CAST(round(d, ${digits}) AS VARCHAR), 1))`;
  return `tape_even_${digits}(d) AS CASE
      WHEN abs(d - round(d, ${digits})) = CAST('${half}' AS ${EXACT}) AND ${odd}
      THEN round(d, ${digits}) - sign(d) * CAST('${step}' AS DECIMAL(18,${digits}))
      ELSE round(d, ${digits}) END`;
}

/** An amount of a decimal in units: rounded where the minor unit will stand, then moved there. */
function sumMacro(digits: number, power: number): string {
  const rounded = `tape_even_${digits + power}(d)`;
  if (power === 0) return `tape_sum_${digits}_0(d) AS TRY_CAST(${rounded} AS DECIMAL(18,4))`;
  // Wide enough that the product is reckoned in 128 bits.
  const inUnits = `CAST(TRY_CAST(${rounded} AS DECIMAL(${14 + digits},${digits + power})) AS DECIMAL(28,${digits + power}))`;
  return `tape_sum_${digits}_${power}(d) AS TRY_CAST(${inUnits} * CAST(1e${power} AS DECIMAL(${power + 1},0)) AS DECIMAL(18,4))`;
}

/** What a person sees of a double: 15 significant digits. */
const SEEN = `TRY_CAST(printf('%.15g', n) AS ${EXACT})`;

const statusCases = [...STATUS_BY_KEY].map(([key, status]) => `WHEN ${quoteText(key)} THEN ${quoteText(status)}`);
const unitDays = TIME_UNITS.map((unit) => `WHEN '${unit}' THEN ${DAYS_OF_UNIT[unit]}`);

/** Every currency code with a comma on both sides. */
const CODES = `,${CURRENCIES.map(({ code }) => code).join(',')},`;

/**
 * The words of the compiled SQL. None asks IN (...) of a list: DuckDB plans that as a join of its own, and a mapping of a
 * few hundred rules would take minutes. They are inlined when a statement is planned, so they cost nothing at run time.
 */
const MACROS: readonly string[] = [
  `tape_trim(s) AS trim(s, ${quoteText(SPACES)})`,
  `tape_squeeze(s) AS regexp_replace(s, '${SPACE_CLASS}', '', 'g')`,
  // The first letter nearly always settles it; trimming every text is ten times as dear.
  `tape_blank(s) AS CASE WHEN ascii(s) > 32 AND ascii(s) <> 160 THEN false ELSE tape_trim(s) = '' END`,
  `tape_key(s) AS lower(tape_trim(s))`,
  `tape_finite(n) AS CASE WHEN isfinite(n) THEN n END`,
  // Percent signs and spaces go; commas count only between well-formed groups of three.
  `tape_digits(s) AS CASE
      WHEN regexp_full_match(s, '${PLAIN_NUMBER}') THEN s
      WHEN regexp_full_match(regexp_replace(s, '%|${SPACE_CLASS}', '', 'g'), '${PLAIN_NUMBER}|${GROUPED_NUMBER}')
      THEN replace(regexp_replace(s, '%|${SPACE_CLASS}', '', 'g'), ',', '') END`,
  `tape_number(s) AS tape_finite(TRY_CAST(tape_digits(s) AS DOUBLE))`,
  // Digits beyond the 20th could round a decimal up to a tie; any of them leaves a 1 behind instead.
  `tape_exact(s) AS CASE
      WHEN strlen(s) > 21 THEN TRY_CAST(regexp_replace(tape_digits(s), '^([+-]?[0-9]*[.][0-9]{19})[0-9]*[1-9][0-9]*$', '\\11') AS ${EXACT})
      ELSE TRY_CAST(tape_digits(s) AS ${EXACT}) END`,
  `tape_seen(n) AS ${SEEN}`,
  // Exact decimals are calculated with up to a bound, within which no sum can outgrow their type.
  `tape_held(d) AS CASE WHEN abs(d) < CAST(${EXACT_BOUND} AS ${EXACT}) THEN d END`,
  // 19 digits wide, so that the product of 18 by 18 is reckoned in 128 bits.
  `tape_product_4_8(a, b) AS CASE WHEN a = TRY_CAST(a AS DECIMAL(18,4)) AND b = TRY_CAST(b AS DECIMAL(18,8))
      THEN TRY_CAST(CAST(TRY_CAST(a AS DECIMAL(18,4)) AS DECIMAL(19,4)) * CAST(TRY_CAST(b AS DECIMAL(18,8)) AS DECIMAL(19,8)) AS ${EXACT}) END`,
  `tape_product(a, b) AS coalesce(tape_product_4_8(a, b), tape_product_4_8(b, a))`,
  `tape_number_text(n) AS CASE
      WHEN n = trunc(n) AND abs(n) < 1e15 THEN CAST(CAST(n AS BIGINT) AS VARCHAR)
      ELSE printf('%.15g', n) END`,
  ...ROUNDING_DIGITS.flatMap(roundingMacros),
  ...[...EXACT_DIGITS].map(evenMacro),
  ...MINOR_UNIT_DIGITS.flatMap((digits) => Object.values(UNIT_POWERS).map((power) => sumMacro(digits, power))),
  `tape_points_100(n) AS TRY_CAST(round(n * 1e8) / 1e8 AS DECIMAL(18,8))`,
  `tape_points_1(n) AS TRY_CAST(round(n * 1e10) / 1e8 AS DECIMAL(18,8))`,
  // A text with a percent sign is in points already, whatever the scale of the others.
  `tape_exact_share(s) AS CASE WHEN contains(s, '%') THEN TRY_CAST(tape_exact(s) AS DECIMAL(36,18)) * CAST('0.01' AS DECIMAL(2,2)) ELSE tape_exact(s) END`,
  `tape_exact_points_100(d) AS TRY_CAST(tape_even_8(d) AS DECIMAL(18,8))`,
  `tape_exact_points_1(d) AS TRY_CAST(TRY_CAST(tape_even_10(d) AS DECIMAL(28,10)) * 100 AS DECIMAL(18,8))`,
  // Serials below 60 count from a day later: 1900 has a false 29 February in Excel, and 60 is that day.
  `tape_serial_1900(n) AS CASE
      WHEN n >= 61 AND n < 2958466 THEN DATE '1899-12-30' + CAST(floor(n) AS INTEGER)
      WHEN n >= 1 AND n < 60 THEN DATE '1899-12-31' + CAST(floor(n) AS INTEGER) END`,
  `tape_serial_1904(n) AS CASE
      WHEN n >= 0 AND n < 2957004 THEN DATE '1904-01-01' + CAST(floor(n) AS INTEGER) END`,
  `tape_epoch_day(n) AS CASE
      WHEN n >= -719162 AND n < 2932897 THEN DATE '1970-01-01' + CAST(floor(n) AS INTEGER) END`,
  `tape_time_of_day(n) AS CASE WHEN round((n - floor(n)) * 86400) BETWEEN 1 AND 86399
      THEN strftime(TIMESTAMP '2000-01-01' + to_seconds(round((n - floor(n)) * 86400)), 'T%H:%M:%S') ELSE '' END`,
  `tape_iso_date(s) AS CASE
      WHEN regexp_full_match(tape_trim(s), '[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ]${TIME_OF_DAY})?') AND NOT starts_with(tape_trim(s), '0000')
      THEN TRY_CAST(left(tape_trim(s), 10) AS DATE) END`,
  `tape_american_date(s) AS CASE
      WHEN regexp_full_match(tape_trim(s), '[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}(?: ${TIME_OF_DAY})?') AND NOT contains(s, '/0000')
      THEN TRY_CAST(regexp_replace(tape_trim(s), '^([0-9]+)/([0-9]+)/([0-9]{4}).*$', '\\3-\\1-\\2') AS DATE) END`,
  `tape_truth(s) AS CASE lower(tape_squeeze(s))
      WHEN 'yes' THEN true WHEN 'y' THEN true WHEN 'true' THEN true WHEN '1' THEN true WHEN 'positive' THEN true
      ELSE CASE WHEN s IS NOT NULL THEN false END END`,
  `tape_currency(s) AS CASE WHEN strlen(tape_trim(s)) = 3 AND contains('${CODES}', concat(',', upper(tape_trim(s)), ','))
      THEN upper(tape_trim(s)) END`,
  // Plain spaces are all there is to squeeze in nearly every text; the pattern runs only where that did not help.
  `tape_status(s) AS coalesce(
      CASE lower(replace(s, ' ', '')) ${statusCases.join(' ')} END,
      CASE lower(tape_squeeze(s)) ${statusCases.join(' ')} END)`,
  // "36 months" names its own unit.
  `tape_term_unit(s) AS nullif(regexp_extract(lower(s), '(day|week|month|quarter|year)s?${SPACE_CLASS}*$', 1), '') || 's'`,
  `tape_term_number(s) AS tape_number(regexp_replace(lower(s), '(?:day|week|month|quarter|year)s?${SPACE_CLASS}*$', ''))`,
  `tape_days_per(u) AS CASE u ${unitDays.join(' ')} END`,
];

const installed = new WeakSet<DuckDBConnection>();

/** Teaches a connection the words of the compiled SQL, once; they are temporary and its own. */
export async function installMacros(connection: DuckDBConnection): Promise<void> {
  if (installed.has(connection)) return;
  await connection.run(MACROS.map((macro) => `CREATE OR REPLACE TEMP MACRO ${macro}`).join(';\n'));
  installed.add(connection);
}
