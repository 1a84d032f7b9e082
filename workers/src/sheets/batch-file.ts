import { type FileHandle, open } from 'node:fs/promises';
import { type ColumnForm, packColumn, unpackColumn } from './batch-column.ts';
import { CellTag, type RawBatch, type RawColumn } from './raw-batch.ts';
import { TextArena } from './text-arena.ts';

/** First bytes of every batch file; the digit changes with the layout. */
const MAGIC = 'TAPEBAT2';

/** A piece of the file. Offsets count from the end of the head. */
interface Section {
  readonly offset: number;
  readonly bytes: number;
}

interface BatchFileHead {
  readonly index: number;
  readonly firstRow: number;
  readonly rowCount: number;
  readonly blankRows: number;
  readonly rowNumbers: Section;
  readonly textOffsets: Section;
  readonly texts: Section;
  readonly columns: readonly (Section & ColumnForm)[];
}

/**
 * Writes a batch as it was read: its row numbers, a section a column and the texts that its cells use, each once.
 * Whoever maps it opens the columns he needs and no more. The same batch gives the same bytes.
 *
 * Nothing of `batch` is read after the first wait.
 */
export async function writeBatchFile(batch: RawBatch, path: string): Promise<void> {
  const { arena, codes } = gatherTexts(batch);
  const sections: Uint8Array[] = [];
  let offset = 0;
  const add = (bytes: Uint8Array): Section => {
    sections.push(bytes);
    offset += bytes.length;
    return { offset: offset - bytes.length, bytes: bytes.length };
  };
  const { index, firstRow, rowCount, blankRows } = batch;
  const head: BatchFileHead = {
    index,
    firstRow,
    rowCount,
    blankRows,
    rowNumbers: add(bytesOf(batch.rowNumbers.slice())),
    columns: batch.columns.map(({ tags, values }, at) => {
      const { form, bytes } = packColumn({ tags, values: codes[at] ?? values });
      return { ...add(bytes), ...form };
    }),
    textOffsets: add(bytesOf(arena.offsets.subarray(0, arena.count + 1))),
    texts: add(arena.bytes.subarray(0, arena.usedBytes)),
  };
  const written = Buffer.from(JSON.stringify(head));
  const start = Buffer.alloc(MAGIC.length + 4);
  start.write(MAGIC, 'latin1');
  start.writeUInt32LE(written.length, MAGIC.length);
  const file = await open(path, 'w');
  try {
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
    const read = ({ offset, bytes }: Section): Promise<Uint8Array<ArrayBuffer>> =>
      readBytes(file, start + offset, bytes);
    const { index, firstRow, rowCount, blankRows } = head;
    const opened = new Set(wanted ?? head.columns.keys());
    const columns: RawColumn[] = [];
    for (const [at, section] of head.columns.entries()) {
      columns.push(
        opened.has(at)
          ? unpackColumn(section, await read(section), rowCount)
          : { tags: new Uint8Array(), values: new Float64Array() },
      );
    }
    const texts = TextArena.over(await read(head.texts), new Uint32Array((await read(head.textOffsets)).buffer));
    const rowNumbers = new Int32Array((await read(head.rowNumbers)).buffer);
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
  const prefix = Buffer.from((await readBytes(file, 0, MAGIC.length + 4)).buffer);
  if (prefix.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new Error(`${path} is no batch file`);
  const written = await readBytes(file, prefix.length, prefix.readUInt32LE(MAGIC.length));
  const head = JSON.parse(Buffer.from(written.buffer).toString('utf8')) as BatchFileHead;
  return { head, start: prefix.length + written.length };
}

async function readBytes(file: FileHandle, position: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, position);
  if (bytesRead !== length) throw new Error('the batch file ends too early');
  return buffer;
}

const bytesOf = (array: Uint8Array | Float64Array | Int32Array | Uint32Array): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/** The texts that the batch's cells use, and the values of the columns that use any, with the codes of these texts. */
function gatherTexts(batch: RawBatch): { arena: TextArena; codes: (Float64Array | undefined)[] } {
  const { rowCount, texts } = batch;
  const arena = new TextArena({ bytes: 1 << 16 });
  /** Place in the arena + 1 by the batch's own code; 0 where not met yet. */
  let places = new Uint32Array(1024);
  const place = (code: number): number => {
    if (code >= places.length) {
      const grown = new Uint32Array(Math.max(code + 1, places.length * 2));
      grown.set(places);
      places = grown;
    }
    const start = texts.start(code);
    places[code] = arena.add(texts.bytes(code), start, start + texts.length(code)) + 1;
    return places[code]!;
  };
  const gather = ({ tags, values }: RawColumn): Float64Array | undefined => {
    let row = 0;
    while (row < rowCount && tags[row] !== CellTag.text && tags[row] !== CellTag.error) row += 1;
    if (row === rowCount) return undefined;
    const mapped = values.slice(0, rowCount);
    let known = places;
    for (; row < rowCount; row += 1) {
      const tag = tags[row];
      if (tag !== CellTag.text && tag !== CellTag.error) continue;
      const code = values[row]!;
      let met = code < known.length ? known[code]! : 0;
      if (met === 0) {
        met = place(code);
        known = places;
      }
      mapped[row] = met - 1;
    }
    return mapped;
  };
  return { codes: batch.columns.map(gather), arena };
}
