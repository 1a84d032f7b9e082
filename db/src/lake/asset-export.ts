import { ASSET_RESULT_FIELDS } from '@tapeline/domain/borrowing-base/result.ts';
import { filterToDuckDb } from '@tapeline/domain/filters/duckdb.ts';
import { isEverything } from '@tapeline/domain/filters/filter.ts';
import { filterFields, ROW_COLUMN, SEQUENCE_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import {
  ASSET_ID,
  type AssetQuery,
  assetRelation,
  countAssets,
  heldFields,
  knownFields,
  rowsOfSources,
  type TapeSource,
} from './assets.ts';
import type { ExportColumn, ExportTable } from './exports/export-table.ts';
import { type Lake, quoteName } from './lake.ts';

/** Rows of a tape that are put in order at once where the list is in the tape's own order. */
const SLICE_ROWS = 100_000;

/** What a list of assets is exported as: who the asset is, every field that the tapes hold, the borrowing base's results. */
function assetColumns(sources: readonly TapeSource[]): ExportColumn[] {
  const fields = heldFields(sources).flatMap((field) => {
    const labels = filterFields(field).map(({ label }) => label);
    return field.columns.map(({ name, type }, index): ExportColumn => {
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
    { name: 'id', label: 'Id', kind: 'text', sql: ASSET_ID, type: 'VARCHAR' },
    { name: ROW_COLUMN, label: 'Sheet row', kind: 'number', sql: quoteName(ROW_COLUMN), type: 'INTEGER' },
    { name: 'loanTape', label: 'Loan tape', kind: 'text', sql: '"loanTape"', type: 'VARCHAR' },
    { name: 'cutOffDate', label: 'Cut-off date', kind: 'date', sql: '"cutOffDate"', type: 'DATE' },
    ...fields,
    ...(sources.some((source) => source.borrowingBase) ? results : []),
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

/** The whole list that passes the filter, in its order; `skip` and `limit` where they are given. */
export async function assetExport(
  lake: Lake,
  sources: readonly TapeSource[],
  {
    filter,
    sort,
    skip = 0,
    limit,
  }: Pick<AssetQuery, 'filter' | 'sort'> & { skip?: number; limit?: number | undefined },
): Promise<ExportTable & { total: number }> {
  const columns = assetColumns(sources);
  const total = await countAssets(lake, sources, filter);
  const rows = Math.min(Math.max(0, total - skip), limit ?? total);
  const known = knownFields(sources);
  const { sql: condition, values } = isEverything(filter)
    ? { sql: 'true', values: [] }
    : filterToDuckDb(filter, (field) => quoteName(field.path));
  const order = [
    ...sort.map(({ field, direction }) => `${quoteName(field.path)} ${direction === 1 ? 'ASC' : 'DESC'} NULLS LAST`),
    '"source"',
    quoteName(SEQUENCE_COLUMN),
  ].join(', ');
  const whole = {
    from: `FROM ${assetRelation(sources, known)} WHERE ${condition} ORDER BY ${order} LIMIT ${rows} OFFSET ${skip}`,
    values,
  };
  if (rows === 0) return { columns, rows, total, queries: [], whole };
  if (sort.length > 0 || rows < total) return { columns, rows, total, queries: [whole], whole };
  // In the tapes' own order slices of them are read one after the other, so that hardly anything waits to be written.
  const counts = await rowsOfSources(lake, sources);
  const queries = counts.flatMap((count, source) =>
    Array.from({ length: Math.ceil(count / SLICE_ROWS) }, (_, slice) => {
      const places = { from: slice * SLICE_ROWS, to: (slice + 1) * SLICE_ROWS - 1 };
      const relation = assetRelation(sources, known, new Map([[source, places]]));
      return { from: `FROM ${relation} WHERE ${condition} ORDER BY ${quoteName(SEQUENCE_COLUMN)}`, values };
    }),
  );
  return { columns, rows, total, queries, whole };
}
