import { compare, decimalOf } from '@tapeline/domain/money/decimal.ts';
import type { Validation } from '@tapeline/domain/tapes/rule.schema.ts';
import { columnsOf, type Held } from './held.ts';

/** Why a result violates a validation, or null. A missing result is skipped. */
export function violation(validation: Validation, held: Held): string | null {
  const [value] = columnsOf(held);
  if (value === null || value === undefined) return null;
  const decimal = (): string => (typeof value === 'number' ? decimalOf(value) : String(value));
  const text = String(value);
  switch (validation.kind) {
    case 'minNumber':
      return compare(decimal(), decimalOf(validation.value)) < 0 ? `is below ${validation.value}` : null;
    case 'maxNumber':
      return compare(decimal(), decimalOf(validation.value)) > 0 ? `is above ${validation.value}` : null;
    case 'minDate':
      return text < validation.value ? `is before ${validation.value}` : null;
    case 'maxDate':
      return text > validation.value ? `is after ${validation.value}` : null;
    case 'notContains':
      return text.includes(validation.value) ? `contains "${validation.value}"` : null;
    case 'mustContains':
      return text.includes(validation.value) ? null : `does not contain "${validation.value}"`;
    case 'mustBeTrue':
      return value === true ? null : 'is not true';
    case 'mustBeFalse':
      return value === false ? null : 'is not false';
    case 'minLength':
      return [...text].length < validation.value ? `is shorter than ${validation.value}` : null;
    case 'maxLength':
      return [...text].length > validation.value ? `is longer than ${validation.value}` : null;
  }
}
