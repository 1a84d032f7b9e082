/** Field ids of `parquet.thrift`. */
export const FILE = { schema: 2, rows: 3, rowGroups: 4, columnOrders: 7 } as const;
export const SCHEMA = { type: 1, repetition: 3, name: 4, children: 5, convertedType: 6, logicalType: 10 } as const;
export const GROUP = { columns: 1, bytes: 2, rows: 3, fileOffset: 5, compressedBytes: 6, ordinal: 7 } as const;
export const CHUNK = { filePath: 1, fileOffset: 2, metadata: 3, offsetIndex: 4, columnIndex: 6 } as const;
export const CHUNK_METADATA = {
  type: 1,
  encodings: 2,
  path: 3,
  codec: 4,
  values: 5,
  bytes: 6,
  compressedBytes: 7,
  dataPage: 9,
  indexPage: 10,
  dictionaryPage: 11,
  statistics: 12,
  bloomFilter: 14,
} as const;
export const STATISTICS = { nulls: 3, max: 5, min: 6 } as const;
export const PAGE = { type: 1, bytes: 2, compressedBytes: 3, crc: 4, data: 5, dictionary: 7 } as const;
export const DATA_PAGE = { values: 1, encoding: 2, statistics: 5 } as const;
export const DICTIONARY_PAGE = { values: 1 } as const;

/** Values of its enums. */
export const PAGE_TYPE = { data: 0n, dictionary: 2n } as const;
export const PHYSICAL_TYPE = { boolean: 0n, int32: 1n, int64: 2n, double: 5n, byteArray: 6n } as const;
export const CONVERTED_TYPE = { int32: 17n } as const;
export const CODEC = { none: 0n, zstd: 6n } as const;
export const REPETITION = { required: 0n, optional: 1n } as const;
/** `plainDictionary` is the deprecated predecessor of `rleDictionary`, and means the same in data pages. */
export const ENCODING = { plain: 0n, plainDictionary: 2n, rle: 3n, rleDictionary: 8n } as const;

/** Whether the values of a data page are indexes in the column's dictionary. */
export const isDictionaryEncoding = (encoding: unknown): boolean =>
  encoding === ENCODING.plainDictionary || encoding === ENCODING.rleDictionary;
