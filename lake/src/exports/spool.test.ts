import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AHEAD_BYTES, Spool } from './spool.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spool-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function readAll(spool: Spool): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for (let piece = await spool.read(); piece; piece = await spool.read()) pieces.push(piece);
  return Buffer.concat(pieces);
}

describe('a spool', () => {
  it('returns the bytes in order, across several files, while writing continues', async () => {
    const spool = new Spool(join(folder, 'order'));
    const pieces = Array.from({ length: 50 }, (_, index) => Buffer.alloc(700_000 + index, index));
    const read = readAll(spool);
    for (const piece of pieces) await spool.write(piece);
    spool.end();
    expect((await read).equals(Buffer.concat(pieces))).toBe(true);
    await spool.dispose();
    expect(await readdir(folder)).toEqual([]);
  });

  it('makes the writer wait while its reader is far behind, until the reader has caught up', async () => {
    const spool = new Spool(join(folder, 'capacity'));
    const piece = Buffer.alloc(2 ** 20);
    for (let bytes = 0; bytes <= AHEAD_BYTES; bytes += piece.length) await spool.write(piece);
    let hasCapacity = false;
    const capacity = spool.capacity().then(() => {
      hasCapacity = true;
    });
    await spool.read();
    expect(hasCapacity).toBe(false);
    for (let read = 0; read < 2 ** 20; ) read += (await spool.read())?.length ?? 0;
    await capacity;
    await spool.dispose();
  });

  it('passes the error to its reader, waiting or not, and releases a waiting writer', async () => {
    const spool = new Spool(join(folder, 'failed'));
    const waiting = spool.read();
    spool.fail(new Error('the disk is full'));
    await expect(waiting).rejects.toThrow('the disk is full');
    await expect(spool.read()).rejects.toThrow('the disk is full');
    await spool.capacity();
    await spool.write(Buffer.from('is discarded'));
    await spool.dispose();
    expect(await readdir(folder)).toEqual([]);
  });
});
