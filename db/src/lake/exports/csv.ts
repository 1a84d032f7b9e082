import type { Lake } from '../lake.ts';
import { rowBytes } from './chunk-columns.ts';
import { type ExportTable, exportChunks } from './export-table.ts';

/** Quoted where a reader would take the text for more or less than one text; an empty text is quoted, a missing one not. */
const SET_UP = [
  `CREATE OR REPLACE TEMP MACRO csv_quoted(x) AS
     CASE WHEN x = '' OR regexp_matches(x, '[",\\r\\n]|^\\s|\\s$') THEN '"' || replace(x, '"', '""') || '"' ELSE x END`,
  // A text that a spreadsheet would run as a formula gets an apostrophe in front.
  `CREATE OR REPLACE TEMP MACRO csv_text(x) AS
     csv_quoted(CASE WHEN regexp_matches(x, '^[=+@\\t\\r-]') THEN concat('''', x) ELSE x END)`,
];

/** RFC 4180 with LF, in UTF-8; heads are the columns' names, decimals have all their digits, dates are YYYY-MM-DD. */
export async function* exportCsv(lake: Lake, table: ExportTable, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const heads = table.columns.map(({ name }) => (/[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name));
  yield Buffer.from(`${heads.join(',')}\n`);
  const cells = table.columns.map(({ sql, type }) =>
    type === 'VARCHAR' ? `coalesce(csv_text(${sql}), '')` : `coalesce(CAST(${sql} AS VARCHAR), '')`,
  );
  const select = `encode(concat(concat_ws(',', ${cells.join(', ')}), chr(10)))`;
  for await (const chunk of exportChunks(lake, table, select, { setUp: SET_UP, signal })) {
    const lineOf = rowBytes(chunk, 0);
    yield Buffer.concat(Array.from({ length: chunk.rowCount }, (_, row) => lineOf(row)));
  }
}
