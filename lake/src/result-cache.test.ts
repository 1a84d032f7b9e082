import { expect, test } from 'vitest';
import { createResultCache } from './result-cache.ts';

const sized = (name: string, bytes: number) => ({ name, bytes });

test('the least recently used is evicted first, and the limit is never exceeded', async () => {
  const kept = createResultCache(100_000);
  const made: string[] = [];
  const get = (name: string, bytes = 40_000) =>
    kept.get(name, async () => {
      made.push(name);
      return sized(name, bytes);
    });
  await get('a');
  await get('b');
  await get('a');
  await get('c');
  expect(kept.bytes).toBeGreaterThan(80_000);
  expect(kept.bytes).toBeLessThan(81_000);
  await get('a');
  expect(made).toEqual(['a', 'b', 'c']);
  await get('b');
  expect(made).toEqual(['a', 'b', 'c', 'b']);
  expect(await get('huge', 1_000_000)).toEqual(sized('huge', 1_000_000));
  expect(kept.bytes).toBe(0);
});

test('concurrent calls make a result once, and a failure is not cached', async () => {
  const kept = createResultCache(1000);
  let calls = 0;
  const make = async () => {
    calls += 1;
    await Promise.resolve();
    if (calls === 1) throw new Error('first');
    return sized('it', 10);
  };
  const both = await Promise.allSettled([kept.get('it', make), kept.get('it', make)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(calls).toBe(1);
  expect(await kept.get('it', make)).toEqual(sized('it', 10));
  expect(kept.bytes).toBeGreaterThan(10);
});

test('entries of almost no size are evicted too', async () => {
  const kept = createResultCache(10_000);
  for (let index = 0; index < 1000; index += 1) await kept.get(`nothing ${index}`, async () => sized('', 0));
  expect(kept.bytes).toBeGreaterThan(9000);
  expect(kept.bytes).toBeLessThanOrEqual(10_000);
});

test('an evicted result is disposed of once, and a result in the making cannot be peeked at', async () => {
  const kept = createResultCache(1000);
  const gone: string[] = [];
  const disposable = (name: string, bytes: number) => ({ ...sized(name, bytes), dispose: () => gone.push(name) });
  const making = kept.get('a', async () => disposable('a', 300));
  expect(kept.peek('a')).toBeUndefined();
  await making;
  expect(kept.peek('a')).toMatchObject({ name: 'a' });
  await kept.get('b', async () => disposable('b', 500));
  expect(gone).toEqual(['a']);
  kept.clear();
  expect([gone, kept.bytes, kept.peek('b')]).toEqual([['a', 'b'], 0, undefined]);
});
