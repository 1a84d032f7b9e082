import { absolute, type DecimalText, isNegative, round } from '../money/decimal.ts';
import { formatFigure } from '../money/format-figure.ts';
import { minorUnitDigits } from '../money/minor-units.ts';
import { COVENANT_BOUND_LABELS, type CovenantBound, type CovenantUnit } from './covenant-labels.ts';

interface Unit {
  readonly unit: CovenantUnit;
  readonly currency?: string | null | undefined;
}

const digitsOf = ({ unit, currency }: Unit): number => (unit === 'money' ? minorUnitDigits(currency ?? 'USD') : 2);

/** A figure of a test in its unit, without the unit: "5.10". */
export const bareFigure = (of: Unit, value: DecimalText): string =>
  formatFigure(round(value, digitsOf(of)), digitsOf(of));

/** A figure of a test with its unit: "5.10%", "3.95x", "18,400,000.00 EUR". */
export function covenantFigure(of: Unit, value: DecimalText): string {
  const figure = bareFigure(of, value);
  switch (of.unit) {
    case 'percent':
      return `${figure}%`;
    case 'times':
      return `${figure}x`;
    case 'money':
      return `${figure} ${of.currency ?? ''}`.trim();
    case 'number':
      return figure;
  }
}

/** "at most 5.00%". */
export const limitInWords = (of: Unit & { bound: CovenantBound }, limit: DecimalText): string =>
  `${COVENANT_BOUND_LABELS[of.bound].toLowerCase()} ${covenantFigure(of, limit)}`;

/** "0.10 beyond the limit of at most 5.00%", "1.20 left to the limit of at least 4.00%". */
export function outcomeInWords(
  of: Unit & { bound: CovenantBound },
  result: { limitValue?: DecimalText | null | undefined; headroom?: DecimalText | null | undefined },
): string {
  const { limitValue, headroom } = result;
  if (limitValue == null || headroom == null) return 'the test does not apply';
  const distance = bareFigure(of, absolute(headroom));
  return isNegative(headroom)
    ? `${distance} beyond the limit of ${limitInWords(of, limitValue)}`
    : `${distance} left to the limit of ${limitInWords(of, limitValue)}`;
}
