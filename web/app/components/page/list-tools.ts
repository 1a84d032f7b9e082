/** The id of the search and the filter of a list in its page. */
export const listTools = (grid: string): string => `${grid}-tools`;
