import { UNKNOWN_STATUS_REASONS } from '@tapeline/domain/tapes/status-words.ts';
import type { ValueKind } from '@tapeline/domain/tapes/step-kinds.ts';
import type { CellFacts } from './cell-facts.ts';
import type { Layers } from './layers.ts';
import { type Fragment, raw } from './sql.ts';

/**
 * A rule's running value in SQL: its kind, and one column a part. Every kind has `value`, but a cell has `t n s`
 * (staged tag, number, text); an amount adds `currency`, a term `unit` and `days`, an interest rate `rateKind`, a number
 * made of amounts `exact` (see exact-numbers.ts).
 */
export interface Value {
  readonly kind: ValueKind;
  readonly parts: Readonly<Record<string, Fragment>>;
  /** What is known of a cell, or of a number that is one as it stands. */
  readonly facts?: CellFacts;
  /** Of a cell: where its tag says blank, its number and text may be there still. */
  readonly masked?: boolean;
  /** Of a text: never blank, and no spaces around it. */
  readonly trimmed?: boolean;
}

/** A value, and why it could not be made (a text, or NULL where all went well; null where it cannot fail). */
export interface Outcome {
  readonly value: Value;
  readonly error: Fragment | null;
}

export const single = (kind: ValueKind, value: Fragment): Value => ({ kind, parts: { value } });
export const MISSING: Value = single('missing', raw('NULL'));
export const part = (value: Value, name = 'value'): Fragment => value.parts[name] ?? raw('NULL');

/** What is wrong with a cell, in words that follow its value: `"abc" is not a number`. */
export const REASONS = {
  sheetError: 'is an error of the sheet',
  notNumber: 'is not a number',
  booleanNotNumber: 'is true or false, not a number',
  dateNotNumber: 'is a date, not a number',
  tooLarge: 'is too large',
  notBoolean: 'is a date, not true or false',
  notDate: 'is not a date of that format',
  notSerial: 'is not a day of the Excel calendar',
  notStatus: UNKNOWN_STATUS_REASONS.notStatus,
  notAssetType: 'is neither loan nor investment',
  notCurrency: 'is not a currency code',
  negativeRate: 'is a negative rate',
  noCase: UNKNOWN_STATUS_REASONS.noCase,
  missing: 'is missing',
  divisionByZero: 'is divided by zero',
  noResult: 'cannot be calculated',
} as const;

/** SQL dialect of one compilation: where columns are defined, and the workbook's epoch. */
export interface Compilation {
  readonly layers: Layers;
  readonly epoch: 1900 | 1904;
}

const NULLS = {
  text: 'CAST(NULL AS VARCHAR)',
  double: 'CAST(NULL AS DOUBLE)',
  points: 'CAST(NULL AS DECIMAL(18,8))',
} as const;

/** Nothing, in the parts of a kind. */
export function missingOf(kind: ValueKind): Value {
  const empty = (parts: Record<string, string>): Value => ({
    kind,
    parts: Object.fromEntries(Object.entries(parts).map(([key, written]) => [key, raw(written)])),
  });
  switch (kind) {
    case 'cell':
      return empty({ t: 'CAST(0 AS UTINYINT)', n: NULLS.double, s: NULLS.text });
    case 'number':
      return empty({ value: NULLS.double });
    case 'boolean':
      return empty({ value: 'CAST(NULL AS BOOLEAN)' });
    case 'date':
      return empty({ value: 'CAST(NULL AS DATE)' });
    case 'percentage':
      return empty({ value: NULLS.points });
    case 'amount':
      return empty({ value: 'CAST(NULL AS DECIMAL(18,4))', currency: NULLS.text });
    case 'interest':
      return empty({ value: NULLS.points, rateKind: NULLS.text });
    case 'term':
      return empty({ value: NULLS.double, unit: NULLS.text, days: NULLS.double });
    default:
      return empty({ value: NULLS.text });
  }
}
