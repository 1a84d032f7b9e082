/** A cell of a table: figures as exact text, null where unknown. */
export type CsvCell = string | number | boolean | null;

/** Quoted where it must be; a text that a spreadsheet would run as a formula gets an apostrophe in front, a figure does not. */
function written(cell: CsvCell): string {
  if (cell === null) return '';
  const text = String(cell);
  const safe = /^[=+@\t\r-]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A table as a CSV file for download. */
export function csvResponse(name: string, heads: readonly string[], rows: readonly (readonly CsvCell[])[]): Response {
  const body = `${[heads, ...rows].map((row) => row.map(written).join(',')).join('\r\n')}\r\n`;
  return new Response(body, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(`${name}.csv`)}`,
      'cache-control': 'private, no-store',
    },
  });
}
