/** The bucket of the files that are attached to draw requests, and their directory in it. */
export const DRAW_FILES = { bucket: 'loanTapes', directory: 'draws' } as const;

/** Whether the file is for a draw request, which may be of any accepted type. Other files of the bucket are tapes. */
export const isDrawFile = ({ bucket, key }: { bucket: string; key: string }): boolean =>
  bucket === DRAW_FILES.bucket && key.startsWith(`${DRAW_FILES.directory}/`);
