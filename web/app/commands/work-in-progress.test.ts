import { describe, expect, it } from 'vitest';
import { WorkInProgress } from './work-in-progress.server.ts';

/** Work that finishes on command. */
function slowWork() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const seen: { begun: number; tell: (done: number) => void } = { begun: 0, tell: () => undefined };
  const begin = (tell: (done: number) => void) => {
    seen.begun += 1;
    seen.tell = tell;
    return promise;
  };
  return { begin, seen, resolve, reject };
}

const NONE = 0;
const ENDLESS = 2 ** 30;

describe('work in progress', () => {
  it('is answered with its result where that is there at once', async () => {
    const works = new WorkInProgress();
    expect(await works.ask('a', 3, async () => 'made', ENDLESS)).toEqual({ result: 'made', read: null });
  });

  it('tells how far it is to whoever has no patience left, and is begun once for all who ask', async () => {
    const works = new WorkInProgress();
    const { begin, seen, resolve } = slowWork();
    expect(await works.ask('a', 12, begin, NONE)).toEqual({ result: null, read: { done: 0, of: 12 } });
    seen.tell(5);
    expect(await works.ask('a', 12, begin, NONE)).toEqual({ result: null, read: { done: 5, of: 12 } });
    const patient = works.ask('a', 12, begin, ENDLESS);
    resolve('made');
    expect(await patient).toEqual({ result: 'made', read: null });
    expect(seen.begun).toBe(1);
  });

  it('may be told how far it is as it begins', async () => {
    const works = new WorkInProgress();
    const begin = (tell: (done: number) => void) => {
      tell(2);
      return new Promise<string>(() => undefined);
    };
    expect(await works.ask('a', 3, begin, NONE)).toEqual({ result: null, read: { done: 2, of: 3 } });
  });

  it('keeps works apart by their keys', async () => {
    const works = new WorkInProgress();
    const { begin, seen } = slowWork();
    await works.ask('a', 2, begin, NONE);
    seen.tell(1);
    expect(await works.ask('b', 3, async () => 'other', ENDLESS)).toEqual({ result: 'other', read: null });
    expect(await works.ask('a', 2, begin, NONE)).toEqual({ result: null, read: { done: 1, of: 2 } });
  });

  it('drops a result: it starts again and finds what was kept', async () => {
    const works = new WorkInProgress();
    let begun = 0;
    const begin = async () => {
      begun += 1;
      return begun;
    };
    expect((await works.ask('a', 1, begin, ENDLESS)).result).toBe(1);
    expect((await works.ask('a', 1, begin, ENDLESS)).result).toBe(2);
  });

  it('reports a failure once, even if nothing waited for it, and then starts again', async () => {
    const works = new WorkInProgress();
    const { begin, seen, reject } = slowWork();
    await works.ask('a', 2, begin, NONE);
    reject(new Error('the disk is full'));
    await expect(works.ask('a', 2, begin, ENDLESS)).rejects.toThrow('the disk is full');
    expect(await works.ask('a', 2, async () => 'made', ENDLESS)).toEqual({ result: 'made', read: null });
    expect(seen.begun).toBe(1);
    await expect(works.ask('b', 2, () => Promise.reject(new Error('no')), ENDLESS)).rejects.toThrow('no');
    expect((await works.ask('b', 2, async () => 'made', ENDLESS)).result).toBe('made');
  });
});
