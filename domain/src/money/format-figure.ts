import { absolute, compare, type DecimalText, decimalOf, isDecimal, isNegative, isZero, round } from './decimal.ts';
import { minorUnitDigits } from './minor-units.ts';

/** A figure as screens and documents accept it: exact text, or a number for counts and rates. */
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

/** An amount in full, with the digits of its currency's minor unit and without its currency: "1,234.50". */
export const formatAmount = ({ sum, currency }: { sum: DecimalText; currency: string }): string =>
  formatFigure(sum, minorUnitDigits(currency));

/** An amount in a sentence: "1,234.50 USD". */
export const writtenAmount = (amount: { sum: DecimalText; currency: string }): string =>
  `${formatAmount(amount)} ${amount.currency}`;

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

/** Rates have at least two digits after the decimal point. */
const MIN_RATE_DIGITS = 2;

/**
 * Digits after the decimal point that show all rates of a column in full, as they are stored: at least two, and 3 for
 * 8.3 and 9.125.
 */
export function rateDigits(...rates: readonly (FigureValue | null | undefined)[]): number {
  const lengths = rates.map((rate) =>
    rate == null ? 0 : (toDecimal(rate).split('.')[1] ?? '').replace(/0+$/, '').length,
  );
  return Math.max(MIN_RATE_DIGITS, ...lengths);
}

/** Formats a stored rate in percent without rounding: "9.125" is "9.125%", and "8.3" is "8.30%". */
export const formatRate = (rate: FigureValue): string => formatPercent(rate, rateDigits(rate));

/** A count with its noun: 1 row, 2 rows, 14,650 rows. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatFigure(count)} ${count === 1 ? one : many}`;
}
