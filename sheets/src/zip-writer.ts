import { type FileHandle, open } from 'node:fs/promises';
import { crc32, createDeflateRaw } from 'node:zlib';

/** A part of a zip archive that is to be written. */
export interface ZipPart {
  readonly name: string;
  /** In pieces, each of which stays as it is until the next but one is asked for. */
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** What the headers of a part say of it. */
export interface ZipRecord {
  /** UTF-8. */
  readonly name: Buffer;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly unpackedBytes: number;
  /** Of the part's local header in the archive. */
  readonly offset: number;
}

export const STORED = 0;
export const DEFLATED = 8;
/** Sizes and offsets are 32-bit numbers in a zip without its 64-bit form, which not every spreadsheet program reads. */
const MAX_BYTES = 0xffff_ffff;
/** 1 January 1980, so that the same content makes the same bytes. */
const DOS_DATE = 0x21;
/** Sizes follow the part; names are UTF-8. */
const SIZES_FOLLOW = 0x0808;
/** Bytes handed on at once. */
const PACKED_BYTES = 2 ** 16;

/** The header that precedes a part's bytes. */
export function localHeader(record: ZipRecord): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  writeFacts(header, 4, record);
  return Buffer.concat([header, record.name]);
}

/** A part's entry in the directory at the end of the archive. */
export function directoryEntry(record: ZipRecord): Buffer {
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(20, 4);
  writeFacts(entry, 6, record);
  entry.writeUInt32LE(record.offset, 42);
  return Buffer.concat([entry, record.name]);
}

/** What both headers say alike: version, flags, method, date, checksum, sizes and the length of the name. */
function writeFacts(header: Buffer, at: number, record: ZipRecord): void {
  header.writeUInt16LE(20, at);
  header.writeUInt16LE(record.flags, at + 2);
  header.writeUInt16LE(record.method, at + 4);
  header.writeUInt16LE(DOS_DATE, at + 8);
  header.writeUInt32LE(record.crc, at + 10);
  header.writeUInt32LE(record.packedBytes, at + 14);
  header.writeUInt32LE(record.unpackedBytes, at + 18);
  header.writeUInt16LE(record.name.length, at + 22);
}

/** The directory of an archive and the record that closes it. @param offset where the directory begins */
export function directoryOf(records: readonly ZipRecord[], offset: number): Buffer {
  const entries = Buffer.concat(records.map(directoryEntry));
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(records.length, 8);
  end.writeUInt16LE(records.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([entries, end]);
}

/** The sizes of a part whose header was written before they were known. */
function sizesAfter({ crc, packedBytes, unpackedBytes }: ZipRecord): Buffer {
  const sizes = Buffer.alloc(16);
  sizes.writeUInt32LE(0x08074b50, 0);
  sizes.writeUInt32LE(crc, 4);
  sizes.writeUInt32LE(packedBytes, 8);
  sizes.writeUInt32LE(unpackedBytes, 12);
  return sizes;
}

function checkSize(...bytes: number[]): void {
  if (Math.max(...bytes) > MAX_BYTES) throw new Error('the zip archive has grown beyond 4 GB');
}

/**
 * A zip archive as a stream: every part is packed while it is made, and nothing is gone back to.
 * @param level of deflate; what is gained by more than 1 takes half as long again
 * @throws Error where the archive or one part grows beyond 4 GB
 */
export async function* zipStream(
  parts: AsyncIterable<ZipPart> | Iterable<ZipPart>,
  level = 1,
): AsyncGenerator<Uint8Array, void, void> {
  const written: ZipRecord[] = [];
  let offset = 0;
  for await (const { name, content } of parts) {
    const start = offset;
    const begun = { name: Buffer.from(name), flags: SIZES_FOLLOW, method: DEFLATED, offset: start };
    const head = localHeader({ ...begun, crc: 0, packedBytes: 0, unpackedBytes: 0 });
    yield head;
    offset += head.length;
    const sums = new ContentSums();
    let packedBytes = 0;
    for await (const piece of packed(content, sums, level)) {
      packedBytes += piece.length;
      yield piece;
    }
    offset += packedBytes;
    const record = { ...begun, ...sums, packedBytes };
    checkSize(record.unpackedBytes, offset);
    const tail = sizesAfter(record);
    yield tail;
    offset += tail.length;
    written.push(record);
  }
  checkSize(offset);
  yield directoryOf(written, offset);
}

/** Of the content as it comes. A class: V8 now and then let literals whose numbers are added to share them. */
class ContentSums {
  crc = 0;
  unpackedBytes = 0;

  add(piece: Uint8Array): void {
    this.crc = crc32(piece, this.crc);
    this.unpackedBytes += piece.length;
  }
}

/** Deflates on the thread pool; a piece of the content is packed while the next one is made. */
async function* packed(
  content: ZipPart['content'],
  sums: ContentSums,
  level: number,
): AsyncGenerator<Buffer, void, void> {
  const deflate = createDeflateRaw({ level, chunkSize: PACKED_BYTES });
  const feeding = (async () => {
    try {
      let written = Promise.resolve();
      for await (const piece of content) {
        await written;
        if (deflate.destroyed) return;
        sums.add(piece);
        written = new Promise((resolve) => deflate.write(piece, () => resolve()));
      }
      deflate.end();
    } catch (error) {
      deflate.destroy(error as Error);
    }
  })();
  try {
    for await (const piece of deflate) yield piece as Buffer;
  } finally {
    deflate.destroy();
    await feeding;
  }
}

/** Writes a zip file part by part, each streamed, so that a part may be far larger than memory; its header says its sizes. */
export class ZipWriter {
  private readonly file: FileHandle;
  private offset = 0;
  private readonly records: ZipRecord[] = [];

  private constructor(file: FileHandle) {
    this.file = file;
  }

  static async create(path: string): Promise<ZipWriter> {
    return new ZipWriter(await open(path, 'w'));
  }

  /** @param level of deflate, 0 to store. @throws Error where the file or the part grows beyond 4 GB */
  async add(
    name: string,
    content: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
    level = 6,
  ): Promise<void> {
    const begun = {
      name: Buffer.from(name),
      flags: 0,
      method: level === 0 ? STORED : DEFLATED,
      offset: this.offset,
    };
    await this.write(localHeader({ ...begun, crc: 0, packedBytes: 0, unpackedBytes: 0 }));
    const start = this.offset;
    const sums = new ContentSums();
    const pieces = level === 0 ? summed(bytesOf(content), sums) : packed(bytesOf(content), sums, level);
    for await (const piece of pieces) await this.write(piece);
    const record = { ...begun, ...sums, packedBytes: this.offset - start };
    checkSize(record.unpackedBytes, this.offset);
    this.records.push(record);
    const header = localHeader(record);
    await this.file.write(header, 0, header.length, record.offset);
  }

  /** Writes the directory and closes the file. */
  async finish(): Promise<void> {
    await this.write(directoryOf(this.records, this.offset));
    await this.file.close();
  }

  private async write(bytes: Uint8Array): Promise<void> {
    await this.file.write(bytes, 0, bytes.length, this.offset);
    this.offset += bytes.length;
  }
}

async function* bytesOf(
  content: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const piece of content) yield typeof piece === 'string' ? Buffer.from(piece) : piece;
}

async function* summed(content: AsyncIterable<Uint8Array>, sums: ContentSums): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    sums.add(piece);
    yield piece;
  }
}
