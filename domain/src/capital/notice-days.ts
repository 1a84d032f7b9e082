/** Business days that investors expect between a notice and its due date, as the templates of ILPA ask for. */
export const NOTICE_BUSINESS_DAYS = 10;
