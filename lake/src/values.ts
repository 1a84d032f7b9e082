import { DuckDBDateValue, DuckDBDecimalValue, DuckDBTimestampValue, type DuckDBValue } from '@duckdb/node-api';
import { fromEpochDay } from '@tapeline/domain/dates/calendar-date.ts';
import { fromScaled } from '@tapeline/domain/money/decimal.ts';

/** A value of the lake as the program holds it: decimals as exact text, dates as calendar dates, missing as null. */
export type LakeValue = string | number | boolean | null;

/** Decimal text without the zeros that only pad the column's scale: 12.5000 becomes "12.5". */
function trimmed(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal;
}

/** @param exactZeros keeps the decimal places of the column's scale */
export function fromLake(value: DuckDBValue, exactZeros = false): LakeValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
  if (value instanceof DuckDBDecimalValue) {
    const text = fromScaled(value.value, value.scale);
    return exactZeros ? text : trimmed(text);
  }
  if (value instanceof DuckDBDateValue) return fromEpochDay(value.days);
  if (value instanceof DuckDBTimestampValue) return new Date(Number(value.micros / 1000n)).toISOString();
  throw new TypeError(`the lake returned an unexpected value: ${String(value)}`);
}
