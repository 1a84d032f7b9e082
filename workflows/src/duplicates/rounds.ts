/** Tapes that are published together are searched together. */
const QUIET = '10 seconds';
/** Between two searches of a run, so that a book is not searched without end while its tapes arrive. */
const PAUSE = '10 minutes';
/** Searches of a run that may fail. */
const MAX_FAILURES = 3;

/** What has become of the searches of a run so far. */
export interface Rounds {
  readonly searched: number;
  readonly failed: number;
}

/** How long a search waits for further tapes, unless a person waits for it. */
export const pauseBefore = ({ searched }: Rounds): typeof QUIET | typeof PAUSE => (searched === 0 ? QUIET : PAUSE);

/** Whether the book is searched again: a tape was published during the last search, which may have failed. */
export const isSearchedAgain = (isOutdated: boolean, { failed }: Rounds): boolean =>
  isOutdated && failed < MAX_FAILURES;
