import type { ExportColumn, ExportQuery, ExportTable } from './export-table.ts';

/** A cell as text; null is empty. */
type Line = readonly (string | null)[];

/** Lines at hand as a query: bound as one JSON value, in order. Its rows have one column, `cells`. */
export const linesQuery = (lines: readonly Line[]): ExportQuery => ({
  from: `FROM (SELECT unnest(from_json(CAST($1 AS JSON), '[["VARCHAR"]]')) AS cells) AS lines`,
  values: [JSON.stringify(lines)],
});

/** A column of lines, by its position among their cells, read as its type. */
export const lineColumn = (column: Omit<ExportColumn, 'sql'>, index: number): ExportColumn => {
  const cell = `cells[${index + 1}]`;
  return { ...column, sql: column.type === 'VARCHAR' ? cell : `CAST(${cell} AS ${column.type})` };
};

/** Lines at hand as a table for a file. Decimals are read from their exact text. */
export const linesTable = (columns: readonly Omit<ExportColumn, 'sql'>[], lines: readonly Line[]): ExportTable => ({
  columns: columns.map(lineColumn),
  rows: lines.length,
  queries: lines.length === 0 ? [] : [linesQuery(lines)],
});
