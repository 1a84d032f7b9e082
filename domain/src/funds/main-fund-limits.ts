/** Funds of one main fund. */
export const MAX_MEMBERS = 100;
