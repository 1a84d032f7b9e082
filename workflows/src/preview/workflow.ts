import type { PrintedDocument } from '@tapeline/domain/printing/printed-document.ts';
import { proxyActivities } from '@temporalio/workflow';
import { OWN_QUEUES } from '../own-queues.ts';
import { WATCHED, WHILE_SOMEONE_WAITS } from '../retries.ts';
import type { PreviewActivities, PreviewMappingInput, PrintedFile, SheetInput } from './activities.ts';
import type { ContractDraft, DraftedSheet, PreviewedRows, SheetHead, TrialResult } from './preview.ts';
import type { Answer, Question } from './references.ts';

const { inspectFile, previewDraft, previewMapping, printDocument, tryContract } = proxyActivities<PreviewActivities>({
  ...WATCHED,
  taskQueue: OWN_QUEUES.previews,
  startToCloseTimeout: '30s',
  scheduleToCloseTimeout: '60s',
  retry: WHILE_SOMEONE_WAITS,
});

export async function inspectFilePreview(
  input: Question<SheetInput & { isSurveyed?: boolean }>,
): Promise<Answer<SheetHead>> {
  return inspectFile(input);
}

export async function mappingPreview(input: Question<PreviewMappingInput>): Promise<Answer<PreviewedRows>> {
  return previewMapping(input);
}

export async function draftPreview(input: Question<PreviewMappingInput>): Promise<Answer<DraftedSheet>> {
  return previewDraft(input);
}

export async function contractTrial(input: Question<ContractDraft>): Promise<Answer<TrialResult>> {
  return tryContract(input);
}

export async function printedDocument(input: Question<PrintedDocument>): Promise<Answer<PrintedFile>> {
  return printDocument(input);
}
