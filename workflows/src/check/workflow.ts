import type { CheckedFile } from '@tapeline/domain/tapes/tape-check.ts';
import { proxyActivities } from '@temporalio/workflow';
import { OWN_QUEUES } from '../own-queues.ts';
import type { Answer, Question } from '../preview/references.ts';
import { WATCHED, WHILE_SOMEONE_WAITS } from '../retries.ts';
import type { CheckActivities, CheckTapeInput } from './activities.ts';

const { checkTape } = proxyActivities<CheckActivities>({
  ...WATCHED,
  taskQueue: OWN_QUEUES.checks,
  startToCloseTimeout: '115s',
  scheduleToCloseTimeout: '120s',
  retry: WHILE_SOMEONE_WAITS,
});

export async function tapeCheck(input: Question<CheckTapeInput>): Promise<Answer<CheckedFile>> {
  return checkTape(input);
}
