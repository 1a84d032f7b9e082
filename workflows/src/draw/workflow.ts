import {
  ActivityFailure,
  condition,
  continueAsNew,
  log,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { failureIs } from '../failure-message.ts';
import { OWN_QUEUES } from '../own-queues.ts';
import { UNTIL_DONE, WATCHED } from '../retries.ts';
import type { DrawActivities, DrawCheckCommand } from './activities.ts';
import { drawChangedSignal } from './messages.ts';
import { checked, type DrawRequestInput, isOver, reminded, STARTED, untilReminder } from './state.ts';

const { checkDraw, remindOfDraw } = proxyActivities<DrawActivities>({
  ...WATCHED,
  taskQueue: OWN_QUEUES.io,
  startToCloseTimeout: '1 minute',
  // A request waits for days, so its workflow outlasts any outage.
  retry: UNTIL_DONE,
});

/**
 * A step that would fail again is over. It is recorded with its reason, and the request goes on waiting: for a change, for
 * its decision, or for the next check, which the sweep asks for.
 */
async function unlessDataFails<Result>(step: Promise<Result>, otherwise: Result): Promise<Result> {
  try {
    return await step;
  } catch (error) {
    if (!(error instanceof ActivityFailure) || !failureIs(error.cause, 'DataFault')) throw error;
    log.error('a step of a draw request failed', { error });
    return otherwise;
  }
}

/**
 * A draw request from its arrival to the decision: runs the checks after each change, and reminds of it before its
 * due date while it waits. It is started with a signal, and every change and decision sends another one.
 */
export async function drawRequest(input: DrawRequestInput): Promise<void> {
  const { drawId, urgentAfterMs } = input;
  const changes: DrawCheckCommand[] = [];
  setHandler(drawChangedSignal, (change) => void changes.push(change));
  let progress = input.progress ?? STARTED;
  while (true) {
    for (let change = changes.shift(); change; change = changes.shift()) {
      progress = checked(progress, await unlessDataFails(checkDraw(change), progress.waiting));
      if (isOver(progress) && changes.length === 0) return;
    }
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof drawRequest>({ drawId, urgentAfterMs, progress });
    }
    const wait = untilReminder(progress, { now: Date.now(), urgentAfterMs });
    const isChanged = () => changes.length > 0;
    if (wait === null) await condition(isChanged);
    else if (!(await condition(isChanged, wait)) && progress.waiting) {
      const { dueDate } = progress.waiting;
      await unlessDataFails(remindOfDraw({ drawId, dueDate }), undefined);
      progress = reminded(progress, dueDate);
    }
  }
}
