/** A file of bank statements. A year of a busy account is a hundredth of this. */
export const MAX_STATEMENT_BYTES = 16 << 20;
/** Lines of all statements of one file. */
export const MAX_STATEMENT_LINES = 50_000;
/** Characters of a line, of a field over several lines, and of a cell. A supplementary text has 500. */
export const MAX_STATEMENT_TEXT = 10_000;
/** Cells of a row. A bank's table has about twenty columns. */
export const MAX_STATEMENT_CELLS = 200;
/** Statements of one file. */
export const MAX_STATEMENTS = 1_000;
