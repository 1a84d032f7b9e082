/**
 * How parts are written. They are what is published: settling copies their pages as they stand and puts columns beside
 * them, for which each part is one row group, as long as a sheet at most.
 */
export const PART_PARQUET = '(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 1048576)';
