/** The order of the list of funds, if a person chose none. */
export const FUND_SORT = { title: 1 } as const;
