import type { TapeProgress } from '@tapeline/domain/tapes/progress.ts';
import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { StagedBatch } from './activities.ts';

/** What may be asked of and said to a tape's workflow from outside. */
export const tapeProgressQuery = defineQuery<TapeProgress>('progress');
export const batchStagedSignal = defineSignal<[StagedBatch]>('batchStaged');
export const cancelTapeSignal = defineSignal('cancel');
