import { type FileHandle, open } from 'node:fs/promises';
import { constants, createZstdDecompress, zstdDecompressSync } from 'node:zlib';
import { IncompleteFile } from '@tapeline/sheets/faults.ts';
import { inflaterState } from '@tapeline/sheets/inflater-state.ts';
import {
  CHUNK,
  CHUNK_METADATA,
  CODEC,
  DATA_PAGE,
  DICTIONARY_PAGE,
  ENCODING,
  FILE,
  GROUP,
  isDictionaryEncoding,
  PAGE,
  PAGE_TYPE,
  PHYSICAL_TYPE,
  REPETITION,
  SCHEMA,
} from './field-ids.ts';
import { listOf, numberOf, readFooter, structOf, structsOf, textOf } from './footer.ts';
import { fieldOf, readThriftHead, type ThriftStruct } from './thrift-compact.ts';

/** Parquet in a form that only DuckDB reads. */
export class UnfamiliarParquet extends Error {}

export type PhysicalType = 'boolean' | 'int32' | 'int64' | 'double' | 'text';
const PHYSICAL_TYPES = new Map<bigint, PhysicalType>([
  [PHYSICAL_TYPE.boolean, 'boolean'],
  [PHYSICAL_TYPE.int32, 'int32'],
  [PHYSICAL_TYPE.int64, 'int64'],
  [PHYSICAL_TYPE.double, 'double'],
  [PHYSICAL_TYPE.byteArray, 'text'],
]);
const ENCODINGS: readonly unknown[] = Object.values(ENCODING);

/** Chunks this close to each other are read in one piece, with the bytes between them. */
const GAP_BYTES = 64 * 1024;
/** Bits of a page are counted in 32-bit integers. */
const MAX_PAGE_BYTES = 2 ** 28;

/** A page of values, uncompressed. */
export interface DataPage {
  readonly values: number;
  readonly isByDictionary: boolean;
  readonly bytes: Buffer;
}

/** A column of a row group. */
export interface ColumnPages {
  readonly type: PhysicalType;
  /** Whether definition levels precede the values of each page. */
  readonly isOptional: boolean;
  readonly dictionary: { readonly values: number; readonly bytes: Buffer } | null;
  readonly pages: readonly DataPage[];
}

/** The position of a column of a row group. */
interface ChunkPlace {
  readonly type: PhysicalType;
  readonly isOptional: boolean;
  readonly isPacked: boolean;
  readonly start: number;
  readonly length: number;
}

export interface RowGroupPlace {
  readonly file: FileHandle;
  readonly rows: number;
  /** In the order of the names. */
  readonly chunks: readonly ChunkPlace[];
}

/** The row groups of files, from which the named columns can be read. Must be closed. */
export class ColumnFiles {
  readonly rowGroups: readonly RowGroupPlace[];
  private readonly files: readonly FileHandle[];

  private constructor(rowGroups: readonly RowGroupPlace[], files: readonly FileHandle[]) {
    this.rowGroups = rowGroups;
    this.files = files;
  }

  /** @throws UnfamiliarParquet if a column is missing, or stored in a form that only DuckDB reads */
  static async open(paths: readonly string[], names: readonly string[]): Promise<ColumnFiles> {
    const files: FileHandle[] = [];
    try {
      const rowGroups: RowGroupPlace[] = [];
      for (const path of paths) {
        const file = await open(path, 'r');
        files.push(file);
        const { footer } = await readFooter(file, path);
        const repetitions = repetitionsOf(footer);
        for (const group of structsOf(footer, FILE.rowGroups)) {
          const rows = Number(numberOf(group, GROUP.rows));
          if (rows > 0) rowGroups.push({ file, rows, chunks: placesOf(group, names, repetitions) });
        }
      }
      return new ColumnFiles(rowGroups, files);
    } catch (error) {
      await Promise.all(files.map((file) => file.close()));
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.files.map((file) => file.close()));
  }
}

/** Whether a column is required, optional or repeated, by name; nested columns are left out. */
function repetitionsOf(footer: ThriftStruct): Map<string, unknown> {
  const repetitions = new Map<string, unknown>();
  const elements = structsOf(footer, FILE.schema);
  const childrenOf = (element: ThriftStruct): number => Number(fieldOf(element, SCHEMA.children)?.value ?? 0);
  const skip = (at: number): number => {
    let next = at + 1;
    for (let child = childrenOf(elements[at]!); child > 0; child -= 1) next = skip(next);
    return next;
  };
  for (let at = 1; at < elements.length; at = skip(at)) {
    const element = elements[at]!;
    if (childrenOf(element) > 0) continue;
    repetitions.set(textOf(fieldOf(element, SCHEMA.name)?.value), fieldOf(element, SCHEMA.repetition)?.value);
  }
  return repetitions;
}

function placesOf(
  group: ThriftStruct,
  names: readonly string[],
  repetitions: ReadonlyMap<string, unknown>,
): ChunkPlace[] {
  const places = new Map<string, ChunkPlace | string>();
  for (const chunk of structsOf(group, GROUP.columns)) {
    const metadata = structOf(chunk, CHUNK.metadata);
    const path = listOf(metadata, CHUNK_METADATA.path).items;
    const name = textOf(path[0]);
    if (path.length === 1 && names.includes(name)) places.set(name, placeOf(chunk, metadata, repetitions.get(name)));
  }
  return names.map((name) => {
    const place = places.get(name) ?? 'is missing';
    if (typeof place === 'string') throw new UnfamiliarParquet(`the column ${name} ${place}`);
    return place;
  });
}

/** The position of the chunk, or as text what is unfamiliar about it. */
function placeOf(chunk: ThriftStruct, metadata: ThriftStruct, repetition: unknown): ChunkPlace | string {
  const type = PHYSICAL_TYPES.get(numberOf(metadata, CHUNK_METADATA.type));
  if (type === undefined) return 'is of another physical type';
  const codec = numberOf(metadata, CHUNK_METADATA.codec);
  if (codec !== CODEC.none && codec !== CODEC.zstd) return 'is compressed differently';
  if (repetition !== REPETITION.required && repetition !== REPETITION.optional) return 'is repeated';
  if (listOf(metadata, CHUNK_METADATA.encodings).items.some((each) => !ENCODINGS.includes(each)))
    return 'is encoded differently';
  if (fieldOf(chunk, CHUNK.filePath)) return 'is in another file';
  const data = Number(numberOf(metadata, CHUNK_METADATA.dataPage));
  const dictionary = Number(fieldOf(metadata, CHUNK_METADATA.dictionaryPage)?.value ?? 0);
  return {
    type,
    isOptional: repetition === REPETITION.optional,
    isPacked: codec === CODEC.zstd,
    start: dictionary > 0 && dictionary < data ? dictionary : data,
    length: Number(numberOf(metadata, CHUNK_METADATA.compressedBytes)),
  };
}

/** A buffer that is reused if it is large enough. */
class Room {
  private bytes = Buffer.alloc(0);

  /** The first `length` bytes; their previous content is lost. */
  take(length: number): Buffer {
    if (this.bytes.length < length) this.bytes = Buffer.allocUnsafeSlow(Math.ceil(length * 1.25));
    return this.bytes.subarray(0, length);
  }
}

/** A page as stored in the file. */
interface PackedPage {
  readonly values: number;
  /** Null for a dictionary. */
  readonly isByDictionary: boolean | null;
  readonly packed: Buffer;
  readonly bytes: number;
}

/** Reads and decompresses row groups, one at a time, always into the same memory. Must be closed. */
export class PageReader {
  private readonly packed = new Room();
  private readonly unpacked = new Room();
  private readonly unpacker = createZstdDecompress();

  /** The columns of a row group, in the order of the names; valid until the next one is read. */
  async read({ file, chunks }: RowGroupPlace): Promise<ColumnPages[]> {
    const spans: { start: number; end: number }[] = [];
    for (const { start, length } of [...chunks].sort((a, b) => a.start - b.start)) {
      const last = spans.at(-1);
      if (last !== undefined && start - last.end <= GAP_BYTES) last.end = Math.max(last.end, start + length);
      else spans.push({ start, end: start + length });
    }
    const packed = this.packed.take(spans.reduce((sum, { start, end }) => sum + end - start, 0));
    const placed: { start: number; end: number; at: number }[] = [];
    let at = 0;
    for (const { start, end } of spans) {
      await readInto(file, packed.subarray(at, at + end - start), start);
      placed.push({ start, end, at });
      at += end - start;
    }
    const columns = chunks.map(({ start, length }) => {
      const span = placed.find((one) => one.start <= start && start + length <= one.end)!;
      return packedPages(packed.subarray(span.at + start - span.start, span.at + start - span.start + length));
    });
    const room = this.unpacked.take(columns.flat().reduce((sum, { bytes }) => sum + bytes, 0));
    let next = 0;
    const unpack = ({ packed: bytes, bytes: length }: PackedPage, isPacked: boolean): Buffer => {
      if (!isPacked) return bytes;
      const target = room.subarray(next, next + length);
      next += length;
      this.unpack(bytes, target);
      return target;
    };
    return columns.map((pages, column) => {
      const { type, isOptional, isPacked } = chunks[column]!;
      const [first] = pages;
      const dictionary =
        first?.isByDictionary === null ? { values: first.values, bytes: unpack(first, isPacked) } : null;
      const data = pages.slice(dictionary === null ? 0 : 1).map((page): DataPage => {
        if (page.isByDictionary === null) throw new UnfamiliarParquet('a column has several dictionaries');
        return { values: page.values, isByDictionary: page.isByDictionary, bytes: unpack(page, isPacked) };
      });
      return { type, isOptional, dictionary, pages: data };
    });
  }

  close(): void {
    this.unpacker.close();
  }

  private unpack(packed: Buffer, target: Buffer): void {
    if (target.length === 0) return;
    const state = inflaterState(this.unpacker);
    if (state === undefined) {
      const unpacked = zstdDecompressSync(packed, { maxOutputLength: target.length });
      if (unpacked.copy(target) !== target.length) throw new Error('a Parquet page is damaged');
      return;
    }
    // The stream would allocate a buffer and a decompressor for each page, which takes half as much time again and
    // produces garbage.
    const { handle, left } = state;
    let failure: string | null = null;
    handle.onerror = (message) => {
      failure = message;
    };
    handle.reset();
    handle.writeSync(constants.ZSTD_e_end, packed, 0, packed.length, target, 0, target.length);
    if (failure !== null || left[0] !== 0 || left[1] !== 0) throw new Error(`a Parquet page is damaged: ${failure}`);
  }
}

async function readInto(file: FileHandle, target: Buffer, from: number): Promise<void> {
  for (let at = 0; at < target.length; ) {
    const { bytesRead } = await file.read(target, at, target.length - at, from + at);
    if (bytesRead === 0) throw new IncompleteFile('a Parquet file is cut off');
    at += bytesRead;
  }
}

/** @throws UnfamiliarParquet for pages of another kind or encoding */
function packedPages(bytes: Buffer): PackedPage[] {
  const pages: PackedPage[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { struct: header, length } = readThriftHead(bytes.subarray(at));
    const from = at + length;
    at = from + Number(numberOf(header, PAGE.compressedBytes));
    if (at > bytes.length) throw new IncompleteFile('a Parquet page is cut off');
    const page = { packed: bytes.subarray(from, at), bytes: Number(numberOf(header, PAGE.bytes)) };
    if (page.bytes > MAX_PAGE_BYTES) throw new UnfamiliarParquet('a page is too large');
    const type = numberOf(header, PAGE.type);
    if (type === PAGE_TYPE.dictionary) {
      const values = Number(numberOf(structOf(header, PAGE.dictionary), DICTIONARY_PAGE.values));
      pages.push({ ...page, values, isByDictionary: null });
    } else if (type === PAGE_TYPE.data) {
      const data = structOf(header, PAGE.data);
      const encoding = numberOf(data, DATA_PAGE.encoding);
      if (!isDictionaryEncoding(encoding) && encoding !== ENCODING.plain)
        throw new UnfamiliarParquet('a page is encoded differently');
      const values = Number(numberOf(data, DATA_PAGE.values));
      pages.push({ ...page, values, isByDictionary: isDictionaryEncoding(encoding) });
    } else throw new UnfamiliarParquet('a page is of another kind');
  }
  return pages;
}
