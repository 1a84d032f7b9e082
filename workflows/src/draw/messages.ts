import { defineSignal } from '@temporalio/workflow';
import type { DrawCheckCommand } from './activities.ts';

/** The request was changed or decided. */
export const drawChangedSignal = defineSignal<[DrawCheckCommand]>('drawChanged');
