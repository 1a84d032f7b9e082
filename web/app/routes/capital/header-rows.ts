/** The order of the lists of calls and of distributions. */
export const HEADER_SORT = { cutOffDate: -1 } as const;
