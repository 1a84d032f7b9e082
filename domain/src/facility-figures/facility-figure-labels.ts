import { valuesOf } from '../documents/labels.ts';

/** Covenants read a figure once a second person has reviewed it. */
export const FACILITY_FIGURE_STATUS_LABELS = {
  Entered: 'To review',
  Reviewed: 'Reviewed',
  Removed: 'Removed',
} as const;
export const FACILITY_FIGURE_STATUSES = valuesOf(FACILITY_FIGURE_STATUS_LABELS);
export type FacilityFigureStatus = (typeof FACILITY_FIGURE_STATUSES)[number];
