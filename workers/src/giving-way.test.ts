import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { expect, test } from 'vitest';
import { createGivingWay } from './giving-way.ts';

/** Runs a job under the interceptor, as a worker does. */
function run(interceptor: ActivityInterceptorsFactory, job: () => Promise<unknown>, signal?: AbortSignal) {
  const context = { cancellationSignal: signal ?? new AbortController().signal };
  const { execute } = interceptor(context as Parameters<ActivityInterceptorsFactory>[0]).inbound!;
  return execute!({ args: [], headers: {} }, job);
}

/** A job that ends when it is told to. */
function openJob() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { work: () => promise, end: () => resolve() };
}

const NEVER_LATE = 2 ** 30;

test('a tape begins once nobody waits for a job of the process any more', async () => {
  const { awaited, givesWay } = createGivingWay(NEVER_LATE);
  const order: string[] = [];
  const [one, other] = [openJob(), openJob()];
  const corrections = [one, other].map(({ work }) => run(awaited, work));
  const tape = run(givesWay, async () => void order.push('tape'));
  one.end();
  await corrections[0];
  order.push('one is done');
  other.end();
  await Promise.all([...corrections, tape]);
  expect(order).toEqual(['one is done', 'tape']);
  // With nobody waiting, a tape begins at once, and people never wait for a tape.
  const long = openJob();
  const begun = run(givesWay, long.work);
  await run(awaited, async () => void order.push('correction'));
  long.end();
  await begun;
  expect(order.at(-1)).toBe('correction');
});

test('a tape begins although corrections go on and on, and if it is cancelled', async () => {
  const { awaited, givesWay } = createGivingWay(1);
  const correction = openJob();
  const corrected = run(awaited, correction.work);
  await run(givesWay, async () => undefined);
  const patient = createGivingWay(NEVER_LATE);
  const again = run(patient.awaited, correction.work);
  const cancelled = new AbortController();
  const tape = run(patient.givesWay, async () => 'ended', cancelled.signal);
  cancelled.abort();
  expect(await tape).toBe('ended');
  correction.end();
  await Promise.all([corrected, again]);
});
