import { writeFile } from 'node:fs/promises';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { messageOf } from '@tapeline/workflows/refusal-message.ts';
import { expect, test } from 'vitest';
import { withFailures } from './failures.ts';

const reported: string[] = [];
const activities = withFailures(
  {
    full: () => writeFile('/dev/full', 'x'),
    refused: () => Promise.reject(new Refusal('badRequest', 'The sheet is empty')),
    broken: () => Promise.reject(new Error('a bug')),
  },
  async (activity) => void reported.push(activity),
);
const failureOf = (activity: () => Promise<unknown>) => activity().catch((error: unknown) => error);

test.runIf(process.platform === 'linux')(
  'a full disk is reported, retried, and named in the final message',
  async () => {
    const failure = await failureOf(activities.full);
    expect(failure).toMatchObject({ type: 'DiskFull', message: expect.stringContaining('full') });
    expect((failure as { nonRetryable?: boolean }).nonRetryable).not.toBe(true);
    expect(messageOf(failure, 'The tape could not be processed')).toBe(
      'The tape could not be processed because a disk or the object storage is full. Nothing half done was kept; free space, and try again.',
    );
    for (const other of [activities.refused, activities.broken]) await failureOf(other);
    expect(reported).toEqual(['full']);
  },
);

test('a refusal keeps its message and is not retried; a bug is reported as our error', async () => {
  const refusal = await failureOf(activities.refused);
  expect(refusal).toMatchObject({ type: 'Refusal', nonRetryable: true });
  expect(messageOf(refusal, 'It failed')).toBe('The sheet is empty');
  expect(messageOf(await failureOf(activities.broken), 'It failed')).toContain('a problem on our side');
});
