/** Actions on one page of a history. */
export const HISTORY_PAGE = 25;
