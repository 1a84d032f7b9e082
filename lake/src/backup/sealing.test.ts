import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { open, seal } from './sealing.ts';

const KEY = randomBytes(32);
const CHUNK = 64 * 1024;
const SEALED_CHUNK = CHUNK + 16;
const HEADER = 66;

/** Runs bytes through a stream in pieces of the given size. */
const through = (bytes: Buffer, stream: ReturnType<typeof seal>, piece = 10_000) => {
  const pieces = Array.from({ length: Math.ceil(bytes.length / piece) }, (_, n) =>
    bytes.subarray(n * piece, (n + 1) * piece),
  );
  return buffer(Readable.from(pieces).pipe(stream.on('error', () => {})));
};
const sealed = (bytes: Buffer, name = 'tables/lps.jsonl') => through(bytes, seal(KEY, name));
const opened = (bytes: Buffer, { key = KEY, name = 'tables/lps.jsonl', piece = 10_000 } = {}) => {
  const stream = open(key, name);
  return through(bytes, stream, piece);
};

test.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 3 * CHUNK + 17])(
  'a file of %i bytes is opened as it was sealed, whatever pieces it comes in',
  async (size) => {
    const content = randomBytes(size);
    const file = await sealed(content);
    expect(file.length).toBe(HEADER + size + 16 * Math.max(1, Math.ceil(size / CHUNK)));
    if (size > 1000) expect(file.includes(content.subarray(0, 100))).toBe(false);
    for (const piece of [7000, 1_000_000]) expect((await opened(file, { piece })).equals(content)).toBe(true);
    // The same content is another file each time.
    expect((await sealed(content)).equals(file)).toBe(false);
  },
);

test('another key is refused as such, and another name as damage', async () => {
  const file = await sealed(randomBytes(1000));
  await expect(opened(file, { key: randomBytes(32) })).rejects.toMatchObject({
    code: 'badRequest',
    message: expect.stringContaining('BACKUP_KEY is not the key'),
  });
  await expect(opened(file, { name: 'tables/funds.jsonl' })).rejects.toMatchObject({
    message: 'The backup is damaged: tables/funds.jsonl was changed or cut',
  });
});

test('a file that is cut, extended, or whose chunks are removed, repeated or moved is refused', async () => {
  const file = await sealed(randomBytes(3 * CHUNK + 100));
  const header = file.subarray(0, HEADER);
  const chunk = (n: number) => file.subarray(HEADER + n * SEALED_CHUNK, HEADER + (n + 1) * SEALED_CHUNK);
  const [first, second, third, last] = [chunk(0), chunk(1), chunk(2), chunk(3)];
  const harmed: Record<string, Buffer[]> = {
    'nothing left': [],
    'part of the header': [header.subarray(0, 40)],
    'only the header': [header],
    'cut within a chunk': [file.subarray(0, file.length - 1)],
    'cut between two chunks': [header, first, second, third],
    'a chunk removed': [header, first, third, last],
    'a chunk repeated': [header, first, first, second, third, last],
    'two chunks exchanged': [header, second, first, third, last],
    'bytes appended': [file, Buffer.alloc(1)],
    'a chunk appended': [file, last],
  };
  for (const [what, parts] of Object.entries(harmed)) {
    await expect(opened(Buffer.concat(parts)), what).rejects.toMatchObject({ code: 'badRequest' });
  }
});

test('a changed bit anywhere is noticed', async () => {
  const file = await sealed(randomBytes(CHUNK + 500));
  await fc.assert(
    fc.asyncProperty(fc.nat(file.length - 1), fc.nat(7), async (at, bit) => {
      const changed = Buffer.from(file);
      changed[at] = (changed[at] ?? 0) ^ (1 << bit);
      await expect(opened(changed)).rejects.toMatchObject({ code: 'badRequest' });
    }),
    { numRuns: 40 },
  );
});
