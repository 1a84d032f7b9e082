/** The bucket of the files that are attached to draw requests, and their directory in it. */
export const DRAW_FILES = { bucket: 'loanTapes', directory: 'draws' } as const;
