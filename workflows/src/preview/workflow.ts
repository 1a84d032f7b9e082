import { proxyActivities } from '@temporalio/workflow';
import { REFUSAL_FAILURE, TASK_QUEUES } from '../queues.ts';
import type { PreviewActivities, PreviewMappingInput } from './activities.ts';
import type { ContractDraft, PreviewedRows, SheetHead, TrialResult } from './preview.ts';

// A person waits: few tries, short ones, and a refusal is the answer.
const { inspectFile, previewMapping, tryContract } = proxyActivities<PreviewActivities>({
  taskQueue: TASK_QUEUES.io,
  startToCloseTimeout: '30s',
  scheduleToCloseTimeout: '60s',
  retry: { maximumAttempts: 3, initialInterval: '200ms', nonRetryableErrorTypes: [REFUSAL_FAILURE] },
});

export async function inspectFilePreview(input: { fileId: string; sheetName: string | null }): Promise<SheetHead> {
  return inspectFile(input);
}

export async function mappingPreview(input: PreviewMappingInput): Promise<PreviewedRows> {
  return previewMapping(input);
}

export async function contractTrial(input: ContractDraft): Promise<TrialResult> {
  return tryContract(input);
}
