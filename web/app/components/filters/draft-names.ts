/** The new condition is an alternative to all others together; an index makes it one to that chip. */
export const JOINS_ALL = 'all';

/** The parameters of the bar's form, and the page. They are removed from the address when a filter changes. */
export const DRAFT_NAMES: readonly string[] = ['field', 'operator', 'value', 'joins', 'skip'];
