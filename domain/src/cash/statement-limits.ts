/** A file of bank statements. A year of a busy account is a hundredth of this. */
export const MAX_STATEMENT_BYTES = 16 << 20;
/** Lines of all statements of one file. */
export const MAX_STATEMENT_LINES = 50_000;
/** Statements of one file. */
export const MAX_STATEMENTS = 1_000;
