import { isCurrencyCode, minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import type { NumberForm } from '@tapeline/domain/money/typed-number.ts';

/** Decimals of a number that is no money: rates have many. */
export const MANY_DECIMALS = 15;
const USUAL_DECIMALS = 2;

/** The field that names the currency of the amounts in its group, or in the whole form. */
export const CURRENCY_FIELD = 'currency';

/** How a percentage is read. */
export const PERCENT_FORM: NumberForm = { decimals: MANY_DECIMALS, isPercent: true };

/** The unit of a fee without a currency, and of percentages. */
export const PERCENT_UNIT = '%';

/** How a number in this unit is read: a currency, a percent sign, or null if the unit is not known. */
export function formOfUnit(unit: string | null): NumberForm {
  if (unit === PERCENT_UNIT) return PERCENT_FORM;
  return unit !== null && isCurrencyCode(unit)
    ? { decimals: minorUnitDigits(unit), currency: unit }
    : { decimals: USUAL_DECIMALS };
}
