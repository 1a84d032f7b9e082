import { continueAsNew, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow';
import { OWN_QUEUES } from '../own-queues.ts';
import { SCHEDULED, WATCHED } from '../retries.ts';
import type { NoticeActivities } from './activities.ts';
import { noticesDue } from './messages.ts';

// Few attempts are enough, because the schedule starts the next run within a minute.
const { makeDueNotices } = proxyActivities<NoticeActivities>({
  ...WATCHED,
  taskQueue: OWN_QUEUES.compute,
  startToCloseTimeout: '10 minutes',
  retry: SCHEDULED,
});

/** Runs that make notices at once, each on a core of its own if there is one. */
const RUNS = 4;

/** Makes the notices that are due, again for each signal that more are. A schedule and each commit start it. */
export async function makeNotices(): Promise<void> {
  let isWaiting = true;
  setHandler(noticesDue, () => {
    isWaiting = true;
  });
  while (isWaiting) {
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof makeNotices>();
    isWaiting = false;
    const runs = await Promise.all(Array.from({ length: RUNS }, () => makeDueNotices()));
    if (runs.some(({ isMoreDue }) => isMoreDue)) isWaiting = true;
  }
}
