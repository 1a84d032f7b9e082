import type { CellProblem } from './tape.schema.ts';

/** Why a cell cannot be converted. The text follows the cell's value: `"abc" is not a number`. */
export const CELL_REASONS = {
  sheetError: 'is a spreadsheet error',
  notNumber: 'is not a number',
  booleanNotNumber: 'is true or false, not a number',
  dateNotNumber: 'is a date, not a number',
  notBoolean: 'is a date, not true or false',
  notDate: 'is not a date in the expected format',
  notSerial: 'is not a valid date',
  percentSign: 'has a percent sign, but the chosen scale is 0 to 1',
  negativeRate: 'is a negative rate',
} as const;

/** Why a text of a tape is not a status. */
export const UNKNOWN_STATUS_REASONS = {
  notStatus: 'is not an asset status',
  noCase: 'matches none of the cases',
} as const;

/** Where a reason blames a column that a step names: `the value of "ccy" is not a currency code`. */
export const NAMED_VALUE = 'the value of "';
export const namedValue = (column: string): string => `${NAMED_VALUE}${column}" `;

/** Between a value and the number of the row that has it already. */
export const USED_BY_ROW = ' is already used by row ';
/** Around the date of the earlier tape that has another value. */
export const [ON_EARLIER_TAPE, AND_IS_NOW] = [' on the tape of ', ' and is now '];

/** What a program must know of a reason. */
export interface ReadReason {
  /**
   * `notConverted`: the rule cannot read its own cell. `compared`: the whole value, an amount together with its currency,
   * is not unique or differs from the earlier tape.
   */
  readonly code: 'notConverted' | 'compared' | 'other';
  /** The column that a step names and the reason blames; null if there is none. */
  readonly column: string | null;
}

const NAMED_COLUMN = new RegExp(`^${NAMED_VALUE}(?<name>.*)" `, 's');
const COMPARED = new RegExp(`${USED_BY_ROW}\\d+$|${ON_EARLIER_TAPE}.*${AND_IS_NOW}`, 's');
const NOT_CONVERTED = [...Object.values(CELL_REASONS), UNKNOWN_STATUS_REASONS.notStatus];

/**
 * Reads the stored reason of a cell. Tapes store it as text, so these texts are a format: only this file reads them. If
 * one is reworded, its old words must still be read here, because tapes keep theirs.
 */
export function readCellReason(reason: string): ReadReason {
  const column = NAMED_COLUMN.exec(reason)?.groups?.name ?? null;
  if (NOT_CONVERTED.some((words) => reason.endsWith(` ${words}`))) return { code: 'notConverted', column };
  return { code: COMPARED.test(reason) ? 'compared' : 'other', column };
}

/**
 * SQL of a stored reason without the value that it begins with.
 * @param reason of a relation's columns, as `value`
 */
export const bareReasonSql = (reason: string, value: string): string =>
  `CASE WHEN starts_with(${reason}, '"' || ${value} || '" ') THEN substr(${reason}, length(${value}) + 4) ELSE ${reason} END`;

/** SQL: whether a reason blames a column that a step names, and not the rule's own cell. */
export const blamesNamedSql = (reason: string): string => `starts_with(${reason}, '${NAMED_VALUE}')`;

/** SQL: whether the value of a row is used by an earlier one. Otherwise it differs from the earlier tape. */
export const isUsedSql = (reason: string): string => `regexp_matches(${reason}, '${USED_BY_ROW}[0-9]+$')`;

/** SQL of the cell that a reason quotes: why a field stays empty. NULL if it quotes none. */
export const quotedSql = (reason: string): string =>
  `CASE WHEN starts_with(${reason}, '"') THEN nullif(regexp_extract(${reason}, '^"(.*)" [^"]*$', 1, 's'), '') END`;

/** The reason without the name of its column or field that it may begin with, and without a column that it blames. */
export function bareReason(reason: string, subject: string): string {
  const after = reason.startsWith(`${subject} `) ? reason.slice(subject.length + 1) : reason;
  return after.replace(NAMED_COLUMN, '');
}

/** The reason without the values that it quotes: reasons that differ only in them are of one kind. */
export const withoutValue = (reason: string): string => reason.replace(/"[^"]*"/g, '""');

/** The reason with the cell's value, which most reasons quote already. */
export const reasonWithValue = ({ reason, value }: Pick<CellProblem, 'reason' | 'value'>): string =>
  value === null || reason.includes(value) ? reason : `${reason}: “${value}”`;

/** The same beside the name of its column, which it may begin with. */
export function reasonBesideColumn({
  reason,
  value,
  column,
}: Pick<CellProblem, 'reason' | 'value' | 'column'>): string {
  const isNamed = column !== null && column !== '' && reason.startsWith(`${column} `);
  return reasonWithValue({ reason: isNamed ? reason.slice(column.length + 1) : reason, value });
}
