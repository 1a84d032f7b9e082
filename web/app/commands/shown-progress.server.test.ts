import type { TapeProgress } from '@tapeline/domain/tapes/progress.ts';
import { expect, test } from 'vitest';
import { shownProgress } from './shown-progress.server.ts';

const progress = (percent: number, fields: Partial<TapeProgress> = {}): TapeProgress => ({
  stage: 'read',
  rowsRead: percent * 10,
  rowsTransformed: percent * 5,
  rowsErrored: 0,
  batches: 1,
  batchesTransformed: 1,
  percent,
  startedAt: 1_000,
  reachedAt: {},
  failure: null,
  notice: null,
  ...fields,
});

let tapes = 0;
const newTape = () => {
  tapes += 1;
  return { id: `tape-${tapes}`, fence: 1 };
};
const percentOf = (shown: TapeProgress | null) => shown?.percent ?? null;

test('a question that is not answered, or answered late, does not set the progress back', () => {
  const tape = newTape();
  const seen = (recorded: TapeProgress | null, answered: TapeProgress | null) =>
    percentOf(shownProgress({ ...tape, progress: recorded }, answered));
  expect(seen(null, null)).toBe(null);
  expect(seen(null, progress(12))).toBe(12);
  expect(seen(null, null)).toBe(12);
  expect(seen(progress(5), progress(40))).toBe(40);
  // No worker answers, and only finished batches are recorded.
  expect(seen(progress(22), null)).toBe(40);
  expect(seen(progress(22), progress(31))).toBe(40);
  expect(seen(progress(55), null)).toBe(55);
  expect(seen(progress(55), progress(60))).toBe(60);
});

test('while the share of the sheet is unknown, more rows are further on, and the latest of equals is shown', () => {
  const tape = { ...newTape(), progress: null };
  const at = (rowsRead: number, rowsTransformed: number, notice: string | null = null) =>
    shownProgress(tape, progress(0, { rowsRead, rowsTransformed, notice }));
  at(500, 300);
  expect(at(400, 300)).toMatchObject({ rowsRead: 500 });
  expect(at(600, 200)).toMatchObject({ rowsRead: 500, rowsTransformed: 300 });
  expect(at(500, 300, 'The disk is full')).toMatchObject({ notice: 'The disk is full' });
});

test('a retry begins at zero, and shows nothing of the job that failed', () => {
  const tape = newTape();
  const failed = { ...tape, progress: progress(45) };
  expect(percentOf(shownProgress(failed, progress(62)))).toBe(62);
  // A failure ends the fence. Until the new workflow has begun, the failed one answers.
  const again = { ...tape, fence: 2, progress: null };
  expect(shownProgress(again, progress(62, { stage: 'failed' }))).toBe(null);
  expect(percentOf(shownProgress(again, progress(0, { startedAt: 2_000 })))).toBe(0);
  // A record of the failed job that arrives late is of an earlier job.
  expect(percentOf(shownProgress({ ...again, progress: progress(62) }, null))).toBe(0);
  expect(percentOf(shownProgress(again, progress(3, { startedAt: 2_000 })))).toBe(3);
});

test('the progress of a limited number of tapes is kept, the latest that was shown', () => {
  const first = { ...newTape(), progress: null };
  const watched = { ...newTape(), progress: null };
  for (const tape of [first, watched]) shownProgress(tape, progress(50));
  for (let count = 0; count < 999; count += 1) {
    shownProgress({ ...newTape(), progress: null }, progress(1));
    expect(percentOf(shownProgress(watched, null))).toBe(50);
  }
  expect(shownProgress(first, null)).toBe(null);
});
