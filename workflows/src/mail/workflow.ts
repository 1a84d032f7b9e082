import { continueAsNew, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow';
import { SCHEDULED_IO } from '../scheduled-io.ts';
import type { MailActivities } from './activities.ts';
import { mailQueued } from './messages.ts';

// Few attempts are enough, because the schedule starts the next run within a minute.
const { sendDueMail, remindOfLateTapes, remindOfDueCalls } = proxyActivities<MailActivities>(SCHEDULED_IO);

/** Sends the emails that are due, again for each signal that more were queued. A schedule and each commit start it. */
export async function sendMail(): Promise<void> {
  let waiting = true;
  setHandler(mailQueued, () => {
    waiting = true;
  });
  while (waiting) {
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof sendMail>();
    waiting = false;
    await sendDueMail();
  }
}

/** Tells the people concerned about late tapes. A schedule starts it every day. */
export async function lateTapes(): Promise<{ tapes: number }> {
  return remindOfLateTapes();
}

/** Reminds investors of calls that are soon due. A schedule starts it every day. */
export async function dueCalls(): Promise<{ told: number }> {
  return remindOfDueCalls();
}
