/**
 * The Parquet options for parts. Finalizing copies their pages unchanged into the published file and adds columns next
 * to them. This requires one row group per part, so the row group size is the maximum number of rows of a sheet.
 */
export const PART_PARQUET = '(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 1048576)';
