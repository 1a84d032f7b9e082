/** A cell of a table. Figures are exact text, and null is unknown. */
export type CsvCell = string | number | boolean | null;

/**
 * Quotes a cell if necessary. A text that a spreadsheet would run as a formula is prefixed with an apostrophe. A figure
 * is not.
 */
function written(cell: CsvCell): string {
  if (cell === null) return '';
  const text = String(cell);
  const safe = /^[=+@\t\r-]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const CSV_TYPE = 'text/csv';

/** A table as a CSV file for download. */
export function csvResponse(name: string, heads: readonly string[], rows: readonly (readonly CsvCell[])[]): Response {
  const body = `${[heads, ...rows].map((row) => row.map(written).join(',')).join('\r\n')}\r\n`;
  return new Response(body, {
    headers: {
      'content-type': `${CSV_TYPE}; charset=utf-8`,
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(`${name}.csv`)}`,
      'cache-control': 'private, no-store',
    },
  });
}
