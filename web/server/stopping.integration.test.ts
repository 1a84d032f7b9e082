import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { COMPILER_FLAG } from '@tapeline/db/compilers.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const SERVER = fileURLToPath(new URL('./testing/exporting-server.ts', import.meta.url));

let spillFolder: string;
let child: ChildProcessWithoutNullStreams;
let errors = '';
beforeEach(async () => {
  spillFolder = await mkdtemp(join(tmpdir(), 'stopping-'));
  errors = '';
});
afterEach(async () => {
  child.kill('SIGKILL');
  await rm(spillFolder, { recursive: true, force: true });
});

/** Starts the server and begins to read an export from it. */
async function beginExport(rows: number, finishMs: number) {
  const flags = [COMPILER_FLAG, '--disable-warning=ExperimentalWarning'];
  child = spawn(process.execPath, [...flags, SERVER, spillFolder, String(rows), String(finishMs)]);
  child.stderr.on('data', (text) => {
    errors += text;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const port = (await lines.next()).value;
  const answer = await fetch(`http://127.0.0.1:${port}/`);
  const reader = answer.body!.getReader();
  let bytes = (await reader.read()).value?.length ?? 0;
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await lines.next();
  };
  const readOn = async (): Promise<number> => {
    for (let read = await reader.read(); !read.done; read = await reader.read()) bytes += read.value.length;
    return bytes;
  };
  return { ended, stop, readOn };
}

describe('a web process told to stop during an export', () => {
  it('lets it finish, and ends with nothing left on disk', async () => {
    const { ended, stop, readOn } = await beginExport(3_000_000, 600_000);
    await stop();
    // The header is "number,text", followed by one line per row, such as "0,row 0".
    const digits = Array.from({ length: 3_000_000 }, (_, row) => String(row).length).reduce((a, b) => a + b, 0);
    expect(await readOn()).toBe('number,text\n'.length + 2 * digits + 6 * 3_000_000);
    expect(await ended).toEqual([0, null]);
    expect(await readdir(spillFolder)).toEqual([]);
  });

  it('breaks it off after its time, without aborting, with nothing left on disk', async () => {
    const { ended, stop, readOn } = await beginExport(100_000_000, 100);
    const cutOff = expect(readOn()).rejects.toThrow();
    await stop();
    expect(await ended).toEqual([0, null]);
    await cutOff;
    expect(errors).toBe('');
    expect(await readdir(spillFolder)).toEqual([]);
  });
});
