import { defineTransitions } from '../documents/transitions.ts';
import type { DRAW_STATUSES } from './draw.schema.ts';

export type DrawStatus = (typeof DRAW_STATUSES)[number];

/** A request in review can be reviewed again. An approved draw stays, because the balance counts it. */
export const DRAW_TRANSITIONS = defineTransitions<DrawStatus>('a draw request', {
  Pending: ['In Review', 'Approved', 'Rejected', 'Removed'],
  'In Review': ['Approved', 'Rejected', 'Removed'],
  Approved: [],
  Rejected: ['Removed'],
  Removed: [],
});

/** A request that nobody has decided yet. Only then can it change. */
export const isOpenDraw = (status: DrawStatus): boolean => status === 'Pending' || status === 'In Review';

/** Rejected and removed requests count in no check. */
export const countsAsDraw = (status: DrawStatus): boolean => status !== 'Rejected' && status !== 'Removed';
