import { hasUnread, TARGET_FIELDS, type TargetField } from './target-schema.ts';
import { unreadColumn } from './unread-column.ts';

/**
 * The range of plausible values of an asset field. A value outside the range is still the asset's value: it raises a
 * warning, never an error, because a range says what is usual, not what is possible. Most warnings come from a misread
 * scale: a rate of 13.70 read as a fraction becomes 1,370 %, and a loan-to-value of 0.8 read as points becomes 0.8 %.
 */
export interface PlausibleRange {
  readonly path: string;
  /** The lake column that is checked; for a term, its days. */
  readonly column: string;
  /** Inclusive bounds in the unit of that column; null for no bound. */
  readonly min: number | string;
  readonly max: number | string | null;
  /** Values above zero and below this are as implausible as values below `min`. Zero itself is exempt. */
  readonly leastAboveZero?: number;
  /** The unit that follows a bound in text. */
  readonly unit: '' | '%' | 'days';
}

const FIFTY_YEARS_DAYS = 18_263;
const HIGHEST_AMOUNT = 100_000_000_000;

const numbers = (
  path: string,
  min: number,
  max: number | null,
  more: Partial<PlausibleRange> = {},
): PlausibleRange => ({ path, column: path, min, max, unit: '', ...more });

const DATE_FIELDS = TARGET_FIELDS.filter(({ kind }) => kind === 'date');
const AMOUNT_FIELDS = TARGET_FIELDS.filter(({ kind }) => kind === 'amount');

/** The only table of plausible ranges, in the order of the target schema. Custom fields have no range. */
export const PLAUSIBLE_RANGES: readonly PlausibleRange[] = [
  ...DATE_FIELDS.map(
    ({ path }): PlausibleRange => ({ path, column: path, min: '1950-01-01', max: '2100-12-31', unit: '' }),
  ),
  numbers('term', 1, FIFTY_YEARS_DAYS, { column: 'term.days', unit: 'days' }),
  numbers('remainingTerm', 0, FIFTY_YEARS_DAYS, { column: 'remainingTerm.days', unit: 'days' }),
  numbers('monthsOnBook', 0, 600),
  numbers('daysPastDue', 0, 3_650),
  ...AMOUNT_FIELDS.map(({ path }) => numbers(path, 0, HIGHEST_AMOUNT)),
  // A fraction that was misread as points is below a quarter of a percent.
  numbers('interestRate', 0, 100, { unit: '%', leastAboveZero: 0.25 }),
  numbers('originalLtv', 0, 200, { unit: '%', leastAboveZero: 2 }),
  numbers('currentLtv', 0, 300, { unit: '%', leastAboveZero: 2 }),
  numbers('creditScores.origination', 250, 999),
  numbers('creditScores.current', 250, 999),
];

const BY_PATH: ReadonlyMap<string, PlausibleRange> = new Map(PLAUSIBLE_RANGES.map((range) => [range.path, range]));

/** The range of a field; undefined if it has none. */
export const plausibleRangeOf = (path: string): PlausibleRange | undefined => BY_PATH.get(path);

/** Whether a value, in the unit of the range's column, is outside the range. A missing value is not. */
export function isImplausible(range: PlausibleRange, value: number | string | null | undefined): boolean {
  if (value === null || value === undefined) return false;
  const { min, max, leastAboveZero } = range;
  // Calendar dates compare as text: the bounds have four-digit years, and any other year is outside the range.
  if (typeof min === 'string') {
    const text = String(value);
    return !/^\d{4}-/.test(text) || text < min || (max !== null && text > String(max));
  }
  const number = Number(value);
  if (Number.isNaN(number)) return false;
  return (
    number < min ||
    (max !== null && number > Number(max)) ||
    (leastAboveZero !== undefined && number > 0 && number < leastAboveZero)
  );
}

/**
 * The same check as SQL: conditions of which at most one is true for a value, and none for a plausible or missing one.
 * Each is a plain comparison, so that Parquet's min/max statistics show where it can be true.
 */
export function implausibleConditions({ min, max, leastAboveZero }: PlausibleRange, value: string): string[] {
  const bound = (written: number | string): string =>
    typeof written === 'string' ? `DATE '${written}'` : `${written}`;
  return [
    `${value} < ${bound(min)}`,
    ...(max === null ? [] : [`${value} > ${bound(max)}`]),
    ...(leastAboveZero === undefined ? [] : [`(${value} > 0 AND ${value} < ${leastAboveZero})`]),
  ];
}

export const implausibleSql = (range: PlausibleRange, value: string): string =>
  `(${implausibleConditions(range, value).join(' OR ')})`;

/** The same check as a condition on assets, to list the assets with a warning. */
export function implausibleFilter({ column, min, max, leastAboveZero }: PlausibleRange): Record<string, unknown> {
  const either: Record<string, unknown>[] = [{ [column]: { lt: min } }];
  if (max !== null) either.push({ [column]: { gt: max } });
  if (leastAboveZero !== undefined) either.push({ [column]: { gt: 0, lt: leastAboveZero } });
  return { $or: either };
}

const grouped = (bound: number | string): string =>
  typeof bound === 'string' ? bound : String(bound).replace(/\B(?=(\d{3})+$)/g, ',');
const withUnit = (bound: number | string, unit: PlausibleRange['unit']): string =>
  unit === '' ? grouped(bound) : `${grouped(bound)}${unit === '%' ? '' : ' '}${unit}`;

/** The range as text: `0% to 100%`, `0.25% to 100%, or 0`. */
export function rangeInWords({ min, max, leastAboveZero, unit }: PlausibleRange): string {
  const from = withUnit(leastAboveZero ?? min, unit);
  const to = max === null ? `${from} or more` : `${from} to ${withUnit(max, unit)}`;
  return leastAboveZero === undefined ? to : `${to}, or 0`;
}

/** The warning for a value outside the range; it follows the name of the field. */
export const implausibleReason = (range: PlausibleRange): string =>
  `is outside the plausible range (${rangeInWords(range)})`;

/** One value of an asset that is outside its range, or that could not be read. */
export interface AssetWarning {
  readonly path: string;
  readonly label: string;
  readonly reason: string;
}

const LABELS: ReadonlyMap<string, TargetField> = new Map(TARGET_FIELDS.map((field) => [field.path, field]));
export const labelOfRange = ({ path }: PlausibleRange): string => LABELS.get(path)?.label ?? path;

/** Why a field is empty, for all its cells together. */
export const UNREAD_REASON = 'is empty because the cell could not be read';

/**
 * The warnings of an asset.
 * @param fields of its tape; those of cells that could not be read name the cell
 * @param read returns the value of a lake column, null or undefined if missing
 */
export const warningsOfAsset = (
  fields: readonly TargetField[],
  read: (column: string) => number | string | null | undefined,
): AssetWarning[] => [
  ...PLAUSIBLE_RANGES.filter((range) => isImplausible(range, read(range.column))).map((range) => ({
    path: range.path,
    label: labelOfRange(range),
    reason: implausibleReason(range),
  })),
  ...fields.filter(hasUnread).flatMap(({ path, label }) => {
    const why = read(unreadColumn(path));
    return why === null || why === undefined ? [] : [{ path, label, reason: `is empty: ${why}` }];
  }),
];
