import { type ChildProcess, spawn } from 'node:child_process';
import { expect, test, vi } from 'vitest';
import { keepRunning } from './keep-running.ts';

const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };

/** A number of small processes, and those that were started. */
function keep(count: number, script: string, soonMs = 0) {
  const started: ChildProcess[] = [];
  const start = () => {
    const child = spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
    started.push(child);
    return child;
  };
  return { started, ...keepRunning({ count, start, log, soonMs, waitMs: 1 }) };
}

const WAITS = 'setInterval(() => {}, 1000)';

test('as many processes run as are asked for, and all end with the signal', async () => {
  const { started, stop, ended } = keep(3, WAITS);
  expect(started).toHaveLength(3);
  stop('SIGTERM');
  expect(await ended).toBe(0);
  expect(started.map(({ signalCode }) => signalCode)).toEqual(['SIGTERM', 'SIGTERM', 'SIGTERM']);
});

test('a process that is killed is started again', async () => {
  const { started, stop, ended } = keep(2, WAITS);
  started[0]?.kill('SIGKILL');
  await vi.waitFor(() => expect(started).toHaveLength(3), { timeout: 60_000 });
  expect(started[1]?.exitCode).toBeNull();
  stop('SIGTERM');
  await ended;
});

test('a process that cannot start ends all of them, with its code', async () => {
  const { started, ended } = keep(2, 'process.exit(7)', 600_000);
  expect(await ended).toBe(7);
  expect(started).toHaveLength(2);
});
