import { type FileHandle, open } from 'node:fs/promises';
import { crc32, createDeflateRaw } from 'node:zlib';

interface WrittenEntry {
  readonly name: Buffer;
  readonly method: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly unpackedBytes: number;
  readonly offset: number;
}

/** Writes a zip file part by part, each streamed, so that a part may be far larger than memory. Sizes stay below 4 GB. */
export class ZipWriter {
  private readonly file: FileHandle;
  private offset = 0;
  private readonly entries: WrittenEntry[] = [];

  private constructor(file: FileHandle) {
    this.file = file;
  }

  static async create(path: string): Promise<ZipWriter> {
    return new ZipWriter(await open(path, 'w'));
  }

  /** @param level of deflate, 0 to store. */
  async add(
    name: string,
    content: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
    level = 6,
  ): Promise<void> {
    const nameBytes = Buffer.from(name, 'utf8');
    const offset = this.offset;
    await this.write(
      localHeader({ name: nameBytes, method: level === 0 ? 0 : 8, crc: 0, packedBytes: 0, unpackedBytes: 0, offset }),
    );
    let crc = 0;
    let unpackedBytes = 0;
    const start = this.offset;
    if (level === 0) {
      for await (const piece of content) {
        const bytes = Buffer.from(piece as string);
        crc = crc32(bytes, crc);
        unpackedBytes += bytes.length;
        await this.write(bytes);
      }
    } else {
      const deflater = createDeflateRaw({ level });
      const writing = (async () => {
        for await (const piece of deflater) {
          await this.write(piece as Buffer);
        }
      })();
      for await (const piece of content) {
        const bytes = Buffer.from(piece as string);
        crc = crc32(bytes, crc);
        unpackedBytes += bytes.length;
        if (!deflater.write(bytes)) {
          await new Promise((resolve) => deflater.once('drain', resolve));
        }
      }
      deflater.end();
      await writing;
    }
    const entry: WrittenEntry = {
      name: nameBytes,
      method: level === 0 ? 0 : 8,
      crc,
      packedBytes: this.offset - start,
      unpackedBytes,
      offset,
    };
    this.entries.push(entry);
    const header = localHeader(entry);
    await this.file.write(header, 0, header.length, offset);
  }

  /** Writes the directory and closes the file. */
  async finish(): Promise<void> {
    const start = this.offset;
    for (const entry of this.entries) {
      await this.write(directoryEntry(entry));
    }
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(this.entries.length, 8);
    end.writeUInt16LE(this.entries.length, 10);
    end.writeUInt32LE(this.offset - start, 12);
    end.writeUInt32LE(start, 16);
    await this.write(end);
    await this.file.close();
  }

  private async write(bytes: Uint8Array): Promise<void> {
    await this.file.write(bytes, 0, bytes.length, this.offset);
    this.offset += bytes.length;
  }
}

/** 1 January 1980, so that the same content makes the same file. */
const DOS_DATE = 0x21;

function localHeader(entry: WrittenEntry): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(entry.method, 8);
  header.writeUInt16LE(DOS_DATE, 12);
  header.writeUInt32LE(entry.crc, 14);
  header.writeUInt32LE(entry.packedBytes, 18);
  header.writeUInt32LE(entry.unpackedBytes, 22);
  header.writeUInt16LE(entry.name.length, 26);
  return Buffer.concat([header, entry.name]);
}

function directoryEntry(entry: WrittenEntry): Buffer {
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(20, 6);
  header.writeUInt16LE(entry.method, 10);
  header.writeUInt16LE(DOS_DATE, 14);
  header.writeUInt32LE(entry.crc, 16);
  header.writeUInt32LE(entry.packedBytes, 20);
  header.writeUInt32LE(entry.unpackedBytes, 24);
  header.writeUInt16LE(entry.name.length, 28);
  header.writeUInt32LE(entry.offset, 42);
  return Buffer.concat([header, entry.name]);
}
