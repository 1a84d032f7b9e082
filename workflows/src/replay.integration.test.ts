import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import { describe, expect, test } from 'vitest';
import { quietRuntime } from './testing/quiet-runtime.ts';

const workflowsPath = fileURLToPath(new URL('all-workflows.ts', import.meta.url));

/** Every path through a workflow has a recorded history. The first one of each workflow schedules the named activity. */
const KEPT = [
  {
    workflow: 'loan-tape',
    courses: [
      'at-once',
      'borrowing-base',
      'cancelled',
      'failed',
      'gave-way',
      'in-one-step',
      'in-turn',
      'killed',
      'published',
      'waited',
      'went-on',
    ],

    activity: 'processTape',
  },
  {
    workflow: 'borrowing-base',
    courses: ['asked-again', 'cancelled', 'failed'],
    activity: 'calculateBorrowingBase',
  },
  { workflow: 'corrections', courses: ['cancelled', 'killed'], activity: 'rerunRows' },
  { workflow: 'draw', courses: ['decided', 'killed', 'reminded'], activity: 'checkDraw' },
  {
    workflow: 'imports',
    // The first two began before each import had a workflow.
    courses: ['checked', 'imported', 'cancelled', 'lost', 'refused', 'rows-checked', 'started', 'written'],
    activity: 'runDueChecks',
  },
  { workflow: 'mail', courses: ['killed'], activity: 'sendDueMail' },
  { workflow: 'notices', courses: ['killed'], activity: 'makeDueNotices' },
] as const;

/** Workflows without histories, and why. */
const NOT_KEPT: Readonly<Record<string, string>> = {
  amendments: 'The run of the next hour does the same.',
  check: 'Someone waits for the answer, for at most two minutes, and asks again.',
  comparison: 'As with check.',
  covenants: 'The run of the next day does the same.',
  deliverables: 'The run of the next day does the same.',
  duplicates: 'A person starts it again, and so does the next night.',
  'latest-rows': 'As with check.',
  preview: 'Someone waits for the answer, for at most a minute, and asks again.',
  rates: 'The run of the next day does the same.',
  retention: 'A run that cannot proceed ends after a day, and the next one does the same.',
  statements: 'As with retention.',
  sweep: 'As with retention.',
};

// The mismatch below is intended, so its logs are of no interest.
quietRuntime();

test('every workflow has histories, or a reason to have none', () => {
  const folders = readdirSync(new URL('.', import.meta.url), { recursive: true })
    .map(String)
    .filter((path) => path.endsWith('/workflow.ts'))
    .map((path) => dirname(path));
  expect(folders.sort()).toEqual([...KEPT.map(({ workflow }) => workflow), ...Object.keys(NOT_KEPT)].sort());
});

describe.each(KEPT)('a $workflow that began under an earlier version goes on under this one', (kept) => {
  const folder = new URL(`${kept.workflow}/histories/`, import.meta.url);
  const historyOf = (course: string) => JSON.parse(readFileSync(new URL(`${course}.json`, folder), 'utf8'));

  test('histories of every course are kept', () => {
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
    expect(names.sort()).toEqual(kept.courses.map((course) => `${course}.json`).sort());
  });

  test.each(kept.courses)('%s is replayed without a difference', async (course) => {
    await Worker.runReplayHistory({ workflowsPath }, historyOf(course));
  });

  test('a history that the workflow would not make is found out', async () => {
    const history = historyOf(kept.courses[0]);
    const scheduled = history.events.find(
      (event: { activityTaskScheduledEventAttributes?: { activityType: { name: string } } }) =>
        event.activityTaskScheduledEventAttributes?.activityType.name === kept.activity,
    );
    scheduled.activityTaskScheduledEventAttributes.activityType.name = 'somethingElse';
    await expect(Worker.runReplayHistory({ workflowsPath }, history)).rejects.toThrow(/[Nn]ondeterminism/);
  });
});
