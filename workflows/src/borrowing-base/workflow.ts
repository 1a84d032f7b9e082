import { isCancellation, proxyActivities } from '@temporalio/workflow';
import type { BorrowingBaseMade, TapeComputeActivities, TapeIoActivities } from '../loan-tape/activities.ts';
import { TASK_QUEUES } from '../queues.ts';
import { messageOf } from '../refusal-message.ts';
import { TRIED_ON, WATCHED } from '../retries.ts';

const { notesToCompute } = proxyActivities<TapeIoActivities>({
  ...WATCHED,
  taskQueue: TASK_QUEUES.io,
  startToCloseTimeout: '2 minutes',
  retry: TRIED_ON,
});
const { calculateBorrowingBase } = proxyActivities<TapeComputeActivities>({
  ...WATCHED,
  taskQueue: TASK_QUEUES.compute,
  startToCloseTimeout: '30 minutes',
  retry: TRIED_ON,
});

export interface BorrowingBasesOfTape {
  made: BorrowingBaseMade[];
  /** Notes without an applying contract, and those that could not be computed, in words. */
  notices: string[];
}

/** The borrowing bases of a published tape, one a note. One that cannot be computed is told and stops none of the others. */
export async function borrowingBases({ tapeId }: { tapeId: string }): Promise<BorrowingBasesOfTape> {
  const { notes, notice } = await notesToCompute({ tapeId });
  const made: BorrowingBaseMade[] = [];
  const notices = notice === null ? [] : [notice];
  for (const note of notes) {
    try {
      made.push(await calculateBorrowingBase({ tapeId, note }));
    } catch (error) {
      if (isCancellation(error)) throw error;
      notices.push(messageOf(error, 'A borrowing base could not be calculated'));
    }
  }
  return { made, notices };
}
