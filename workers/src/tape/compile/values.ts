import type { ValueKind } from '@tapeline/domain/tapes/step-kinds.ts';
import { type Fragment, type Layers, NULL_TEXT, raw, sql, text } from './sql.ts';

/**
 * A rule's running value in SQL: its kind, and one column a part. Every kind has `value`, but a cell has `t n s`
 * (staged tag, number, text); an amount adds `currency`, a term `unit` and `days`, an interest rate `rateKind`.
 */
export interface Value {
  readonly kind: ValueKind;
  readonly parts: Readonly<Record<string, Fragment>>;
}

/** A value, and why it could not be made (a text, or NULL where all went well). */
export interface Outcome {
  readonly value: Value;
  readonly error: Fragment | null;
}

export const single = (kind: ValueKind, value: Fragment): Value => ({ kind, parts: { value } });
export const MISSING: Value = single('missing', raw('NULL'));
export const part = (value: Value, name = 'value'): Fragment => value.parts[name] ?? raw('NULL');

/** Tags of a staged cell. */
export const TAG = { blank: 0, number: 1, text: 2, boolean: 3, date: 4, error: 5 } as const;

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
  notStatus: 'is not an asset status',
  notAssetType: 'is neither loan nor investment',
  notCurrency: 'is not a currency code',
  negativeRate: 'is a negative rate',
  noCase: 'is in none of the cases',
  missing: 'is missing',
  divisionByZero: 'is divided by zero',
  noResult: 'cannot be calculated',
} as const;

/** SQL dialect of one compilation: where columns are defined, and the workbook's epoch. */
export interface Compilation {
  readonly layers: Layers;
  readonly epoch: 1900 | 1904;
}

export const serialDate = (compilation: Compilation, n: Fragment): Fragment =>
  sql`tape_serial_${compilation.epoch}(${n})`;

/** The text a person sees in a cell; errors as their own text. NULL where blank. Not yet a column. */
export function shownCell(compilation: Compilation, cell: Value): Fragment {
  const { t, n, s } = cell.parts as Record<'t' | 'n' | 's', Fragment>;
  const date = serialDate(compilation, n);
  return sql`CASE WHEN ${t} = 2 THEN CASE WHEN NOT tape_blank(${s}) THEN ${s} END WHEN ${t} = 1 THEN tape_number_text(${n}) WHEN ${t} = 3 THEN CASE WHEN ${n} = 1 THEN 'true' ELSE 'false' END WHEN ${t} = 4 THEN coalesce(CAST(${date} AS VARCHAR) || tape_time_of_day(${n}), tape_number_text(${n})) WHEN ${t} = 5 THEN ${s} END`;
}

/** The value as text. */
export function asText(compilation: Compilation, value: Value, name: string): Outcome {
  const { layers } = compilation;
  switch (value.kind) {
    case 'missing':
      return { value: single('text', NULL_TEXT), error: null };
    case 'text':
    case 'status':
      return { value: single('text', part(value)), error: null };
    case 'cell': {
      const t = part(value, 't');
      const shown = shownCell(compilation, value);
      return {
        value: single('text', layers.define(name, sql`CASE WHEN ${t} <> 5 THEN ${shown} END`)),
        error: sql`CASE WHEN ${t} = 5 THEN ${text(REASONS.sheetError)} END`,
      };
    }
    case 'number':
      return {
        value: single('text', layers.define(name, sql`tape_number_text(${part(value)})`)),
        error: null,
      };
    default:
      return {
        value: single('text', layers.define(name, sql`CAST(${part(value)} AS VARCHAR)`)),
        error: null,
      };
  }
}

/** The value as a double: points of a rate, sum of an amount. */
export function asNumber(compilation: Compilation, value: Value, name: string): Outcome {
  const { layers } = compilation;
  switch (value.kind) {
    case 'missing':
      return { value: single('number', raw('CAST(NULL AS DOUBLE)')), error: null };
    case 'number':
      return { value, error: null };
    case 'text': {
      const s = part(value);
      const n = layers.define(name, sql`tape_number(${s})`);
      return {
        value: single('number', n),
        error: sql`CASE WHEN ${n} IS NULL AND ${s} IS NOT NULL AND NOT tape_blank(${s}) THEN ${text(REASONS.notNumber)} END`,
      };
    }
    case 'cell': {
      const { t, n, s } = value.parts as Record<'t' | 'n' | 's', Fragment>;
      const read = layers.define(
        name,
        sql`CASE WHEN ${t} = 1 THEN tape_finite(${n}) WHEN ${t} = 2 THEN tape_number(${s}) END`,
      );
      return { value: single('number', read), error: cellNumberError(value, read, REASONS.notNumber) };
    }
    default:
      return {
        value: single('number', layers.define(name, sql`CAST(${part(value)} AS DOUBLE)`)),
        error: null,
      };
  }
}

/** Why a cell gave no number-like result. `result` is NULL where it did not; the common cases are settled first. */
export function cellNumberError(cell: Value, result: Fragment, reason: string): Fragment {
  const { t, s } = cell.parts as Record<'t' | 's', Fragment>;
  return sql`CASE WHEN ${result} IS NOT NULL OR ${t} = 0 THEN NULL WHEN ${t} = 1 THEN ${text(REASONS.tooLarge)} WHEN ${t} = 2 THEN CASE WHEN NOT tape_blank(${s}) THEN ${text(reason)} END WHEN ${t} = 3 THEN ${text(REASONS.booleanNotNumber)} WHEN ${t} = 4 THEN ${text(REASONS.dateNotNumber)} ELSE ${text(REASONS.sheetError)} END`;
}

/** The value as true or false: 1, y, yes, true and positive are true, everything else false; blank stays missing. */
export function asBoolean(compilation: Compilation, value: Value, name: string): Outcome {
  const { layers } = compilation;
  const truth = (s: Fragment): Fragment => sql`CASE WHEN NOT tape_blank(${s}) THEN tape_truth(${s}) END`;
  switch (value.kind) {
    case 'missing':
      return { value: single('boolean', raw('CAST(NULL AS BOOLEAN)')), error: null };
    case 'boolean':
      return { value, error: null };
    case 'number':
      return { value: single('boolean', layers.define(name, sql`${part(value)} = 1`)), error: null };
    case 'cell': {
      const { t, n, s } = value.parts as Record<'t' | 'n' | 's', Fragment>;
      return {
        value: single(
          'boolean',
          layers.define(name, sql`CASE WHEN ${t} IN (1, 3) THEN ${n} = 1 WHEN ${t} = 2 THEN ${truth(s)} END`),
        ),
        error: sql`CASE WHEN ${t} = 4 THEN ${text(REASONS.notBoolean)} WHEN ${t} = 5 THEN ${text(REASONS.sheetError)} END`,
      };
    }
    default:
      return { value: single('boolean', layers.define(name, truth(part(value)))), error: null };
  }
}

/** The value in another kind's parts; only the conversions that branches of one step need. */
export function asKind(compilation: Compilation, value: Value, kind: ValueKind, name: string): Outcome {
  if (value.kind === kind) return { value, error: null };
  if (kind === 'text') return asText(compilation, value, name);
  if (kind === 'number') return asNumber(compilation, value, name);
  if (kind === 'boolean') return asBoolean(compilation, value, name);
  if (value.kind === 'missing') return { value: missingOf(kind), error: null };
  throw new Error(`A branch cannot turn ${value.kind} into ${kind}`);
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

/** Where a value is there at all. */
export const isThere = (value: Value): Fragment =>
  value.kind === 'cell' ? sql`${part(value, 't')} <> 0` : sql`${part(value)} IS NOT NULL`;
