import { proxyActivities } from '@temporalio/workflow';
import { SCHEDULED_IO } from '../scheduled-io.ts';
import type { AmendmentActivities } from './activities.ts';

const { putAmendmentsInForce } = proxyActivities<AmendmentActivities>(SCHEDULED_IO);

/** Puts amendments in force whose day has come. A schedule starts it every hour, first at the beginning of the day. */
export async function dueAmendments(): Promise<{ count: number }> {
  return putAmendmentsInForce();
}
