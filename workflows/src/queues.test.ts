import { expect, test } from 'vitest';
import { instanceOf, taskQueuesOf } from './queues.ts';

test('a workflow knows its instance, whichever of the queues of workflows it runs from', () => {
  const { workflows, awaited } = taskQueuesOf('tapeline-2');
  expect(workflows).not.toBe(awaited);
  expect([instanceOf(workflows), instanceOf(awaited)]).toEqual(['tapeline-2', 'tapeline-2']);
});
