/** A cell of a table. Figures are exact text, and null is unknown. */
export type CsvCell = string | number | boolean | null;

/** How a formula begins: spreadsheets skip spaces before it, and some take the wide signs of East Asia. */
const FORMULA = /^(?:[\t\r\n]|\s*[=+@\-＝＋＠－])/;

/**
 * Quotes a cell if necessary. A text that a spreadsheet would run as a formula is prefixed with an apostrophe. A figure
 * is not.
 */
function written(cell: CsvCell): string {
  if (cell === null) return '';
  const text = String(cell);
  const safe = FORMULA.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A table as the text of a CSV file. */
export const csvText = (heads: readonly string[], rows: readonly (readonly CsvCell[])[]): string =>
  `${[heads, ...rows].map((row) => row.map(written).join(',')).join('\r\n')}\r\n`;
