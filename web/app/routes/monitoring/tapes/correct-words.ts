import { isCurrencyCode, minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import { formatFigure } from '../../../components/figures/format.ts';

const AMOUNT = /^(-?\d+)(?:\.(\d+))? ([A-Z]{3})$/;

/** Formats a result from the workers for display: the amount "1200.5000 USD" becomes "1,200.50 USD". */
export function shownAmount(value: string): string {
  const [, whole = '', digits = '', currency = ''] = AMOUNT.exec(value) ?? [];
  if (!isCurrencyCode(currency)) return value;
  const shown = digits.replace(/0+$/, '').padEnd(minorUnitDigits(currency), '0');
  const sign = whole.startsWith('-') ? '−' : '';
  return `${sign}${formatFigure(whole.replace('-', ''))}${shown ? `.${shown}` : ''} ${currency}`;
}
