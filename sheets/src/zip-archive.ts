import { crc32, createInflateRaw } from 'node:zlib';
import { type ByteSource, openFile } from './byte-source.ts';
import { COMPOUND_START } from './compound-file.ts';
import { openEncrypted } from './encrypted-workbook.ts';
import { refuseDamaged, refuseSheet, SHEET_LIMITS, type SheetLimits } from './limits.ts';
import { type Checksum, canUnpackAhead, unpackAhead } from './unpack-ahead.ts';

export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly unpackedBytes: number;
  readonly headerOffset: number;
}

export interface ZipArchive {
  readonly file: ByteSource;
  readonly entries: ReadonlyMap<string, ZipEntry>;
  readonly limits: SheetLimits;
}

const END_OF_DIRECTORY = 0x06054b50;
const END_OF_DIRECTORY_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_HEADER = 0x04034b50;
const MAX_DIRECTORY_BYTES = 64 << 20;

/**
 * Reads the directory at the end of a zip file, without unpacking anything.
 * @throws SheetError if the file is not a zip archive, is encrypted, cut short or contradicts itself
 */
export async function openZip(path: string, limits: SheetLimits = SHEET_LIMITS): Promise<ZipArchive> {
  const stored = await openFile(path);
  try {
    const file = await openContent(stored);
    return { file, limits, entries: await readDirectory(file, limits) };
  } catch (error) {
    await stored.close();
    throw error;
  }
}

/** The zip archive's bytes, decrypted if Excel itself supplies the password. */
async function openContent(file: ByteSource): Promise<ByteSource> {
  if (file.size === 0) {
    throw refuseSheet('The file is empty. Choose an .xlsx or .csv file with a header row and data rows.');
  }
  const start = await file.read(0, 8);
  if (start.equals(COMPOUND_START)) {
    return openEncrypted(file);
  }
  if (start.length < 4 || start.readUInt16LE(0) !== 0x4b50) {
    throw refuseSheet(
      'This is not an Excel workbook (.xlsx), despite its file name. Save it as .xlsx or .csv and open that file.',
    );
  }
  return file;
}

async function readDirectory(file: ByteSource, limits: SheetLimits): Promise<Map<string, ZipEntry>> {
  const { size } = file;
  const tailBytes = Math.min(size, 22 + 65_535 + 20);
  const tail = await file.read(size - tailBytes, tailBytes);
  let end = tail.length - 22;
  while (
    end >= 0 &&
    !(tail.readUInt32LE(end) === END_OF_DIRECTORY && end + 22 + tail.readUInt16LE(end + 20) <= tail.length)
  ) {
    end -= 1;
  }
  if (end < 0) {
    throw refuseSheet(
      'The file is cut short: the end of the workbook is missing. Open it again, or save it again and open the new file.',
    );
  }
  let count = tail.readUInt16LE(end + 10);
  let directoryBytes = tail.readUInt32LE(end + 12);
  let directoryOffset = tail.readUInt32LE(end + 16);
  if (count === 0xffff || directoryBytes === 0xffffffff || directoryOffset === 0xffffffff) {
    const locator = end - 20;
    if (locator < 0 || tail.readUInt32LE(locator) !== LOCATOR_64) {
      throw refuseDamaged('its zip directory is missing');
    }
    const record = await file.read(safeNumber(tail.readBigUInt64LE(locator + 8)), 56);
    if (record.length < 56 || record.readUInt32LE(0) !== END_OF_DIRECTORY_64) {
      throw refuseDamaged('its zip directory is missing');
    }
    count = safeNumber(record.readBigUInt64LE(32));
    directoryBytes = safeNumber(record.readBigUInt64LE(40));
    directoryOffset = safeNumber(record.readBigUInt64LE(48));
  }
  if (count > limits.archiveEntries || directoryBytes > MAX_DIRECTORY_BYTES) {
    throw refuseSheet('The file has far more parts than a workbook. Save it again in Excel and open the new file.');
  }
  if (directoryOffset + directoryBytes > size) {
    throw refuseDamaged('its zip directory points beyond the end of the file');
  }
  const directory = await file.read(directoryOffset, directoryBytes);
  const entries = new Map<string, ZipEntry>();
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== DIRECTORY_ENTRY) {
      throw refuseDamaged('its zip directory is not readable');
    }
    const nameBytes = directory.readUInt16LE(at + 28);
    const extraBytes = directory.readUInt16LE(at + 30);
    const commentBytes = directory.readUInt16LE(at + 32);
    const next = at + 46 + nameBytes + extraBytes + commentBytes;
    if (next > directory.length) {
      throw refuseDamaged('its zip directory is not readable');
    }
    const entry = readEntry(directory, at, nameBytes, extraBytes, size);
    if (entries.has(entry.name)) {
      throw refuseDamaged(`the part ${entry.name} occurs twice`);
    }
    entries.set(entry.name, entry);
    at = next;
  }
  return entries;
}

function readEntry(directory: Buffer, at: number, nameBytes: number, extraBytes: number, fileBytes: number): ZipEntry {
  const name = partName(directory.toString('utf8', at + 46, at + 46 + nameBytes));
  if ((directory.readUInt16LE(at + 8) & 1) !== 0) {
    throw refuseSheet('The workbook is protected by a password. Save it without one and open that file.');
  }
  let packedBytes = directory.readUInt32LE(at + 20);
  let unpackedBytes = directory.readUInt32LE(at + 24);
  let headerOffset = directory.readUInt32LE(at + 42);
  // Zip64: sizes that do not fit are in the extra field, in this order, but only those that are marked.
  const extraEnd = at + 46 + nameBytes + extraBytes;
  for (let extra = at + 46 + nameBytes; extra + 4 <= extraEnd; ) {
    const length = directory.readUInt16LE(extra + 2);
    const fieldEnd = Math.min(extra + 4 + length, extraEnd);
    if (directory.readUInt16LE(extra) === 1) {
      let field = extra + 4;
      const take = (stated: number): number => {
        if (stated !== 0xffffffff || field + 8 > fieldEnd) {
          return stated;
        }
        field += 8;
        return safeNumber(directory.readBigUInt64LE(field - 8));
      };
      unpackedBytes = take(unpackedBytes);
      packedBytes = take(packedBytes);
      headerOffset = take(headerOffset);
    }
    extra += 4 + length;
  }
  if (headerOffset + 30 + packedBytes > fileBytes) {
    throw refuseDamaged(`the part ${name} points beyond the end of the file`);
  }
  const method = directory.readUInt16LE(at + 10);
  return { name, method, crc: directory.readUInt32LE(at + 16), packedBytes, unpackedBytes, headerOffset };
}

/** Part names are compared without a leading slash and case-insensitively, as the packaging standard requires. */
export function partName(name: string): string {
  return name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();
}

export interface UnpackOptions {
  /** Limit in bytes, for the declared and the actual size. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
  /** Parts of at least this many bytes are inflated on a separate thread; never if omitted. */
  readonly threadFromBytes?: number | undefined;
}

const PACKED_CHUNK_BYTES = 512 << 10;
/** What zlib demands at least. */
const MIN_CHUNK_BYTES = 64;
const UNPACKED_CHUNK_BYTES = 1 << 20;
const QUEUED_CHUNKS = 3;

/**
 * Unpacks one part as a stream of chunks, each valid until the next one is requested. The inflater works on the thread
 * pool one chunk ahead of the consumer, or many chunks ahead on a separate thread. Size and checksum are verified at
 * the end; a consumer that stops early pays little more than for what it took.
 * @throws SheetError for a part that is encrypted, damaged, or unpacks beyond the limits
 */
export async function* unpack(archive: ZipArchive, entry: ZipEntry, options: UnpackOptions): AsyncGenerator<Buffer> {
  const { limits } = archive;
  refuseBomb(limits, entry.name, entry.packedBytes, entry.unpackedBytes, options.maxBytes);
  const header = await archive.file.read(entry.headerOffset, 30);
  if (header.length < 30 || header.readUInt32LE(0) !== LOCAL_HEADER) {
    throw refuseDamaged(`the part ${entry.name} is not where the zip directory says`);
  }
  const start = entry.headerOffset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  const checksum: Checksum = { crc: 0 };
  let pieces: AsyncGenerator<Buffer>;
  if (entry.method === 0) {
    pieces = addingUp(readStored(archive.file, start, entry.packedBytes), checksum);
  } else if (entry.method === 8) {
    const { fd } = archive.file;
    const isAhead = entry.unpackedBytes >= (options.threadFromBytes ?? Number.POSITIVE_INFINITY) && canUnpackAhead();
    const { name, packedBytes } = entry;
    pieces =
      isAhead && fd !== undefined
        ? unpackAhead({ name, fd, start, packedBytes }, checksum)
        : addingUp(inflate(archive.file, start, entry), checksum);
  } else {
    throw refuseSheet(
      'The workbook uses a compression that Excel does not use. Save it again in Excel and open the new file.',
    );
  }
  let seenBytes = 0;
  for await (const piece of pieces) {
    options.signal?.throwIfAborted();
    seenBytes += piece.length;
    if (seenBytes > entry.unpackedBytes) {
      throw refuseDamaged(`the part ${entry.name} unpacks to more than the zip directory says`);
    }
    yield piece;
  }
  if (seenBytes !== entry.unpackedBytes) {
    throw refuseDamaged(`the part ${entry.name} unpacks to less than the zip directory says`);
  }
  if (checksum.crc !== entry.crc) {
    throw refuseDamaged(`the checksum of the part ${entry.name} is wrong`);
  }
}

async function* addingUp(pieces: AsyncGenerator<Buffer>, checksum: Checksum): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    checksum.crc = crc32(piece, checksum.crc);
    yield piece;
  }
}

/** A part small enough to be held in memory. */
export async function unpackWhole(archive: ZipArchive, entry: ZipEntry, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of unpack(archive, entry, { maxBytes })) {
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function refuseBomb(limits: SheetLimits, name: string, packed: number, unpacked: number, maxBytes: number): void {
  if (unpacked > maxBytes) {
    throw refuseSheet(
      `The part ${name} unpacks to ${Math.ceil(unpacked / 2 ** 20).toLocaleString('en')} MB, beyond the limit of ${Math.floor(maxBytes / 2 ** 20).toLocaleString('en')} MB. Split the file into smaller workbooks.`,
    );
  }
  if (unpacked > limits.ratioFromBytes && unpacked > packed * limits.unpackRatio) {
    throw refuseSheet(
      `The part ${name} unpacks to more than ${limits.unpackRatio} times its packed size and was rejected. Save the workbook again in Excel and open the new file.`,
    );
  }
}

async function* readStored(file: ByteSource, start: number, length: number): AsyncGenerator<Buffer> {
  for (let done = 0; done < length; ) {
    const piece = await file.read(start + done, Math.min(UNPACKED_CHUNK_BYTES, length - done));
    if (piece.length === 0) {
      throw refuseDamaged('it ends in the middle of a part');
    }
    done += piece.length;
    yield piece;
  }
}

async function* inflate(file: ByteSource, start: number, entry: ZipEntry): AsyncGenerator<Buffer> {
  // A small part needs no large buffer. With a byte to spare, the last chunk is not followed by an empty one.
  const chunkSize = Math.min(UNPACKED_CHUNK_BYTES, Math.max(MIN_CHUNK_BYTES, entry.unpackedBytes + 1));
  const inflater = createInflateRaw({ chunkSize });
  const queue: Buffer[] = [];
  let wake: () => void = () => {};
  let ended = false;
  let failure: unknown;
  const finish = (error?: unknown): void => {
    failure ??= error;
    ended = true;
    wake();
  };
  // A data handler that only queues lets the inflater start its next chunk before this one is scanned.
  inflater.on('data', (chunk: Buffer) => {
    queue.push(chunk);
    if (queue.length >= QUEUED_CHUNKS) {
      inflater.pause();
    }
    wake();
  });
  inflater.on('end', () => finish());
  inflater.on('error', (error) => finish(refuseDamaged(`the part ${entry.name} cannot be unpacked`, error)));
  inflater.on('close', () => finish());
  const feeding = feed(file, start, entry.packedBytes, inflater).catch(finish);
  try {
    for (;;) {
      const chunk = queue.shift();
      if (chunk !== undefined) {
        if (queue.length < QUEUED_CHUNKS && inflater.isPaused()) {
          inflater.resume();
        }
        yield chunk;
      } else if (ended) {
        if (failure !== undefined) {
          throw failure;
        }
        return;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    inflater.destroy();
    await feeding;
  }
}

async function feed(
  file: ByteSource,
  start: number,
  length: number,
  inflater: ReturnType<typeof createInflateRaw>,
): Promise<void> {
  for (let done = 0; done < length && !inflater.destroyed && !inflater.readableEnded; ) {
    const piece = await file.read(start + done, Math.min(PACKED_CHUNK_BYTES, length - done));
    if (piece.length === 0) {
      throw refuseDamaged('it ends in the middle of a part');
    }
    done += piece.length;
    if (!inflater.destroyed && !inflater.write(piece)) {
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          for (const event of ['drain', 'close', 'end', 'error']) {
            inflater.off(event, wake);
          }
          resolve();
        };
        for (const event of ['drain', 'close', 'end', 'error']) {
          inflater.on(event, wake);
        }
        if (inflater.destroyed) {
          wake();
        }
      });
    }
  }
  inflater.end();
}

function safeNumber(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw refuseDamaged('its zip directory states impossible sizes');
  }
  return Number(value);
}
