import { expect, test } from 'vitest';
import { computingProcesses, shareOfWork, WORKER_QUEUES } from './worker-queues.ts';

test('the first of three processes serves what people wait for, and the others give way to it', () => {
  expect([1, 2, 3].map((number) => shareOfWork(number, 3, {}))).toEqual([
    { WORKER_QUEUES: 'previews' },
    { WORKER_QUEUES: 'workflows,io,compute', WORKER_NICENESS: '19' },
    { WORKER_QUEUES: 'workflows,io,compute', WORKER_NICENESS: '19' },
  ]);
});

test('fewer processes take every kind of work, and what the operator has set holds', () => {
  expect([1, 2].map((number) => shareOfWork(number, 2, {}))).toEqual([{}, {}]);
  expect(shareOfWork(2, 4, { WORKER_QUEUES: 'compute' })).toEqual({});
  expect(shareOfWork(2, 4, { WORKER_NICENESS: '3' }).WORKER_NICENESS).toBe('3');
  // As the compose file passes on what is not set.
  expect(shareOfWork(1, 3, { WORKER_QUEUES: '', WORKER_NICENESS: '' })).toEqual({ WORKER_QUEUES: 'previews' });
});

test('the process that serves people takes no core from those that compute', () => {
  expect(computingProcesses(3, ['workflows', 'io', 'compute'])).toBe(2);
  expect([computingProcesses(2, WORKER_QUEUES), computingProcesses(3, WORKER_QUEUES)]).toEqual([2, 3]);
});
