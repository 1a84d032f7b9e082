import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { absolute, compare, decimalOf, isDecimal, isNegative, isZero, round } from '@tapeline/domain/money/decimal.ts';

/** A figure as screens accept it: exact text, or a number for counts and rates. */
export type FigureValue = DecimalText | number | bigint;

export const MINUS = '\u2212';
export const EN_DASH = '\u2013';

const toDecimal = (value: FigureValue): DecimalText =>
  typeof value === 'string' && isDecimal(value) ? value : decimalOf(value);

function groupThousands(plain: DecimalText): string {
  const [whole = '0', fraction] = plain.split('.');
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/**
 * "1234.5" at 2 digits is "1,234.50". Negatives use a minus sign, not a hyphen. Without `digits`, all digits are kept.
 */
export function formatFigure(value: FigureValue, digits?: number): string {
  const decimal = toDecimal(value);
  const rounded = digits === undefined ? decimal : round(decimal, digits);
  return `${isNegative(rounded) ? MINUS : ''}${groupThousands(withoutSign(rounded))}`;
}

/** Removes the sign but keeps trailing zeros, which `absolute` would drop. */
function withoutSign(value: DecimalText): DecimalText {
  return value.startsWith('-') ? value.slice(1) : value;
}

const SCALES = [
  ['1000000000', 'B', 9],
  ['1000000', 'M', 6],
  ['1000', 'K', 3],
] as const;

function shiftLeft(value: DecimalText, places: number): DecimalText {
  const [whole = '0', fraction = ''] = value.split('.');
  const padded = whole.padStart(places + 1, '0');
  return `${padded.slice(0, -places)}.${padded.slice(-places)}${fraction}`;
}

/**
 * K, M and B short forms: 214880412.36 is "214.9M", 15900000 is "15.90M", 999 stays "999".
 * @param digits digits after the decimal point; if omitted, four significant figures
 */
export function formatShort(value: FigureValue, digits?: number): string {
  const decimal = toDecimal(value);
  const sign = isNegative(decimal) ? MINUS : '';
  const magnitude = absolute(decimal);
  for (const [index, [limit, suffix, places]] of SCALES.entries()) {
    if (compare(magnitude, limit) < 0) continue;
    const scaled = shiftLeft(magnitude, places);
    // Rounds half up, as readers expect. This is for display only.
    const shown = round(scaled, digits ?? (compare(scaled, '100') >= 0 ? 1 : 2), 'halfUp');
    // 999,950 rounds up to 1,000.0K, so show 1.00M instead.
    const above = SCALES[index - 1];
    if (compare(shown, '1000') >= 0 && above) return `${sign}${round('1', digits ?? 2)}${above[1]}`;
    return `${sign}${shown}${suffix}`;
  }
  return `${sign}${groupThousands(isZero(magnitude) ? '0' : round(magnitude, digits ?? (magnitude.includes('.') ? 2 : 0)))}`;
}

/** Formats percentage points: "84.1" at 1 digit is "84.1%". */
export function formatPercent(points: FigureValue, digits = 2): string {
  return `${formatFigure(points, digits)}%`;
}

/** A count with its noun: 1 row, 2 rows, 14,650 rows. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatFigure(count)} ${count === 1 ? one : many}`;
}

const BYTE_UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** File sizes in units of 1024: 6710886 is "6.4 MB". */
export function formatBytes(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < BYTE_UNITS.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${BYTE_UNITS[unit]}`;
}

/** A duration: "0.4 s", "1 min 12 s", "2 h 5 min". */
export function formatDuration(durationMs: number): string {
  if (durationMs < 60_000) return `${(durationMs / 1000).toFixed(1)} s`;
  const seconds = Math.round(durationMs / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** An instant in UTC, identical on the server and in every browser: "2 Nov 2026, 09:14". */
export function formatInstant(instant: string | Date): string {
  const date = typeof instant === 'string' ? new Date(instant) : instant;
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}, ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
}

export const NAME_LENGTH = 30;

/** Truncates a name to 30 characters. Show the full name on hover. */
export function shortenName(name: string, length = NAME_LENGTH): string {
  const characters = [...name];
  return characters.length <= length ? name : `${characters.slice(0, length - 1).join('')}\u2026`;
}

/** Codes whose wording cannot be derived from their spelling. */
const CODE_WORDS: Readonly<Record<string, string>> = {
  fix: 'Fixed',
  inEligible: 'Ineligible',
  nonPerforming: 'Non-performing',
  nonPerformingAsset: 'Non-performing asset',
  prePaid: 'Prepaid',
};

/** Converts wire codes to words: "pastDue" is "Past due", "inEligible" is "Ineligible". */
export function humanize(code: string): string {
  const known = Object.hasOwn(CODE_WORDS, code) ? CODE_WORDS[code] : undefined;
  if (known) return known;
  const words = code
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
