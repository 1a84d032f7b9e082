import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { openFileStore } from '@tapeline/lake/storage/file-store.ts';
import type { ObjectStore } from '@tapeline/lake/storage/object-store.ts';
import { isStored, LONGEST_MESSAGE, storedKey, storedPrefix } from '@tapeline/workflows/preview/references.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { byReference, removeStoredPreviews } from './by-reference.ts';

const instance = 'tests';
let folder: string;
let objects: ObjectStore;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'by-reference-'));
  objects = await openFileStore({ home: folder, appSecret: 'only for tests', publicUrl: 'http://localhost' });
});
afterAll(async () => {
  await objects.close();
  await rm(folder, { recursive: true });
});

const keys = async () => {
  const found: string[] = [];
  for await (const { key } of objects.list(storedPrefix(instance))) found.push(key);
  return found;
};
const store = async (key: string, value: unknown) => {
  await objects.putStream(key, Readable.from([JSON.stringify(value)]));
  return { storedAs: key };
};

describe('a question and its answer', () => {
  const echo = async ({ text, times }: { text: string; times: number }) => ({ text: text.repeat(times) });
  // The JSON of the answer has eleven characters in addition to its text.
  const longest = LONGEST_MESSAGE - 11;

  test('travel as they are where they are short', async () => {
    const { ask } = byReference({ objects, instance }, { ask: echo });
    expect(await ask({ text: 'a', times: longest })).toEqual({ text: 'a'.repeat(longest) });
    expect(await keys()).toEqual([]);
  });

  test('travel by reference where they are long', async () => {
    const { ask } = byReference({ objects, instance }, { ask: echo });
    const question = await store(storedKey(instance, 'question', Date.now()), { text: 'b', times: longest + 1 });
    const answer = await ask(question);
    if (!isStored(answer)) throw new Error('the answer is not stored');
    expect(await json(await objects.getStream(answer.storedAs))).toEqual({ text: 'b'.repeat(longest + 1) });
    for (const key of await keys()) await objects.delete(key);
  });

  test('that nobody deleted within an hour are deleted, those of other instances never', async () => {
    const now = Date.now();
    const kept = [storedKey(instance, 'new', now - 3_599_000), storedKey('other', 'old', now - 7_200_000)];
    for (const key of [...kept, storedKey(instance, 'old', now - 3_601_000)]) await store(key, null);
    expect(await removeStoredPreviews({ objects, instance }, now)).toBe(1);
    expect(await keys()).toEqual([kept[0]]);
    expect(await objects.head(kept[1]!)).not.toBeNull();
  });
});
