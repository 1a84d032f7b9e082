import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { CellTag, type RawBatch, type RawColumn } from './raw-batch.ts';
import { TextArena } from './text-arena.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** First bytes of every batch file; the digit changes with the layout. */
const MAGIC = 'TAPEBAT1';
/** The quickest of the usual levels: these files live for minutes. */
const COMPRESSION = { [constants.ZSTD_c_compressionLevel]: 1 };
/** Room that bytes which cannot be compressed need beyond their own. */
const COMPRESSION_SLACK = 1024;
/** What zlib takes at least. */
const MIN_CHUNK_BYTES = 64;

/** A compressed piece of the file. Offsets count from the end of the head. */
interface Section {
  readonly offset: number;
  readonly bytes: number;
  readonly unpackedBytes: number;
}

interface BatchFileHead {
  readonly index: number;
  readonly firstRow: number;
  readonly rowCount: number;
  readonly blankRows: number;
  readonly rowNumbers: Section;
  readonly textOffsets: Section;
  readonly texts: Section;
  readonly columns: readonly Section[];
}

/**
 * Writes a batch as it was read: its row numbers, a section a column (all values, then all tags) and the texts that its
 * cells use, each once. Whoever maps it opens the columns he needs and no more. The same batch gives the same bytes.
 *
 * What is read of `batch` is read before the first wait, but for its columns' arrays.
 */
export async function writeBatchFile(batch: RawBatch, path: string): Promise<void> {
  const { arena, codes } = gatherTexts(batch);
  const file = await open(path, 'w');
  try {
    const sections: Buffer[] = [];
    let offset = 0;
    const add = async (bytes: Uint8Array): Promise<Section> => {
      // One chunk for all: else every 16 KB of output are a trip to the thread pool.
      const chunkSize = bytes.length + (bytes.length >> 7) + COMPRESSION_SLACK;
      const packed = await compress(bytes, { params: COMPRESSION, chunkSize });
      sections.push(packed);
      const section = { offset, bytes: packed.length, unpackedBytes: bytes.length };
      offset += packed.length;
      return section;
    };
    const rowNumbers = await add(bytesOf(batch.rowNumbers));
    const columns: Section[] = [];
    for (const [at, { tags, values }] of batch.columns.entries()) {
      const packed = new Uint8Array(batch.rowCount * 9);
      packed.set(bytesOf(codes[at] ?? values), 0);
      packed.set(tags, batch.rowCount * 8);
      columns.push(await add(packed));
    }
    const { index, firstRow, rowCount, blankRows } = batch;
    const head: BatchFileHead = {
      index,
      firstRow,
      rowCount,
      blankRows,
      rowNumbers,
      columns,
      textOffsets: await add(bytesOf(arena.offsets.subarray(0, arena.count + 1))),
      texts: await add(arena.bytes.subarray(0, arena.usedBytes)),
    };
    const written = Buffer.from(JSON.stringify(head));
    const start = Buffer.alloc(MAGIC.length + 4);
    start.write(MAGIC, 'latin1');
    start.writeUInt32LE(written.length, MAGIC.length);
    await file.writev([start, written, ...sections]);
  } finally {
    await file.close();
  }
}

/**
 * Reads a batch file.
 * @param wanted the columns to open, by their place; the others have no cells. All of them where left out.
 */
export async function readBatchFile(path: string, wanted?: readonly number[]): Promise<RawBatch> {
  const file = await open(path, 'r');
  try {
    const { head, start } = await readHead(file, path);
    const read = async (section: Section): Promise<ArrayBuffer> => {
      const packed = await readBytes(file, start + section.offset, section.bytes);
      const bytes = await decompress(packed, { chunkSize: Math.max(MIN_CHUNK_BYTES, section.unpackedBytes) });
      const isAlone = bytes.byteOffset === 0 && bytes.byteLength === section.unpackedBytes;
      return (isAlone ? bytes.buffer : new Uint8Array(bytes).buffer) as ArrayBuffer;
    };
    const { index, firstRow, rowCount, blankRows } = head;
    const opened = new Set(wanted ?? head.columns.keys());
    const columns: RawColumn[] = [];
    for (const [at, section] of head.columns.entries()) {
      if (!opened.has(at)) {
        columns.push({ tags: new Uint8Array(), values: new Float64Array() });
        continue;
      }
      const bytes = await read(section);
      columns.push({ values: new Float64Array(bytes, 0, rowCount), tags: new Uint8Array(bytes, rowCount * 8) });
    }
    const texts = TextArena.over(new Uint8Array(await read(head.texts)), new Uint32Array(await read(head.textOffsets)));
    const rowNumbers = new Int32Array(await read(head.rowNumbers));
    return {
      index,
      firstRow,
      rowCount,
      blankRows,
      rowNumbers,
      columns,
      texts: {
        bytes: () => texts.bytes,
        start: (code) => texts.start(code),
        length: (code) => texts.length(code),
        text: (code) => texts.text(code),
      },
    };
  } finally {
    await file.close();
  }
}

/** The rows of a batch whose sheet row numbers are among those given; both are ascending. */
export function pickRows(batch: RawBatch, rowNumbers: Int32Array): RawBatch {
  const places: number[] = [];
  let place = 0;
  for (const row of rowNumbers) {
    while (place < batch.rowCount && batch.rowNumbers[place]! < row) place += 1;
    if (batch.rowNumbers[place] === row) places.push(place);
  }
  return {
    ...batch,
    firstRow: batch.rowNumbers[places[0] ?? 0] ?? batch.firstRow,
    rowCount: places.length,
    rowNumbers: Int32Array.from(places, (at) => batch.rowNumbers[at]!),
    columns: batch.columns.map(({ tags, values }) => ({
      tags: Uint8Array.from(places, (at) => tags[at]!),
      values: Float64Array.from(places, (at) => values[at]!),
    })),
  };
}

async function readHead(file: FileHandle, path: string): Promise<{ head: BatchFileHead; start: number }> {
  const prefix = await readBytes(file, 0, MAGIC.length + 4);
  if (prefix.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new Error(`${path} is no batch file`);
  const written = await readBytes(file, prefix.length, prefix.readUInt32LE(MAGIC.length));
  return { head: JSON.parse(written.toString('utf8')) as BatchFileHead, start: prefix.length + written.length };
}

async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  if (bytesRead !== length) throw new Error('the batch file ends too early');
  return buffer;
}

const bytesOf = (array: Uint8Array | Float64Array | Int32Array | Uint32Array): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/** The texts that the batch's cells use, and the values of the columns that use any, with the codes of these texts. */
function gatherTexts(batch: RawBatch): { arena: TextArena; codes: (Float64Array | undefined)[] } {
  const arena = new TextArena({ bytes: 1 << 16 });
  /** Place in the arena + 1 by the batch's own code; 0 where not met yet. */
  let places = new Uint32Array(1024);
  const codes = batch.columns.map(({ tags, values }) => {
    let mapped: Float64Array | undefined;
    for (let row = 0; row < batch.rowCount; row += 1) {
      const tag = tags[row];
      if (tag !== CellTag.text && tag !== CellTag.error) continue;
      mapped ??= values.slice(0, batch.rowCount);
      const code = values[row]!;
      if (code >= places.length) {
        const grown = new Uint32Array(Math.max(code + 1, places.length * 2));
        grown.set(places);
        places = grown;
      }
      if (places[code] === 0) {
        const start = batch.texts.start(code);
        places[code] = arena.add(batch.texts.bytes(code), start, start + batch.texts.length(code)) + 1;
      }
      mapped[row] = places[code]! - 1;
    }
    return mapped;
  });
  return { arena, codes };
}
