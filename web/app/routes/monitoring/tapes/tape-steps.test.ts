import type { TapeProgress } from '@tapeline/domain/tapes/progress.ts';
import { expect, test } from 'vitest';
import { tapeSteps } from './tape-steps.ts';

const progress = (changes: Partial<TapeProgress>): TapeProgress => ({
  stage: 'read',
  rowsRead: 0,
  rowsTransformed: 0,
  rowsErrored: 0,
  batches: 0,
  batchesTransformed: 0,
  percent: 0,
  startedAt: 1000,
  reachedAt: { read: 1000 },
  failure: null,
  notice: null,
  ...changes,
});
const facts = { now: 3000, assets: null, borrowingBases: 0, failedBases: 0, calculateBB: false };
const said = (steps: ReturnType<typeof tapeSteps>) => steps.map((step) => `${step.state}: ${step.note}`);

test('a tape that no worker has taken waits in every step', () => {
  expect(said(tapeSteps(null, facts))).toEqual([
    'waiting: queued',
    'waiting: waiting',
    'waiting: waiting',
    'waiting: waiting',
    'waiting: on request',
  ]);
});

test('batches are transformed while the sheet is still read, without a share of an unknown whole', () => {
  const now = progress({ rowsRead: 200_000, batches: 2, batchesTransformed: 1, rowsTransformed: 100_000 });
  const steps = tapeSteps(now, { ...facts, calculateBB: true });
  expect(said(steps)).toEqual([
    'running: 200,000 rows · 2.0 s',
    'running: 1 of 2 batches',
    'waiting: waiting',
    'waiting: waiting',
    'waiting: waiting',
  ]);
  expect(steps.map((step) => step.fraction ?? null)).toEqual([null, null, null, null, null]);
});

test('reading and transforming say how much of the sheet is behind them', () => {
  const half = { rowsRead: 200_000, readShare: 0.5, batches: 2, batchesTransformed: 1, rowsTransformed: 100_000 };
  const fractions = (steps: ReturnType<typeof tapeSteps>) => steps.map((step) => step.fraction ?? null);
  expect(fractions(tapeSteps(progress(half), facts))).toEqual([0.5, 0.25, null, null, null]);
  const read = progress({ ...half, stage: 'transform', readShare: 1, reachedAt: { read: 1000, transform: 2000 } });
  expect(fractions(tapeSteps(read, facts))).toEqual([null, 0.5, null, null, null]);
});

test('a finished tape says what each step took, and that a borrowing base is on request', () => {
  const done = progress({
    stage: 'done',
    percent: 100,
    rowsRead: 14_650,
    batches: 2,
    batchesTransformed: 2,
    rowsTransformed: 14_650,
    reachedAt: { read: 1000, transform: 1400, finalize: 2300, publish: 2500, done: 2600 },
  });
  expect(said(tapeSteps(done, { ...facts, assets: 14_612 }))).toEqual([
    'done: 14,650 rows · 0.4 s',
    'done: 2 of 2 batches · 0.9 s',
    'done: unique, consistent · 0.2 s',
    'done: 14,612 assets · 0.1 s',
    'waiting: on request',
  ]);
  expect(tapeSteps(done, { ...facts, assets: 14_612, borrowingBases: 1 }).at(-1)).toMatchObject({
    state: 'done',
    note: '1 note',
  });
});

test('a failed tape shows the step that failed, and those behind it as done', () => {
  const failed = progress({ stage: 'failed', reachedAt: { read: 1000, transform: 1500, failed: 1600 }, rowsRead: 10 });
  expect(tapeSteps(failed, facts).map((step) => step.state)).toEqual([
    'done',
    'failed',
    'waiting',
    'waiting',
    'waiting',
  ]);
});

test('the step of the borrowing bases has failed where a note has, however the tape itself ended', () => {
  const done = progress({ stage: 'done', reachedAt: { read: 1000, borrowingBase: 1500, done: 2000 } });
  const [last] = tapeSteps(done, { ...facts, borrowingBases: 2, failedBases: 1 }).slice(-1);
  expect(last).toEqual({ label: 'Borrowing base', state: 'failed', note: 'failed for 1 note' });
});
