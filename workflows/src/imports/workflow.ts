import { continueAsNew, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow';
import { OWN_QUEUES } from '../own-queues.ts';
import { SCHEDULED, WATCHED } from '../retries.ts';
import type { ImportActivities } from './activities.ts';
import { importQueued } from './messages.ts';

// Few attempts are enough, because the schedule starts the next run within a minute.
const { runDueImports, runDueChecks } = proxyActivities<ImportActivities>({
  ...WATCHED,
  taskQueue: OWN_QUEUES.io,
  startToCloseTimeout: '30 minutes',
  retry: SCHEDULED,
});

/** Imports that run at once, and checks. Others wait. */
const RUNS = 2;

/** Runs the imports that are due, again for each signal that there is another. A schedule and each start of an import start it. */
export const runImports = (): Promise<void> => runDue(runDueImports, () => continueAsNew<typeof runImports>());

/** The same for checks, so that no import waits for them. A check that is waited for is announced again until it is run. */
export const runImportChecks = (): Promise<void> => runDue(runDueChecks, () => continueAsNew<typeof runImportChecks>());

async function runDue(run: () => Promise<unknown>, startAgain: () => Promise<never>): Promise<void> {
  let isWaiting = true;
  setHandler(importQueued, () => {
    isWaiting = true;
  });
  while (isWaiting) {
    if (workflowInfo().continueAsNewSuggested) await startAgain();
    isWaiting = false;
    await Promise.all(Array.from({ length: RUNS }, run));
  }
}
