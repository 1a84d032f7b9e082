import { type FileHandle, open } from 'node:fs/promises';
import { BatchPacker, type ColumnForm, unpackColumn } from './batch-column.ts';
import { IncompleteFile } from './faults.ts';
import type { RawBatch, RawColumn, TextTable } from './raw-batch.ts';
import { TextArena } from './text-arena.ts';

/** First bytes of every batch file; the digit changes with the layout. */
const MAGIC = 'TAPEBAT2';

/** A section of the file. Offsets count from the end of the head. */
interface Section {
  readonly offset: number;
  readonly bytes: number;
}

interface BatchFileHead {
  readonly index: number;
  readonly firstRow: number;
  readonly rowCount: number;
  readonly blankRows: number;
  /** Omitted by earlier versions. */
  readonly misfits?: readonly (readonly [number, string])[];
  readonly rowNumbers: Section;
  readonly textOffsets: Section;
  readonly texts: Section;
  readonly columns: readonly (Section & ColumnForm)[];
}

/**
 * Writes a batch as it was read: its row numbers, a section for each column, and the texts that its cells use, each
 * once. A reader can open just the columns it needs. The same batch always gives the same bytes.
 *
 * `batch` is not read any more after the first await.
 */
export async function writeBatchFile(batch: RawBatch, path: string): Promise<void> {
  const { index, firstRow, rowCount, blankRows, columns, texts } = batch;
  const packer = BatchPacker.take({ rowCount, columns: columns.length, codes: texts.count });
  try {
    const sections: Uint8Array[] = [];
    let offset = 0;
    const add = (bytes: Uint8Array): Section => {
      sections.push(bytes);
      offset += bytes.length;
      return { offset: offset - bytes.length, bytes: bytes.length };
    };
    const rowNumbers = add(packer.keep(batch.rowNumbers));
    const packed = columns.map((column) => {
      const { form, bytes } = packer.pack(column);
      return { ...add(bytes), ...form };
    });
    const arena = gatherTexts(packer.metCodes, texts);
    const head: BatchFileHead = {
      index,
      firstRow,
      rowCount,
      blankRows,
      ...(batch.misfits.size === 0 ? {} : { misfits: [...batch.misfits] }),
      rowNumbers,
      columns: packed,
      textOffsets: add(bytesOf(arena.offsets.subarray(0, arena.count + 1))),
      texts: add(arena.bytes.subarray(0, arena.usedBytes)),
    };
    const written = Buffer.from(JSON.stringify(head));
    const start = Buffer.alloc(MAGIC.length + 4);
    start.write(MAGIC, 'latin1');
    start.writeUInt32LE(written.length, MAGIC.length);
    await writeWhole(path, [start, written, ...sections]);
  } finally {
    packer.giveBack();
  }
}

async function writeWhole(path: string, pieces: readonly Uint8Array[]): Promise<void> {
  const file = await open(path, 'w');
  try {
    const { bytesWritten } = await file.writev([...pieces]);
    const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
    if (bytesWritten !== bytes)
      throw new IncompleteFile(`only ${bytesWritten} of ${bytes} bytes of a batch file were written`);
  } finally {
    await file.close();
  }
}

/** Reads a batch file. @param wanted the columns to open, by index; the others have no cells. All of them if omitted */
export async function readBatchFile(path: string, wanted?: readonly number[]): Promise<RawBatch> {
  return reading(path, async (opened) => ({
    ...factsOf(opened.head),
    rowNumbers: await readRowNumbers(opened),
    columns: await readColumns(opened, { wanted }),
    texts: await readTexts(opened),
  }));
}

/** Reads the rows of a batch file with these sheet row numbers; both are ascending. */
export async function readBatchRows(path: string, rowNumbers: Int32Array): Promise<RawBatch> {
  return reading(path, async (opened) => {
    const all = await readRowNumbers(opened);
    const rows = placesOf(rowNumbers, all);
    return {
      ...factsOf(opened.head),
      firstRow: all[rows[0] ?? 0] ?? opened.head.firstRow,
      rowCount: rows.length,
      rowNumbers: Int32Array.from(rows, (row) => all[row]!),
      columns: await readColumns(opened, { rows }),
      texts: await readTexts(opened),
    };
  });
}

/** The rows of a batch with these sheet row numbers; both are ascending. */
export function pickRows(batch: RawBatch, rowNumbers: Int32Array): RawBatch {
  const indexes = placesOf(rowNumbers, batch.rowNumbers);
  return {
    ...batch,
    firstRow: batch.rowNumbers[indexes[0] ?? 0] ?? batch.firstRow,
    rowCount: indexes.length,
    rowNumbers: Int32Array.from(indexes, (at) => batch.rowNumbers[at]!),
    columns: batch.columns.map(({ tags, values }) => ({
      tags: Uint8Array.from(indexes, (at) => tags[at]!),
      values: Float64Array.from(indexes, (at) => values[at]!),
    })),
  };
}

function placesOf(rowNumbers: Int32Array, all: Int32Array): number[] {
  const indexes: number[] = [];
  let index = 0;
  for (const row of rowNumbers) {
    while (index < all.length && all[index]! < row) index += 1;
    if (all[index] === row) indexes.push(index);
  }
  return indexes;
}

interface OpenBatchFile {
  readonly file: FileHandle;
  readonly head: BatchFileHead;
  /** Where the sections begin. */
  readonly start: number;
}

async function reading<T>(path: string, read: (opened: OpenBatchFile) => Promise<T>): Promise<T> {
  const file = await open(path, 'r');
  try {
    return await read({ file, ...(await readHead(file, path)) });
  } finally {
    await file.close();
  }
}

const factsOf = ({ index, firstRow, rowCount, blankRows, misfits = [] }: BatchFileHead) => ({
  index,
  firstRow,
  rowCount,
  blankRows,
  misfits: new Map(misfits),
});

async function readRowNumbers({ file, head, start }: OpenBatchFile): Promise<Int32Array> {
  return new Int32Array((await readBytes(file, start + head.rowNumbers.offset, head.rowNumbers.bytes)).buffer);
}

/** @param asked indexes of columns and rows; all if omitted */
async function readColumns(
  { file, head, start }: OpenBatchFile,
  asked: { readonly wanted?: readonly number[] | undefined; readonly rows?: readonly number[] },
): Promise<RawColumn[]> {
  const opened = new Set(asked.wanted ?? head.columns.keys());
  const target = new Uint8Array(Math.max(0, ...head.columns.map(({ bytes }) => bytes)));
  const columns: RawColumn[] = [];
  for (const [at, section] of head.columns.entries()) {
    if (opened.has(at)) {
      const bytes = await readInto(target, file, start + section.offset, section.bytes);
      columns.push(unpackColumn(section, bytes, head.rowCount, asked.rows));
    } else {
      columns.push({ tags: new Uint8Array(), values: new Float64Array() });
    }
  }
  return columns;
}

async function readTexts({ file, head, start }: OpenBatchFile): Promise<TextTable> {
  const bytes = await readBytes(file, start + head.texts.offset, head.texts.bytes);
  const offsets = await readBytes(file, start + head.textOffsets.offset, head.textOffsets.bytes);
  const texts = TextArena.over(bytes, new Uint32Array(offsets.buffer));
  return {
    count: texts.count,
    bytes: () => texts.bytes,
    start: (code) => texts.start(code),
    length: (code) => texts.length(code),
    text: (code) => texts.text(code),
  };
}

async function readHead(file: FileHandle, path: string): Promise<{ head: BatchFileHead; start: number }> {
  const prefix = Buffer.from((await readBytes(file, 0, MAGIC.length + 4)).buffer);
  if (prefix.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new Error(`${path} is not a batch file`);
  const written = await readBytes(file, prefix.length, prefix.readUInt32LE(MAGIC.length));
  const head = JSON.parse(Buffer.from(written.buffer).toString('utf8')) as BatchFileHead;
  return { head, start: prefix.length + written.length };
}

const readBytes = (file: FileHandle, position: number, length: number): Promise<Uint8Array<ArrayBuffer>> =>
  readInto(new Uint8Array(length), file, position, length);

/** @returns the beginning of `target`, filled */
async function readInto(
  target: Uint8Array<ArrayBuffer>,
  file: FileHandle,
  position: number,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const { bytesRead } = await file.read(target, 0, length, position);
  if (bytesRead !== length) throw new IncompleteFile('the batch file ends too early');
  return target.subarray(0, length);
}

const bytesOf = (array: Uint8Array | Float64Array | Int32Array | Uint32Array): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

function gatherTexts(codes: Uint32Array, texts: TextTable): TextArena {
  let bytes = 0;
  for (const code of codes) bytes += texts.length(code);
  const arena = new TextArena({ bytes, texts: codes.length });
  for (const code of codes) {
    const start = texts.start(code);
    arena.add(texts.bytes(code), start, start + texts.length(code));
  }
  return arena;
}
