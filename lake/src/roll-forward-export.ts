import type { Labels } from '@tapeline/domain/documents/labels.ts';
import { CHANGE_LABELS, CHANGE_SENTENCES, type FoundChanges, type LoanChange } from '@tapeline/domain/pools/changes.ts';
import {
  POOL_PART_LABELS,
  ROLL_LINE_LABELS,
  type RollForward,
  type RollLine,
} from '@tapeline/domain/pools/roll-forward.ts';
import {
  amountColumn,
  type ExportColumn,
  type ExportQuery,
  type ExportTable,
  sliceRowsOf,
  textColumn,
} from './exports/export-table.ts';
import { type Lake, quoteText, readParquet } from './lake.ts';
import { factsOf, joined, type PairedTapes, rollLineColumn, ruleOf } from './roll-forward.ts';

/** SQL of the label of a value; NULL where there is none. */
const labelColumn = (column: string, labels: Labels<string>): string =>
  `CASE ${column} ${Object.entries(labels)
    .map(([value, label]) => `WHEN ${quoteText(value)} THEN ${quoteText(label)}`)
    .join(' ')} END`;

/** The columns of an asset on both tapes, after its id. */
const sideColumns = ({ before, after }: PairedTapes): ExportColumn[] => {
  const row = (name: string, label: string, sql: string): ExportColumn => ({
    name,
    label,
    kind: 'number',
    type: 'INTEGER',
    sql,
  });
  return [
    row('rowBefore', `Sheet row ${before.cutOffDate}`, 'row_before'),
    row('rowAfter', `Sheet row ${after.cutOffDate}`, 'row_after'),
    textColumn('partBefore', `Part ${before.cutOffDate}`, labelColumn('part_before', POOL_PART_LABELS), 22),
    textColumn('partAfter', `Part ${after.cutOffDate}`, labelColumn('part_after', POOL_PART_LABELS), 22),
    textColumn('currencyBefore', `Currency ${before.cutOffDate}`, 'currency_before'),
    amountColumn('balanceBefore', `Balance ${before.cutOffDate}`, 'balance_before'),
    textColumn('currencyAfter', `Currency ${after.cutOffDate}`, 'currency_after'),
    amountColumn('balanceAfter', `Balance ${after.cutOffDate}`, 'balance_after'),
  ];
};

const SELECTED = `coalesce(b.id, a.id) AS id, b."row" AS row_before, a."row" AS row_after, b.part AS part_before, a.part AS part_after,
  b.currency AS currency_before, b.balance AS balance_before, a.currency AS currency_after, a.balance AS balance_after`;

/** The highest sheet row of a tape. */
async function lastRowOf(lake: Lake, paths: readonly string[]): Promise<number> {
  return lake.connected(async (connection) => {
    const read = await connection.runAndReadAll(`SELECT max("row") FROM ${readParquet(paths)}`);
    return Number(read.getRows()[0]?.[0] ?? 0);
  });
}

/** Conditions that together select each pair of rows once, each with few enough of them for one query. */
async function slicesOf(lake: Lake, { before, after }: PairedTapes, rows: number, columns: number): Promise<string[]> {
  const maxRows = sliceRowsOf(columns);
  if (rows <= maxRows) return rows === 0 ? [] : ['true'];
  const ranges = (last: number, condition: (from: number, to: number) => string) =>
    Array.from({ length: Math.ceil((last + 1) / maxRows) }, (_, slice) =>
      condition(slice * maxRows, (slice + 1) * maxRows - 1),
    );
  return [
    ...ranges(await lastRowOf(lake, before.paths), (from, to) => `b."row" BETWEEN ${from} AND ${to}`),
    ...ranges(
      await lastRowOf(lake, after.paths),
      (from, to) => `b."row" IS NULL AND a."row" BETWEEN ${from} AND ${to}`,
    ),
  ];
}

/** Matched rows are exported once, and the rows of one tape alone. */
const rowsOf = (lines: RollForward['lines'], line: RollLine | undefined): number =>
  lines.reduce((total, one) => {
    if (line !== undefined && one.line !== line) return total;
    // Rows without an id, or whose id is listed more than once, are never matched.
    const isAlone = one.line === 'withoutId' || one.line === 'repeated';
    return total + (isAlone ? one.before + one.after : Math.max(one.before, one.after));
  }, 0);

/** Every asset of the two tapes, or those of a line, with what happened to it. */
export async function rolledExport(
  lake: Lake,
  pair: PairedTapes,
  { lines }: Pick<RollForward, 'lines'>,
  line?: RollLine,
): Promise<ExportTable> {
  const columns = [
    textColumn('assetId', 'Asset id', 'id'),
    textColumn('line', 'What happened', labelColumn('line', ROLL_LINE_LABELS), 34),
    ...sideColumns(pair),
    amountColumn(
      'change',
      'Change',
      // Between two currencies, and where a balance is unknown, there is no change to show.
      `CASE WHEN row_before IS NULL THEN balance_after WHEN row_after IS NULL THEN -balance_before
         WHEN currency_before = currency_after THEN balance_after - balance_before END`,
    ),
  ];
  const rows = rowsOf(lines, line);
  const slices = await slicesOf(lake, pair, rows, columns.length);
  const queries = slices.map(
    (slice): ExportQuery => ({
      from: `FROM (SELECT ${rollLineColumn(pair)} AS line, ${SELECTED} FROM ${joined(pair)}
        WHERE ${slice} ${line === undefined ? '' : `AND ${rollLineColumn(pair)} = ${quoteText(line)}`}
        ORDER BY b."row" NULLS LAST, a."row")`,
      values: [],
    }),
  );
  return { columns, rows, queries };
}

/** Every asset with a change that should not happen, once for each kind, with both values. */
export async function changedExport(
  lake: Lake,
  pair: PairedTapes,
  { changes }: FoundChanges,
  kind?: LoanChange,
): Promise<ExportTable> {
  const columns = [
    textColumn('change', 'Change', labelColumn('kind', CHANGE_LABELS), 32),
    textColumn('assetId', 'Asset id', 'id'),
    textColumn('was', `Value ${pair.before.cutOffDate}`, 'was', 24),
    textColumn('is', `Value ${pair.after.cutOffDate}`, 'is_now', 24),
    textColumn('explanation', 'Explanation', labelColumn('kind', CHANGE_SENTENCES), 60),
    ...sideColumns(pair),
  ];
  const queries: ExportQuery[] = [];
  let rows = 0;
  for (const found of changes) {
    if (!found.count || (kind !== undefined && found.kind !== kind)) continue;
    rows += found.count;
    const { known, changed, shown } = ruleOf(found.kind, pair);
    for (const slice of await slicesOf(lake, pair, found.count, columns.length)) {
      queries.push({
        from: `FROM (SELECT ${quoteText(found.kind)} AS kind, ${shown('b')} AS was, ${shown('a')} AS is_now, ${SELECTED}
          FROM ${joined(pair, 'INNER', factsOf)} WHERE ${slice} AND ${known} AND ${changed} ORDER BY b."row")`,
        values: [],
      });
    }
  }
  return { columns, rows, queries };
}
