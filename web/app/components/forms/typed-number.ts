import { readTypedNumber, typedNumberOf } from '@tapeline/domain/money/typed-number.ts';
import type { FocusEvent } from 'react';
import { CURRENCY_FIELD, formOfUnit, PERCENT_UNIT } from '../../http/number-units.ts';

/** The attribute of an input that holds a number: its unit, or nothing if that is another field or not known. */
const NUMBER_UNIT = 'data-number';

/**
 * The text of a number as its field shows it, with thousands separators. What is no number, or could be another one
 * where the unit is not known, stays as it was entered.
 * @param unit a currency, a percent sign, or null
 */
export function shownNumber(text: string, unit: string | null): string {
  const form = formOfUnit(unit);
  const read = readTypedNumber(text, form);
  if (read.problem !== null) return text;
  const shown = typedNumberOf(read.value, form, unit !== null && form.currency ? form.decimals : undefined);
  const isClear = unit !== null || readTypedNumber(shown, formOfUnit(PERCENT_UNIT)).problem === null;
  return isClear ? shown : text.trim();
}

/** The unit of an input: its own, or the currency that is chosen in its group or in the form around it. */
function unitOf(input: HTMLInputElement): string | null {
  const own = input.getAttribute(NUMBER_UNIT);
  if (own) return own;
  const path = input.name.split('.');
  while (path.length > 0) {
    path.pop();
    const field = input.form?.elements.namedItem([...path, CURRENCY_FIELD].join('.'));
    if (field && 'value' in field && field.value) return String(field.value);
  }
  return null;
}

/** Shows the number of an input with separators. */
function separateThousands(input: HTMLInputElement): void {
  const shown = shownNumber(input.value, unitOf(input));
  if (shown !== input.value) input.value = shown;
}

/** What makes an input one of a number, which shows its separators when it is left. @param unit null if it is not known */
export const numberInput = (unit: string | null) => ({
  [NUMBER_UNIT]: unit ?? '',
  onBlur: (event: FocusEvent<HTMLInputElement>) => separateThousands(event.currentTarget),
});
