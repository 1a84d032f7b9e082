import { valuesOf } from '../documents/labels.ts';

/** What was called by when it is due, compared with a day. Whether it was paid is not known. */
export const DUE_LABELS = {
  upcoming: 'Not due yet',
  today: 'Due today',
  passed: 'Due date passed',
} as const;
export const DUE_STATES = valuesOf(DUE_LABELS);
export type DueState = (typeof DUE_STATES)[number];
