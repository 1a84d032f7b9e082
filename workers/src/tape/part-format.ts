/**
 * The Parquet options for parts. Finalizing copies their pages unchanged into the published file and adds columns next
 * to them. This requires one row group per part, so the row group size is the maximum number of rows of a sheet.
 */
export const PART_PARQUET = '(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 1048576)';

/** The same for errored rows. Their cells are a long text that is different in each row, which no dictionary shortens. */
export const ERRORED_PARQUET = PART_PARQUET.replace(')', ', DICTIONARY_SIZE_LIMIT 1)');

/**
 * A statement that a connection runs before it filters rows into a part. Otherwise DuckDB 1.5 collects the rows of
 * vectors in which less than 64 pass, and writes them after those of later vectors.
 */
export const KEEP_ORDER = 'SET enable_caching_operators = false';
