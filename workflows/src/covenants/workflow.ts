import { proxyActivities } from '@temporalio/workflow';
import { SCHEDULED_IO } from '../scheduled-io.ts';
import type { CovenantActivities } from './activities.ts';

const { testCovenants } = proxyActivities<CovenantActivities>(SCHEDULED_IO);

/** Makes the tests of covenants whose date has come. A schedule starts it every day. */
export async function covenantTests(): Promise<{ tested: number }> {
  return testCovenants();
}
