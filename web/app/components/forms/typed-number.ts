import { readTypedNumber, typedNumberOf } from '@tapeline/domain/money/typed-number.ts';
import { CURRENCY_FIELD, formOfUnit, PERCENT_UNIT } from '../../http/number-units.ts';

/** The attribute of an input that holds a number: its unit, or nothing if that is another field or not known. */
export const NUMBER_UNIT = 'data-number';

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

/** Shows the number of an input that was left with separators. */
export function separateThousands(target: EventTarget): void {
  if (!(target instanceof HTMLInputElement) || !target.hasAttribute(NUMBER_UNIT)) return;
  const shown = shownNumber(target.value, unitOf(target));
  if (shown !== target.value) target.value = shown;
}
