import { type CsvCell, csvText } from '@tapeline/domain/files/csv-text.ts';

export const CSV_TYPE = 'text/csv';

/** A table as a CSV file for download. */
export function csvResponse(name: string, heads: readonly string[], rows: readonly (readonly CsvCell[])[]): Response {
  return new Response(csvText(heads, rows), {
    headers: {
      'content-type': `${CSV_TYPE}; charset=utf-8`,
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(`${name}.csv`)}`,
      'cache-control': 'private, no-store',
    },
  });
}
