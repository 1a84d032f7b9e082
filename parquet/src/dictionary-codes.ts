import { open } from 'node:fs/promises';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import {
  CHUNK,
  CHUNK_METADATA,
  CODEC,
  CONVERTED_TYPE,
  DATA_PAGE,
  DICTIONARY_PAGE,
  FILE,
  GROUP,
  isDictionaryEncoding,
  PAGE,
  PAGE_TYPE,
  PHYSICAL_TYPE,
  SCHEMA,
  STATISTICS,
} from './field-ids.ts';
import { footerBytes, HEAD, numberOf, readBytes, readFooter, setField, structOf, structsOf, textOf } from './footer.ts';
import { fieldOf, readThriftHead, THRIFT_TYPE, type ThriftStruct, writeThriftStruct } from './thrift-compact.ts';

/*
 * A text column that Parquet keeps by a dictionary is integers already: each row's place in the dictionary. The column of
 * codes is the same pages behind another dictionary, of integers instead of texts, and no row need be looked at.
 */

/** A text column of a file with one row group that is dictionary-encoded throughout. */
interface DictionaryColumn {
  /**
   * The dictionary's texts in order, one character for each byte, so that texts that differ in any byte are different.
   */
  readonly texts: readonly string[];
  readonly schema: ThriftStruct;
  /** Null in a file without rows. */
  readonly chunk: DictionaryChunk | null;
}

interface DictionaryChunk {
  readonly metadata: ThriftStruct;
  readonly dictionaryHeader: ThriftStruct;
  /** Bytes of the dictionary page with its header, uncompressed and as stored in the file. */
  readonly unpackedBytes: number;
  readonly packedBytes: number;
  /** All pages after the dictionary, as stored in the file. */
  readonly pages: Buffer;
}

/** A part's text columns by name, except those that are not dictionary-encoded. */
export interface DictionaryColumns {
  readonly rows: number;
  readonly columns: ReadonlyMap<string, DictionaryColumn>;
}

/** Opens those of the named text columns that are dictionary-encoded throughout. */
export async function readDictionaryColumns(path: string, names: readonly string[]): Promise<DictionaryColumns> {
  const file = await open(path, 'r');
  try {
    const { footer } = await readFooter(file, path);
    const columns = new Map<string, DictionaryColumn>();
    const found = { rows: Number(numberOf(footer, FILE.rows)), columns };
    const groups = structsOf(footer, FILE.rowGroups);
    if (groups.length > 1) return found;
    const leaves = structsOf(footer, FILE.schema).slice(1);
    for (const [index, schema] of leaves.entries()) {
      const name = textOf(fieldOf(schema, SCHEMA.name)?.value);
      // Below a nested column, indexes of leaves and chunks differ.
      if (fieldOf(schema, SCHEMA.children)) break;
      if (!names.includes(name) || fieldOf(schema, SCHEMA.type)?.value !== PHYSICAL_TYPE.byteArray) continue;
      if (groups.length === 0) {
        columns.set(name, { texts: [], schema, chunk: null });
        continue;
      }
      const metadata = structOf(structsOf(groups[0]!, GROUP.columns)[index]!, CHUNK.metadata);
      const start = fieldOf(metadata, CHUNK_METADATA.dictionaryPage)?.value;
      if (typeof start !== 'bigint' || numberOf(metadata, CHUNK_METADATA.codec) !== CODEC.zstd) continue;
      const length = Number(numberOf(metadata, CHUNK_METADATA.compressedBytes));
      const column = readChunk(await readBytes(file, Number(start), length), metadata);
      if (column) columns.set(name, { ...column, schema });
    }
    return found;
  } finally {
    await file.close();
  }
}

/** Null if a page is not dictionary-encoded. */
function readChunk(bytes: Buffer, metadata: ThriftStruct): { texts: readonly string[]; chunk: DictionaryChunk } | null {
  const { struct: dictionaryHeader, length: headerBytes } = readThriftHead(bytes);
  if (numberOf(dictionaryHeader, PAGE.type) !== PAGE_TYPE.dictionary) return null;
  const packedBytes = headerBytes + Number(numberOf(dictionaryHeader, PAGE.compressedBytes));
  const pages = bytes.subarray(packedBytes);
  let values = 0n;
  for (let at = 0; at < pages.length; ) {
    const { struct: header, length } = readThriftHead(pages.subarray(at));
    if (numberOf(header, PAGE.type) !== PAGE_TYPE.data) return null;
    const data = structOf(header, PAGE.data);
    if (!isDictionaryEncoding(numberOf(data, DATA_PAGE.encoding)) || fieldOf(data, DATA_PAGE.statistics)) return null;
    values += numberOf(data, DATA_PAGE.values);
    at += length + Number(numberOf(header, PAGE.compressedBytes));
  }
  if (values !== numberOf(metadata, CHUNK_METADATA.values)) return null;
  const count = Number(numberOf(structOf(dictionaryHeader, PAGE.dictionary), DICTIONARY_PAGE.values));
  const texts = plainTexts(zstdDecompressSync(bytes.subarray(headerBytes, packedBytes)), count);
  const unpackedBytes = headerBytes + Number(numberOf(dictionaryHeader, PAGE.bytes));
  return { texts, chunk: { metadata, dictionaryHeader, unpackedBytes, packedBytes, pages } };
}

/** Parquet's plain texts: four bytes of length, then the bytes. */
function plainTexts(bytes: Buffer, count: number): string[] {
  const texts: string[] = [];
  for (let at = 0; texts.length < count; ) {
    const length = bytes.readUInt32LE(at);
    texts.push(bytes.toString('latin1', at + 4, at + 4 + length));
    at += 4 + length;
  }
  return texts;
}

/**
 * An integer column to write: the column whose pages it uses, and the code of each text in that column's dictionary.
 */
export interface CodesToWrite {
  readonly name: string;
  readonly source: DictionaryColumn;
  readonly codes: Int32Array;
}

/** Writes a file with only these columns, and as many rows as the file of the dictionaries. */
export async function writeDictionaryCodes(
  target: string,
  columns: readonly CodesToWrite[],
  rows: number,
): Promise<void> {
  const body: Uint8Array[] = [HEAD];
  let position = HEAD.length;
  const chunks: ThriftStruct[] = [];
  let [bytes, compressedBytes] = [0n, 0n];
  for (const { name, source, codes } of columns) {
    if (!source.chunk) continue;
    const { dictionary, metadata } = codeChunk(name, source.chunk, codes, position);
    body.push(dictionary, source.chunk.pages);
    position += dictionary.length + source.chunk.pages.length;
    bytes += numberOf(metadata, CHUNK_METADATA.bytes);
    compressedBytes += numberOf(metadata, CHUNK_METADATA.compressedBytes);
    chunks.push(struct([CHUNK.fileOffset, THRIFT_TYPE.i64, 0n], [CHUNK.metadata, THRIFT_TYPE.struct, metadata]));
  }
  const root = struct(
    [SCHEMA.name, THRIFT_TYPE.binary, Buffer.from('duckdb_schema')],
    [SCHEMA.children, THRIFT_TYPE.i32, BigInt(columns.length)],
  );
  const schema = [root, ...columns.map(({ name, source }) => codeSchema(name, source.schema))];
  const group = struct(
    [GROUP.columns, THRIFT_TYPE.list, { elementType: THRIFT_TYPE.struct, items: chunks }],
    [GROUP.bytes, THRIFT_TYPE.i64, bytes],
    [GROUP.rows, THRIFT_TYPE.i64, BigInt(rows)],
    [GROUP.fileOffset, THRIFT_TYPE.i64, BigInt(HEAD.length)],
    [GROUP.compressedBytes, THRIFT_TYPE.i64, compressedBytes],
  );
  const footer = struct(
    [1, THRIFT_TYPE.i32, 1n],
    [FILE.schema, THRIFT_TYPE.list, { elementType: THRIFT_TYPE.struct, items: schema }],
    [FILE.rows, THRIFT_TYPE.i64, BigInt(rows)],
    [FILE.rowGroups, THRIFT_TYPE.list, { elementType: THRIFT_TYPE.struct, items: rows === 0 ? [] : [group] }],
    [FILE.columnOrders, THRIFT_TYPE.list, { elementType: THRIFT_TYPE.struct, items: columns.map(usualOrder) }],
  );
  const file = await open(target, 'w');
  try {
    await file.writev([...body, footerBytes(footer)]);
  } finally {
    await file.close();
  }
}

function codeChunk(name: string, chunk: DictionaryChunk, codes: Int32Array, position: number) {
  const plain = Buffer.from(codes.buffer, codes.byteOffset, codes.byteLength);
  const packed = zstdCompressSync(plain);
  const header = without(chunk.dictionaryHeader, PAGE.crc);
  setField(header, PAGE.bytes, BigInt(plain.length));
  setField(header, PAGE.compressedBytes, BigInt(packed.length));
  const dictionary = Buffer.concat([writeThriftStruct(header), packed]);
  const unpackedBytes = dictionary.length - packed.length + plain.length;
  const statistics = codeStatistics(chunk.metadata, codes);
  const metadata = struct(
    ...chunk.metadata.fields
      .filter(({ id }) => id <= CHUNK_METADATA.dictionaryPage)
      .map(({ id, type, value }): FieldParts => [id, type, value]),
    [CHUNK_METADATA.statistics, THRIFT_TYPE.struct, statistics],
  );
  setField(metadata, CHUNK_METADATA.type, PHYSICAL_TYPE.int32);
  setField(metadata, CHUNK_METADATA.path, { elementType: THRIFT_TYPE.binary, items: [Buffer.from(name)] });
  const change = (id: number, by: number) => setField(metadata, id, numberOf(metadata, id) + BigInt(by));
  change(CHUNK_METADATA.bytes, unpackedBytes - chunk.unpackedBytes);
  change(CHUNK_METADATA.compressedBytes, dictionary.length - chunk.packedBytes);
  setField(metadata, CHUNK_METADATA.dictionaryPage, BigInt(position));
  setField(metadata, CHUNK_METADATA.dataPage, BigInt(position + dictionary.length));
  return { dictionary, metadata };
}

/** The same rows lack a code as lack the text. */
function codeStatistics(metadata: ThriftStruct, codes: Int32Array): ThriftStruct {
  const texts = fieldOf(metadata, CHUNK_METADATA.statistics)?.value as ThriftStruct | undefined;
  const nulls = texts && fieldOf(texts, STATISTICS.nulls);
  const int32 = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32LE(value);
    return bytes;
  };
  const [first = 0] = codes;
  const [least, most] = [codes.reduce((a, b) => Math.min(a, b), first), codes.reduce((a, b) => Math.max(a, b), first)];
  const bounds: FieldParts[] = [
    [STATISTICS.max, THRIFT_TYPE.binary, int32(most)],
    [STATISTICS.min, THRIFT_TYPE.binary, int32(least)],
  ];
  return struct(
    ...(nulls ? [[nulls.id, nulls.type, nulls.value] satisfies FieldParts] : []),
    ...(codes.length > 0 ? bounds : []),
  );
}

function codeSchema(name: string, source: ThriftStruct): ThriftStruct {
  const schema = without(source, SCHEMA.logicalType);
  setField(schema, SCHEMA.type, PHYSICAL_TYPE.int32);
  setField(schema, SCHEMA.name, Buffer.from(name));
  setField(schema, SCHEMA.convertedType, CONVERTED_TYPE.int32);
  return schema;
}

type FieldParts = readonly [id: number, type: number, value: ThriftStruct['fields'][number]['value']];

const struct = (...fields: readonly FieldParts[]): ThriftStruct => ({
  fields: fields.map(([id, type, value]) => ({ id, type, value })),
});

/** A copy whose fields can be changed, without one of them. */
const without = (source: ThriftStruct, id: number): ThriftStruct => ({
  fields: source.fields.filter((field) => field.id !== id).map((field) => ({ ...field })),
});

/** Values have the order of their type, which the statistics' bounds refer to. */
const usualOrder = (): ThriftStruct => struct([1, THRIFT_TYPE.struct, struct()]);
