import { expect, test } from 'vitest';
import { advance, beginTape, carry, knownBatches, resume } from './state.ts';

const staged = (index: number, rows: number) =>
  ({ type: 'batchStaged', batch: { index, key: `staged/${index}`, rows, firstRow: 2 } }) as const;
const transformed = (index: number, assets: number, errored: number) =>
  ({ type: 'batchTransformed', batch: { index, assetsKey: 'a', erroredKey: 'e', assets, errored } }) as const;

test('a batch reported twice by a retried activity counts once', () => {
  let state = beginTape(0);
  for (const event of [staged(0, 100), staged(1, 50), staged(0, 100)]) state = advance(state, event, 1);
  expect(state.progress).toMatchObject({ rowsRead: 150, batches: 2 });
  for (const event of [transformed(0, 90, 10), transformed(0, 90, 10)]) state = advance(state, event, 2);
  expect(state.progress).toMatchObject({ rowsTransformed: 100, rowsErrored: 10, batchesTransformed: 1 });
});

test('the percentage grows from stage to stage and ends at 100', () => {
  let state = advance(beginTape(0), staged(0, 100), 1);
  const seen = [state.progress.percent];
  const batches = [{ index: 0, key: 'staged/0', rows: 100, firstRow: 2 }];
  for (const event of [
    { type: 'readFinished', read: { batches, dataRows: 100, blankRows: 3 } },
    transformed(0, 100, 0),
    { type: 'stageReached', stage: 'finalize' },
    { type: 'stageReached', stage: 'publish' },
    { type: 'finished' },
  ] as const) {
    state = advance(state, event, 5);
    seen.push(state.progress.percent);
  }
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(state.progress).toMatchObject({ stage: 'done', percent: 100, rowsRead: 100, reachedAt: { read: 0, done: 5 } });
});

test('the percentage follows what is read and transformed of the whole sheet while both go on, and never falls', () => {
  const read = (index: number, rows: number, readShare: number) =>
    ({ type: 'batchStaged', batch: { index, key: 'k', rows, firstRow: 2, readShare } }) as const;
  let state = beginTape(0);
  const seen: number[] = [];
  for (const event of [
    read(0, 100, 0.25),
    transformed(0, 100, 0),
    read(1, 100, 0.5),
    // Rows of the second half are shorter, so there are more of them than estimated.
    read(2, 300, 0.75),
    transformed(1, 100, 0),
    transformed(2, 300, 0),
  ]) {
    state = advance(state, event, 1);
    seen.push(state.progress.percent);
  }
  expect(seen).toEqual([11, 22, 33, 40, 47, 67]);
  expect(state.progress).toMatchObject({ stage: 'read', readShare: 0.75, rowsRead: 500, rowsTransformed: 500 });
});

test('a batch that does not say how much is read leaves the percentage unknown until all is', () => {
  const state = advance(advance(beginTape(0), staged(0, 100), 1), transformed(0, 100, 0), 2);
  expect(state.progress.percent).toBe(0);
  expect(state.progress).not.toHaveProperty('readShare');
});

test('a failure keeps how far it came and says why', () => {
  let state = advance(beginTape(0), staged(0, 100), 1);
  state = advance(state, { type: 'failed', failure: 'The sheet Loans is empty.' }, 2);
  expect(state.progress).toMatchObject({ stage: 'failed', failure: 'The sheet Loans is empty.', rowsRead: 100 });
});

test('what one run hands to the next is the state as it was, through JSON', () => {
  let state = beginTape(5);
  for (const event of [staged(0, 100), staged(1, 50), staged(3, 10), transformed(1, 40, 10)]) {
    state = advance(state, event, 6);
  }
  expect(resume(JSON.parse(JSON.stringify(carry(state))))).toEqual(state);
  expect(advance(resume(carry(state)), transformed(0, 100, 0), 7)).toEqual(advance(state, transformed(0, 100, 0), 7));
});

test('a new run knows the batches up to the first that is missing', () => {
  let state = beginTape(0);
  expect(knownBatches(state)).toBe(0);
  for (const event of [staged(0, 100), staged(1, 50), staged(3, 10)]) state = advance(state, event, 1);
  expect(knownBatches(state)).toBe(2);
});

test('what holds the work up is told until it goes on', () => {
  const heldUp = { type: 'noticed', notice: 'The disk is full' } as const;
  const batches = [{ index: 0, key: 'staged/0', rows: 100, firstRow: 2 }];
  for (const event of [
    transformed(0, 100, 0),
    { type: 'readFinished', read: { batches, dataRows: 100, blankRows: 0 } },
    { type: 'stageReached', stage: 'finalize' },
  ] as const) {
    const stopped = advance(advance(beginTape(0), staged(0, 100), 1), heldUp, 2);
    expect(stopped.progress.notice).toBe('The disk is full');
    expect(advance(stopped, event, 3).progress.notice).toBeNull();
  }
  // A notice about a borrowing base is kept.
  const published = advance(advance(beginTape(0), { type: 'stageReached', stage: 'borrowingBase' }, 1), heldUp, 2);
  expect(advance(published, { type: 'finished' }, 3).progress.notice).toBe('The disk is full');
});
