import { proxyActivities, sleep } from '@temporalio/workflow';
import { TASK_QUEUES } from '../queues.ts';
import { WATCHED } from '../retries.ts';
import type { SweepActivities, SweptStorage } from './activities.ts';

// The next sweep comes anyway: few tries.
const { sweepStorage, findStrandedTapes, endStrandedTapes } = proxyActivities<SweepActivities>({
  ...WATCHED,
  taskQueue: TASK_QUEUES.io,
  startToCloseTimeout: '30 minutes',
  retry: { maximumAttempts: 3 },
});

export interface Swept extends SweptStorage {
  /** Tapes that were ended because nothing worked at them any more. */
  endedTapes: string[];
}

/**
 * Clears away what killed and overtaken work left: started by a schedule.
 * @param graceMs between the two looks at a tape without a workflow: one that is just being started shows one in time
 */
export async function sweepOrphans({ graceMs }: { graceMs: number }): Promise<Swept> {
  const swept = await sweepStorage();
  const stranded = await findStrandedTapes();
  if (stranded.tapeIds.length === 0) return { ...swept, endedTapes: [] };
  await sleep(graceMs);
  const ended = await endStrandedTapes(stranded);
  return { ...swept, endedTapes: ended.tapeIds };
}
