import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { describe, expect, test } from 'vitest';

const workflowsPath = fileURLToPath(new URL('../all-workflows.ts', import.meta.url));
const folder = new URL('histories/', import.meta.url);
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .sort();
const historyOf = (name: string) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));

// What the replaying worker says is not news, and the difference below is wanted.
Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging: { filter: 'OFF' } } });

describe('a tape that began under an earlier version goes on under this one', () => {
  test('histories of every course are kept', () => {
    expect(names).toEqual([
      'borrowing-base.json',
      'cancelled.json',
      'failed.json',
      'gave-way.json',
      'killed.json',
      'published.json',
      'waited.json',
      'went-on.json',
    ]);
  });

  test.each(names)('%s is replayed without a difference', async (name) => {
    await Worker.runReplayHistory({ workflowsPath }, historyOf(name));
  });

  test('a history that the workflow would not make is found out', async () => {
    const history = historyOf('published.json');
    const scheduled = history.events.find(
      (event: { activityTaskScheduledEventAttributes?: { activityType: { name: string } } }) =>
        event.activityTaskScheduledEventAttributes?.activityType.name === 'beginTape',
    );
    scheduled.activityTaskScheduledEventAttributes.activityType.name = 'somethingElse';
    await expect(Worker.runReplayHistory({ workflowsPath }, history)).rejects.toThrow(/[Nn]ondeterminism/);
  });
});
