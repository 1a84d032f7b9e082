import { quoteText } from '@tapeline/lake/lake.ts';

/**
 * SQL for a staged row's cells as JSON text, header to value. Numbers, texts and booleans are kept, dates are formatted
 * ('2026-10-31'), errors become their text, and blank cells become null. Negative zero becomes zero. A repeated header
 * gets its column number appended.
 */
export function originJson(sheet: { readonly headers: readonly string[]; readonly epoch: 1900 | 1904 }): string {
  const entries = originKeys(sheet.headers).flatMap((key, index) =>
    key === null ? [] : [`${quoteText(key)}, ${cellJson(index, sheet.epoch)}`],
  );
  return `CAST(json_object(${entries.join(', ')}) AS VARCHAR)`;
}

/**
 * The key of every column in `origin`: its header, followed by its column number if the header is repeated. Null if the
 * column has no header.
 */
export function originKeys(headers: readonly string[]): (string | null)[] {
  const seen = new Set<string>();
  return headers.map((header, index) => {
    if (header === '') return null;
    const key = seen.has(header) ? `${header} (column ${index + 1})` : header;
    seen.add(header);
    return key;
  });
}

function cellJson(index: number, epoch: 1900 | 1904): string {
  const [t, n, s] = [`t${index}`, `n${index}`, `s${index}`];
  return `CASE ${t} WHEN 1 THEN to_json(${n} + 0.0) WHEN 3 THEN to_json(${n} = 1) WHEN 4 THEN to_json(tape_date_text_${epoch}(${n})) WHEN 0 THEN to_json(CAST(NULL AS VARCHAR)) ELSE to_json(${s}) END`;
}
