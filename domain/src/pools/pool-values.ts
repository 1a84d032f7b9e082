/** Most values of a field that a pool is divided by. */
export const MAX_POOL_VALUES = 50;

/** How many of them are shown at first. */
export const FIRST_VALUES = 10;
