import { MONTH_BY_NAME } from '@tapeline/domain/dates/month-names.ts';
import { TIME_OF_DAY } from '@tapeline/domain/dates/time-of-day.ts';
import type { DateOrder } from '@tapeline/domain/tapes/serialization.schema.ts';
import { quoteText } from '@tapeline/lake/lake.ts';

const SPACE = '[ \\x{00A0}]';
const DAY = '([0-9]{1,2})(?:st|nd|rd|th|er|[.]|º)?';
const MONTH = '([0-9]{1,2})';
const YEAR = '([0-9]{4}|[0-9]{2})';
const NAME = '([\\p{L}\\p{M}]{3,12})[.]?';
/** Between numbers. */
const BETWEEN = `(?:${SPACE}*[-/.]${SPACE}*|${SPACE}+)`;
/** Beside a month's name: `31Dec2024`, `31 de diciembre de 2024`. */
const BESIDE = `(?:[-/.,'’]|${SPACE})*(?:(?:de|del|do|of)${SPACE}+)?`;
/** Between a day and the year after it. */
const COMMA = `(?:[-/.,]|${SPACE})+`;

/** Separates the parts of a date. A text that contains it is no date. */
const MARK = '|';
const parts = (...groups: (number | '01')[]): string =>
  groups.map((group) => (group === '01' ? '01' : `\\${group}`)).join(MARK);

/** Each way to write a date in an order, as a pattern and its year, month and day. */
const FORMS: Readonly<Record<DateOrder, readonly (readonly [pattern: string, made: string])[]>> = {
  dayFirst: [
    [`${DAY}${BETWEEN}${MONTH}${BETWEEN}${YEAR}`, parts(3, 2, 1)],
    [`${DAY}${BESIDE}${NAME}${BESIDE}${YEAR}`, parts(3, 2, 1)],
    [`${NAME}${BESIDE}${DAY}${COMMA}${YEAR}`, parts(3, 1, 2)],
    ['([0-9]{1,2})([0-9]{2})([0-9]{4})', parts(3, 2, 1)],
    ['([0-9]{2})([0-9]{2})([0-9]{2})', parts(3, 2, 1)],
  ],
  monthFirst: [
    [`${MONTH}${BETWEEN}${DAY}${BETWEEN}${YEAR}`, parts(3, 1, 2)],
    [`${DAY}${BESIDE}${NAME}${BESIDE}${YEAR}`, parts(3, 2, 1)],
    [`${NAME}${BESIDE}${DAY}${COMMA}${YEAR}`, parts(3, 1, 2)],
    ['([0-9]{1,2})([0-9]{2})([0-9]{4})', parts(3, 1, 2)],
    ['([0-9]{2})([0-9]{2})([0-9]{2})', parts(3, 1, 2)],
  ],
  yearFirst: [
    [`${YEAR}${BETWEEN}${MONTH}${BETWEEN}${DAY}`, parts(1, 2, 3)],
    [`${YEAR}${BESIDE}${NAME}${BESIDE}${DAY}`, parts(1, 2, 3)],
    [`${YEAR}([0-9]{2})([0-9]{2})`, parts(1, 2, 3)],
  ],
  yearMonth: [
    [`${YEAR}${BETWEEN}${MONTH}`, parts(1, 2, '01')],
    [`${YEAR}${BESIDE}${NAME}`, parts(1, 2, '01')],
    ['([0-9]{4})([0-9]{2})', parts(1, 2, '01')],
  ],
  monthYear: [
    [`${MONTH}${BETWEEN}${YEAR}`, parts(2, 1, '01')],
    [`${NAME}${BESIDE}${YEAR}`, parts(2, 1, '01')],
    ['([0-9]{1,2})([0-9]{4})', parts(2, 1, '01')],
  ],
};

/** Splits a text into year, month and day; a text in no form of the order is left unchanged. */
function partsOf(order: DateOrder): string {
  const start = `CASE WHEN NOT contains(s, '${MARK}') THEN tape_trim(s) END`;
  return FORMS[order].reduce(
    (inner, [pattern, made]) => `regexp_replace(${inner}, '^${sqlText(pattern)}(?: ${TIME_OF_DAY})?$', '${made}')`,
    start,
  );
}

const sqlText = (pattern: string): string => pattern.replaceAll("'", "''");

/** Every name with its month's number. */
const MONTHS = `,${[...MONTH_BY_NAME].map(([name, month]) => `${name}:${String(month).padStart(2, '0')}`).join(',')},`;

/** The digits that a sheet shows of such a number, and all its digits: a sheet drops a leading zero. */
const DIGITS: Readonly<Record<DateOrder, readonly (readonly [shown: number, all: number])[]>> = {
  // 5 digits would be a serial as well as 6 without the zero of their day.
  dayFirst: [
    [6, 6],
    [7, 8],
    [8, 8],
  ],
  monthFirst: [
    [6, 6],
    [7, 8],
    [8, 8],
  ],
  yearFirst: [
    [5, 6],
    [6, 6],
    [8, 8],
  ],
  yearMonth: [[6, 6]],
  monthYear: [
    [5, 6],
    [6, 6],
  ],
};

function digitsMacro(order: DateOrder): string {
  const cases = DIGITS[order].map(([shown, all]) => `WHEN ${shown} THEN lpad(tape_number_text(n), ${all}, '0')`);
  return `tape_date_digits_${order}(n) AS CASE WHEN n = trunc(n) AND n > 0 AND n < 100000000
      THEN CASE strlen(tape_number_text(n)) ${cases.join(' ')} END END`;
}

const ORDERS = Object.keys(FORMS) as DateOrder[];

/** Macros that read dates and figures as people write them. */
export const FORMAT_MACROS: readonly string[] = [
  // A name has at least three letters.
  `tape_month(m) AS CASE WHEN strlen(m) < 3 THEN lpad(m, 2, '0')
      ELSE left(split_part('${MONTHS}', concat(',', strip_accents(lower(m)), ':'), 2), 2) END`,
  // A year below 1000 is not read. Two digits are the year of the hundred years from `first` on that ends in them.
  `tape_year(y, first) AS CASE WHEN strlen(y) = 2
      THEN CAST(first + (TRY_CAST(y AS INTEGER) - first % 100 + 100) % 100 AS VARCHAR) WHEN y >= '1000' THEN y END`,
  `tape_dated(taken, first) AS CASE WHEN contains(taken, '${MARK}')
      THEN TRY_CAST(tape_year(split_part(taken, '${MARK}', 1), first) || '-' || tape_month(split_part(taken, '${MARK}', 2)) || '-'
        || lpad(split_part(taken, '${MARK}', 3), 2, '0') AS DATE) END`,
  ...ORDERS.map((order) => `tape_date_parts_${order}(s) AS ${partsOf(order)}`),
  ...ORDERS.map(digitsMacro),
  ...(['point', 'comma'] as const).map(figureMacro),
  `tape_unbracketed(s) AS CASE WHEN regexp_full_match(tape_squeeze(s), '[(][^()+-]*[)]%?') THEN concat('-', translate(s, '()', '')) ELSE s END`,
  `tape_untrailed(s) AS CASE WHEN regexp_full_match(tape_squeeze(s), '[^()+-]+-%?') THEN concat('-', translate(s, '-', '')) ELSE s END`,
];

/**
 * The text of a figure as other steps read it: with a decimal point and without thousands separators. Any other text becomes
 * one that is not a number. The percent sign stays, because it can contradict a scale.
 */
function figureMacro(sign: 'point' | 'comma'): string {
  const [decimal, thousands] = sign === 'comma' ? [',', '.'] : ['.', ','];
  const grouped = (mark: string): string => `[0-9]{1,3}(?:${mark}[0-9]{3})+`;
  const whole = `(?:[0-9]+|${grouped(`[${thousands}]`)}|${grouped("['’]")})`;
  // Some languages separate thousands by a narrow space.
  const bare = "regexp_replace(tape_squeeze(s), '[%\\x{202F}\\x{2009}]', '', 'g')";
  const digits = `replace(translate(${bare}, ${quoteText(`${thousands}'’`)}, ''), '${decimal}', '.')`;
  return `tape_figure_${sign}(s) AS CASE WHEN tape_blank(s) THEN s
      WHEN regexp_full_match(${bare}, ${quoteText(`[+-]?(?:${whole}(?:[${decimal}][0-9]*)?|[${decimal}][0-9]+)`)})
      THEN concat(${digits}, CASE WHEN contains(s, '%') THEN '%' ELSE '' END)
      WHEN s IS NOT NULL THEN 'no figure' END`;
}
