import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { expect, test } from 'vitest';

const workflowsPath = fileURLToPath(new URL('../all-workflows.ts', import.meta.url));
const folder = new URL('histories/', import.meta.url);
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .sort();
const historyOf = (name: string) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));

// What the replaying worker says is not news, and the difference below is wanted.
Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging: { filter: 'OFF' } } });

test('histories of every course of a re-run are kept', () => {
  expect(names).toEqual(['cancelled.json', 'killed.json']);
});

test.each(names)('%s: a re-run that began under an earlier version goes on under this one', async (name) => {
  await Worker.runReplayHistory({ workflowsPath }, historyOf(name));
});

test('a history that the workflow would not make is found out', async () => {
  const history = historyOf('killed.json');
  const scheduled = history.events.find(
    (event: { activityTaskScheduledEventAttributes?: { activityType: { name: string } } }) =>
      event.activityTaskScheduledEventAttributes?.activityType.name === 'rerunRows',
  );
  scheduled.activityTaskScheduledEventAttributes.activityType.name = 'somethingElse';
  await expect(Worker.runReplayHistory({ workflowsPath }, history)).rejects.toThrow(/[Nn]ondeterminism/);
});
