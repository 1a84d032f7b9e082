import { codeLabel } from '../documents/code-labels.ts';
import { describeNumber, describeValue } from '../filters/spoken-value.ts';
import { decimalOf } from '../money/decimal.ts';
import { filterFields, type TargetField } from './target-schema.ts';

/** Characters of a value that is shown as an example. */
const MAX_CHARACTERS = 100;

/**
 * The value of a field as people read it: "1,250,000.5 USD", "36 months", "31 Oct 2026", "Past due". A longer text than 100
 * characters is cut.
 * @param read the value of a lake column by its name; null if it is missing
 * @returns null if the field has no value
 */
export function shownFieldValue(
  field: TargetField,
  read: (column: string) => string | number | boolean | null,
): string | null {
  const { path, kind } = field;
  const value = read(path);
  if (value === null) return null;
  // A calculated number may have no decimal text: NaN or Infinity.
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  switch (kind) {
    case 'amount':
      return `${describeNumber(decimalOf(String(value)))} ${read(`${path}.currency`) ?? ''}`.trimEnd();
    case 'term':
      return `${describeNumber(decimalOf(Number(value)))} ${read(`${path}.unit`) ?? ''}`.trimEnd();
    case 'assetStatus':
    case 'assetType':
      return codeLabel(String(value));
    case 'text':
    case 'currency':
      return cut(String(value));
    default: {
      const [described] = filterFields(field);
      return described ? describeValue(described, value) : null;
    }
  }
}

const cut = (text: string): string =>
  text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
