import type { Worker } from 'node:worker_threads';
import { parseWire } from '@tapeline/domain/wire/json.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_BYTES_HERE, MAX_COMPARED, openJsonReader } from './json-reader.ts';

const threads: Worker[] = [];
const note = (thread: Worker): void => void threads.push(thread);
beforeAll(() => void process.on('worker', note));
afterAll(() => void process.off('worker', note));

const numbers = (count: number): string => `[${Array.from({ length: count }, (_, at) => 1 / (at + 3)).join()}]`;
const ENOUGH = numbers(MAX_COMPARED + 200);
const threadsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const before = threads.length;
  await work().catch(() => undefined);
  return threads.length - before;
};

describe('a body', () => {
  test('of few long numbers is read here, one of many on a thread that is used again', async () => {
    const reader = openJsonReader();
    expect(await threadsOf(() => reader.parse(numbers(10)))).toBe(0);
    expect(await threadsOf(() => reader.parse(ENOUGH))).toBe(1);
    expect(await threadsOf(() => reader.parse(ENOUGH))).toBe(0);
    await reader.close();
    expect(threads.at(-1)?.threadId).toBe(-1);
  });

  test('of many characters is looked through on the thread, one of fewer is not', async () => {
    const reader = openJsonReader();
    const ofLength = (length: number) => `["${'x'.repeat(length - 4)}"]`;
    expect(await threadsOf(() => reader.parse(ofLength(MAX_BYTES_HERE)))).toBe(0);
    expect(await threadsOf(() => reader.parse(ofLength(MAX_BYTES_HERE + 1)))).toBe(1);
    await reader.close();
  });

  test('with more fields or values than any call takes is refused before it is parsed', async () => {
    const reader = openJsonReader();
    const fields = `{${Array.from({ length: 90_000 }, (_, at) => `"unknown${at}":1`).join()}}`;
    await expect(reader.parse(fields)).rejects.toMatchObject({ code: 'badRequest', message: /at most 5,000 fields/ });
    const values = `[${Array.from({ length: 300_000 }, () => '{"a":1}').join()}]`;
    await expect(reader.parse(values)).rejects.toMatchObject({ code: 'badRequest', message: /at most 250,000 values/ });
    await reader.close();
  });

  test('of many characters lets other work run before the next one is parsed', async () => {
    const reader = openJsonReader();
    const long = JSON.stringify({ text: 'x'.repeat(MAX_BYTES_HERE) });
    let turn = 0;
    let isOver = false;
    const count = (): void => {
      turn += 1;
      if (!isOver) setImmediate(count);
    };
    count();
    const turns: number[] = [];
    await Promise.all([1, 2, 3, 4].map(() => reader.parse(long).then(() => void turns.push(turn))));
    isOver = true;
    expect(turns).toHaveLength(4);
    // One turn to parse, and one to validate.
    for (const [at, one] of turns.slice(1).entries()) expect(one).toBeGreaterThanOrEqual((turns[at] ?? 0) + 2);
    await reader.close();
  });

  test.each([
    ['with numbers that a double holds', ENOUGH],
    ['with numbers that it does not', `{"rows":${ENOUGH},"sums":[12345678901234567.10,"12345678901234567.10"]}`],
    ['of nothing else', `[${Array.from({ length: 3_000 }, (_, at) => `9007199254740993.${at}1`).join()}]`],
  ])('%s comes to the same as on the spot', async (_name, text) => {
    const reader = openJsonReader();
    expect(await reader.parse(text)).toEqual(parseWire(text));
    await reader.close();
  });

  test.each([
    ['short', 'é'],
    ['long', 'é'.repeat(MAX_BYTES_HERE)],
    ['long and of long numbers', ENOUGH.repeat(9).replaceAll('][', ',')],
  ])('%s and not decoded yet comes to the same', async (_name, content) => {
    const reader = openJsonReader();
    const text = JSON.stringify({ content, sums: [1] }).replace('[1]', '[12345678901234567.10]');
    // A byte order mark is no part of the text.
    const bytes = new TextEncoder().encode(`\ufeff${text}`);
    expect(await reader.parse(bytes.buffer)).toEqual(parseWire(text));
    await reader.close();
  });

  test('that is no JSON, nested too deep or unstorable is refused, and the next one is read', async () => {
    const reader = openJsonReader();
    await expect(reader.parse(`${ENOUGH},`)).rejects.toThrow(SyntaxError);
    await expect(reader.parse(`[${ENOUGH},${'['.repeat(101)}`)).rejects.toThrow('nested at most 100 levels deep');
    await expect(reader.parse(`[${ENOUGH},"\\u0000"]`)).rejects.toMatchObject({ code: 'badRequest' });
    const [one, two] = await Promise.all([reader.parse(ENOUGH), reader.parse(`[${ENOUGH}]`)]);
    expect(two).toEqual([one]);
    await reader.close();
  });

  test('that waits when the reader closes is given up, as is one whose thread ends', async () => {
    const reader = openJsonReader();
    const waits = expect(reader.parse(ENOUGH)).rejects.toThrow('stopping');
    await reader.close();
    await waits;
    const other = openJsonReader();
    process.once('worker', (thread) => void thread.terminate());
    await expect(other.parse(ENOUGH)).rejects.toThrow('ended');
    expect(await other.parse(ENOUGH)).toEqual(parseWire(ENOUGH));
    await other.close();
  });
});
