import { crc32, createDeflateRaw } from 'node:zlib';

export interface ZipPart {
  readonly name: string;
  /** In pieces, each of which stays as it is until the next but one is asked for. */
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

interface Written {
  readonly name: Buffer;
  readonly crc: number;
  readonly packedBytes: number;
  readonly unpackedBytes: number;
  readonly offset: number;
}

/** Sizes and offsets are 32-bit numbers in a zip without its 64-bit form, which not every spreadsheet program reads. */
const MOST_BYTES = 0xffff_ffff;
/** 1 January 1980, so that the same content makes the same bytes. */
const DOS_DATE = 0x21;
/** Sizes follow the part; names are UTF-8. */
const FLAGS = 0x0808;
/** What is gained by more takes half as long again. */
const LEVEL = 1;
/** Bytes handed on at once. */
const PACKED_BYTES = 2 ** 16;

/** A zip archive as a stream: every part is packed while it is made, and nothing is gone back to. */
export async function* zipStream(parts: AsyncIterable<ZipPart>): AsyncGenerator<Uint8Array, void, void> {
  const written: Written[] = [];
  let offset = 0;
  for await (const { name, content } of parts) {
    const nameBytes = Buffer.from(name);
    const start = offset;
    const head = localHeader(nameBytes);
    yield head;
    offset += head.length;
    const sums = new ContentSums();
    let packedBytes = 0;
    for await (const piece of packed(content, sums)) {
      packedBytes += piece.length;
      yield piece;
    }
    offset += packedBytes;
    const part = { name: nameBytes, ...sums, packedBytes, offset: start };
    const tail = sizesOf(part);
    yield tail;
    offset += tail.length;
    if (Math.max(part.unpackedBytes, offset) > MOST_BYTES) throw new Error('the zip archive has grown beyond 4 GB');
    written.push(part);
  }
  const directory = Buffer.concat(written.map(directoryEntry));
  yield directory;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(written.length, 8);
  end.writeUInt16LE(written.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  yield end;
}

/** Of the content as it comes. A class: V8 now and then let literals whose numbers are added to share them. */
class ContentSums {
  crc = 0;
  unpackedBytes = 0;
}

/** Deflates on the thread pool; a piece of the content is packed while the next one is made. */
async function* packed(content: ZipPart['content'], sums: ContentSums): AsyncGenerator<Buffer, void, void> {
  const deflate = createDeflateRaw({ level: LEVEL, chunkSize: PACKED_BYTES });
  const feeding = (async () => {
    try {
      let written = Promise.resolve();
      for await (const piece of content) {
        await written;
        if (deflate.destroyed) return;
        sums.crc = crc32(piece, sums.crc);
        sums.unpackedBytes += piece.length;
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

function localHeader(name: Buffer): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(FLAGS, 6);
  header.writeUInt16LE(8, 8);
  header.writeUInt16LE(DOS_DATE, 12);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name]);
}

function sizesOf({ crc, packedBytes, unpackedBytes }: Written): Buffer {
  const sizes = Buffer.alloc(16);
  sizes.writeUInt32LE(0x08074b50, 0);
  sizes.writeUInt32LE(crc, 4);
  sizes.writeUInt32LE(packedBytes % 2 ** 32, 8);
  sizes.writeUInt32LE(unpackedBytes % 2 ** 32, 12);
  return sizes;
}

function directoryEntry({ name, crc, packedBytes, unpackedBytes, offset }: Written): Buffer {
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(20, 6);
  header.writeUInt16LE(FLAGS, 8);
  header.writeUInt16LE(8, 10);
  header.writeUInt16LE(DOS_DATE, 14);
  header.writeUInt32LE(crc, 16);
  header.writeUInt32LE(packedBytes, 20);
  header.writeUInt32LE(unpackedBytes, 24);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt32LE(offset, 42);
  return Buffer.concat([header, name]);
}
