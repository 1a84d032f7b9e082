import { proxyActivities } from '@temporalio/workflow';
import { TASK_QUEUES } from '../queues.ts';
import { WATCHED, WHILE_SOMEONE_WAITS } from '../retries.ts';
import type { PreviewActivities, PreviewMappingInput, SheetInput } from './activities.ts';
import type { ContractDraft, DraftedSheet, PreviewedRows, SheetHead, TrialResult } from './preview.ts';

const { inspectFile, previewDraft, previewMapping, tryContract } = proxyActivities<PreviewActivities>({
  ...WATCHED,
  taskQueue: TASK_QUEUES.io,
  startToCloseTimeout: '30s',
  scheduleToCloseTimeout: '60s',
  retry: WHILE_SOMEONE_WAITS,
});

export async function inspectFilePreview(input: SheetInput & { isSurveyed?: boolean }): Promise<SheetHead> {
  return inspectFile(input);
}

export async function mappingPreview(input: PreviewMappingInput): Promise<PreviewedRows> {
  return previewMapping(input);
}

export async function draftPreview(input: PreviewMappingInput): Promise<DraftedSheet> {
  return previewDraft(input);
}

export async function contractTrial(input: ContractDraft): Promise<TrialResult> {
  return tryContract(input);
}
