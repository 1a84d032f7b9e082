import { defineSignal } from '@temporalio/workflow';
import type { DrawCheckCommand } from './activities.ts';
import { DRAW_CHANGED } from './signal.ts';

/** The request was changed or decided. */
export const drawChangedSignal = defineSignal<[DrawCheckCommand]>(DRAW_CHANGED);
