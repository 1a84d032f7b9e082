import {
  type ErroredOrder,
  type ErroredSource,
  erroredOrder,
  erroredRelation,
  erroredSourcesOf,
} from './errored-assets.ts';
import { type ExportColumn, type ExportQuery, type ExportTable, sliceRowsOf } from './exports/export-table.ts';
import { type Lake, quoteText } from './lake.ts';

/** A JSON pointer to an object's key. */
const pointerTo = (key: string): string => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** The distinct headers of the cells, in the order of the sheets; all rows of a tape have the same headers. */
async function headersOf(lake: Lake, sources: readonly ErroredSource[]): Promise<string[]> {
  const headers = new Set<string>();
  for (const source of sources) {
    const [first] = await lake.connected(async (connection) =>
      (await connection.runAndReadAll(`SELECT origin FROM ${erroredRelation([source])} LIMIT 1`)).getRows(),
    );
    for (const header of Object.keys(JSON.parse(String(first?.[0] ?? '{}')))) headers.add(header);
  }
  return [...headers];
}

/** Every errored row that was not discarded and matches the filter: its errors, and each cell as it was read. */
export async function erroredExport(
  lake: Lake,
  sources: readonly ErroredSource[],
  asked: ErroredOrder = {},
): Promise<ExportTable> {
  const held = erroredSourcesOf(sources, asked);
  const headers = await headersOf(lake, held);
  const text = (name: string, label: string, sql: string): ExportColumn => ({
    name,
    label,
    kind: 'text',
    sql,
    type: 'VARCHAR',
  });
  const tapes = held.map(({ tapeId }) => quoteText(tapeId)).join(', ');
  const columns: ExportColumn[] = [
    text('loanTape', 'Loan tape', `[${tapes}][source + 1]`),
    { name: 'row', label: 'Sheet row', kind: 'number', sql: '"row"', type: 'INTEGER' },
    text(
      'errors',
      'Reasons',
      `array_to_string(list_transform(errors, lambda e: concat(coalesce(e."column", e.target), ': ', e.reason)), '; ')`,
    ),
    ...headers.map((header) =>
      text(`origin.${header}`, header, `json_extract_string(CAST(origin AS JSON), ${quoteText(pointerTo(header))})`),
    ),
  ];
  const sliceRows = sliceRowsOf(columns.length);
  const passing = erroredOrder(asked);
  const slices = held.length === 0 ? [] : await slicesOf(lake, held, sliceRows, passing);
  const rows = slices.reduce((sum, slice) => sum + slice.rows, 0);
  const query = (from: string): ExportQuery => ({
    from: `FROM ${erroredRelation(held)} WHERE ${from}`,
    values: passing.values,
  });
  if (asked.sort && asked.sort.length > 0) {
    const queries = Array.from({ length: Math.ceil(rows / sliceRows) }, (_, slice) =>
      query(`${passing.where} ORDER BY ${passing.order} LIMIT ${sliceRows} OFFSET ${slice * sliceRows}`),
    );
    return { columns, rows, queries };
  }
  const queries = slices.map(({ source, slice }) => {
    const from = slice * sliceRows;
    const within = `source = ${source} AND "row" BETWEEN ${from} AND ${from + sliceRows - 1}`;
    return query(`${within} AND (${passing.where}) ORDER BY "row"`);
  });
  return { columns, rows, queries };
}

/** The slices of sheet rows that contain matching errored rows, in tape and row order. */
async function slicesOf(
  lake: Lake,
  held: readonly ErroredSource[],
  sliceRows: number,
  { where, values }: ReturnType<typeof erroredOrder>,
): Promise<{ source: number; slice: number; rows: number }[]> {
  return lake.connected(async (connection) => {
    const counted = await connection.runAndReadAll(
      `SELECT source, "row" // ${sliceRows} AS slice, count(*) FROM ${erroredRelation(held)} WHERE ${where} GROUP BY ALL ORDER BY source, slice`,
      [...values],
    );
    return counted.getRows().map(([source, slice, rows]) => ({
      source: Number(source),
      slice: Number(slice),
      rows: Number(rows),
    }));
  });
}
