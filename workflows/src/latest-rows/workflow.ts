import type { LatestRowCounts } from '@tapeline/domain/tapes/latest-rows/latest-rows.schema.ts';
import { proxyActivities } from '@temporalio/workflow';
import { OWN_QUEUES } from '../own-queues.ts';
import type { LatestRowsInput, PreviewActivities } from '../preview/activities.ts';
import type { Answer, Question } from '../preview/references.ts';
import { WATCHED, WHILE_SOMEONE_WAITS } from '../retries.ts';
import type { KeepLatestRowsInput, KeptRows, LatestRowsActivities } from './activities.ts';

const { countLatestRows } = proxyActivities<PreviewActivities>({
  ...WATCHED,
  taskQueue: OWN_QUEUES.previews,
  startToCloseTimeout: '30s',
  scheduleToCloseTimeout: '60s',
  retry: WHILE_SOMEONE_WAITS,
});

const { keepLatestRows } = proxyActivities<LatestRowsActivities>({
  ...WATCHED,
  taskQueue: OWN_QUEUES.checks,
  startToCloseTimeout: '115s',
  scheduleToCloseTimeout: '120s',
  retry: WHILE_SOMEONE_WAITS,
});

export async function latestRowsCount(input: Question<LatestRowsInput>): Promise<Answer<LatestRowCounts | null>> {
  return countLatestRows(input);
}

export async function latestRows(input: Question<KeepLatestRowsInput>): Promise<Answer<KeptRows>> {
  return keepLatestRows(input);
}
