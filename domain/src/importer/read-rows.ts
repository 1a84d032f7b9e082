import type { z } from 'zod';
import { DISTRIBUTION_ACTION_TYPES } from '../capital/distribution.schema.ts';
import { distributionTotals } from '../capital/distribution-totals.ts';
import { excuseReasonSchema } from '../capital/own-amounts.schema.ts';
import { calendarDateSchema } from '../dates/calendar-date.ts';
import { flattenIssues, plainMessage } from '../errors/issues.ts';
import { reason, reasonOfIssue, type Why } from '../errors/reason.ts';
import { moneySchema } from '../money/amount.schema.ts';
import { compare, type DecimalText, isDecimal, subtract, sum } from '../money/decimal.ts';
import { type ImportProblem, type ImportRow, importProblem } from './check.ts';
import { IMPORT_COLUMNS, type ImportColumn } from './columns.ts';
import { filledCells } from './fill-cells.ts';
import { type ImportKind, isTimeSeriesKind, MAX_ROWS, type TimeSeriesKind } from './kinds.ts';
import {
  type CapitalAccountImport,
  type ClosingImport,
  capitalAccountImportSchema,
  closingImportSchema,
  type FeeTermsImport,
  type FundImport,
  feeTermsImportSchema,
  fundImportSchema,
  type LPImport,
  lpImportSchema,
  type ReportImport,
  reportImportSchema,
  type SideLetterImport,
  sideLetterImportSchema,
  type TimeSeriesImport,
  type TransferImport,
  timeSeriesImportSchema,
  timeSeriesItemSchema,
  transferImportSchema,
  type UserImport,
  userImportSchema,
  yesOrNo,
} from './payload.schema.ts';

/** Characters of one cell. */
export const MAX_CELL = 1_000;

/** The payload of one row. A time series is put together from its rows: see `timeSeriesOf`. */
export interface RowPayloads {
  funds: FundImport;
  LPs: LPImport;
  users: UserImport;
  capitalAccounts: CapitalAccountImport;
  reports: ReportImport;
  contributions: TimeSeriesRow;
  distributions: TimeSeriesRow;
  LPCommitments: TimeSeriesRow;
  navs: TimeSeriesRow;
  feeTerms: FeeTermsImport;
  sideLetters: SideLetterImport;
  closings: ClosingImport;
  transfers: TransferImport;
}

/** One dated entry with the investor and fund that it belongs to. */
export type TimeSeriesRow = z.output<typeof timeSeriesRowSchema>;

/** A row as it was read. */
export type ReadRow<Kind extends ImportKind> =
  | { readonly payload: RowPayloads[Kind]; readonly problems: readonly [] }
  | { readonly payload: null; readonly problems: readonly ImportProblem[] };

const timeSeriesRowSchema = timeSeriesImportSchema.omit({ timeSeriesItems: true }).extend({
  ...timeSeriesItemSchema.shape,
  /** Of a contribution; its date if omitted. */
  dueDate: calendarDateSchema.nullish(),
  /** Of a contribution. */
  excuse: excuseReasonSchema.nullish(),
  /** Of a distribution. */
  recallable: yesOrNo,
  /** Of a commitment, with all changes until this date. */
  currentCommitment: moneySchema.nullish(),
  currentDate: calendarDateSchema.nullish(),
});

const SCHEMAS: { readonly [Kind in ImportKind]: z.ZodType<RowPayloads[Kind]> } = {
  funds: fundImportSchema,
  LPs: lpImportSchema,
  users: userImportSchema,
  capitalAccounts: capitalAccountImportSchema,
  reports: reportImportSchema,
  contributions: timeSeriesRowSchema,
  distributions: timeSeriesRowSchema,
  LPCommitments: timeSeriesRowSchema,
  navs: timeSeriesRowSchema,
  feeTerms: feeTermsImportSchema,
  sideLetters: sideLetterImportSchema,
  closings: closingImportSchema,
  transfers: transferImportSchema,
};

const value = (column: string | null, why: Why): ImportProblem => importProblem('value', column, why);

/** Groups of three digits with commas between them, as people write large numbers. */
const GROUPED = /^-?\d{1,3}(,\d{3})+(\.\d*)?$/;

const decimalText = (cell: string): string => {
  const plain = GROUPED.test(cell) ? cell.replaceAll(',', '') : cell;
  return plain.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '') || plain;
};

/** "A: Class A; B: Class B"; a class without a key has its name as the key. */
const classesOf = (cell: string) =>
  cell.split(';').flatMap((part) => {
    const [first = '', ...rest] = part.split(':').map((text) => text.trim());
    if (first === '' && rest.length === 0) return [];
    return [{ uniqueKey: first, name: rest.length === 0 ? first : rest.join(': ') }];
  });

/** The value of a cell as the payload has it. Text that does not fit the type is left for the schema to refuse. */
function cellValue({ type, values }: ImportColumn, cell: string): unknown {
  switch (type) {
    case 'wholeNumber':
    // A name was replaced by the code that it stands for.
    case 'reference':
      return /^\d{1,15}(\.0*)?$/.test(cell) ? Number(cell) : Number.NaN;
    case 'decimal':
      return decimalText(cell);
    case 'choice':
      return values?.find((one) => one.toLowerCase() === cell.toLowerCase()) ?? cell;
    case 'currency':
      return cell.toUpperCase();
    case 'classes':
      return classesOf(cell);
    default:
      return cell;
  }
}

const KEY_VALUES = 'keyValues.';

/** The object that a row's cells stand for, before it is checked. `paths` are the columns of its key values. */
function objectOf(columns: readonly ImportColumn[], cells: ImportRow['cells']) {
  // A fund without classes has an empty list of them.
  const object: Record<string, unknown> = columns.some(({ type }) => type === 'classes') ? { classes: [] } : {};
  const keyColumns: string[] = [];
  const keyValues: { key: string; value: unknown }[] = [];
  for (const column of columns) {
    const cell = cells[column.key]?.trim() ?? '';
    if (cell === '') continue;
    const read = cellValue(column, cell);
    if (column.key.startsWith(KEY_VALUES)) {
      keyColumns.push(column.key);
      keyValues.push({ key: column.key.slice(KEY_VALUES.length), value: read });
      continue;
    }
    const [first = '', second] = column.key.split('.');
    if (second === undefined) object[first] = read;
    else object[first] = { ...(object[first] as object | undefined), [second]: read };
  }
  if (keyValues.length > 0) object.keyValues = keyValues;
  return { object, keyColumns };
}

/** The total of a row, from its key values. Null if there are none, or if the total is not their sum. */
const TOTALS: Readonly<Record<TimeSeriesKind, (values: ReadonlyMap<string, DecimalText>) => DecimalText | null>> = {
  contributions: (values) => (values.size === 0 ? null : sum(values.values())),
  distributions: (values) =>
    values.size === 0
      ? null
      : distributionTotals(
          values.get('principal') ?? '0',
          DISTRIBUTION_ACTION_TYPES.map((actionType) => ({ actionType, amount: values.get(actionType) ?? '0' })),
        ).totalDistributed,
  LPCommitments: () => null,
  navs: (values) => values.get('net') ?? null,
};

/** What a total adds up. */
const PARTS: Readonly<Record<TimeSeriesKind, string>> = {
  contributions: 'the sum of the purposes',
  distributions: 'principal, interest and capital gains less fees and taxes',
  LPCommitments: '',
  navs: 'the net value',
};

/** A total that the row does not have follows from its key values. */
function withTotal(kind: TimeSeriesKind, object: Record<string, unknown>): ImportProblem | null {
  const entries = (object.keyValues ?? []) as { key: string; value: unknown }[];
  if (!entries.every(({ value }) => isDecimal(value))) return null;
  const total = TOTALS[kind](new Map(entries.map(({ key, value }) => [key, String(value)])));
  if (object.defaultValue === undefined) {
    if (total === null) return value('defaultValue', reason('required'));
    object.defaultValue = total;
    return null;
  }
  if (total === null || !isDecimal(object.defaultValue) || compare(total, object.defaultValue) === 0) return null;
  const difference = subtract(object.defaultValue, total);
  return value('defaultValue', reason('notTheSum', { total, parts: PARTS[kind], difference }));
}

/** The column of an issue: that of its path, or the first one inside it that a person can fill in. */
function columnAt(columns: readonly ImportColumn[], keyColumns: readonly string[], path: readonly PropertyKey[]) {
  const [first, second] = path.map(String);
  if (first === 'keyValues') return keyColumns[Number(second)] ?? null;
  const key = [`${first}.${second}`, `${first}`].find((candidate) =>
    columns.some((column) => column.key === candidate),
  );
  return key ?? columns.find((column) => column.key.startsWith(`${first}.`))?.key ?? null;
}

/** Whether a register says that a commitment was changed since its closing. */
const isOtherCommitment = ({ currentCommitment = '', defaultValue = '' }: ImportRow['cells']): boolean => {
  const [current, closing] = [decimalText(currentCommitment.trim()), decimalText(defaultValue.trim())];
  return isDecimal(current) && isDecimal(closing) && compare(current, closing) !== 0;
};

const hasDistinctKeys = (classes: unknown) =>
  !Array.isArray(classes) || new Set(classes.map((one) => one.uniqueKey)).size === classes.length;

/** Reads one row: its payload, or every problem of its cells. */
function readRow<Kind extends ImportKind>(kind: Kind, row: ImportRow): ReadRow<Kind> {
  const columns = IMPORT_COLUMNS[kind];
  const tooLong = columns.filter(({ key }) => (row.cells[key]?.length ?? 0) > MAX_CELL);
  if (tooLong.length > 0) {
    return {
      payload: null,
      problems: tooLong.map(({ key }) => value(key, `must have at most ${MAX_CELL} characters`)),
    };
  }
  const { cells, from, problems: unclear } = filledCells(kind, row.cells);
  const problems: ImportProblem[] = [...unclear];
  const { object, keyColumns } = objectOf(columns, cells);
  for (const { key, isRequired } of columns) {
    if (isRequired && !cells[key]?.trim()) problems.push(value(key, reason('required')));
  }
  if (isTimeSeriesKind(kind)) {
    const problem = withTotal(kind, object);
    if (problem) problems.push(problem);
  }
  if (kind === 'funds' && !hasDistinctKeys(object.classes))
    problems.push(value('classes', 'has two classes with the same key'));
  if (kind === 'LPCommitments' && isOtherCommitment(cells) && !cells.currentDate?.trim())
    problems.push(value('currentDate', reason('required')));
  const parsed = SCHEMAS[kind].safeParse(object, { error: plainMessage });
  for (const issue of flattenIssues(parsed.error?.issues ?? [])) {
    const column = columnAt(columns, keyColumns, issue.path);
    problems.push(value(column === null ? null : (from.get(column) ?? column), reasonOfIssue(issue)));
  }
  if (parsed.success && problems.length === 0) return { payload: parsed.data, problems: [] };
  // One reason for each column: what the schema says about an empty cell repeats that it is required.
  const byColumn = new Map(problems.toReversed().map((problem) => [problem.column, problem]));
  return {
    payload: null,
    problems: columns.flatMap(({ key }) => byColumn.get(key) ?? []).concat(byColumn.get(null) ?? []),
  };
}

/**
 * Reads the rows of an import, in their order.
 * @throws RangeError if there are more than an import may have: refuse such a file before
 */
export function readRows<Kind extends ImportKind>(kind: Kind, rows: readonly ImportRow[]): ReadRow<Kind>[] {
  if (rows.length > MAX_ROWS[kind]) throw new RangeError(`An import of ${kind} has at most ${MAX_ROWS[kind]} rows`);
  return rows.map((row) => readRow(kind, row));
}

/** What must not be the same in two rows. */
const IDENTITY: {
  readonly [Kind in ImportKind]: readonly { column: string; parts: (payload: RowPayloads[Kind]) => unknown[] }[];
} = {
  funds: [{ column: 'code', parts: ({ code }) => [code ?? undefined] }],
  LPs: [
    { column: 'code', parts: ({ code }) => [code ?? undefined] },
    { column: 'formalId', parts: ({ formalId }) => [formalId.toLowerCase()] },
  ],
  users: [{ column: 'email', parts: ({ email }) => [email.toLowerCase()] }],
  contributions: [{ column: 'callName', parts: (row) => [...partyOf(row), row.callName] }],
  distributions: [{ column: 'callName', parts: (row) => [...partyOf(row), row.callName] }],
  LPCommitments: [{ column: 'date', parts: (row) => [...partyOf(row), row.date] }],
  navs: [{ column: 'date', parts: (row) => [...partyOf(row), row.date] }],
  capitalAccounts: [
    { column: 'date', parts: (row) => [...partyOf(row), row.date] },
    { column: 'fileName', parts: ({ fileName }) => [fileName] },
  ],
  reports: [
    { column: 'date', parts: ({ fundCode, fundClassCode, date }) => [fundCode, fundClassCode ?? null, date] },
    { column: 'fileName', parts: ({ fileName }) => [fileName] },
  ],
  feeTerms: [{ column: 'date', parts: ({ fundCode, fundClassCode, date }) => [fundCode, fundClassCode ?? null, date] }],
  sideLetters: [{ column: 'date', parts: (row) => [...partyOf(row), row.date] }],
  closings: [{ column: 'investorCode', parts: (row) => [...partyOf(row), row.title.toLowerCase()] }],
  transfers: [{ column: 'date', parts: (row) => [...partyOf(row), row.toType, row.toCode, row.date] }],
};

const partyOf = (
  row: Pick<TimeSeriesRow, 'investorType' | 'investorCode' | 'fundCode' | 'fundClassCode'>,
): unknown[] => [row.investorType, row.investorCode, row.fundCode, row.fundClassCode ?? null];

/** Rows that repeat an earlier row, by their index, with the index of the earlier one. */
export function repeatedRows<Kind extends ImportKind>(
  kind: Kind,
  read: readonly ReadRow<Kind>[],
): Map<number, { column: string; of: number }[]> {
  const repeated = new Map<number, { column: string; of: number }[]>();
  for (const { column, parts } of IDENTITY[kind]) {
    const seen = new Map<string, number>();
    for (const [index, { payload }] of read.entries()) {
      if (payload === null) continue;
      const values = parts(payload);
      if (values.some((value) => value === undefined)) continue;
      const key = JSON.stringify(values);
      const of = seen.get(key);
      if (of === undefined) seen.set(key, index);
      else repeated.set(index, [...(repeated.get(index) ?? []), { column, of }]);
    }
  }
  return repeated;
}

/** What is the same in all rows of a closing. */
const OF_CLOSING = ['date', 'dueDate', 'callName', 'distributionName'] as const;

/** Rows of a closing that differ from its first row, by their index, with the index of that one. */
export function differingRows(read: readonly ReadRow<'closings'>[]): Map<number, { column: string; of: number }[]> {
  const first = new Map<string, number>();
  const differing = new Map<number, { column: string; of: number }[]>();
  for (const [index, { payload }] of read.entries()) {
    if (payload === null) continue;
    const key = JSON.stringify([payload.fundCode, payload.title]);
    const of = first.get(key);
    if (of === undefined) first.set(key, index);
    const whole = of === undefined ? null : read[of]!.payload;
    if (of === undefined || whole === null) continue;
    const columns = OF_CLOSING.filter((column) => payload[column] !== whole[column]);
    if (columns.length > 0)
      differing.set(
        index,
        columns.map((column) => ({ column, of })),
      );
  }
  return differing;
}

/** One time series with the indexes of its rows, in the order of its items. */
export interface TimeSeries {
  readonly payload: TimeSeriesImport;
  readonly indexes: readonly number[];
}

/** The change that is left between the entries of a commitment and what a register says that it is now. */
function changeUntilNow(rows: readonly { readonly index: number; readonly payload: TimeSeriesRow }[]) {
  const last = rows.findLast(({ payload }) => payload.currentCommitment && payload.currentDate);
  const { currentCommitment, currentDate } = last?.payload ?? {};
  if (!last || !currentCommitment || !currentDate) return [];
  const change = subtract(currentCommitment, sum(rows.map(({ payload }) => payload.defaultValue)));
  if (compare(change, '0') === 0) return [];
  const item = { date: currentDate, callName: 'Changes until then', defaultValue: change, keyValues: undefined };
  return [{ index: last.index, item }];
}

/** Puts rows together: one time series for each investor, fund, class and currency, its items by date. */
export function timeSeriesOf(
  rows: readonly { readonly index: number; readonly payload: TimeSeriesRow }[],
): TimeSeries[] {
  const groups = Map.groupBy(rows, ({ payload }) => JSON.stringify([...partyOf(payload), payload.currency]));
  return [...groups.values()].map((group) => {
    const sorted = group.toSorted((a, b) =>
      a.payload.date < b.payload.date ? -1 : a.payload.date > b.payload.date ? 1 : 0,
    );
    const { investorType, investorCode, fundCode, fundClassCode, currency } = sorted[0]!.payload;
    const changes = changeUntilNow(sorted);
    return {
      payload: {
        investorType,
        investorCode,
        fundCode,
        fundClassCode,
        currency,
        timeSeriesItems: [
          ...sorted.map(({ payload: { date, callName, defaultValue, keyValues } }) => ({
            date,
            callName,
            defaultValue,
            keyValues,
          })),
          ...changes.map(({ item }) => item),
        ],
      },
      indexes: [...sorted, ...changes].map(({ index }) => index),
    };
  });
}
