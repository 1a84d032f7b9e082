export const DRAW_TYPES = ['Regular', 'Prefunding', 'Recycling'] as const;
export const DRAW_STATUSES = ['Approved', 'Rejected', 'Pending', 'In Review', 'Removed'] as const;
export const EXCEPTION_STATUSES = ['Pending', 'Skipped'] as const;
/** When a check found an exception. */
export const DRAW_STAGES = ['request', 'change', 'approval'] as const;

/** What a check of a draw request found. */
export const DRAW_EXCEPTION_MESSAGES = [
  'Missing data',
  'Currency commitment exceeded',
  'Total commitment exceeded',
  'Draw frequency exceeded',
  'Draw limits exceeded',
  'Draw in deficit',
  'Due Date limits exceeded',
  'Availability period ended',
  'Covenant breached',
] as const;
