import type { WorkerQueue } from '@tapeline/db/worker-queues.ts';
import { expect, onTestFinished, test } from 'vitest';
import { createPolling } from './polling.ts';

const FULL = 'only 3 MB free';

/** Workers that run until they are shut down, and a disk that can be filled. */
function openPolling({ isFull = false, tryAgainMs = 0 } = {}) {
  const disk = { isFull };
  const lines: string[] = [];
  const created: WorkerQueue[] = [];
  const polling = createPolling({
    queues: ['workflows', 'io', 'compute'],
    async makeWorker(queue) {
      created.push(queue);
      const { promise, resolve } = Promise.withResolvers<void>();
      let isRunning = false;
      return {
        run() {
          isRunning = true;
          return promise;
        },
        shutdown() {
          if (!isRunning) throw new Error('Not running');
          resolve();
        },
      };
    },
    async requireSpace() {
      if (disk.isFull) throw new Error(FULL);
    },
    log: {
      error: (_fields: unknown, text?: string) => void lines.push(`error: ${text}`),
      info: (text: unknown) => void lines.push(`info: ${text}`),
    },
    checkEveryMs: 1,
    tryAgainMs,
  });
  onTestFinished(() => polling.stop());
  return { polling, disk, lines, created };
}

test('a full disk stops all work but workflows, and space brings it back', async () => {
  const { polling, disk, lines, created } = openPolling();
  await polling.prepare();
  const running = polling.run();
  expect(polling.taken()).toEqual(['workflows', 'io', 'compute']);
  expect(polling.paused()).toBeNull();

  disk.isFull = true;
  await expect.poll(polling.taken).toEqual(['workflows']);
  expect(polling.paused()).toBe(FULL);
  disk.isFull = false;
  await expect.poll(polling.taken).toEqual(['workflows', 'io', 'compute']);
  expect(polling.paused()).toBeNull();
  expect(created).toEqual(['workflows', 'io', 'compute', 'io', 'compute']);
  expect(lines).toEqual([
    'error: the disk is full: no more work is taken',
    'info: the disk has space again: work is taken',
  ]);
  polling.stop();
  expect(polling.taken()).toEqual([]);
  await running;
});

test('a process can be stopped, and its disk can be full, before it takes work', async () => {
  const stopped = openPolling();
  await stopped.polling.prepare();
  stopped.polling.stop();
  await stopped.polling.run();
  const full = openPolling();
  await full.polling.prepare();
  full.polling.diskWasFull();
  const running = full.polling.run();
  await expect.poll(full.polling.taken).toEqual(['workflows', 'io', 'compute']);
  full.polling.stop();
  await running;
});

test('a process that starts with a full disk takes only workflows, and can be stopped', async () => {
  const { polling, created } = openPolling({ isFull: true });
  await polling.prepare();
  const running = polling.run();
  expect(created).toEqual(['workflows']);
  expect(polling.taken()).toEqual(['workflows']);
  polling.stop();
  await running;
});

test('after a write failed on a disk that reports space, as with a quota, work waits before it is tried again', async () => {
  const { polling } = openPolling({ tryAgainMs: 50 });
  await polling.prepare();
  const running = polling.run();
  const failedAt = performance.now();
  polling.diskWasFull();
  expect(polling.taken()).toEqual(['workflows']);
  expect(polling.paused()).toMatch(/quota/);
  await expect.poll(polling.taken).toEqual(['workflows', 'io', 'compute']);
  expect(performance.now() - failedAt).toBeGreaterThanOrEqual(50);
  polling.stop();
  await running;
});
