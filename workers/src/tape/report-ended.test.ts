import { beginTape } from '@tapeline/workflows/loan-tape/state.ts';
import pino from 'pino';
import { expect, test } from 'vitest';
import { reportEnded, stageDurations } from './report-ended.ts';

test('a stage lasts until the next one that was reached, and the last one until the end', () => {
  expect(stageDurations({ reachedAt: { read: 1_000, transform: 1_400, publish: 2_000 } }, 2_500)).toEqual({
    read: 400,
    transform: 600,
    publish: 500,
  });
  expect(stageDurations({ reachedAt: {} }, 5)).toEqual({});
});

test('an ended tape is one line with its id, rows and durations', () => {
  const lines: unknown[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line)) });
  const { progress } = beginTape(1_000);
  const counts = { rowsRead: 12, rowsTransformed: 12, rowsErrored: 2, batches: 1, batchesTransformed: 1 };
  const reachedAt = { read: 1_000, transform: 1_250, done: 3_000 };
  reportEnded({ log }, 'a'.repeat(24), 'done', { ...progress, ...counts, stage: 'done', reachedAt });
  expect(lines).toEqual([
    {
      level: 30,
      event: 'tape ended',
      tapeId: 'a'.repeat(24),
      outcome: 'done',
      rowsRead: 12,
      rowsTransformed: 12,
      rowsErrored: 2,
      batches: 1,
      durationMs: 2_000,
      stageMs: { read: 250, transform: 1_750 },
      msg: 'tape ended',
    },
  ]);
});
