import { type DecimalText, isZero } from '../money/decimal.ts';
import { EN_DASH, formatFigure, formatPercent } from '../money/format-figure.ts';
import { minorUnitDigits } from '../money/minor-units.ts';

/** Stands for a figure that is not known. */
export const UNKNOWN = 'n/a';
const DOT = ' \u00b7 ';
/** Percentages have two decimals, and up to four where they are not zero. */
const [LEAST_PERCENT_DIGITS, MAX_PERCENT_DIGITS] = [2, 4];

/** Joins the parts of a line that are known. */
export const joined = (...parts: readonly (string | null | undefined)[]): string =>
  parts.filter((part) => part != null && part !== '').join(DOT);

const fractionLength = (value: DecimalText): number => (value.split('.')[1] ?? '').replace(/0+$/, '').length;

/** Formats amounts of one currency: all digits, a dash for zero, "n/a" if unknown. */
export function amountsIn(currency: string): (amount: DecimalText | null) => string {
  const digits = minorUnitDigits(currency);
  return (amount) => {
    if (amount === null) return UNKNOWN;
    return isZero(amount) ? EN_DASH : formatFigure(amount, Math.max(digits, fractionLength(amount)));
  };
}

/** An amount with its currency: "USD 423,181.10", and "USD 0.00" for zero. */
export function moneyText(amount: DecimalText, currency: string): string {
  return `${currency} ${formatFigure(amount, Math.max(minorUnitDigits(currency), fractionLength(amount)))}`;
}

export function percentText(percent: DecimalText | null): string {
  if (percent === null) return UNKNOWN;
  const rounded = formatFigure(percent, MAX_PERCENT_DIGITS);
  const digits = Math.max(LEAST_PERCENT_DIGITS, fractionLength(rounded));
  return formatPercent(percent, digits);
}

/** A percentage in a column, with as many decimals as all others. */
export const percentInColumn = (percent: DecimalText | null): string =>
  percent === null ? UNKNOWN : formatPercent(percent, MAX_PERCENT_DIGITS);

/** A multiple: "0.22x". */
export const multipleText = (multiple: DecimalText | null): string =>
  multiple === null ? UNKNOWN : `${formatFigure(multiple, 2)}x`;
