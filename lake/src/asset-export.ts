import type { BaseOrigin } from '@tapeline/db/operations/tapes/published-tapes.ts';
import { ASSET_RESULT_FIELDS } from '@tapeline/domain/borrowing-base/result.ts';
import { filterToDuckDb } from '@tapeline/domain/filters/duckdb.ts';
import { isEverything } from '@tapeline/domain/filters/filter.ts';
import { filterFields, ROW_COLUMN, SEQUENCE_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import { assetRelation, heldFields, knownFields, type SourceRows, type TapeSource } from './asset-relation.ts';
import { type AssetQuery, type AssetSlice, slicesOf } from './assets.ts';
import { type ExportColumn, type ExportQuery, type ExportTable, sliceRowsOf } from './exports/export-table.ts';
import { type Lake, quoteName, quoteText } from './lake.ts';

/**
 * The columns of an exported asset list: what identifies the asset, every field that the tapes have, and the
 * borrowing-base results.
 */
function assetColumns(sources: readonly TapeSource[]): ExportColumn[] {
  const fields = heldFields(sources).flatMap((field) => {
    const labels = filterFields(field).map(({ label }) => label);
    // What could not be read is listed with the warnings: a column of it for each field would be nearly empty.
    const columns = field.columns.filter(({ isNote }) => !isNote);
    return columns.map(({ name, type }, index): ExportColumn => {
      const kind = index > 0 ? (type === 'VARCHAR' ? 'text' : 'number') : kindOf(field.kind);
      return { name, label: labels[index] ?? name, kind, sql: quoteName(name), type };
    });
  });
  const results = ASSET_RESULT_FIELDS.map(
    ({ path, label, type }): ExportColumn => ({
      name: path,
      label,
      kind: type === 'decimal' ? (path.endsWith('.rate') ? 'percentage' : 'result') : 'text',
      sql: quoteName(path),
      type: type === 'decimal' ? 'DECIMAL(38,12)' : 'VARCHAR',
    }),
  );
  return [
    { name: 'id', label: 'Id', kind: 'text', sql: '"id"', type: 'VARCHAR' },
    { name: ROW_COLUMN, label: 'Sheet row', kind: 'number', sql: quoteName(ROW_COLUMN), type: 'INTEGER' },
    { name: 'loanTape', label: 'Loan tape', kind: 'text', sql: '"loanTape"', type: 'VARCHAR' },
    { name: 'cutOffDate', label: 'Cut-off date', kind: 'date', sql: '"cutOffDate"', type: 'DATE' },
    ...fields,
    ...(sources.some((source) => source.borrowingBase) ? [...originColumns(sources), ...results] : []),
  ];
}

/**
 * The note and contract that the borrowing-base columns of each row belong to: they may differ between the tapes of a
 * list.
 */
function originColumns(sources: readonly TapeSource[]): ExportColumn[] {
  const column = (name: string, label: string, say: (of: BaseOrigin) => string): ExportColumn => {
    const texts = sources.map(({ borrowingBase }) =>
      borrowingBase?.of ? quoteText(say(borrowingBase.of)) : 'CAST(NULL AS VARCHAR)',
    );
    return { name, label, kind: 'text', sql: `[${texts.join(', ')}]["source" + 1]`, type: 'VARCHAR' };
  };
  return [
    column('borrowingBase.note', 'Borrowing base of', ({ transaction, note }) => `${transaction.title}, ${note.title}`),
    column(
      'borrowingBase.contract',
      'Borrowing base contract',
      ({ contract }) => `v${contract.revision} from ${contract.cutOffDate}`,
    ),
  ];
}

function kindOf(kind: ReturnType<typeof heldFields>[number]['kind']): ExportColumn['kind'] {
  switch (kind) {
    case 'interest':
      return 'percentage';
    case 'term':
      return 'number';
    case 'assetStatus':
    case 'assetType':
    case 'currency':
      return 'text';
    default:
      return kind;
  }
}

/** Up to this many rows DuckDB finds in order without sorting them all. */
const FEW_ROWS = 5_000;

type AssetExportQuery = Pick<AssetQuery, 'filter' | 'sort'> & { skip?: number; limit?: number | undefined };

/** The whole list that passes the filter, in order, with `skip` and `limit` if given. */
export async function assetExport(
  lake: Lake,
  sources: readonly TapeSource[],
  { filter, sort, skip = 0, limit }: AssetExportQuery,
): Promise<ExportTable & { total: number }> {
  const columns = assetColumns(sources);
  const sliceRows = sliceRowsOf(columns.length);
  const slices = await slicesOf(lake, sources, filter, sliceRows);
  const total = slices.reduce((sum, slice) => sum + slice.passing, 0);
  const rows = Math.min(Math.max(0, total - skip), limit ?? total);
  const known = knownFields(sources);
  const { sql: condition, values } = isEverything(filter)
    ? { sql: 'true', values: [] }
    : filterToDuckDb(filter, (field) => quoteName(field.path));
  const query = (rowsOf?: ReadonlyMap<number, SourceRows>, after = ''): ExportQuery => ({
    from: `FROM ${assetRelation(sources, known, rowsOf)} WHERE ${condition} ${after}`,
    values,
  });
  const table = { columns, rows, total };
  if (rows === 0) return { ...table, queries: [] };
  const order = [
    ...sort.map(({ field, direction }) => `${quoteName(field.path)} ${direction === 1 ? 'ASC' : 'DESC'} NULLS LAST`),
    '"source"',
    quoteName(SEQUENCE_COLUMN),
  ].join(', ');
  if (total <= sliceRows || skip + rows <= FEW_ROWS) {
    return { ...table, queries: [query(undefined, `ORDER BY ${order} LIMIT ${rows} OFFSET ${skip}`)] };
  }
  const batches = batchesOf(slices, sliceRows);
  if (sort.length > 0) {
    const row = ['"source"', quoteName(SEQUENCE_COLUMN)] as const;
    const queries = batches.map(({ rowsOf }) => query(rowsOf));
    return { ...table, queries, order: { all: query(), row, by: order, skip } };
  }
  const queries: ExportQuery[] = [];
  let before = 0;
  for (const { rowsOf, passing } of batches) {
    const [from, to] = [Math.max(0, skip - before), Math.min(passing, skip + rows - before)];
    before += passing;
    if (from < to) queries.push(query(rowsOf, `ORDER BY ${order} LIMIT ${to - from} OFFSET ${from}`));
  }
  return { ...table, queries };
}

/** Neighboring slices that together have few passing rows are read by one query. */
function batchesOf(
  slices: readonly AssetSlice[],
  maxRows: number,
): { rowsOf: ReadonlyMap<number, SourceRows>; passing: number }[] {
  const batches: { rowsOf: Map<number, { from: number; to: number }>; passing: number }[] = [];
  for (const { source, from, to, passing } of slices) {
    if (passing === 0) continue;
    let batch = batches.at(-1);
    if (!batch || batch.passing + passing > maxRows) {
      batch = { rowsOf: new Map(), passing: 0 };
      batches.push(batch);
    }
    // The rows between them do not pass.
    batch.rowsOf.set(source, { from: batch.rowsOf.get(source)?.from ?? from, to });
    batch.passing += passing;
  }
  return batches;
}
