import type { TapeProgress } from '@tapeline/domain/tapes/progress.ts';
import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { StagedBatch } from './activities.ts';

export const tapeProgressQuery = defineQuery<TapeProgress>('progress');
export const batchStagedSignal = defineSignal<[StagedBatch]>('batchStaged');
/** The reason why the work is currently blocked. Cleared as soon as the work continues. */
export const heldUpSignal = defineSignal<[string]>('heldUp');
/** An earlier tape of the company has ended: it may be this one's turn to be finalized. */
export const turnSignal = defineSignal('turn');
export const cancelTapeSignal = defineSignal('cancel');
