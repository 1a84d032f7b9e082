/** An address holds at most so many ids: a long one is refused. */
export const MAX_CHOSEN_USERS = 200;
