/** Changes on one page of a document's history. */
export const HISTORY_PAGE = 25;
