import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import { TIME_OF_DAY } from '../../dates/time-of-day.ts';
import type { SerializationInput } from '../serialization.schema.ts';
import { MONTH_NAMES, monthFormOf, monthFormOfColumn } from './column-shape.ts';
import type { ColumnSummary, SampleCell } from './column-summary.ts';

/** How a column writes its dates, and the steps that read them. */
export interface DateReading {
  readonly steps: readonly SerializationInput[];
  /** Rules that run before it. Each makes a part of the date and is kept only while the row is mapped. */
  readonly helpers: readonly { readonly name: string; readonly steps: readonly SerializationInput[] }[];
  readonly fits: (cell: SampleCell) => boolean;
  /** `dates written day first, as 31/10/2024`. */
  readonly words: string;
  /** What the values leave ambiguous; null if nothing. */
  readonly doubt: string | null;
}

/** Whether dates that write the day and month as numbers have the day first; null if the tape does not show it. */
export type DayFirst = boolean | null;

type Written = 'iso' | 'yearFirst' | 'numeric' | 'compact' | 'short' | 'dayName' | 'nameDay' | 'nameYear';

interface WrittenDate {
  readonly written: Written;
  readonly separator: string;
  readonly yearDigits: number;
  readonly hasTime: boolean;
  /** For `numeric`: the two numbers before the year. */
  readonly first: number;
  readonly second: number;
  readonly year: number;
}

const MONTH_KEYS = new Set(MONTH_NAMES.map((name) => name.toLowerCase()));
const FULL_MONTHS =
  /^(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?)$/i;
/** What systems write when there is no date. */
const NO_DATES = new Set(['0', '00000000', '00/00/0000', '0000-00-00', '00.00.0000', '1/0/1900', '01/00/1900']);
export const isNoDate = (cell: SampleCell): boolean => NO_DATES.has(cell.value.trim());

const ISO_DATE = new RegExp(`^\\d{4}-\\d{2}-\\d{2}(?:[T ]${TIME_OF_DAY})?$`);
const YEAR_FIRST_DATE = new RegExp(`^(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})( ${TIME_OF_DAY})?$`);
const NUMERIC_DATE = new RegExp(`^(\\d{1,2})([-/.])(\\d{1,2})\\2(\\d{4}|\\d{2})( ${TIME_OF_DAY})?$`);

const isMonthName = (text: string): boolean => FULL_MONTHS.test(text) && MONTH_KEYS.has(text.slice(0, 3).toLowerCase());
const isDay = (month: number, day: number): boolean => month >= 1 && month <= 12 && day >= 1 && day <= 31;

/** Parses a text as a date; null if it is not one. */
export function writtenDate(cell: SampleCell): WrittenDate | null {
  if (cell.tag !== CellTag.number && cell.tag !== CellTag.text) return null;
  const text = cell.value.trim();
  const date = (written: Written, parts: Partial<WrittenDate> = {}): WrittenDate => ({
    written,
    separator: '',
    yearDigits: 4,
    hasTime: false,
    first: 0,
    second: 0,
    year: 0,
    ...parts,
  });
  const compact = /^(\d{4})(\d{2})(\d{2})$/.exec(text);
  if (compact) {
    const [year, month, day] = compact.slice(1).map(Number) as [number, number, number];
    return year >= 1900 && year < 2200 && isDay(month, day) ? date('compact', { year }) : null;
  }
  const short = /^(\d{2})(\d{2})(\d{2})$/.exec(text);
  if (short) {
    const [year, month, day] = short.slice(1).map(Number) as [number, number, number];
    return isDay(month, day) ? date('short', { yearDigits: 2, year }) : null;
  }
  if (cell.tag === CellTag.number) return null;
  if (ISO_DATE.test(text)) return date('iso');
  const yearFirst = YEAR_FIRST_DATE.exec(text);
  if (yearFirst) {
    const fits = isDay(Number(yearFirst[3]), Number(yearFirst[4]));
    return fits ? date('yearFirst', { separator: yearFirst[2]!, hasTime: yearFirst[5] !== undefined }) : null;
  }
  const numeric = NUMERIC_DATE.exec(text);
  if (numeric) {
    const [first, second] = [Number(numeric[1]), Number(numeric[3])];
    if (!isDay(first, second) && !isDay(second, first)) return null;
    const year = numeric[4]!;
    return date('numeric', {
      separator: numeric[2]!,
      yearDigits: year.length,
      hasTime: numeric[5] !== undefined,
      first,
      second,
      year: Number(year),
    });
  }
  const dayName = /^\d{1,2}[-/. ]+([A-Za-z]{3,9})\.?[-/., ]+(\d{4}|\d{2})$/.exec(text);
  if (dayName && isMonthName(dayName[1]!)) {
    return date('dayName', { yearDigits: dayName[2]!.length, year: Number(dayName[2]) });
  }
  const nameDay = /^([A-Za-z]{3,9})\.? \d{1,2}(?:st|nd|rd|th)?,? (\d{4})$/.exec(text);
  if (nameDay && isMonthName(nameDay[1]!)) return date('nameDay');
  const nameYear = /^([A-Za-z]{3,9})\.?[-/' ’]+(\d{4}|\d{2})$/.exec(text);
  if (nameYear && isMonthName(nameYear[1]!)) {
    return date('nameYear', { yearDigits: nameYear[2]!.length, year: Number(nameYear[2]) });
  }
  return null;
}

/** Evidence from all columns of a tape: a date that can only be read day first decides for all similar dates. */
export function dayFirstOf(columns: readonly (readonly SampleCell[])[]): DayFirst {
  let dayFirst = 0;
  let monthFirst = 0;
  for (const cells of columns) {
    for (const cell of cells) {
      const date = writtenDate(cell);
      if (date?.written !== 'numeric') continue;
      if (date.first > 12) dayFirst += 1;
      if (date.second > 12) monthFirst += 1;
    }
  }
  return dayFirst === monthFirst ? null : dayFirst > monthFirst;
}

const keyOf = ({ written, separator, yearDigits }: WrittenDate): string => `${written}${separator}${yearDigits}`;

/**
 * The form in which most values of a column are written; null if they are not texts that contain dates.
 * @param name what the helpers are named after
 */
export function readWrittenDates(filled: readonly SampleCell[], name: string, tape: DayFirst): DateReading | null {
  const all = filled.flatMap((cell) => writtenDate(cell) ?? []);
  const counts = new Map<string, number>();
  for (const date of all) counts.set(keyOf(date), (counts.get(keyOf(date)) ?? 0) + 1);
  const [key] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
  const dates = all.filter((date) => keyOf(date) === key);
  const [sample] = dates;
  if (!sample) return null;
  const example = filled
    .find((cell) => {
      const date = writtenDate(cell);
      return date !== null && keyOf(date) === key;
    })!
    .value.trim();
  const isOfForm = (cell: SampleCell): boolean => {
    const date = writtenDate(cell);
    return date !== null && keyOf(date) === key;
  };
  const isOfFormOrStyled = (cell: SampleCell): boolean => cell.tag === CellTag.date || isOfForm(cell);
  const plain = (steps: SerializationInput[], words = `dates, as ${example}`): DateReading => ({
    steps,
    helpers: [],
    fits: isOfFormOrStyled,
    words,
    doubt: null,
  });
  const century = centuryOf(dates);
  const hasTime = dates.some((date) => date.hasTime);
  const [month, day] = [helperName(name, 'month'), helperName(name, 'day')];
  const cut: SerializationInput[] = hasTime ? [{ type: 'split', by: ' ', index: 0 }] : [];
  const year: SerializationInput[] =
    sample.yearDigits === 4
      ? [{ type: 'slice', value: [-4] }]
      : [
          { type: 'slice', value: [-2] },
          { type: 'padStart', length: 4, fill: century.digits },
        ];
  const assembled = (
    start: readonly SerializationInput[],
    helpers: DateReading['helpers'],
    words: string,
    doubt: string | null = null,
  ): DateReading => ({
    steps: [
      ...start,
      {
        type: 'concat',
        separator: '-',
        parts: helpers.length > 1 ? [{ column: month }, { column: day }] : [{ column: month }, { text: '01' }],
      },
      { type: 'date', format: 'ISO' },
    ],
    helpers,
    fits: isOfForm,
    words,
    doubt: doubt ?? century.doubt,
  });
  const twoDigits: SerializationInput = { type: 'padStart', length: 2 };
  const part = (by: string, index: number): SerializationInput[] => [...cut, { type: 'split', by, index }, twoDigits];
  const ofName: SerializationInput[] = [
    { type: 'regexExtract', pattern: '[A-Za-z]{3}' },
    {
      type: 'switchCase',
      // biome-ignore lint/suspicious/noThenProperty: `then` is part of the contract; a case is never awaited
      cases: MONTH_NAMES.map((each, at) => ({ equals: each, then: String(at + 1).padStart(2, '0') })),
    },
  ];
  const ofDay: SerializationInput[] = [{ type: 'regexExtract', pattern: '[0-9]{1,2}' }, twoDigits];
  const trimmed: SerializationInput[] = [{ type: 'trim' }];
  switch (sample.written) {
    case 'iso':
      return plain([{ type: 'date', format: 'ISO' }]);
    case 'yearFirst': {
      const { separator } = sample;
      const isPadded = filled.every((cell) => !isOfForm(cell) || /^\d{4}.\d{2}.\d{2}/.test(cell.value.trim()));
      if (isPadded) {
        return plain([
          { type: 'replaceStrings', value: [separator, '-'] },
          { type: 'date', format: 'ISO' },
        ]);
      }
      const helpers = [
        { name: month, steps: part(separator, 1) },
        { name: day, steps: part(separator, 2) },
      ];
      return assembled([...trimmed, { type: 'slice', value: [0, 4] }], helpers, `dates, as ${example}`);
    }
    case 'compact':
      return assembled(
        [{ type: 'slice', value: [0, 4] }],
        [
          { name: month, steps: [{ type: 'slice', value: [4, 6] }] },
          { name: day, steps: [{ type: 'slice', value: [6, 8] }] },
        ],
        `dates, as ${example}`,
      );
    case 'short':
      return assembled(
        [
          { type: 'slice', value: [0, 2] },
          { type: 'padStart', length: 4, fill: century.digits },
        ],
        [
          { name: month, steps: [{ type: 'slice', value: [2, 4] }] },
          { name: day, steps: [{ type: 'slice', value: [4, 6] }] },
        ],
        `dates written year, month, day, as ${example}, in the years ${century.digits}00 to ${century.digits}99`,
      );
    case 'numeric': {
      const { separator } = sample;
      const order = orderOf(dates, separator, tape);
      if (!order.isDayFirst && sample.yearDigits === 4) {
        const steps: SerializationInput[] = [{ type: 'date', format: 'american' }];
        if (separator !== '/') steps.unshift({ type: 'replaceStrings', value: [separator, '/'] });
        return { ...plain(steps, `dates written month first, such as ${example}`), doubt: order.doubt };
      }
      const helpers = [
        { name: month, steps: part(separator, order.isDayFirst ? 1 : 0) },
        { name: day, steps: part(separator, order.isDayFirst ? 0 : 1) },
      ];
      const words = `dates written ${order.isDayFirst ? 'day' : 'month'} first, such as ${example}`;
      return assembled([...(hasTime ? cut : trimmed), ...year], helpers, words, order.doubt);
    }
    case 'dayName':
    case 'nameDay': {
      const helpers = [
        { name: month, steps: ofName },
        { name: day, steps: ofDay },
      ];
      return assembled([...trimmed, ...year], helpers, `dates, as ${example}`);
    }
    case 'nameYear':
      return assembled([...trimmed, ...year], [{ name: month, steps: ofName }], `months, as ${example}`);
  }
}

/** Maximum length of the part of a header that a helper is named after; target names are limited to 200 characters. */
const NAMED_AFTER = 150;

/** A name without the special characters of a field path. */
const helperName = (header: string, part: string): string =>
  `${header
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, NAMED_AFTER)} ${part}`.trim();

function orderOf(
  dates: readonly WrittenDate[],
  separator: string,
  tape: DayFirst,
): { isDayFirst: boolean; doubt: string | null } {
  const dayFirst = dates.filter(({ first }) => first > 12).length;
  const monthFirst = dates.filter(({ second }) => second > 12).length;
  if (dayFirst > 0 && monthFirst > 0) {
    return {
      isDayFirst: dayFirst > monthFirst,
      doubt: `some have the day first (${dayFirst}) and others the month (${monthFirst})`,
    };
  }
  if (dayFirst > 0 || monthFirst > 0) return { isDayFirst: dayFirst > 0, doubt: null };
  if (tape !== null) return { isDayFirst: tape, doubt: null };
  const isDayFirst = separator === '.';
  return {
    isDayFirst,
    doubt: isDayFirst ? null : 'no day is above 12: check whether the day or the month comes first',
  };
}

/** Two-digit years below 70 belong to this century, unless the column has none of them. */
function centuryOf(dates: readonly WrittenDate[]): { digits: '19' | '20'; doubt: string | null } {
  const short = dates.filter(({ yearDigits }) => yearDigits === 2);
  const old = short.filter(({ year }) => year >= 70).length;
  if (old === 0) return { digits: '20', doubt: null };
  if (old === short.length) return { digits: '19', doubt: null };
  return { digits: '20', doubt: `${old} two-digit years may be in the previous century` };
}

/** Dates that one rule can read: months as tapes write them, serial numbers and timestamps. */
export function readPlainDates({ filled, numbers }: ColumnSummary): SerializationInput[] {
  const american: SerializationInput = { type: 'date', format: 'american' };
  switch (monthFormOfColumn(filled)) {
    case 'month/year':
      return [{ type: 'replaceStrings', value: ['/', '/01/'] }, american];
    case 'month-name':
      return [
        ...MONTH_NAMES.map(
          (name, at): SerializationInput => ({
            type: 'replaceStrings',
            value: [`${name}-`, `${String(at + 1).padStart(2, '0')}/01/`],
          }),
        ),
        american,
      ];
    case 'monthYear':
      // 32018 becomes 3.2018. The added trailing digit keeps the last zero of a year; the slice removes it again.
      return [
        { type: 'divide', value: 10_000 },
        { type: 'add', value: 0.000_01 },
        { type: 'slice', value: [0, -1] },
        { type: 'replaceStrings', value: ['.', '/01/'] },
        american,
      ];
    case 'yearMonth':
      return [
        { type: 'divide', value: 100 },
        { type: 'add', value: 0.001 },
        { type: 'slice', value: [0, -1] },
        { type: 'replaceStrings', value: ['.', '-'] },
        { type: 'concat', parts: [{ text: '-01' }] },
        { type: 'date', format: 'ISO' },
      ];
    default: {
      const middle = [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
      const format = middle > 1e11 ? 'timestampMilliseconds' : middle > 1e8 ? 'timestampSeconds' : 'excel';
      return [{ type: 'date', format }];
    }
  }
}

/** Dates this far off are what systems write for "open end" or for no date. */
const isFarOff = ({ tag, value }: SampleCell): boolean =>
  (tag === CellTag.date && (value < '1950' || value >= '2100')) ||
  (tag === CellTag.text && /\b(1[0-8]\d\d|190\d|2[1-9]\d\d|9999)\b/.test(value.trim()));

/** How a column's dates are read; null if its values are not dates. */
export function readDates(summary: ColumnSummary, header: string, tape: DayFirst): DateReading | null {
  const reading = readForm(summary, header, tape);
  const far = summary.filled.filter(isFarOff);
  if (reading === null || far.length === 0 || reading.doubt !== null) return reading;
  return {
    ...reading,
    doubt: `${far.length} out of range, such as ${far[0]!.value.trim()}: leave them out if they mean no date`,
  };
}

const MIN_SHORT_SHARE = 0.9;

function readForm(summary: ColumnSummary, header: string, tape: DayFirst): DateReading | null {
  const filled = summary.filled.filter((cell) => !isNoDate(cell));
  if (filled.length === 0) return null;
  const plain = (fits: DateReading['fits'], words: string): DateReading => ({
    steps: readPlainDates({ ...summary, filled }),
    helpers: [],
    fits,
    words,
    doubt: null,
  });
  const styled = filled.filter((cell) => cell.tag === CellTag.date).length;
  const isNamedDate = /date|month|maturity|\bd\b|_d$|dt|dte|period/i.test(header);
  const months = monthFormOfColumn(filled);
  // "Mar-2018" and similar values are read in one rule.
  if (months !== null && (isNamedDate || months === 'month-name'))
    return plain((cell) => monthFormOf(cell) !== null, 'months');
  const written = readWrittenDates(filled, header, tape);
  const fitting = written ? filled.filter(written.fits).length : 0;
  // Six digits are a date only where nearly all of a column named for dates can be one.
  const isShort = filled.some((cell) => writtenDate(cell)?.written === 'short');
  const isUnlikely = isShort && !(isNamedDate && fitting >= MIN_SHORT_SHARE * filled.length);
  if (
    written &&
    !isUnlikely &&
    fitting > styled &&
    (isNamedDate || fitting < filled.length || !written.words.startsWith('dates, as 1'))
  ) {
    return written;
  }
  if (styled > 0)
    return { ...plain((cell) => cell.tag === CellTag.date, 'dates'), steps: [{ type: 'date', format: 'excel' }] };
  if (written && !isUnlikely) return written;
  const isSerial = (cell: SampleCell): boolean => {
    const value = Number(cell.value);
    return isNamedDate && ((value > 20_000 && value < 80_000) || value > 1e8);
  };
  return filled.some(isSerial) ? plain(isSerial, 'numbers that can be days') : null;
}
