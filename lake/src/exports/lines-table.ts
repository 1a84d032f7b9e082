import type { ExportColumn, ExportQuery, ExportTable } from './export-table.ts';

/** A cell as text; null is empty. */
type Line = readonly (string | null)[];

/** Lines at hand as a query: bound as one JSON value, in order. Its rows have one column, `cells`. */
export const linesQuery = (lines: readonly Line[]): ExportQuery => ({
  from: `FROM (SELECT unnest(from_json(CAST($1 AS JSON), '[["VARCHAR"]]')) AS cells) AS lines`,
  values: [JSON.stringify(lines)],
});

/** A column of lines. Its SQL follows from its position. */
export type LineColumn = Omit<ExportColumn, 'sql'>;

/** @param characters as in `ExportColumn` */
export const textOfLine = (name: string, label: string, characters?: number): LineColumn => ({
  name,
  label,
  kind: 'text',
  type: 'VARCHAR',
  ...(characters === undefined ? {} : { characters }),
});
export const dateOfLine = (name: string, label: string): LineColumn => ({ name, label, kind: 'date', type: 'DATE' });
export const countOfLine = (name: string, label: string): LineColumn => ({
  name,
  label,
  kind: 'number',
  type: 'INTEGER',
});
/** Exact in the smallest unit of any currency. */
export const amountOfLine = (name: string, label: string): LineColumn => ({
  name,
  label,
  kind: 'amount',
  type: 'DECIMAL(38,4)',
});

/** A column of lines, by its position among their cells, read as its type. */
export const lineColumn = (column: LineColumn, index: number): ExportColumn => {
  const cell = `cells[${index + 1}]`;
  return { ...column, sql: column.type === 'VARCHAR' ? cell : `CAST(${cell} AS ${column.type})` };
};

/** Lines at hand as a table for a file. Decimals are read from their exact text. */
export const linesTable = (columns: readonly LineColumn[], lines: readonly Line[]): ExportTable => ({
  columns: columns.map(lineColumn),
  rows: lines.length,
  queries: lines.length === 0 ? [] : [linesQuery(lines)],
});
