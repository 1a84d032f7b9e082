import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { ReadOptions } from './batches.ts';
import { inspectSheetFile } from './inspect-sheet.ts';
import { readSheetBatches } from './read-sheet.ts';
import { SheetError } from './sheet-error.ts';
import { temporaryPath } from './testing/temporary-path.ts';
import { readRows, writeFile, writeWorkbook } from './testing/workbook-file.ts';
import { canUnpackAhead } from './unpack-ahead.ts';
import { sheetXml, workbookParts } from './workbook-parts.ts';
import { ZipWriter } from './zip-writer.ts';

const ON_A_THREAD: ReadOptions = { threadFromBytes: 0 };

/** Records the threads that are started until the test ends. */
function threadsStarted(): Worker[] {
  const threads: Worker[] = [];
  const note = (thread: Worker): void => void threads.push(thread);
  process.on('worker', note);
  onTestFinished(() => void process.off('worker', note));
  return threads;
}

/** A thread that has ended has no id. */
const areEnded = (threads: readonly Worker[]): boolean => threads.every(({ threadId }) => threadId === -1);

const HEADER = '<row r="1"><c r="A1" t="str"><v>Loan</v></c><c r="B1" t="str"><v>Balance</v></c></row>';
const LARGE_ROWS = 220_000;
/** A sheet with more XML (22 MB) than is unpacked ahead. */
let large = '';

beforeAll(async () => {
  large = temporaryPath('.xlsx');
  const [before = '', after = ''] = sheetXml('ROWS').split('ROWS');
  function* xml(): Generator<string> {
    yield before + HEADER;
    for (let row = 2; row < LARGE_ROWS + 2; row += 1000) {
      yield Array.from({ length: 1000 }, (_, at) => row + at)
        .map(
          (r) => `<row r="${r}"><c r="A${r}" t="str"><v>LN-${r}</v></c><c r="B${r}"><v>${(r * 37) / 100}</v></c></row>`,
        )
        .join('');
    }
    yield after;
  }
  const writer = await ZipWriter.create(large);
  for (const [name, content] of Object.entries(workbookParts({ sheets: [{ name: 'Tape' }] }))) {
    if (name !== 'xl/worksheets/sheet1.xml') await writer.add(name, [content]);
  }
  await writer.add('xl/worksheets/sheet1.xml', xml(), 1);
  await writer.finish();
});

test('this Node.js lets a thread inflate step by step', () => {
  expect(canUnpackAhead()).toBe(true);
});

describe('a sheet that is unpacked on a thread', () => {
  async function digests(options: ReadOptions, pauseMs = 0): Promise<string[]> {
    const found: string[] = [];
    for await (const batch of readSheetBatches(large, { batchRows: 40_000, ...options })) {
      const hash = createHash('sha256').update(batch.rowNumbers);
      for (const { tags, values } of batch.columns) hash.update(tags).update(values);
      found.push(`${batch.rowCount} ${batch.texts.text(batch.columns[0]!.values[0]!)} ${hash.digest('hex')}`);
      await sleep(pauseMs);
    }
    return found;
  }

  test('gives the same batches, also to a slow consumer', async () => {
    const threads = threadsStarted();
    const plain = await digests({ threadFromBytes: Number.POSITIVE_INFINITY });
    expect(threads).toEqual([]);
    expect(plain).toHaveLength(6);
    expect(await digests(ON_A_THREAD)).toEqual(plain);
    expect(await digests(ON_A_THREAD, 50)).toEqual(plain);
    expect(threads).toHaveLength(2);
    expect(areEnded(threads)).toBe(true);
  });

  test('gives the same without a thread where only the public functions of node:zlib are used', async () => {
    const threads = threadsStarted();
    const plain = await digests({ threadFromBytes: Number.POSITIVE_INFINITY });
    process.env.PUBLIC_ZLIB = 'on';
    onTestFinished(() => void delete process.env.PUBLIC_ZLIB);
    expect(await digests(ON_A_THREAD)).toEqual(plain);
    expect(threads).toEqual([]);
  });

  test('leaves no thread behind where its reader stops early', async () => {
    const threads = threadsStarted();
    for await (const batch of readSheetBatches(large, { batchRows: 10, ...ON_A_THREAD })) {
      expect(batch.rowCount).toBe(10);
      break;
    }
    expect(threads).toHaveLength(1);
    expect(areEnded(threads)).toBe(true);
  });

  test('leaves no thread behind if it is cancelled', async () => {
    const threads = threadsStarted();
    const controller = new AbortController();
    const read = async (): Promise<void> => {
      for await (const batch of readSheetBatches(large, { batchRows: 10, signal: controller.signal, ...ON_A_THREAD })) {
        if (batch.index === 3) controller.abort(new Error('no longer wanted'));
      }
    };
    await expect(read()).rejects.toThrow('no longer wanted');
    expect(threads).toHaveLength(1);
    expect(areEnded(threads)).toBe(true);
  });

  test('does not keep the process alive when the consumer abandons it', async () => {
    const script = `
      import { readSheetBatches } from ${JSON.stringify(new URL('read-sheet.ts', import.meta.url).href)};
      const { value } = await readSheetBatches(${JSON.stringify(large)}, { batchRows: 10, threadFromBytes: 0 }).next();
      process.stdout.write(String(value.rowCount));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    expect(stdout).toBe('10');
  });

  test('may be in another encoding', async () => {
    const xml = sheetXml(`${HEADER}<row r="2"><c r="A2" t="str"><v>naïve ✓</v></c></row>`);
    const sheet = Buffer.from(`\ufeff${xml.replace('UTF-8', 'UTF-16')}`, 'utf16le');
    expect((await readRows(await writeWorkbook({ sheet }), ON_A_THREAD)).rows).toEqual([['naïve ✓', null]]);
  });

  test('is previewed without a thread', async () => {
    const threads = threadsStarted();
    expect((await inspectSheetFile(large)).rows).toHaveLength(100);
    expect(threads).toEqual([]);
  });
});

describe('errors of a sheet that is unpacked on a thread', () => {
  const ROWS = Array.from(
    { length: 400 },
    (_, at) => `<row r="${at + 2}"><c r="A${at + 2}" t="str"><v>LN-${at * 7919}</v></c></row>`,
  ).join('');
  let sound = Buffer.alloc(0);
  beforeAll(async () => {
    sound = readFileSync(await writeWorkbook({ rows: HEADER + ROWS }));
  });
  /** Where the sheet's entry in the zip directory begins. */
  const entryOf = (bytes: Buffer): number => bytes.lastIndexOf('xl/worksheets/sheet1.xml') - 46;

  async function outcome(path: string, options: ReadOptions): Promise<unknown> {
    try {
      return (await readRows(path, options)).rows;
    } catch (error) {
      if (error instanceof SheetError) return error.message;
      throw error;
    }
  }

  test.each([
    ['a wrong checksum', 16, 12345, /checksum of the part xl\/worksheets\/sheet1\.xml is wrong/],
    ['more bytes than declared', 24, 100, /unpacks to more than the zip directory says/],
    ['fewer bytes than declared', 24, 500_000, /unpacks to less than the zip directory says/],
    ['fewer packed bytes than there are', 20, 20, /cannot be unpacked/],
    ['no packed bytes', 20, 0, /cannot be unpacked/],
  ])('%s', async (_, offset, value, message) => {
    const threads = threadsStarted();
    const bytes = Buffer.from(sound);
    bytes.writeUInt32LE(value, entryOf(bytes) + offset);
    expect(await outcome(writeFile('.xlsx', bytes), ON_A_THREAD)).toMatch(message);
    expect(threads).toHaveLength(1);
    expect(areEnded(threads)).toBe(true);
  });

  test('property: changed bytes are rejected or have no effect, the same as without a thread', async () => {
    const entry = entryOf(sound);
    const start = sound.readUInt32LE(entry + 42) + 30 + 'xl/worksheets/sheet1.xml'.length;
    const packedBytes = sound.readUInt32LE(entry + 20);
    await fc.assert(
      fc.asyncProperty(fc.nat(packedBytes - 1), fc.integer({ min: 1, max: 255 }), async (index, change) => {
        const bytes = Buffer.from(sound);
        bytes[start + index] = bytes[start + index]! ^ change;
        const path = writeFile('.xlsx', bytes);
        const plain = await outcome(path, {});
        const threaded = await outcome(path, ON_A_THREAD);
        expect(typeof threaded).toBe(typeof plain);
        if (typeof plain !== 'string') expect(threaded).toEqual(plain);
      }),
      { numRuns: 30 },
    );
  });
});
