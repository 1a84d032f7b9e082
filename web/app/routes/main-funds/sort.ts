/** The order of the list of main funds, if a person chose none. */
export const MAIN_FUND_SORT = { title: 1 } as const;
