/** Statuses that any document may have. Draws, contracts and proposals have their own. */
export const GENERAL_STATUSES = [
  'Active',
  'Success',
  'Pending',
  'Processing',
  'Upcoming',
  'Disabled',
  'Removed',
  'Draft',
  'NonActive',
  'Completed',
  'Closed',
] as const;
export type GeneralStatus = (typeof GENERAL_STATUSES)[number];

/** The statuses by what they mean for a document: it counts, or it does not, or no longer does. */
export const STATUS_GROUPS = {
  positive: ['Active', 'Closed', 'Completed', 'NonActive', 'Success'],
  negative: ['Disabled', 'Draft', 'Removed', 'Upcoming', 'Pending'],
} as const satisfies Record<string, readonly GeneralStatus[]>;

export type StatusGroup = keyof typeof STATUS_GROUPS;

/** The group of a status; null for one that belongs to neither. */
export const statusGroupOf = (status: string): StatusGroup | null =>
  (['positive', 'negative'] as const).find((group) => (STATUS_GROUPS[group] as readonly string[]).includes(status)) ??
  null;

/** Statuses in the order in which they are offered: positive ones, negative ones, then those of neither group. */
export const byStatusGroup = (statuses: readonly string[]): string[] =>
  [...(['positive', 'negative', null] as const)].flatMap((group) =>
    statuses.filter((status) => statusGroupOf(status) === group),
  );
