import { type ErroredSource, erroredRelation } from './errored-assets.ts';
import type { ExportColumn, ExportTable } from './exports/export-table.ts';
import { type Lake, quoteText } from './lake.ts';

/** A JSON pointer to an object's key. */
const pointerTo = (key: string): string => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** The headers of what was read, each once, in the order of the sheets; all rows of a tape have the same. */
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

/** Every errored row that was not discarded, in tape and row order: why, and each cell as it was read. */
export async function erroredExport(lake: Lake, sources: readonly ErroredSource[]): Promise<ExportTable> {
  const held = sources.filter((source) => source.paths.length > 0 && source.discarded !== 'all');
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
  const whole = {
    from: `FROM ${erroredRelation(held)} ORDER BY source, "row"`,
    values: [],
  };
  const rows =
    held.length === 0
      ? 0
      : await lake.connected(async (connection) => {
          const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${erroredRelation(held)}`);
          return Number(counted.getColumns()[0]?.[0] ?? 0);
        });
  return { columns, rows, queries: rows > 0 ? [whole] : [], whole };
}
